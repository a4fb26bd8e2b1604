import { anything, freeForm, nullable, oneOf, plainRecord, typedData } from '@x/core/schemas'
import { Array as List } from 'typebox'
import type { ContentPart, MessagePart, StoredPart } from './content-part.ts'
import { messageRoles } from './message-role.ts'

export const ChatMessage = plainRecord('ChatMessage', 'One message of a chat.', {
  role: oneOf([...messageRoles, 'developer'], { description: 'The role of the author.', default: 'user' }),
  content: typedData<string | ContentPart[] | null, readonly ContentPart[]>(
    anything({
      json: true,
      otherNames: ['text'],
      description: 'A string, an array of content parts, or null.',
      default: '',
    }),
  ),
  additionalKwargs: freeForm({
    otherNames: ['tool_calls', 'toolCalls', 'tool_call_id'],
    description: 'Data of the provider, such as tool calls.',
    default: {},
  }),
  parts: typedData<StoredPart[] | null, readonly MessagePart[] | readonly StoredPart[]>(
    nullable(List(freeForm()), {
      description: 'What the model wrote, part by part; null where the other fields say the same. See messageParts.',
      extension: true,
    }),
  ),
})
