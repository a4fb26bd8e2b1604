/**
 * @module
 * Reports the reasoning that the model sends beside its reply.
 */
import { reasoningOf } from '@x/core-model'
import type { Layer } from '../loop/layer.ts'

/** Reports the whole reasoning of a reply as an event. @param log - receives it too. */
export function reasoning(log?: (text: string) => void): Layer {
  return {
    rank: 32,
    reply: (reply, _request, { emit }) => {
      const parts = emit || log ? reasoningOf(reply.message) : []
      if (parts.length === 0) return reply
      const text = parts.map((part) => part.text).join('\n')
      emit?.({ type: 'reasoning', text })
      log?.(text)
      return reply
    },
  }
}
