import { component } from '@x/core-model/schemas'
import { String as Text } from 'typebox'
import { promptFields, templateFormat } from './base-prompt-template.schema.ts'

export const PromptTemplate = component('PromptTemplate', 'One text with variables.', {
  ...promptFields,
  template: Text({ description: 'The text; {name} is a variable, {{ and }} are braces.' }),
  templateFormat,
})
