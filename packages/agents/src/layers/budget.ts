/**
 * @module
 * Counts what a task uses, and ends it at a limit: of calls of the model or tools, or of tokens.
 */
import { checkOptions, choice, type OptionTable, required, wholeNumber } from '@x/core/options'
import { ChatMessage, isToolkitError, type TokenUsage, type ToolOutput } from '@x/core-model'
import { isChatResponse } from '../answer/chat-answer.ts'
import type { Layer, LoopCall, MakeRequest, ModelReply, RequestPlan, Scope, StepRequest } from '../loop/layer.ts'
import { findTool, isDecided, isNewCall, placeOf } from '../loop/loop.ts'
import { MaxIterationsError } from '../loop/loop-errors.ts'
import type { CallsTurn } from '../loop/tool-calling-protocol.ts'
import {
  AgentUsage,
  agentName,
  BUDGET_OPTIONS,
  budgetChecks,
  estimatedUsage,
  limitsTokens,
  type TaskBudget,
  watchStop,
} from '../loop/usage.ts'
import { countCall, noUsage, type TaskUsage } from '../task-usage.ts'
import { errorOutput } from '../tool/base-tool.ts'
import { replyUsage, usageTogether } from './replies.ts'

/**
 * Counts the calls and tokens of a task, reports them as `usage` events, and throws `budget_exceeded` at a limit.
 * @param limits - if it is omitted, calls and tokens are only counted.
 * @throws {ModelValidationError} if an option is unknown or out of range.
 */
export function budget(limits: TaskBudget | null = null): Layer {
  if (limits !== null) checkOptions('budget', limits, BUDGET_OPTIONS)
  const estimates = limitsTokens(limits)
  const counting: Layer = {
    rank: 42,
    model: (next) => async (request, scope) => {
      const { state } = scope
      const { counts } = scope.ids
      counts[MODEL_CALLS] = (counts[MODEL_CALLS] ?? 0) + 1
      const name = nameOf(scope)
      if (!state.counted?.[name]) countCall(state, name, usedBy(null))
      let used: TokenUsage | null = null
      let isBroken = false
      const onBroken = (last: ModelReply) => {
        isBroken = true
        used = usageTogether(used, replyUsage(last))
      }
      // At once: the step is rolled back before the call ends.
      const stopped = (written: ChatMessage) =>
        countCall(state, name, usedBy(usageTogether(used, estimatedUsage(request.messages, written))))
      // Most runs have no signal: nothing is called for them.
      const watch = scope.signal && watchStop(scope, stopped)
      try {
        return await next(request, { ...(watch?.scope ?? scope), onBroken })
      } catch (error) {
        if (isToolkitError(error, 'guard_blocked')) {
          count(used, scope)
          throw error
        }
        if (!isBroken && isToolkitError(error, 'model_call')) state.usage!.modelCalls--
        // The next attempt asks again.
        const { [name]: _, ...others } = state.counted!
        state.counted = others
        throw error
      } finally {
        watch?.end()
      }
    },
    reply: (reply, request, scope) => {
      const reported = replyUsage(reply)
      count(reported, scope, estimates ? () => estimatedUsage(request.messages, reply.message) : undefined)
      return reply
    },
  }
  if (!limits) return counting
  return {
    ...counting,
    step: (next) => (input, scope) => {
      const usage = usageOf(scope)
      budgetChecks(scope.task.taskId, limits).checkNext(usage)
      scope.checkBudget?.({ ...usage })
      return next(input, scope)
    },
    calls: (next) => (calls, scope) => {
      const wanted = calls.filter((call) => isNewCall(call) && !scope.refused?.has(call)).length
      const usage = usageOf(scope)
      const checks = budgetChecks(scope.task.taskId, limits)
      checks.checkNext(usage, wanted)
      scope.checkBudget?.({ ...usage }, wanted)
      return next(calls, { ...scope, budget: checks })
    },
  }
}

/** Counts and reports the usage of a call of the model, estimated if the model does not report it. */
function count(reported: TokenUsage | null, scope: Scope, estimate?: () => TokenUsage): void {
  const total = usageOf(scope)
  const used = reported ?? estimate?.()
  if (used) countCall(scope.state, nameOf(scope), usedBy(used))
  scope.emit?.({ type: 'usage', call: reported, total: { ...total } })
}

/** Returns what one call of the model has used. */
const usedBy = (tokens: TokenUsage | null): TaskUsage => ({ ...noUsage(), ...tokens, modelCalls: 1 })

