/**
 * @module
 * Tool calls of a task that wait for a decision.
 */
import { ApprovalError } from '../errors.ts'
import type { PendingToolCall } from './agent-event.ts'
import type { TaskState } from './agent-state.ts'

/** Returns the calls of the turn that is interrupted, decided or not; empty if none is. */
export function pendingCalls({ task }: TaskState): readonly PendingToolCall[] {
  return (task.extraState['pending_calls'] as PendingToolCall[] | undefined) ?? []
}

/** Returns the calls that wait for a decision. */
export function undecidedCalls(state: TaskState): PendingToolCall[] {
  return pendingCalls(state).filter(({ decision }) => decision === null)
}

/**
 * Makes a decision and saves it; a failure to save takes it back.
 * @throws {ApprovalError} if no call with this id waits.
 */
export async function decideCall(
  state: TaskState,
  callId: string,
  decide: (call: PendingToolCall) => PendingToolCall,
  save: () => Promise<void>,
): Promise<void> {
  // Another decision may be saved at the moment.
  while (state.busy) await state.nextPhase()
  const { task } = state
  const { extraState } = task
  const calls = pendingCalls(state)
  const index = calls.findIndex(({ id, decision }) => id === callId && decision === null)
  if (index < 0) throw new ApprovalError(`Task "${task.taskId}": no tool call "${callId}" waits for a decision.`)
  state.enter('saving')
  try {
    task.extraState = { ...extraState, pending_calls: calls.with(index, decide(calls[index]!)) }
    await save()
  } catch (error) {
    task.extraState = extraState
    throw error
  } finally {
    state.enter('open')
  }
}

/** Removes the decisions from a copy of a state. */
export function withoutDecisions(extraState: Record<string, unknown>): Record<string, unknown> {
  const calls = extraState['pending_calls'] as PendingToolCall[] | undefined
  // The agents of a fork run anew, in tasks of their own.
  if (calls)
    extraState['pending_calls'] = calls
      .filter(({ parent }) => parent === undefined)
      .map(({ reason: _, ...call }) => (call.needsApproval ? { ...call, decision: null } : call))
  return extraState
}
