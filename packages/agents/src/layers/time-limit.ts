/**
 * @module
 * Time limits of tools.
 */
import { checkOption, milliseconds } from '@x/core/options'
import { isToolkitError } from '@x/core-model'
import { raceAbort, withDeadline } from '@x/core-model/async'
import type { CallTool, Layer, LoopCall, Scope } from '../loop/layer.ts'
import { failedOutput, findTool } from '../loop/loop.ts'
import { isFatal } from '../tool/base-tool.ts'
import { ToolTimeoutError } from '../tool/tool-errors.ts'

/**
 * Limits the time of tools.
 * @param defaultMs - for tools without their own limit, in milliseconds.
 * @throws {ModelValidationError} if `defaultMs` is out of range.
 */
export function timeLimit(defaultMs?: number | null): Layer {
  if (defaultMs !== undefined) checkOption('timeLimit', 'defaultMs', defaultMs, milliseconds(0, 'or null'))
  return {
    rank: 85,
    serves: 'timeLimit',
    tool: (next) => (call, scope) => {
      const milliseconds = findTool(scope.tools, call.name)?.timeoutMs ?? defaultMs
      if (milliseconds === undefined || milliseconds === null) return next(call, scope)
      return within(milliseconds, next, call, scope)
    },
  }
}

/** Makes a call, and fails it when its time is over. */
async function within(milliseconds: number, next: CallTool, call: LoopCall, scope: Scope) {
  const error = () => new ToolTimeoutError(call.name, milliseconds)
  try {
    return await withDeadline({ milliseconds, signal: scope.signal, error }, (signal) =>
      raceAbort(next(call, { ...scope, signal }), signal),
    )
  } catch (failure) {
    if (!isToolkitError(failure, 'tool_timeout') || isFatal(failure)) throw failure
    if (scope.handles?.(failure) || scope.raises?.(failure)) throw failure
    return failedOutput(call, failure, scope)
  }
}
