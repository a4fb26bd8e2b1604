/**
 * @module
 * What a reply of the model says in addition to its message.
 */
import {
  type ChatMessage,
  type ChatResponse,
  type FinishReason,
  finishReasonOf,
  type TokenUsage,
  usageOf,
} from '@x/core-model'
import type { SavedReply } from './durable-calls.ts'

/** A reply of the model: its response, or what is saved of it. */
export interface ModelReply extends Partial<SavedReply> {
  message: ChatMessage
  response?: ChatResponse
}

/** Returns the tokens of a reply; null if the model reports none. */
export function replyUsage({ usage, response }: ModelReply): TokenUsage | null {
  return usage !== undefined || !response ? (usage ?? null) : usageOf(response)
}

/** Returns why a reply ended; null if the model does not report it. */
export function replyEnd({ finishReason, response }: ModelReply): FinishReason | null {
  return finishReason !== undefined || !response ? (finishReason ?? null) : finishReasonOf(response)
}

/** Returns a reply in the form in which it is saved. */
export function savedReply(reply: ModelReply): SavedReply {
  return { message: reply.message, usage: replyUsage(reply), finishReason: replyEnd(reply) }
}
