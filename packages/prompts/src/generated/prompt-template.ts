// Generated from the schema of the model by x-codegen. Do not edit.
import { BasePromptTemplate } from '../base-prompt-template.ts'
import type { BasePromptTemplateFields } from './base-prompt-template.ts'
import { modelOf } from '@x/core-model'

/** The fields of {@link PromptTemplate}. */
export interface PromptTemplateFields extends BasePromptTemplateFields {
  /** The template. {name} is a variable; {{ and }} are braces. */
  template: string
  /** literal: only {name} with a declared name is a variable. @defaultValue null */
  templateFormat: 'literal' | null
}

declare abstract class Declared extends BasePromptTemplate {
  constructor(options: object)
}
interface Declared extends PromptTemplateFields {}

/** The typed base class of {@link PromptTemplate}. */
export const PromptTemplateModel = /* @__PURE__ */ modelOf<typeof Declared>(BasePromptTemplate, {
  name: 'PromptTemplate',
  description: 'A prompt of one string with variables.',
  className: 'PromptTemplate',
  fields: {
    template: { schema: { type: 'string', description: 'The template. {name} is a variable; {{ and }} are braces.' }, required: true },
    templateFormat: { schema: { enum: ['literal', null], type: ['string', 'null'], description: 'literal: only {name} with a declared name is a variable.' }, extension: true },
  },
})
