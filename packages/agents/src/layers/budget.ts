/**
 * @module
 * Counts what a task uses, and stops it at a limit.
 */

import { noUsage } from '../answer/task-usage.ts'
import type { Layer, LoopCall, Scope } from '../loop/layer.ts'
import { isNewCall } from '../loop/loop.ts'
import { replyUsage } from '../loop/reply.ts'
import {
  checkBudget,
  checkToolBudget,
  countTokens,
  estimatedUsage,
  limitsTokens,
  type TaskBudget,
} from '../loop/usage.ts'

/**
 * Counts the calls and tokens of a task, reports them as `usage` events, and throws `budget_exceeded` at a limit.
 * @param limits - if it is omitted, calls and tokens are only counted.
 */
export function budget(limits: TaskBudget | null = null): Layer {
  const estimates = limits !== null && limitsTokens(limits)
  const counting: Layer = {
    rank: 42,
    model: (next) => (request, scope) => {
      usageOf(scope).modelCalls++
      return next(request, scope)
    },
    reply: (reply, request, scope) => {
      const usage = usageOf(scope)
      const reported = replyUsage(reply)
      const used = reported ?? (estimates ? estimatedUsage(request.messages, reply.message) : null)
      if (used) countTokens(usage, used)
      scope.emit?.({ type: 'usage', call: reported, total: { ...usage } })
      return reply
    },
  }
  if (!limits) return counting
  return {
    ...counting,
    step: (next) => (input, scope) => {
      const usage = usageOf(scope)
      checkBudget(scope.task.taskId, usage, limits)
      scope.checkBudget?.({ ...usage })
      return next(input, scope)
    },
    calls: (next) => (calls, scope) => {
      checkCalls(calls, scope)
      return next(calls, scope)
    },
  }

  function checkCalls(calls: readonly LoopCall[], scope: Scope): void {
    const wanted = calls.filter((call) => isNewCall(call) && !scope.refused?.has(call)).length
    const usage = usageOf(scope)
    checkToolBudget(scope.task.taskId, usage, limits, wanted)
    if (wanted > 0) scope.checkBudget?.({ ...usage }, wanted)
  }
}

function usageOf({ state }: Scope) {
  state.usage ??= noUsage()
  return state.usage
}
