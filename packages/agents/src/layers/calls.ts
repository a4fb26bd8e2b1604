/**
 * @module
 * The calls of a turn: arguments that are not quite JSON are read, and results are saved before the step continues. Outputs are shortened
 * for the model, may end the task, and repeated failures stop it.
 */

import { checkOption, choice, wholeNumber } from '@x/core/options'
import { textOrJson } from '@x/core/values'
import { isToolkitError, type ToolOutput } from '@x/core-model'
import { clipOutput } from '../loop/clip-text.ts'
import type { Layer, Scope } from '../loop/layer.ts'
import { failedOutput, positionOf } from '../loop/loop.ts'
import { RepeatedFailureError } from '../loop/loop-errors.ts'
import type { StopContext } from '../loop/loop-options.ts'
import type { SavedReply } from '../loop/reply.ts'
import type { ToolCall } from '../task/agent-event.ts'
import type { ResultKind } from '../task/durable.ts'
import type { Task } from '../task/task.ts'
import { noUsage } from '../task-usage.ts'
import { readCallArguments } from '../tool/read-arguments.ts'
import { isCallError } from '../tool/tool-errors.ts'
import { savedReply } from './replies.ts'

/** Accepts arguments with comments, single quotes, trailing commas or unquoted keys, and those in a code fence. */
export function lenientArguments(): Layer {
  return { rank: 90, arguments: () => readCallArguments }
}

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
    const { saving, ids } = scope
    const { counts } = ids
    if (!saving) return next(request, scope)
    const number = (counts[MODEL_CALLS] ?? 0) + 1
    counts[MODEL_CALLS] = number
    const ask = () => {
      ids.isReplayed = false
      return next(request, scope).then(savedReply.bind(null, request.tools))
    }
    ids.isReplayed = true
    return saving.once(number === 1 ? 'model' : `model-${number}`, ask, REPLY)
  },
  tool: (next) => (call, scope) => {
    const { saving, handles, raises, callContext, isRepaired, ids } = scope
    // A tool with a port makes its own durable calls.
    if (!saving || callContext?.durable) return next(call, scope)
    const name = `tool-${positionOf(call, scope)}${isRepaired ? '-2' : ''}`
    const made = next.bind(null, call, scope) as () => Promise<ToolOutput>
    // Calls that begin when this one has ended had to wait for it.
    const end = () => {
      ids.isReplayed = false
    }
    const make = ids.isReplayed ? () => made().finally(end) : made
    const unhandled = (error: unknown) =>
      isCallError(error) && !raises?.(error) ? failedOutput(call, error) : undefined
    return saving.once(name, make, { kind: 'output', unhandled, handles })
  },
}

/**
 * Shortens the outputs of tools that the model receives. The sources of the answer stay whole.
 * @param tokens - of one output, at least 1.
 * @throws {ModelValidationError} if `tokens` is out of range.
 */
export function clipOutputs(tokens: number): Layer {
  checkOption('clipOutputs', 'tokens', tokens, wholeNumber(1))
  return {
    rank: 47,
    record: (next) => (turn, outputs, scope) => {
      // No tokenizer counts more tokens than bytes, and a UTF-16 unit has at most three.
      const isLong = ({ content, parts }: ToolOutput) => content.length * 3 > tokens || parts
      return next(
        turn,
        outputs.map((output) => (isLong(output) ? clipOutput(output, tokens) : output)),
        scope,
      )
    },
  }
}

/** Ends the task after the tools of a step ran, with the last output as the answer. */
export function stopWhen<Context = unknown>(
  hook: (context: StopContext<Context>) => boolean | Promise<boolean>,
): Layer {
  return {
    rank: 46,
    record: (next) => async (turn, outputs, scope) => {
      const outcome = await next(turn, outputs, scope)
      if (turn.kind !== 'calls' || outcome.kind !== 'next') return outcome
      const { task, state, context, loop } = scope
      const { sources, usage = noUsage() } = state
      const stop = await hook({ task: task as Task, outputs, sources, usage, context: context as Context })
      return stop ? loop.record({ kind: 'answer', text: sources.at(-1)?.content ?? '' }, [], scope) : outcome
    },
  }
}

/**
 * Stops a task whose model repeats a call that fails.
 * @param most - consecutive failures, at least 1.
 * @throws {ModelValidationError} if an option is out of range.
 */
export function repeatedFailures(most: number, onLimit: 'raise' | 'answer' = 'raise'): Layer {
  checkOption('repeatedFailures', 'most', most, wholeNumber(1))
  checkOption('repeatedFailures', 'onLimit', onLimit, choice('raise', 'answer'))
  return {
    rank: 45,
    record: (next) => (turn, outputs, scope) => {
      const calls = turn.kind === 'calls' ? turn.calls : []
      for (const [i, call] of calls.entries()) countFailure(call, outputs[i]!, scope, most, onLimit)
      return next(turn, outputs, scope)
    },
  }
}

/** @throws {RepeatedFailureError} at the limit, unless the model is then asked for its best answer. */
function countFailure(
  call: ToolCall,
  output: ToolOutput,
  { state, task }: Scope,
  most: number,
  onLimit: 'raise' | 'answer',
): void {
  if (!output.isError) {
    state.failing_call = undefined
    return
  }
  const key = `${call.name} ${textOrJson(call.arguments)}`
  const times = state.failing_call?.key === key ? state.failing_call.times + 1 : 1
  state.failing_call = { key, times }
  if (times < most) return
  if (onLimit !== 'answer') throw new RepeatedFailureError(task.taskId, call.name, times, output.content)
  state.last_call = true
}
