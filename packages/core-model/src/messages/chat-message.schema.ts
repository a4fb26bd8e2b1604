import { anything, freeForm, oneOf, record, typedData } from '../define.ts'
import type { ContentPart } from './content-part.ts'
import { messageRoles } from './message-role.ts'

export const ChatMessage = record('ChatMessage', 'One message of a chat.', {
  role: oneOf(messageRoles, { description: 'The role of the author.', default: 'user' }),
  content: typedData<string | ContentPart[] | null, readonly ContentPart[]>(
    anything({ json: true, description: 'A string, an array of content parts, or null.', default: '' }),
  ),
  additionalKwargs: freeForm({ description: 'Data of the provider, such as tool calls.', default: {} }),
})
