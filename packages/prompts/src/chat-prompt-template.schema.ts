import type { ChatMessage, ChatMessageOptions } from '@x/core-model'
import { nested } from '@x/core-model/schemas'
import { Array as List } from 'typebox'
import { promptTemplate, templateFormat } from './base-prompt-template.schema.ts'

export const ChatPromptTemplate = promptTemplate('ChatPromptTemplate', 'A chat prompt with variables.', {
  messageTemplates: List(nested<ChatMessage, ChatMessageOptions>({}), {
    description: 'The messages. {name} is a variable; {{ and }} are braces.',
  }),
  templateFormat,
})
