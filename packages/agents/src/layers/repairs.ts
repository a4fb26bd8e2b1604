/**
 * @module
 * Lets a function correct an invalid call, before its failure is reported to the model.
 */
import { checkOptions } from '@x/core/options'
import { isPlainObject } from '@x/core/values'
import type { Layer, LoopCall, Scope } from '../loop/layer.ts'
import { failedOutput, findTool, placeOf, positionOf } from '../loop/loop.ts'
import { needsApproval } from '../loop/needs-approval.ts'
import type { ToolCall } from '../task/agent-event.ts'
import type { FailedToolCall, RepairToolCall } from '../tool/tool-call-options.ts'
import { isCallError } from '../tool/tool-errors.ts'
import { FAILURE_POLICIES, type FailurePolicies, raisesError } from './failures.ts'

/**
 * Repairs invalid calls once.
 * @param policies - which failures end the run if they cannot be repaired.
 * @throws {ModelValidationError} if an option is unknown or out of range.
 */
export function repairs<Context = unknown>(repair: RepairToolCall<Context>, policies: FailurePolicies = {}): Layer {
  checkOptions('repairs', policies, FAILURE_POLICIES)
  return {
    rank: 52,
    tool: (next) => async (call, scope) => {
      const handles = (error: unknown) => isCallError(error) || (scope.handles?.(error) ?? false)
      try {
        return await next(call, { ...scope, handles })
      } catch (error) {
        if (!isCallError(error)) throw error
        const better = await betterCall(repair as RepairToolCall, { call, error, ...given(scope) }, scope)
        if (!better) {
          if (raisesError(error, policies)) throw error
          return failedOutput(call, error)
        }
        const repaired = { ...call, ...better, place: placeOf(call, scope) }
        return next(repaired, { ...scope, isRepaired: true })
      }
    },
  }
}

const given = ({ tools, context }: Scope) => ({ tools, context })

async function betterCall(repair: RepairToolCall, failed: FailedToolCall, scope: Scope): Promise<ToolCall | null> {
  const { task, tools, context, remember, loop } = scope
  const ask = async () => repair(failed)
  const position = positionOf(failed.call as LoopCall, scope)
  const better = remember ? await remember(`repair-${position}`, ask, isCallOrNull) : await ask()
  if (!better) return null
  const tool = findTool(tools, better.name)
  // An approval or a result from outside is for the original call, never for the repaired one.
  const surroundings = { toolCallId: better.id, task: task as never, context }
  return tool?.isExternal || (await needsApproval(better, tool, surroundings, loop.argumentsOf)) ? null : better
}

function isCallOrNull(call: unknown): boolean {
  if (call === null) return true
  if (!isPlainObject(call) || typeof call['id'] !== 'string' || typeof call['name'] !== 'string') return false
  return typeof call['arguments'] === 'string' || isPlainObject(call['arguments'])
}
