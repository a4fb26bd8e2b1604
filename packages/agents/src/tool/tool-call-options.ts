/**
 * @module
 * The policies of tool calls.
 */
import type { ToolCall } from '../task/agent-event.ts'
import type { AsyncBaseTool } from './base-tool.ts'
import type { ToolArgumentsError, ToolInputError, ToolNotFoundError } from './tool-errors.ts'

/** Whether a failure is reported to the model (`observe`), which can try again, or ends the run (`raise`). */
export type FailurePolicy = 'observe' | 'raise'

/** An invalid call and its error. */
export interface FailedToolCall<Context = unknown> {
  call: ToolCall
  error: ToolNotFoundError | ToolInputError | ToolArgumentsError
  tools: readonly AsyncBaseTool[]
  /** The option `context` of the run. */
  context: Context
}

/** Returns a corrected call, or null to keep the failure. */
export type RepairToolCall<Context = unknown> = (
  failed: FailedToolCall<Context>,
) => ToolCall | null | Promise<ToolCall | null>
