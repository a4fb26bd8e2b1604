/**
 * @module
 * Answers of a user to the waiting calls of a durable task.
 */
import type { PendingToolCall } from '@x/agents'
import { ApprovalRequiredError } from '@x/agents/errors'
import { isToolkitError } from '@x/core-model'
import { pause, raceAbort } from '@x/core-model/async'
import type { DurableTasks, WaitingCall } from '@x/durable'

/** How often the engine is asked, in milliseconds: soon at first, then less often. */
const FIRST_LOOK = 10
const LAST_LOOK = 1000

/**
 * Applies decisions to a task, waits until it ends, and returns its answer.
 * @throws {ApprovalRequiredError} if the task waits for other decisions.
 * @throws the error of the task if it fails, with its `code`.
 */
export async function advanceTask(
  tasks: DurableTasks,
  taskId: string,
  decisions: readonly PendingToolCall[],
  signal: AbortSignal | undefined,
): Promise<string> {
  const open = decisions.length > 0 ? await tasks.waiting(taskId) : []
  const before = new Map(open.map((call) => [call.id, refusalsOf(call)]))
  for (const decided of decisions) await decide(tasks, taskId, decided)
  // An engine may receive a decision later.
  const isOnItsWay = (call: WaitingCall) =>
    decisions.some(({ id }) => id === call.id) && refusalsOf(call) === before.get(call.id)
  for (let delayMs = FIRST_LOOK; ; delayMs = Math.min(2 * delayMs, LAST_LOOK)) {
    const status = await tasks.status(taskId)
    if (status === 'waiting') {
      const calls = await tasks.waiting(taskId)
      if (calls.length > 0 && !calls.some(isOnItsWay)) throw new ApprovalRequiredError(taskId, calls.map(pending))
    } else if (status !== 'queued' && status !== 'running') return (await tasks.answer(taskId)).response
    await raceAbort(pause(delayMs), signal)
  }
}

const refusalsOf = ({ refused }: WaitingCall): number => refused?.count ?? 0

/** Stores a decision. A call that was decided meanwhile, for example by another client, keeps that decision. */
async function decide(tasks: DurableTasks, taskId: string, decided: PendingToolCall): Promise<void> {
  const { id: callId, decision } = decided
  if (decision === null) return
  try {
    if (decision === 'result') {
      const { result, isError = false } = decided
      await tasks.decide(taskId, { callId, type: 'result', result, isError })
    } else if (decision === 'reject') await tasks.decide(taskId, { callId, type: 'reject', reason: decided.reason })
    else await tasks.decide(taskId, { callId, type: 'approve' })
  } catch (error) {
    if (!isToolkitError(error, 'approval')) throw error
  }
}

/** Returns a waiting call as an agent has it. */
function pending({ id, name, arguments: args, awaits }: WaitingCall): PendingToolCall {
  return { id, name, arguments: args, awaits, needsApproval: awaits === 'approval', decision: null }
}
