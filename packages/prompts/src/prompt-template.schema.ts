import { String as Text } from 'typebox'
import { promptTemplate, templateFormat } from './base-prompt-template.schema.ts'

export const PromptTemplate = promptTemplate('PromptTemplate', 'A prompt of one string with variables.', {
  template: Text({ description: 'The template. {name} is a variable; {{ and }} are braces.' }),
  templateFormat,
})
