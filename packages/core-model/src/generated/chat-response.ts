// Generated from the schema of the model by x-codegen. Do not edit.
import type { ChatMessage } from '../messages/chat-message.ts'
import type { ChatMessageOptions } from './chat-message.ts'
import { Model, modelOf } from '@x/core'

/** The fields of {@link ChatResponse}. */
export interface ChatResponseFields {
  /** The message; in a stream, everything so far. */
  message: ChatMessage
  /** What the provider sent, as plain data. @defaultValue null */
  raw: Record<string, unknown> | null
  /** In a stream, the new piece. @defaultValue null */
  delta: string | null
  /** Further data of the provider. @defaultValue {} */
  additionalKwargs: Record<string, unknown>
}

/** Constructor options of {@link ChatResponse}. */
export interface ChatResponseOptions {
  /** The message; in a stream, everything so far. */
  message: ChatMessage | ChatMessageOptions
  /** What the provider sent, as plain data. @defaultValue null */
  raw?: Readonly<Record<string, unknown>> | null | undefined
  /** In a stream, the new piece. @defaultValue null */
  delta?: string | null | undefined
  /** Further data of the provider. @defaultValue {} */
  additionalKwargs?: Readonly<Record<string, unknown>> | undefined
}

declare abstract class Declared extends Model {
  constructor(options: ChatResponseOptions)
}
interface Declared extends ChatResponseFields {}

/** The typed base class of {@link ChatResponse}. */
export const ChatResponseModel = /* @__PURE__ */ modelOf<typeof Declared>(Model, {
  name: 'ChatResponse',
  description: 'The answer of a chat model, whole or so far.',
  className: 'ChatResponse',
  record: true,
  fields: {
    message: { schema: { 'x-nested': true, description: 'The message; in a stream, everything so far.' }, required: true },
    raw: { schema: { description: 'What the provider sent, as plain data.', type: ['object', 'null'] } },
    delta: { schema: { type: ['string', 'null'], description: 'In a stream, the new piece.' } },
    additionalKwargs: { schema: { type: 'object', description: 'Further data of the provider.' }, default: {} },
  },
})
