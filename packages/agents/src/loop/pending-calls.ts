/**
 * @module
 * Calls that wait for a decision of a person.
 */
import { ApprovalRequiredError } from '../errors.ts'
import type { PendingToolCall, ToolCall } from '../task/agent-event.ts'
import { findTool, needsApproval } from '../tool/run-tool-call.ts'
import type { Round } from './round.ts'

/** Returns the calls of a turn with the decisions that they need, or undefined if none of them needs approval. */
export async function callsToApprove(
  calls: readonly ToolCall[],
  { tools, task, context }: Round,
): Promise<PendingToolCall[] | undefined> {
  if (!tools.some((tool) => tool.needsApproval)) return undefined
  let asks = false
  const pending: PendingToolCall[] = []
  for (const call of calls) {
    const ask = await needsApproval(call, findTool(tools, call.name), {
      toolCallId: call.id,
      task,
      context: context.context,
    })
    asks ||= ask
    pending.push({ ...call, needsApproval: ask, decision: ask ? null : 'approve' })
  }
  return asks ? pending : undefined
}

/** Stores the calls in the task and reports those that need a decision. Returns the text of the step. */
export function awaitApproval(calls: PendingToolCall[], { state, context }: Round): string {
  state.pending_calls = calls
  const waiting = undecided(calls)
  context.onEvent?.({ type: 'approval_required', calls: waiting })
  return `Waiting for approval of: ${waiting.map(({ name }) => name).join(', ')}`
}

/** @throws {ApprovalRequiredError} if a call still waits for a decision. */
export function checkDecisions(calls: readonly PendingToolCall[], { task, context }: Round): void {
  const waiting = undecided(calls)
  if (waiting.length === 0) return
  context.onEvent?.({ type: 'approval_required', calls: waiting })
  throw new ApprovalRequiredError(task.taskId, waiting)
}

function undecided(calls: readonly PendingToolCall[]): PendingToolCall[] {
  return calls.filter(({ decision }) => decision === null)
}
