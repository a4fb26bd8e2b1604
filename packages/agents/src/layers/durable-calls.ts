/**
 * @module
 * Saves the results of the calls of a step before it continues, through the port of a runner.
 */
import type { ToolOutput } from '@x/core-model'
import type { CallIds } from '../loop/call-ids.ts'
import { OUTPUT, once, REPLY } from '../loop/durable-calls.ts'
import { type Layer, positionOf, type Scope } from '../loop/loop.ts'
import { savedReply } from '../loop/reply.ts'
import type { Round } from '../loop/round.ts'

/** Saves the replies of the model and the outputs of tools. @param roundOf - returns the port of a step. */
export function durableCalls(roundOf: (scope: Scope) => Round): Layer {
  const modelCalls = new WeakMap<CallIds, number>()
  return {
    rank: 70,
    model: (next) => async (request, scope) => {
      const number = (modelCalls.get(scope.ids) ?? 0) + 1
      modelCalls.set(scope.ids, number)
      const ask = async () => savedReply(await next(request, scope))
      return once(roundOf(scope), number === 1 ? 'model' : `model-${number}`, ask, REPLY)
    },
    tool: (next) => async (call, scope) => {
      const round = roundOf(scope)
      // The tool makes its own durable calls.
      if (scope.callContext?.durable) return next(call, scope)
      const position = positionOf(call, scope)
      const make = async () => (await next(call, scope)) as ToolOutput
      const handles = scope.handles ?? (() => false)
      return once(round, `tool-${position}${scope.isRepaired ? '-2' : ''}`, make, { ...OUTPUT, handles })
    },
  }
}
