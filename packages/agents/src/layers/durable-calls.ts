/**
 * @module
 * Saves the results of the calls of a step before it continues, through the port of a runner.
 */
import { isToolkitError, type ToolOutput } from '@x/core-model'
import type { Layer } from '../loop/layer.ts'
import { failedOutput, positionOf } from '../loop/loop.ts'
import type { SavedReply } from '../loop/reply.ts'
import type { ResultKind } from '../task/durable.ts'
import { isCallError } from '../tool/tool-errors.ts'
import { savedReply } from './replies.ts'

/** A reply of the model. The next attempt of a step asks again after an error that may pass; see StepResults. */
const REPLY: ResultKind<SavedReply> = {
  kind: 'reply',
  handles: (error) => isToolkitError(error, 'model_call') && !error.retryable,
}

const MODEL_CALLS = Symbol('durableCalls')

/** Saves the replies of the model and the outputs of tools. */
export const durableCalls: Layer = {
  rank: 70,
  model: (next) => (request, scope) => {
    const { saving } = scope
    const { counts } = scope.ids
    if (!saving) return next(request, scope)
    const number = (counts[MODEL_CALLS] ?? 0) + 1
    counts[MODEL_CALLS] = number
    const ask = () => next(request, scope).then(savedReply)
    return saving.once(number === 1 ? 'model' : `model-${number}`, ask, REPLY)
  },
  tool: (next) => (call, scope) => {
    const { saving, handles, raises, callContext, isRepaired } = scope
    // A tool with a port makes its own durable calls.
    if (!saving || callContext?.durable) return next(call, scope)
    const name = `tool-${positionOf(call, scope)}${isRepaired ? '-2' : ''}`
    const make = next.bind(null, call, scope) as () => Promise<ToolOutput>
    const unhandled = (error: unknown) =>
      isCallError(error) && !raises?.(error) ? failedOutput(call, error) : undefined
    return saving.once(name, make, { kind: 'output', unhandled, handles })
  },
}
