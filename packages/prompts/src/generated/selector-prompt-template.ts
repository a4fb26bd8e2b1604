// Generated from the schema of the model by x-codegen. Do not edit.
import { BasePromptTemplate } from '../base-prompt-template.ts'
import type { Conditional } from '../selector-prompt-template.ts'
import type { BasePromptTemplateFields } from './base-prompt-template.ts'
import { modelOf } from '@x/core-model'

/** The fields of {@link SelectorPromptTemplate}. */
export interface SelectorPromptTemplateFields extends BasePromptTemplateFields {
  /** Taken when no condition holds. */
  defaultTemplate: BasePromptTemplate
  /** Conditions on the model with their templates; the first that holds wins. */
  conditionals: readonly Conditional[] | null
}

declare abstract class Declared extends BasePromptTemplate {
  constructor(options: object)
}
interface Declared extends SelectorPromptTemplateFields {}

/** The typed base of {@link SelectorPromptTemplate}. */
export const SelectorPromptTemplateModel = /* @__PURE__ */ modelOf<typeof Declared>(BasePromptTemplate, {
  name: 'SelectorPromptTemplate',
  description: 'A default template and conditional ones, chosen by the model.',
  className: 'SelectorPromptTemplate',
  fields: {
    defaultTemplate: { wire: 'default_template', schema: { 'x-nested': true, description: 'Taken when no condition holds.' }, required: true, holds: ['format', 'formatMessages', 'getTemplate', 'partialFormat'] },
    conditionals: { schema: { 'x-nested': true, description: 'Conditions on the model with their templates; the first that holds wins.' } },
  },
})
