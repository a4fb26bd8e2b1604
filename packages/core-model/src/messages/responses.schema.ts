import { freeForm, nested, nullable, oneOf, plainRecord } from '@x/core/schemas'
import { Boolean as Bool, Integer, String as Text } from 'typebox'
import type { ChatMessageOptions } from '../generated/chat-message.ts'
import type { ChatMessage } from './chat-message.ts'
import { messageRoles } from './message-role.ts'

export const ChatResponse = plainRecord('ChatResponse', 'The answer of a chat model, whole or so far.', {
  message: nested<ChatMessage, ChatMessageOptions>({
    description: 'The message; in a stream, everything so far.',
  }),
  raw: nullable(freeForm({ description: 'What the provider sent, as plain data.' })),
  delta: nullable(Text(), { description: 'In a stream, the new piece.' }),
  additionalKwargs: freeForm({ description: 'Further data of the provider.', default: {} }),
})

export const CompletionResponse = plainRecord(
  'CompletionResponse',
  'The answer of a completion model, whole or so far.',
  {
    text: Text({ description: 'The text; in a stream, everything so far.' }),
    additionalKwargs: freeForm({ description: 'Further data of the provider.', default: {} }),
    raw: nullable(freeForm({ description: 'What the provider sent, as plain data.' })),
    delta: nullable(Text(), { description: 'In a stream, the new piece.' }),
  },
)

export const LLMMetadata = plainRecord('LLMMetadata', 'The properties of a language model.', {
  contextWindow: nullable(Integer(), {
    description:
      'Maximum number of tokens of prompt and answer together; null if unknown, so that nothing is shortened.',
    default: 3900,
  }),
  numOutput: Integer({ description: 'Maximum number of tokens of an answer.', default: 256 }),
  isChatModel: Bool({ description: 'Whether the model accepts chat messages.', default: false }),
  isFunctionCallingModel: Bool({ description: 'Whether the model calls tools natively.', default: false }),
  modelName: Text({ description: 'Name of the model.', default: 'unknown' }),
  systemRole: oneOf(messageRoles, { description: 'The role of system messages.', default: 'system' }),
  provider: nullable(Text(), {
    description: 'Name of the provider, such as openai; null if unknown.',
    extension: true,
  }),
})
