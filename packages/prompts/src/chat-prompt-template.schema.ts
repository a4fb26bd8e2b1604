import { component, nested } from '@x/core-model/schemas'
import { Array as List } from 'typebox'
import { promptFields, templateFormat } from './base-prompt-template.schema.ts'

export const ChatPromptTemplate = component('ChatPromptTemplate', 'Chat messages with variables.', {
  ...promptFields,
  messageTemplates: List(
    nested({
      type: 'ChatMessage',
      options: 'ChatMessageOptions',
      imports: { ChatMessage: '@x/core-model', ChatMessageOptions: '@x/core-model' },
    }),
    {
      description: 'The messages; {name} is a variable, {{ and }} are braces.',
    },
  ),
  templateFormat,
})
