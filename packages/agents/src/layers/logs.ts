/**
 * @module
 * Writes what the model and its tools say to a logger.
 */
import type { Layer } from '../loop/layer.ts'

/** Passes thoughts, text, outputs of tools and answers to a function. */
export function logs(log: (text: string) => void): Layer {
  return {
    rank: 10,
    read: (next) => async (message, scope) => {
      const turn = await next(message, scope)
      if (turn.kind === 'unreadable') log(turn.observation)
      if (turn.kind !== 'calls') return turn
      if (turn.thought) log(turn.thought)
      if (turn.text) log(turn.text)
      return turn
    },
    tool: (next) => async (call, scope) => {
      const output = await next(call, scope)
      if (output) log(output.content)
      return output
    },
    record: (next) => async (turn, outputs, scope) => {
      const outcome = await next(turn, outputs, scope)
      if (turn.kind === 'answer' && outcome.kind === 'answer') log(outcome.text)
      return outcome
    },
  }
}
