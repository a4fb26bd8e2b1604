/**
 * @module
 * Replies that a provider paused, because its own tools take long: the request is sent again with what was written, and continues.
 */
import { addUsage, ChatMessage, messageParts } from '@x/core-model'
import type { Layer, ModelReply } from '../loop/layer.ts'
import { replyEnd, replyText, replyUsage } from '../loop/reply.ts'

/** The most pieces of one reply, so that a provider that always pauses is stopped. */
const MAX_PARTS = 32

/** Continues a reply that the provider paused. The history contains one message for all of its pieces. */
export const pausedTurns: Layer = {
  rank: 34,
  reply: (reply, request, scope, ask) => {
    if (replyEnd(reply) !== 'pause') return reply
    return (async () => {
      let whole = reply
      for (let part = 1; replyEnd(whole) === 'pause' && part < MAX_PARTS; part++) {
        const messages = [...request.messages, whole.message]
        whole = joined(whole, await ask({ ...request, messages }, scope))
      }
      return whole
    })()
  },
}

function joined(first: ModelReply, second: ModelReply): ModelReply {
  const [one, two] = [first.message, second.message]
  const { reasoning: _, ...additionalKwargs } = { ...one.additionalKwargs, ...two.additionalKwargs }
  const parts = [one, two].flatMap((message) =>
    messageParts(message).map((part) => (part.type === 'tool_call' ? { type: part.type } : part)),
  )
  const content = replyText(one) + replyText(two)
  const [before, after] = [replyUsage(first), replyUsage(second)]
  return {
    message: new ChatMessage({ role: 'assistant', content, additionalKwargs, parts }),
    usage: before && after ? addUsage(before, after) : (before ?? after),
    finishReason: replyEnd(second),
  }
}
