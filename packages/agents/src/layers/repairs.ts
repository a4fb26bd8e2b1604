/**
 * @module
 * Lets a function correct an invalid call, before its failure is reported to the model.
 */
import { checkOptions } from '@x/core/options'
import { isPlainObject } from '@x/core/values'
import type { Layer, LoopCall, Scope } from '../loop/layer.ts'
import { failedOutput, findTool, placeOf, positionOf } from '../loop/loop.ts'
import { judgedOnce, needsApproval } from '../loop/needs-approval.ts'
import type { ToolCall } from '../task/agent-event.ts'
import type { FailedToolCall, RepairToolCall } from '../tool/tool-call-options.ts'
import { isCallError } from '../tool/tool-errors.ts'
import { FAILURE_POLICIES, type FailurePolicies, raisesError } from './failures.ts'

/**
 * Repairs invalid calls once.
 * @param policies - which failures end the run if they cannot be repaired.
 * @throws {ModelValidationError} if an option is unknown or out of range.
 */
export function repairs<Context = unknown>(
  repair: RepairToolCall<Context>,
  policies: FailurePolicies = {},
): readonly Layer[] {
  checkOptions('repairs', policies, FAILURE_POLICIES)
  const better = async (call: LoopCall, error: unknown, scope: Scope) => {
    const { tools, context } = scope
    return isCallError(error) ? betterCall(repair as RepairToolCall, { call, error, tools, context }, scope) : null
  }
  return [
    // Before somebody is asked about a call.
    {
      rank: 15,
      calls: (next) => (calls, scope) => next(calls, { ...scope, repair: (call, error) => better(call, error, scope) }),
    },
    {
      rank: 52,
      tool: (next) => async (call, scope) => {
        const handles = (error: unknown) => isCallError(error) || (scope.handles?.(error) ?? false)
        try {
          return await next(call, { ...scope, handles })
        } catch (error) {
          if (!isCallError(error)) throw error
          const found = scope.faults?.has(call) ? null : await better(call, error, scope)
          // An approval or a result from outside is for the original call, never for the repaired one.
          const repaired = found && { ...call, ...found, place: placeOf(call, scope) }
          if (!repaired || (await mustWait(repaired, scope))) {
            if (raisesError(error, policies)) throw error
            return failedOutput(call, error, scope)
          }
          showRepaired({ ...repaired, id: call.id }, scope)
          return next(repaired, { ...scope, isRepaired: true })
        }
      },
    },
  ]
}

async function betterCall(repair: RepairToolCall, failed: FailedToolCall, scope: Scope): Promise<ToolCall | null> {
  const ask = async () => repair(failed)
  const position = positionOf(failed.call as LoopCall, scope)
  return scope.remember ? scope.remember(`repair-${position}`, ask, isCallOrNull) : ask()
}

/** Shows what really runs in the conversation. */
function showRepaired(call: ToolCall, { loop, task }: Scope): void {
  try {
    loop.protocol.editCall({ ...call, arguments: loop.argumentsOf(call) }, task)
  } catch {
    // The call is not repaired: its failure is reported to the model.
  }
}

async function mustWait(call: LoopCall, scope: Scope): Promise<unknown> {
  const tool = findTool(scope.tools, call.name)
  const judge = () => needsApproval(call, tool, scope, scope.loop.argumentsOf)
  return tool?.isExternal || judgedOnce('judged-repaired', call, scope, judge)
}

function isCallOrNull(call: unknown): boolean {
  if (call === null) return true
  if (!isPlainObject(call) || typeof call['id'] !== 'string' || typeof call['name'] !== 'string') return false
  return typeof call['arguments'] === 'string' || isPlainObject(call['arguments'])
}
