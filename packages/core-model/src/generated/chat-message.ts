// Generated from the schema of the model by x-codegen. Do not edit.
import type { ContentPart, MessagePart, StoredPart } from '../messages/content-part.ts'
import { Model, modelOf } from '@x/core'

/** The fields of {@link ChatMessage}. */
export interface ChatMessageFields {
  /** The role of the author. @defaultValue 'user' */
  role: 'system' | 'user' | 'assistant' | 'function' | 'tool' | 'chatbot' | 'developer'
  /** A string, an array of content parts, or null. @defaultValue '' */
  content: string | ContentPart[] | null
  /** Data of the provider, such as tool calls. @defaultValue {} */
  additionalKwargs: Record<string, unknown>
  /** What the model wrote, part by part; null where text, reasoning and tool calls say the same. See messageParts. @defaultValue null */
  parts: StoredPart[] | null
}

/** Constructor options of {@link ChatMessage}. */
export interface ChatMessageOptions {
  /** The role of the author. @defaultValue 'user' */
  role?: 'system' | 'user' | 'assistant' | 'function' | 'tool' | 'chatbot' | 'developer' | undefined
  /** A string, an array of content parts, or null. @defaultValue '' */
  content?: string | ContentPart[] | null | readonly ContentPart[] | undefined
  /** Data of the provider, such as tool calls. @defaultValue {} */
  additionalKwargs?: Readonly<Record<string, unknown>> | undefined
  /** What the model wrote, part by part; null where text, reasoning and tool calls say the same. See messageParts. @defaultValue null */
  parts?: StoredPart[] | null | readonly MessagePart[] | readonly StoredPart[] | undefined
}

declare abstract class Declared extends Model {
  constructor(options?: ChatMessageOptions)
}
interface Declared extends ChatMessageFields {}

/** The typed base class of {@link ChatMessage}. */
export const ChatMessageModel = /* @__PURE__ */ modelOf<typeof Declared>(Model, {
  name: 'ChatMessage',
  description: 'One message of a chat.',
  className: 'ChatMessage',
  record: true,
  fields: {
    role: { schema: { type: 'string', enum: ['system', 'user', 'assistant', 'function', 'tool', 'chatbot', 'developer'], description: 'The role of the author.' }, default: 'user' },
    content: { otherNames: ['text'], schema: { description: 'A string, an array of content parts, or null.' }, default: '', json: true },
    additionalKwargs: { otherNames: ['tool_calls', 'toolCalls', 'tool_call_id'], schema: { type: 'object', description: 'Data of the provider, such as tool calls.' }, default: {} },
    parts: { schema: { items: { type: 'object' }, type: ['array', 'null'], description: 'What the model wrote, part by part; null where text, reasoning and tool calls say the same. See messageParts.' }, extension: true },
  },
})
