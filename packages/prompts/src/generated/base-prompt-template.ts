// Generated from the schema of the model by x-codegen. Do not edit.
import type { VariableFunction } from '../variable-values.ts'
import { Model, type OutputParser, modelOf } from '@x/core-model'

/** The fields of {@link BasePromptTemplate}. */
export interface BasePromptTemplateFields {
  /** Data about the prompt; always holds prompt_type. */
  metadata: Record<string, unknown>
  /** Variable names in order of occurrence, with repeats. */
  templateVars: string[]
  /** Stored values by variable name. */
  kwargs: Record<string, string>
  /** Adds instructions to the filled prompt. */
  outputParser: OutputParser | null
  /** Name that callers use → name in the template. @defaultValue null */
  templateVarMappings: Record<string, string> | null
  /** Variable name → function of all values that gives its text. */
  functionMappings: Readonly<Record<string, VariableFunction>> | null
}

/** What {@link BasePromptTemplate} is built from. */
export interface BasePromptTemplateOptions {
  /** Data about the prompt; always holds prompt_type. */
  metadata: Readonly<Record<string, unknown>>
  /** Variable names in order of occurrence, with repeats. */
  templateVars: readonly string[]
  /** Stored values by variable name. */
  kwargs: Readonly<Record<string, string>>
  /** Adds instructions to the filled prompt. */
  outputParser?: OutputParser | null | undefined
  /** Name that callers use → name in the template. @defaultValue null */
  templateVarMappings?: Readonly<Record<string, string>> | null | undefined
  /** Variable name → function of all values that gives its text. */
  functionMappings?: Readonly<Record<string, VariableFunction>> | null | undefined
}

declare abstract class Declared extends Model {
  constructor(options: BasePromptTemplateOptions)
}
interface Declared extends BasePromptTemplateFields {}

/** The typed base of {@link BasePromptTemplate}. */
export const BasePromptTemplateModel = /* @__PURE__ */ modelOf<typeof Declared>(Model, {
  name: 'BasePromptTemplate',
  description: 'What all prompt templates have in common.',
  fields: {
    metadata: { schema: { type: 'object', description: 'Data about the prompt; always holds prompt_type.' }, required: true },
    templateVars: { wire: 'template_vars', schema: { type: 'array', items: { type: 'string' }, description: 'Variable names in order of occurrence, with repeats.' }, required: true },
    kwargs: { schema: { type: 'object', additionalProperties: { type: 'string' }, description: 'Stored values by variable name.' }, required: true },
    outputParser: { wire: 'output_parser', schema: { 'x-nested': true, description: 'Adds instructions to the filled prompt.' }, holds: ['parse', 'format', 'formatMessages'] },
    templateVarMappings: { wire: 'template_var_mappings', schema: { additionalProperties: { type: 'string' }, type: ['object', 'null'], description: 'Name that callers use → name in the template.' } },
    functionMappings: { wire: 'function_mappings', schema: { 'x-nested': true, description: 'Variable name → function of all values that gives its text.' } },
  },
})
