/**
 * @module
 * Counts what a task uses, and stops it at a limit.
 */

import { noUsage } from '../answer/task-usage.ts'
import { isNewCall } from '../loop/decided-calls.ts'
import type { Layer, Scope } from '../loop/loop.ts'
import { replyUsage } from '../loop/reply.ts'
import {
  checkBudget,
  checkToolBudget,
  countTokens,
  estimatedUsage,
  limitsTokens,
  type TaskBudget,
} from '../loop/usage.ts'
import type { CheckBudget } from '../task/step-context.ts'

/** Counts the calls and tokens of a task, reports them as `usage` events, and throws `budget_exceeded` at a limit. */
export function budget(limits: TaskBudget | null = null, outer?: (scope: Scope) => CheckBudget | undefined): Layer {
  return {
    rank: 42,
    step: (next) => (input, scope) => {
      const usage = usageOf(scope)
      checkBudget(scope.task.taskId, usage, limits)
      outer?.(scope)?.({ ...usage })
      return next(input, scope)
    },
    model: (next) => (request, scope) => {
      usageOf(scope).modelCalls++
      return next(request, scope)
    },
    reply: (reply, request, scope) => {
      const usage = usageOf(scope)
      const reported = replyUsage(reply)
      const used = reported ?? (limitsTokens(limits) ? estimatedUsage(request.messages, reply.message) : null)
      if (used) countTokens(usage, used)
      scope.emit?.({ type: 'usage', call: reported, total: { ...usage } })
      return reply
    },
    calls: (next) => (calls, scope) => {
      let wanted = 0
      for (const call of calls) if (isNewCall(call) && !scope.refused?.has(call)) wanted++
      const usage = usageOf(scope)
      checkToolBudget(scope.task.taskId, usage, limits, wanted)
      if (wanted > 0) outer?.(scope)?.({ ...usage }, wanted)
      return next(calls, scope)
    },
    tool: (next) => (call, scope) => {
      if (isNewCall(call)) usageOf(scope).toolCalls++
      return next(call, scope)
    },
  }
}

function usageOf({ state }: Scope) {
  state.usage ??= noUsage()
  return state.usage
}
