// Generated from the schema of the model by x-codegen. Do not edit.
import type { VariableFunction } from '../variable-values.ts'
import { Model, type OutputParser, modelOf } from '@x/core-model'

/** The fields of {@link BasePromptTemplate}. */
export interface BasePromptTemplateFields {
  /** Data about the prompt; always contains prompt_type. */
  metadata: Record<string, unknown>
  /** Variable names in order of occurrence, including duplicates. */
  templateVars: string[]
  /** Stored values by variable name. */
  kwargs: Record<string, string>
  /** Adds instructions to the formatted prompt. */
  outputParser: OutputParser | null
  /** Maps the name that callers use to the name in the template. @defaultValue null */
  templateVarMappings: Record<string, string> | null
  /** Maps a variable name to a function that computes its value from all values. */
  functionMappings: Readonly<Record<string, VariableFunction>> | null
}

/** Constructor options of {@link BasePromptTemplate}. */
export interface BasePromptTemplateOptions {
  /** Data about the prompt; always contains prompt_type. */
  metadata: Readonly<Record<string, unknown>>
  /** Variable names in order of occurrence, including duplicates. */
  templateVars: readonly string[]
  /** Stored values by variable name. */
  kwargs: Readonly<Record<string, string>>
  /** Adds instructions to the formatted prompt. */
  outputParser?: OutputParser | null | undefined
  /** Maps the name that callers use to the name in the template. @defaultValue null */
  templateVarMappings?: Readonly<Record<string, string>> | null | undefined
  /** Maps a variable name to a function that computes its value from all values. */
  functionMappings?: Readonly<Record<string, VariableFunction>> | null | undefined
}

declare abstract class Declared extends Model {
  constructor(options: BasePromptTemplateOptions)
}
interface Declared extends BasePromptTemplateFields {}

/** The typed base class of {@link BasePromptTemplate}. */
export const BasePromptTemplateModel = /* @__PURE__ */ modelOf<typeof Declared>(Model, {
  name: 'BasePromptTemplate',
  description: 'The base of all prompt templates.',
  fields: {
    metadata: { schema: { type: 'object', description: 'Data about the prompt; always contains prompt_type.' }, required: true },
    templateVars: { schema: { type: 'array', items: { type: 'string' }, description: 'Variable names in order of occurrence, including duplicates.' }, required: true },
    kwargs: { schema: { type: 'object', additionalProperties: { type: 'string' }, description: 'Stored values by variable name.' }, required: true },
    outputParser: { schema: { 'x-nested': true, description: 'Adds instructions to the formatted prompt.' }, holds: ['parse', 'format', 'formatMessages'] },
    templateVarMappings: { schema: { additionalProperties: { type: 'string' }, type: ['object', 'null'], description: 'Maps the name that callers use to the name in the template.' } },
    functionMappings: { schema: { 'x-nested': true, description: 'Maps a variable name to a function that computes its value from all values.' } },
  },
})
