/**
 * @module
 * Limits the model calls and tool calls of a task.
 */
import { ChatMessage } from '@x/core-model'
import type { Layer, LoopCall, MakeRequest, RequestPlan, Scope, StepRequest } from '../loop/layer.ts'
import { isNewCall } from '../loop/loop.ts'
import { MaxIterationsError } from '../loop/loop-errors.ts'
import { errorOutput } from '../tool/base-tool.ts'

/** The limits of a task. */
export interface Limits {
  /** How often the model is asked per task. */
  readonly maxIterations: number
  /** Maximum number of tool calls per task; null for no limit. Calls above it are refused, and the model is asked for an answer. */
  readonly maxFunctionCalls?: number | null | undefined
  /** The action at the limit: throw, or ask the model once more for its best answer. @defaultValue 'raise' */
  readonly onMaxIterations?: 'raise' | 'answer' | undefined
}

const REFUSED = 'the limit of tool calls is reached; this call was not made.'

const ASK_FOR_BEST_ANSWER =
  'No more tools can be called. Give the best answer you can from what you have found out so far.'

/** Limits the calls of a task. The limits are read in every step, so that they can be raised. */
export function limits(of: Limits): readonly Layer[] {
  return [modelLimit(of, of.onMaxIterations), ...callLimit(of)]
}

const callsLeft = ({ maxFunctionCalls }: Limits, { state }: Scope) =>
  (maxFunctionCalls ?? Number.POSITIVE_INFINITY) - state.n_function_calls

/** Limits the model calls of a task. With the action `answer` it needs {@link callLimit}, which asks for the answer. */
export function modelLimit(of: Limits, atLimit: Limits['onMaxIterations']): Layer {
  return {
    rank: 30,
    step: (next) => (input, scope) =>
      next(input, isLastTurn(scope, of, atLimit) ? { ...scope, mustAnswer: true } : scope),
  }
}

/** Limits the tool calls of a task, and asks for the answer in the last turn. */
export function callLimit(of: Limits): readonly Layer[] {
  return [outer(of), lastRequest]
}

function outer(of: Limits): Layer {
  const left = (scope: Scope) => callsLeft(of, scope)
  return {
    rank: 30,
    request: (next) => (plan, scope) => next(limitedPlan(plan, scope, left(scope)), scope),
    read: (next) => async (message, scope) => {
      const turn = await next(message, scope)
      if (turn.kind === 'answer') return turn
      if (scope.mustAnswer) {
        // The model was asked for an answer but requested a tool call, so its text is the answer.
        const text = (turn.kind === 'calls' ? (turn.text ?? turn.thought) : turn.text) ?? ''
        return { kind: 'answer', text, ...('shown' in turn && turn.shown && { shown: turn.shown }) }
      }
      if (turn.kind === 'calls' && left(scope) <= 0) throw limitError(scope, `${of.maxFunctionCalls} tool calls`)
      return turn
    },
    calls: (next) => (calls, scope) => {
      const most = left(scope)
      if (calls.length <= most) return next(calls, scope)
      const extra = calls.filter(isNewCall).slice(Math.max(0, most))
      return next(calls, extra.length === 0 ? scope : { ...scope, refused: new Set<LoopCall>(extra) })
    },
    tool: (next) => (call, scope) =>
      scope.refused?.has(call) ? Promise.resolve(errorOutput(call.name, REFUSED, call.arguments)) : next(call, scope),
  }
}

/** Asks for the answer, inside the layers that choose the messages. */
const lastRequest: Layer = {
  rank: 95,
  request: (next) => (plan, scope) => (scope.mustAnswer ? withQuestion(next(plan, scope)) : next(plan, scope)),
}

async function withQuestion(made: ReturnType<MakeRequest>): Promise<StepRequest> {
  const request = await made
  request.messages.push(new ChatMessage({ role: 'user', content: ASK_FOR_BEST_ANSWER }))
  return request
}

/** Whether the next turn must be the answer. @throws {MaxIterationsError} if there may be no next turn. */
function isLastTurn(scope: Scope, of: Limits, atLimit: Limits['onMaxIterations']): boolean {
  const { state } = scope
  const { maxIterations } = of
  const answersAtLimit = atLimit === 'answer'
  if (state.last_call || (answersAtLimit && callsLeft(of, scope) <= 0)) return answersAtLimit
  if (state.n_iterations < maxIterations) return false
  if (answersAtLimit) return true
  throw limitError(scope, `${maxIterations} model calls`)
}

function limitedPlan(plan: RequestPlan, { mustAnswer }: Scope, left: number): RequestPlan {
  const isLimited = left <= 0
  if (!isLimited && !mustAnswer) return plan
  return {
    ...plan,
    tools: mustAnswer ? [] : plan.tools,
    ...(isLimited && { isLimited, toolChoice: 'none' as const }),
  }
}

function limitError({ task, loop }: Scope, limit: string): MaxIterationsError {
  return new MaxIterationsError(task.taskId, limit, loop.protocol.lastText(task))
}
