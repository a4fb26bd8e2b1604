/**
 * @module
 * Tool calls of a task that wait for approval or for an external result.
 */
import { invalidRecord, readRecord } from '@x/core/reading'
import type { PendingToolCall } from './agent-event.ts'
import type { TaskState } from './agent-state.ts'
import type { Task } from './task.ts'
import { ApprovalError, TaskBusyError } from './task-errors.ts'
import type { TaskLike } from './task-like.ts'
import { snapshotState } from './task-step.ts'
import type { TaskStepOutput } from './task-step-output.ts'

/** The state of a task of a runner, or a task of a loop. */
interface WaitingTask {
  readonly task: Pick<TaskLike, 'taskId' | 'extraState'>
}

/** Returns all calls of the interrupted turn, decided or not; empty if no turn is interrupted. */
export function pendingCalls({ task }: WaitingTask): readonly PendingToolCall[] {
  return (task.extraState['pending_calls'] as PendingToolCall[] | undefined) ?? []
}

/** Returns the calls that wait for a decision. */
export function undecided(calls: readonly PendingToolCall[]): PendingToolCall[] {
  return calls.filter(({ decision }) => decision === null)
}

/** Returns the calls of a task that wait for a decision. */
export function undecidedCalls(state: WaitingTask): PendingToolCall[] {
  return undecided(pendingCalls(state))
}

/** Returns a call that waits for a decision. @throws {ApprovalError} if no call with this id does. */
export function waitingCall(state: WaitingTask, callId: string): PendingToolCall {
  const call = undecidedCalls(state).find(({ id }) => id === callId)
  if (call) return call
  throw new ApprovalError(`Task "${state.task.taskId}": no tool call "${callId}" waits for a decision.`)
}

/** Returns the calls for which a run stops: calls that wait, or that waited at the end of a step and were decided since. */
export function stoppingCalls(state: TaskState, outputs: readonly TaskStepOutput[]): PendingToolCall[] {
  if (outputs.some(({ isLast }) => isLast)) return []
  const calls = pendingCalls(state)
  const waiting = undecided(calls)
  if (waiting.length > 0 || outputs.every(({ status }) => status === 'done')) return waiting
  return calls.filter(({ needsApproval }) => needsApproval)
}

/** Decides about a call. It may change the state of the task, which is a copy. */
export type Decide = (call: PendingToolCall, task: Task) => PendingToolCall | Promise<PendingToolCall>

/**
 * Applies a decision and saves it. If saving fails, the decision is rolled back. If the step of the call is not over yet, waits for its
 * end.
 * @throws {ApprovalError} if no call with this id waits.
 * @throws {TaskBusyError} if a running step has not reported the call.
 */
export async function decideCall(
  state: TaskState,
  callId: string,
  decide: Decide,
  save: (decided: PendingToolCall) => Promise<void>,
): Promise<void> {
  const { task } = state
  while (state.busy) {
    if (state.phase === 'running' && !state.announced.has(callId)) throw new TaskBusyError(task.taskId)
    await state.nextPhase()
  }
  const call = waitingCall(state, callId)
  const { extraState } = task
  state.enter('saving')
  try {
    task.extraState = snapshotState(extraState)
    const decided = await decide(call, task)
    const calls = pendingCalls(state).map((each) => (each.id === callId ? decided : each))
    task.extraState = { ...task.extraState, pending_calls: calls }
    await save(decided)
  } catch (error) {
    task.extraState = extraState
    throw error
  } finally {
    state.enter('open')
  }
}

/** Removes the decisions from a copy of a state. Its calls have the arguments of the model again. */
export function withoutDecisions(extraState: Record<string, unknown>): Record<string, unknown> {
  const calls = extraState['pending_calls'] as PendingToolCall[] | undefined
  if (!calls) return extraState
  // In a fork, agents behind tools start again, in new tasks.
  const own = calls.filter(({ parent }) => parent === undefined)
  extraState['pending_calls'] = own.map(({ original, ...call }) => {
    const { agentTask: _a, approval, problem, begun, ...plain } = { ...call, ...original }
    if (!call.needsApproval) return plain
    const { by: _b, seal: _l, ...question } = approval ?? {}
    const {
      reason: _,
      output: _o,
      result: _s,
      isError: _e,
      always: _w,
      exact: _x,
      ...undecided
    } = plain as Partial<Record<string, unknown>>
    // The call of a fork has another key.
    const why = call.firstQuestion && !begun && { problem }
    return { ...undecided, ...(approval && { approval: question }), ...why, decision: null }
  })
  return extraState
}

/**
 * Reads a call of a turn that waits.
 * @throws {ModelValidationError} with an issue for every invalid field.
 */
export function readPendingCall(value: unknown): PendingToolCall {
  return readRecord('PendingToolCall', value, (call) => {
    for (const key of ['id', 'name']) call.string(key)
    call.string('place', '')
    call.oneOf('decision', [null, 'approve', 'reject', 'result'])
    if (call.has('output')) call.record('output', checkOutput)
    if (typeof call.data['arguments'] !== 'string') call.object('arguments')
    return call.data as unknown as PendingToolCall
  })
}

/** Checks the output of a call that ran before another one had to wait. */
function checkOutput(value: unknown): void {
  if (typeof (value as { content?: unknown } | null)?.content !== 'string')
    throw invalidRecord('PendingToolCall', '', 'the output of a tool', value)
}
