/**
 * @module
 * Saves the results of the calls of a step before it continues, through the port of a runner.
 */
import type { ToolOutput } from '@x/core-model'
import { OUTPUT, once, REPLY } from '../loop/durable-calls.ts'
import { type Layer, positionOf, type Scope } from '../loop/loop.ts'
import { savedReply } from '../loop/reply.ts'
import type { Round } from '../loop/round.ts'

const MODEL_CALLS = Symbol('durableCalls')

/** Saves the replies of the model and the outputs of tools. @param roundOf - returns the port of a step. */
export function durableCalls(roundOf: (scope: Scope) => Round): Layer {
  return {
    rank: 70,
    model: (next) => (request, scope) => {
      const { notes } = scope.ids
      const number = ((notes[MODEL_CALLS] as number | undefined) ?? 0) + 1
      notes[MODEL_CALLS] = number
      const ask = () => next(request, scope).then(savedReply)
      return once(roundOf(scope), number === 1 ? 'model' : `model-${number}`, ask, REPLY)
    },
    tool: (next) => (call, scope) => {
      const round = roundOf(scope)
      // The tool makes its own durable calls.
      if (scope.callContext?.durable) return next(call, scope)
      const position = positionOf(call, scope)
      const make = () => next(call, scope) as Promise<ToolOutput>
      const kind = scope.handles ? { ...OUTPUT, handles: scope.handles } : OUTPUT
      return once(round, `tool-${position}${scope.isRepaired ? '-2' : ''}`, make, kind)
    },
  }
}
