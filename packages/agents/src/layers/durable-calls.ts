/**
 * @module
 * Saves the results of the calls of a step before it continues, through the port of a runner.
 */
import type { ToolOutput } from '@x/core-model'
import { OUTPUT, REPLY } from '../loop/durable-calls.ts'
import type { Layer } from '../loop/layer.ts'
import { positionOf } from '../loop/loop.ts'
import { savedReply } from '../loop/reply.ts'

const MODEL_CALLS = Symbol('durableCalls')

/** Saves the replies of the model and the outputs of tools. */
export const durableCalls: Layer = {
  rank: 70,
  model: (next) => (request, scope) => {
    const { saving, ids } = scope
    if (!saving) return next(request, scope)
    const number = ((ids.notes[MODEL_CALLS] as number | undefined) ?? 0) + 1
    ids.notes[MODEL_CALLS] = number
    const ask = () => next(request, scope).then(savedReply)
    return saving.once(number === 1 ? 'model' : `model-${number}`, ask, REPLY)
  },
  tool: (next) => (call, scope) => {
    const { saving, handles, callContext, isRepaired } = scope
    // A tool with a port makes its own durable calls.
    if (!saving || callContext?.durable) return next(call, scope)
    const name = `tool-${positionOf(call, scope)}${isRepaired ? '-2' : ''}`
    const make = next.bind(null, call, scope) as () => Promise<ToolOutput>
    return saving.once(name, make, handles ? { ...OUTPUT, handles } : OUTPUT)
  },
}
