/**
 * @module
 * Reports the reasoning that the model sends beside its reply.
 */
import { reasoningOf } from '@x/core-model'
import type { Layer } from '../loop/loop.ts'

/** Reports the whole reasoning of a reply as an event. @param log - receives it too. */
export function reasoning(log?: (text: string) => void): Layer {
  return {
    rank: 32,
    model: (next) => async (request, scope) => {
      const reply = await next(request, scope)
      const text = reasoningOf(reply.message)
        .map((part) => part.text)
        .join('\n')
      if (text === '') return reply
      scope.emit?.({ type: 'reasoning', text })
      log?.(text)
      return reply
    },
  }
}