const MODEL_CALLS = Symbol('budget')

/** The name of the call of the model that runs. */
function nameOf({ ids, stepNumber }: Scope): string {
  return `${stepNumber}/model-${ids.counts[MODEL_CALLS]}`
}

function usageOf({ state }: Scope) {
  state.usage ??= noUsage()
  return state.usage
}

/** Counts the usage of agents behind tools. */
export const toolUsage: Layer = {
  rank: 26,
  tool: (next) => async (call, scope) => {
    let agent: AgentUsage | undefined
    const used = () => (agent ??= newUsage(call, scope))
    const run = next(call, {
      ...scope,
      // Data, not an instance, whose class a loop would have to contain.
      failedAnswer: () => agent && { response: '', sources: [], sourceNodes: [], usage: agent.own.used },
      callContext: {
        ...scope.callContext,
        onUsage: (usage) => {
          const total = used().note(usage)
          scope.emit?.({ type: 'usage', call: null, total })
          scope.budget?.checkUsed(total)
        },
        checkBudget: (usage, toolCalls) => used().checkNext(usage, toolCalls),
      },
      // An agent among the tools has used up the budget of the task itself, or waits, which no layer outside of this one handles.
      raises: (error) =>
        (isToolkitError(error, 'budget_exceeded') && error.taskId === scope.task.taskId) ||
        (isToolkitError(error, 'approval_required') && findTool(scope.tools, call.name)?.canWait === true) ||
        (scope.raises?.(error) ?? false),
    })
    let output: ToolOutput | undefined
    try {
      output = await run
    } catch (error) {
      agent?.add()
      throw error
    }
    if (agent || isChatResponse(output?.rawOutput)) used().add(output?.rawOutput)
    return output
  },
}

function newUsage(call: LoopCall, scope: Scope): AgentUsage {
  const { state } = scope
  const name = agentName(call, scope)
  const before = isDecided(call) ? call.usage : undefined
  if (before) state.counted = { [name]: before, ...state.counted }
  return new AgentUsage(scope, name)
}

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

const LIMITS: OptionTable<Limits> = {
  maxIterations: /* @__PURE__ */ required(/* @__PURE__ */ wholeNumber(1)),
  maxFunctionCalls: /* @__PURE__ */ wholeNumber(0, 'or null'),
  onMaxIterations: /* @__PURE__ */ choice('raise', 'answer'),
}

/**
 * Limits the calls of a task. The limits are read in every step, so that they can be raised.
 * @throws {ModelValidationError} if an option is unknown or out of range.
 */
export function limits(of: Limits): readonly Layer[] {
  checkOptions('limits', of, LIMITS)
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
  const left = (scope: Scope) => callsLeft(of, scope)
  const outer: Layer = {
    rank: 30,
    request: (next) => (plan, scope) => next(limitedPlan(plan, scope, left(scope)), scope),
    read: (next) => async (message, scope) => {
      const turn = await next(message, scope)
      if (scope.mustAnswer && turn.kind !== 'answer') {
        // The model was asked for an answer but requested a tool call, so its text is the answer.
        const { text, thought, shown } = turn as Partial<CallsTurn>
        return { kind: 'answer', text: text ?? thought ?? '', ...(shown && { shown }) }
      }
      if (turn.kind === 'calls' && left(scope) <= 0) throw limitError(scope, `${of.maxFunctionCalls} tool calls`)
      return turn
    },
    calls: (next) => (calls, scope) => {
      const over = calls.filter(isNewCall).slice(Math.max(0, left(scope)))
      // A limit that is new does not refuse what has run.
      const extra = over.filter((call) => !scope.saving?.isSaved(placeOf(call, scope)))
      return next(calls, extra.length === 0 ? scope : { ...scope, refused: new Set<LoopCall>(extra) })
    },
    tool: (next) => (call, scope) =>
      scope.refused?.has(call) ? Promise.resolve(errorOutput(call.name, REFUSED, call.arguments)) : next(call, scope),
  }
  return [outer, lastRequest]
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
  return {
    ...plan,
    tools: mustAnswer ? [] : plan.tools,
    ...(isLimited && { isLimited, toolChoice: 'none' as const }),
  }
}

function limitError({ task, loop }: Scope, limit: string): MaxIterationsError {
  return new MaxIterationsError(task.taskId, limit, loop.protocol.lastText(task))
}
