// Generated from the schema of the model by x-codegen. Do not edit.
import { BasePromptTemplate } from '../base-prompt-template.ts'
import type { ForeignSelector } from '../foreign-prompt-template.ts'
import type { BasePromptTemplateFields } from './base-prompt-template.ts'
import { modelOf } from '@x/core-model'

/** The fields of {@link ForeignPromptTemplate}. */
export interface ForeignPromptTemplateFields extends BasePromptTemplateFields {
  /** The foreign prompts: a default one and conditional ones. */
  selector: ForeignSelector | null
  /** A model that wraps no foreign model is refused. @defaultValue false */
  requiresForeignLlm: boolean
}

declare abstract class Declared extends BasePromptTemplate {
  constructor(options: object)
}
interface Declared extends ForeignPromptTemplateFields {}

/** The typed base of {@link ForeignPromptTemplate}. */
export const ForeignPromptTemplateModel = /* @__PURE__ */ modelOf<typeof Declared>(BasePromptTemplate, {
  name: 'ForeignPromptTemplate',
  description: 'A prompt object of another framework.',
  className: 'ForeignPromptTemplate',
  fields: {
    selector: { schema: { 'x-nested': true, description: 'The foreign prompts: a default one and conditional ones.' } },
    requiresForeignLlm: { wire: 'requires_foreign_llm', schema: { type: 'boolean', description: 'A model that wraps no foreign model is refused.' }, default: false },
  },
})
