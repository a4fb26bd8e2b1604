// Generated from the schema of the model by x-codegen. Do not edit.
import { BasePromptTemplate } from '../base-prompt-template.ts'
import type { ForeignSelector } from '../foreign-prompt-template.ts'
import type { BasePromptTemplateFields } from './base-prompt-template.ts'
import { modelOf } from '@x/core-model'

/** The fields of {@link ForeignPromptTemplate}. */
export interface ForeignPromptTemplateFields extends BasePromptTemplateFields {
  /** The foreign prompts: the default prompt and conditional prompts. */
  selector: ForeignSelector | null
  /** Whether a model must wrap a foreign model. @defaultValue false */
  requiresForeignLlm: boolean
}

declare abstract class Declared extends BasePromptTemplate {
  constructor(options: object)
}
interface Declared extends ForeignPromptTemplateFields {}

/** The typed base class of {@link ForeignPromptTemplate}. */
export const ForeignPromptTemplateModel = /* @__PURE__ */ modelOf<typeof Declared>(BasePromptTemplate, {
  name: 'ForeignPromptTemplate',
  description: 'A prompt of another framework.',
  className: 'ForeignPromptTemplate',
  fields: {
    selector: { schema: { 'x-nested': true, description: 'The foreign prompts: the default prompt and conditional prompts.' } },
    requiresForeignLlm: { schema: { type: 'boolean', description: 'Whether a model must wrap a foreign model.' }, default: false },
  },
})
