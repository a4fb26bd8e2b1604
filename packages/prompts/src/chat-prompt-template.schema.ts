import type { ChatMessage, ChatMessageOptions } from '@x/core-model'
import { nested, nullable, typedData } from '@x/core-model/schemas'
import { Array as List, Unsafe } from 'typebox'
import { promptTemplate, templateFormat } from './base-prompt-template.schema.ts'
import type { StoredPlaceholder } from './message-placeholders.ts'

export const ChatPromptTemplate = promptTemplate('ChatPromptTemplate', 'A chat prompt with variables.', {
  messageTemplates: List(nested<ChatMessage, ChatMessageOptions>({}), {
    description: 'The messages. {name} is a variable; {{ and }} are braces.',
  }),
  templateFormat,
  placeholders: typedData<StoredPlaceholder[] | null, readonly StoredPlaceholder[]>(
    nullable(List(Unsafe({ type: 'object' })), {
      extension: true,
      description: 'The places for earlier messages and for examples; see history and fewShot.',
    }),
  ),
})
