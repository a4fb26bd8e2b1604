/**
 * @module
 * The events that `runEvents` yields while an agent works, as plain data.
 */
import type { ToolOutput } from '@x/core-model'
import type { AgentChatResponse, StreamingAgentChatResponse } from '../answer/agent-chat-response.ts'
import type { TaskStepOutput } from './task-step.ts'

/** A tool call as the model requested it. */
export interface ToolCall {
  /** Unique within the task. */
  id: string
  name: string
  /** The arguments, or their JSON string from models with native tool calls. */
  arguments: Record<string, unknown> | string
}

/** A tool call that waits for approval, with the decision once it is made. */
export interface PendingToolCall extends ToolCall {
  /** Whether this call needs approval. The other calls of the same turn wait until it is decided. */
  needsApproval: boolean
  /** Null until the decision. */
  decision: 'approve' | 'reject' | null
  /** Why it was rejected. The model receives the reason. */
  reason?: string
}

/** An event that a worker reports while it runs a step. */
export type StepEvent =
  | { type: 'reasoning'; text: string }
  | { type: 'tool_call'; call: ToolCall }
  | { type: 'tool_result'; callId: string; output: ToolOutput }
  | { type: 'approval_required'; calls: PendingToolCall[] }
  | { type: 'answer_delta'; delta: string }

/** An event that a runner reports while it answers a message. */
export type AgentEvent =
  | { type: 'step_start'; taskId: string; stepId: string; input: string | null }
  | (StepEvent & { taskId: string; stepId: string })
  | { type: 'step_end'; taskId: string; stepId: string; output: TaskStepOutput }
  | { type: 'task_end'; taskId: string; response: AgentChatResponse | StreamingAgentChatResponse }
  | { type: 'error'; taskId: string | null; error: unknown }
