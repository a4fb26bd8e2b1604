// Generated from the schema of the model by x-codegen. Do not edit.
import { BasePromptTemplate } from '../base-prompt-template.ts'
import type { BasePromptTemplateFields } from './base-prompt-template.ts'
import { modelOf } from '@x/core-model'

/** The fields of {@link PromptTemplate}. */
export interface PromptTemplateFields extends BasePromptTemplateFields {
  /** The text; {name} is a variable, {{ and }} are braces. */
  template: string
  /** literal: only {name} of a declared name is a placeholder. @defaultValue null */
  templateFormat: 'literal' | null
}

declare abstract class Declared extends BasePromptTemplate {
  constructor(options: object)
}
interface Declared extends PromptTemplateFields {}

/** The typed base of {@link PromptTemplate}. */
export const PromptTemplateModel = /* @__PURE__ */ modelOf<typeof Declared>(BasePromptTemplate, {
  name: 'PromptTemplate',
  description: 'One text with variables.',
  className: 'PromptTemplate',
  fields: {
    template: { schema: { type: 'string', description: 'The text; {name} is a variable, {{ and }} are braces.' }, required: true },
    templateFormat: { wire: 'template_format', schema: { enum: ['literal', null], type: ['string', 'null'], description: 'literal: only {name} of a declared name is a placeholder.' }, extension: true },
  },
})
