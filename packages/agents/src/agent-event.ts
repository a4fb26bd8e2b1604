/**
 * @module
 * What happens while an agent works, as data: the events that `runEvents` gives.
 */
import type { ToolOutput } from '@x/core-model'
import type { AgentChatResponse, StreamingAgentChatResponse } from './agent-chat-response.ts'
import type { TaskStepOutput } from './task-step.ts'

/** A tool call as the model asked for it. */
export interface ToolCall {
  /** Unique within the task. */
  id: string
  name: string
  /** The arguments, or, from models with tool calls, their text. */
  arguments: Record<string, unknown> | string
}

/** A tool call that waits for a decision, and the decision once it is there. */
export interface PendingToolCall extends ToolCall {
  /** Whether a person is asked; the other calls of the same turn just wait along. */
  needsApproval: boolean
  /** Null while nobody has decided. */
  decision: 'approve' | 'reject' | null
  /** Why it was rejected; the model is told. */
  reason?: string
}

/** What a worker reports while it runs a step. */
export type StepEvent =
  | { type: 'reasoning'; text: string }
  | { type: 'tool_call'; call: ToolCall }
  | { type: 'tool_result'; callId: string; output: ToolOutput }
  | { type: 'approval_required'; calls: PendingToolCall[] }
  | { type: 'answer_delta'; delta: string }

/** What a runner reports while it works on a message. */
export type AgentEvent =
  | { type: 'step_start'; taskId: string; stepId: string; input: string | null }
  | (StepEvent & { taskId: string; stepId: string })
  | { type: 'step_end'; taskId: string; stepId: string; output: TaskStepOutput }
  | { type: 'task_end'; taskId: string; response: AgentChatResponse | StreamingAgentChatResponse }
  | { type: 'error'; taskId: string | null; error: unknown }
