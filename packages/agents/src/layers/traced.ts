/**
 * @module
 * Reports tool calls to callback handlers.
 */
import { type CallbackManager, isToolkitError } from '@x/core-model'
import type { CallTool, Layer, LoopCall, Scope } from '../loop/layer.ts'
import { findTool, toolErrors } from '../loop/loop.ts'

/** Reports a `function_call` event for every tool call. @param manager - returns the current manager. */
export function traced(manager: () => CallbackManager): Layer {
  return { rank: 48, tool: (next) => (call, scope) => reported(manager(), next, call, scope) }
}

async function reported(manager: CallbackManager, next: CallTool, call: LoopCall, scope: Scope) {
  const { signal, parentId, task } = scope
  const tool = findTool(scope.tools, call.name)
  const { stepId } = scope.step as { stepId?: string }
  const payload: Record<string, unknown> = {
    function_call: call.arguments,
    ...(tool && { tool: tool.metadata }),
    task_id: task.taskId,
    ...(stepId !== undefined && { step_id: stepId }),
    call_id: call.id,
  }
  const event = manager.startEvent('function_call', payload, { parentId })
  // Ends immediately: the run rejects at the same moment, and its event must end after this one.
  const abandon = () => event.fail(signal!.reason)
  signal?.addEventListener('abort', abandon)
  try {
    const output = await event.run(() => next(call, { ...scope, parentId: event.id }))
    const error: unknown = output && toolErrors.get(output)
    event.end({ function_call_response: output?.content, is_error: output?.isError }, { error })
    return output
  } catch (error) {
    if (tool?.canWait && isToolkitError(error, 'approval_required'))
      event.end({ function_call_response: 'Waiting for approval.', is_error: false })
    else {
      // The event reports the tool's own error; the caller receives it wrapped with the name of the tool. If the tool is an agent,
      // an inner event has already reported the error.
      const isOwn = isToolkitError(error, 'tool_execution') && error.toolName === call.name
      event.fail(isOwn ? (error.cause ?? error) : error)
      event.fail(error)
    }
    throw error
  } finally {
    signal?.removeEventListener('abort', abandon)
  }
}
