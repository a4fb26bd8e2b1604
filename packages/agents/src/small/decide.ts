/**
 * @module
 * Decides calls that wait, in a loop without a runner.
 */
import { editedCall } from '../loop/edited-call.ts'
import type { Loop } from '../loop/layer.ts'
import { findTool } from '../loop/loop.ts'
import type { LoopState } from '../loop/loop-state.ts'
import type { CallDecision } from '../task/agent-event.ts'
import { ApprovalError } from '../task/task-errors.ts'
import type { TaskLike } from '../task/task-like.ts'

/** A decision about a call that waits. */
export type LoopDecision =
  | Exclude<CallDecision, { decision: 'approve' | null }>
  /** `arguments` replaces those of the model. */
  | { decision: 'approve'; arguments?: Record<string, unknown> | undefined }

/**
 * Decides a call that waits. The task continues with `loop.resume(task)` when all its calls are decided.
 * @throws {ApprovalError} if no call with this id waits.
 * @throws {ToolInputError} if new arguments do not match the schema of the tool.
 */
export async function decide(loop: Loop, task: TaskLike, callId: string, decision: LoopDecision): Promise<void> {
  const state = task.extraState as unknown as LoopState
  const calls = state.pending_calls ?? []
  const index = calls.findIndex(({ id, decision: made }) => id === callId && made === null)
  const call = calls[index]
  if (!call) throw new ApprovalError(`Task "${task.taskId}": no tool call "${callId}" waits for a decision.`)
  const { arguments: args, ...made } = { arguments: undefined, ...decision }
  const tool = findTool(loop.tools, call.name)
  const edited = args ? await editedCall(call, args, { tool, task, protocol: loop.protocol }) : call
  state.pending_calls = calls.with(index, { ...edited, ...(made as CallDecision) })
}
