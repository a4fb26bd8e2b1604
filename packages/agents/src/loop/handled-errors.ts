/**
 * @module
 * Errors that a step handles itself: it sends a smaller request, repairs a call, waits, or ends with an error that is not worth
 * repeating. They are saved as results, so that a step that runs again does the same.
 */
import { isToolkitError, ModelCallError, type ModelCallErrorKind } from '@x/core-model'
import { ApprovalRequiredError } from '../errors.ts'
import type { PendingToolCall } from '../task/agent-event.ts'
import { HANDLED_ERROR, isHandledError, type Json } from '../task/durable.ts'
import { ReActParseError, ToolArgumentsError, ToolInputError, ToolNotFoundError } from '../tool/tool-errors.ts'

/** The details of an error, as they are saved. */
type ErrorDict =
  | { code: 'model_call'; message: string; kind: ModelCallErrorKind; status: number | null }
  | { code: 'tool_not_found'; tool_name: string; available: readonly string[] }
  | { code: 'tool_input'; tool_name: string; issues: ToolInputError['issues'] }
  | { code: 'tool_arguments' | 'react_parse'; message: string; text: string }
  | { code: 'approval_required'; task_id: string; calls: readonly PendingToolCall[] }

/** Returns an error as a result; undefined if it ends the step. */
export function writeHandledError(error: unknown): Json | undefined {
  const dict = dictOf(error)
  return dict && { [HANDLED_ERROR]: dict as unknown as Json }
}

/** Throws the error that a result stands for, if it does. */
export function throwHandledError(result: Json): void {
  if (isHandledError(result)) throw errorOf(result[HANDLED_ERROR] as unknown as ErrorDict)
}

function dictOf(error: unknown): ErrorDict | undefined {
  if (isToolkitError(error, 'model_call')) {
    const { message, kind, status } = error
    return { code: 'model_call', message, kind, status }
  }
  if (isToolkitError(error, 'tool_not_found'))
    return { code: 'tool_not_found', tool_name: error.toolName, available: error.available }
  if (isToolkitError(error, 'tool_input'))
    return { code: 'tool_input', tool_name: error.toolName, issues: error.issues }
  if (isToolkitError(error, 'tool_arguments'))
    return { code: 'tool_arguments', message: error.message, text: error.text }
  if (isToolkitError(error, 'react_parse')) return { code: 'react_parse', message: error.message, text: error.text }
  if (isToolkitError(error, 'approval_required'))
    return { code: 'approval_required', task_id: error.taskId, calls: error.calls }
  return undefined
}

function errorOf(dict: ErrorDict): Error {
  switch (dict.code) {
    case 'model_call':
      return new ModelCallError(dict.message, { kind: dict.kind, status: dict.status, retryable: false })
    case 'tool_not_found':
      return new ToolNotFoundError(dict.tool_name, dict.available)
    case 'tool_input':
      return new ToolInputError(dict.tool_name, dict.issues)
    case 'tool_arguments':
      return new ToolArgumentsError(dict.message, dict.text)
    case 'react_parse':
      return new ReActParseError(dict.message, dict.text)
    case 'approval_required':
      return new ApprovalRequiredError(dict.task_id, dict.calls)
  }
}
