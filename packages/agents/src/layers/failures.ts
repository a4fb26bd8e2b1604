/**
 * @module
 * Failed calls that end the run instead of being reported to the model.
 */

import { checkOptions, choice, type OptionTable } from '@x/core/options'
import { errorMessage } from '@x/core/values'
import { isToolkitError } from '@x/core-model'
import { faultOf } from '../loop/edited-call.ts'
import type { Layer, LoopCall, Scope } from '../loop/layer.ts'
import { isNewCall, placeOf } from '../loop/loop.ts'
import { freeCall } from '../loop/needs-approval.ts'
import { isFatal } from '../tool/base-tool.ts'
import type { FailurePolicy } from '../tool/tool-call-options.ts'
import { CALL_ERRORS, ToolExecutionError } from '../tool/tool-errors.ts'

/** Which failures end the run. */
export interface FailurePolicies {
  /** If a tool fails or its arguments are invalid. @defaultValue 'observe' */
  onToolError?: FailurePolicy | undefined
  /** If the tool does not exist. @defaultValue 'observe' */
  onUnknownTool?: FailurePolicy | undefined
}

/** Whether a failure ends the run. */
export function raisesError(error: unknown, { onToolError, onUnknownTool }: FailurePolicies): boolean {
  return (isToolkitError(error, 'tool_not_found') ? onUnknownTool : onToolError) === 'raise'
}

const policy = choice('observe', 'raise')

/** The checks of {@link FailurePolicies}. */
export const FAILURE_POLICIES: OptionTable<FailurePolicies> = { onToolError: policy, onUnknownTool: policy }

/**
 * Ends the run with the error of a failed call, if the policy for the case is `raise`. Errors contain the name of the tool. A call that
 * cannot run ends it before the other calls of its turn begin, unless a function may correct it.
 * @throws {ModelValidationError} if an option is unknown or out of range.
 */
export function failures(policies: FailurePolicies): Layer {
  checkOptions('failures', policies, FAILURE_POLICIES)
  const raisesFailure = policies.onToolError === 'raise'
  return {
    rank: 54,
    calls: (next) => async (calls, scope) => {
      const wrong = calls.length > 1 ? await firstWrong(calls, scope, policies) : undefined
      const outputs = wrong && (await next([wrong], scope))
      // Another layer has reported the failure to the model.
      const known = wrong && outputs && { ...freeCall(wrong, scope), output: outputs[0]! }
      return next(known ? calls.map((call) => (call === wrong ? known : call)) : calls, scope)
    },
    tool: (next) => async (call, scope) => {
      const raises = (error: unknown) => (scope.raises?.(error) ?? false) || raisesError(error, policies)
      try {
        return await next(call, { ...scope, raises, callContext: { ...scope.callContext, raisesFailure } })
      } catch (error) {
        throw scope.handles?.(error) || !raises(error) ? error : asToolError(call.name, error, scope.signal)
      }
    },
  }
}

/** Returns the first call that ends the run because it cannot run. */
async function firstWrong(
  calls: readonly LoopCall[],
  scope: Scope,
  policies: FailurePolicies,
): Promise<LoopCall | undefined> {
  const { faults, refused, repair, saving } = scope
  for (const call of calls) {
    if (!isNewCall(call) || refused?.has(call) || saving?.isSaved(placeOf(call, scope))) continue
    const fault = faults?.get(call) ?? (repair ? undefined : await faultOf(call, scope))
    if (fault !== undefined && raisesError(fault, policies)) return call
  }
  return undefined
}

/** Wraps an error of a tool in one that contains the name of the tool, unless it already does. */
function asToolError(toolName: string, error: unknown, signal: AbortSignal | undefined): unknown {
  const isCancelled = signal?.aborted && error === signal.reason
  const isKnown =
    isCancelled || (isToolkitError(error) && (isFatal(error) || [...CALL_ERRORS, ...RUN_ERRORS].includes(error.code)))
  return isKnown
    ? error
    : new ToolExecutionError(toolName, errorMessage(error), { cause: error, fatal: isFatal(error) })
}

/** Codes of errors that already describe the failure of the tool or the run. */
const RUN_ERRORS: readonly string[] = ['tool_execution', 'tool_timeout', 'abort', 'budget_exceeded']
