/**
 * @module
 * Errors that a step handles itself: it sends a smaller request, repairs a call, waits, or ends with an error that is not worth
 * repeating. They are saved as results, so that a step that runs again does the same.
 */

import { type RecordReader, readRecord } from '@x/core/reading'
import { isToolkitError } from '@x/core-model'
import { ModelCallError, type ModelCallErrorKind } from '@x/llm'
import type { PendingToolCall } from '../task/agent-event.ts'
import { readPendingCall } from '../task/approvals.ts'
import { HANDLED_ERROR, isHandledError, type Json } from '../task/durable.ts'
import { ApprovalRequiredError, unreadable } from '../task/task-errors.ts'
import { ReActParseError, ToolArgumentsError, ToolInputError, ToolNotFoundError } from '../tool/tool-errors.ts'

/** The saved details of an error. */
type ErrorDict =
  | { code: 'model_call'; message: string; kind: ModelCallErrorKind; status: number | null }
  | { code: 'tool_not_found'; tool_name: string; available: readonly string[] }
  | { code: 'tool_input'; tool_name: string; issues: ToolInputError['issues'] }
  | { code: 'tool_arguments' | 'react_parse'; message: string; text: string }
  | { code: 'approval_required'; task_id: string; calls: readonly PendingToolCall[]; agent_task?: unknown }

/** Returns an error as a result; undefined if it ends the step. */
export function writeHandledError(error: unknown): Json | undefined {
  const dict = dictOf(error)
  return dict && { [HANDLED_ERROR]: dict as unknown as Json }
}

/** Wraps an error that was read, so that the reader does not report it as invalid data. */
export class HandledError {
  readonly error: Error

  constructor(error: Error) {
    this.error = error
  }
}

/** Calls `read` and returns its result. @throws {SavedTaskError} naming the result that cannot be read. */
export function readSaved<T>(name: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof HandledError) throw error.error
    throw unreadable(error, `The result "${name}": `)
  }
}

/** Returns the error that a result is; undefined for other results. */
export function readHandledError(result: Json): Error | undefined {
  return isHandledError(result) ? readRecord('Error', result[HANDLED_ERROR], errorOf) : undefined
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
  if (isToolkitError(error, 'tool_arguments') || isToolkitError(error, 'react_parse')) {
    const { code, message, text } = error as ToolArgumentsError & { code: 'tool_arguments' | 'react_parse' }
    return { code, message, text }
  }
  if (isToolkitError(error, 'approval_required')) {
    const { taskId, calls, agentTask } = error
    return {
      code: 'approval_required',
      task_id: taskId,
      calls,
      ...(agentTask !== undefined && { agent_task: agentTask }),
    }
  }
  return undefined
}

const CODES = [
  'model_call',
  'tool_not_found',
  'tool_input',
  'tool_arguments',
  'react_parse',
  'approval_required',
] as const

function errorOf(fields: RecordReader): Error {
  switch (fields.oneOf('code', CODES)) {
    case 'model_call':
      return new ModelCallError(fields.string('message'), {
        kind: fields.string('kind') as ModelCallErrorKind,
        status: fields.data['status'] === null ? null : fields.integer('status', 0),
        retryable: false,
      })
    case 'tool_not_found':
      return new ToolNotFoundError(fields.string('tool_name'), fields.array('available').map(String))
    case 'tool_input':
      return new ToolInputError(fields.string('tool_name'), fields.list('issues', readIssue))
    case 'tool_arguments':
      return new ToolArgumentsError(fields.string('message'), fields.string('text'))
    case 'react_parse':
      return new ReActParseError(fields.string('message'), fields.string('text'))
    default:
      return new ApprovalRequiredError(
        fields.string('task_id'),
        fields.list('calls', readPendingCall),
        fields.data['agent_task'],
      )
  }
}

function readIssue(issue: unknown): ToolInputError['issues'][number] {
  return readRecord('Issue', issue, (fields) => ({ path: fields.string('path'), message: fields.string('message') }))
}
