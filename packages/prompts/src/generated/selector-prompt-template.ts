// Generated from the schema of the model by x-codegen. Do not edit.
import { BasePromptTemplate } from '../base-prompt-template.ts'
import type { Conditional } from '../selector-prompt-template.ts'
import type { BasePromptTemplateFields } from './base-prompt-template.ts'
import { modelOf } from '@x/core-model'

/** The fields of {@link SelectorPromptTemplate}. */
export interface SelectorPromptTemplateFields extends BasePromptTemplateFields {
  /** Used if no condition is true. */
  defaultTemplate: BasePromptTemplate
  /** Conditions on the model with their templates; the first true condition is used. */
  conditionals: readonly Conditional[] | null
}

declare abstract class Declared extends BasePromptTemplate {
  constructor(options: object)
}
interface Declared extends SelectorPromptTemplateFields {}

/** The typed base class of {@link SelectorPromptTemplate}. */
export const SelectorPromptTemplateModel = /* @__PURE__ */ modelOf<typeof Declared>(BasePromptTemplate, {
  name: 'SelectorPromptTemplate',
  description: 'A default template and conditional templates, selected by the model.',
  className: 'SelectorPromptTemplate',
  fields: {
    defaultTemplate: { schema: { 'x-nested': true, description: 'Used if no condition is true.' }, required: true, holds: ['format', 'formatMessages', 'getTemplate', 'partialFormat'] },
    conditionals: { schema: { 'x-nested': true, description: 'Conditions on the model with their templates; the first true condition is used.' } },
  },
})
