/**
 * @module
 * The events of a durable task for a reader that stops where the task waits.
 */
import type { AgentEvent, PendingToolCall } from '@x/agents'
import { raceAbort } from '@x/core-model/async'
import type { TaskEvents } from './task-events.ts'

/**
 * Whether a task waits for one of these calls, as soon as it waits or has gone on.
 * @param isOver - whether the task has gone on.
 */
type IsWaiting = (ids: readonly string[], isOver: () => boolean) => Promise<boolean>

/** The events of the records. Before those of a repeated attempt, an event says that what the interrupted one wrote is void. */
export async function* agentEvents(records: AsyncIterable<TaskEvents>, signal: AbortSignal | undefined) {
  const attempts = new Map<string, string>()
  const iterator = records[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { done, value } = await raceAbort(iterator.next(), signal)
      if (done) return
      const { call, attempt, events } = value
      const [first] = events
      if (attempts.has(call) && attempts.get(call) !== attempt && first && 'stepId' in first) yield interrupted(first)
      attempts.set(call, attempt)
      yield* events
    }
  } finally {
    // Not awaited: it may wait for the next record.
    void iterator.return?.()
  }
}

function interrupted({ taskId, stepId }: { taskId: string; stepId: string }): AgentEvent {
  const error = {
    name: 'InterruptedError',
    code: null,
    message: 'The process that ran the step has ended.',
    retryable: true,
  }
  return { type: 'turn_restarted', taskId, stepId, attempt: 1, delayMs: 0, error }
}

/**
 * Leaves out the events before the decisions. The log begins with those of the whole task, unless it was lost meanwhile.
 */
export async function* sinceDecisions(
  events: AsyncGenerator<AgentEvent>,
  decided: ReadonlySet<string>,
  isWaiting: IsWaiting,
): AsyncGenerator<AgentEvent> {
  /** The events that may be older than the decisions; undefined after them. */
  let held: AgentEvent[] | undefined = []
  let pausedStep: string | undefined
  let next = events.next()
  for (;;) {
    const { done, value: event } = await next
    if (done) break
    let isNextKnown = false
    const known = () => void (isNextKnown = true)
    next = events.next()
    next.then(known, known)
    const paused = event.type === 'approval_required' ? event : undefined
    const ids = paused && undecided(paused.calls)
    if (ids?.some((id) => decided.has(id))) {
      held = undefined
      pausedStep = paused?.stepId
    } else if (event.type === 'step_end' && event.stepId === pausedStep) pausedStep = undefined
    else if (!held) yield event
    else if (!ids) held.push(event)
    else if (await isWaiting(ids, () => isNextKnown)) yield* [...held, event]
    else held = []
  }
  yield* held ?? []
}

const undecided = (calls: readonly PendingToolCall[]) =>
  calls.flatMap(({ id, decision }) => (decision === null ? id : []))

/** Leaves out the pauses that are over, and ends where the task waits. */
export async function* untilPause(
  events: AsyncGenerator<AgentEvent>,
  isWaiting: IsWaiting,
): AsyncGenerator<AgentEvent> {
  let next: Promise<IteratorResult<AgentEvent>> | undefined
  for (;;) {
    const { done, value: event } = await (next ?? events.next())
    next = undefined
    if (done) return
    if (event.type !== 'approval_required') {
      yield event
      continue
    }
    // The end of the paused step belongs to the pause; what follows shows that the task has gone on.
    let end: AgentEvent | undefined
    next = events.next()
    const goesOn = async (first: IteratorResult<AgentEvent>) => {
      if (first.done || first.value.type !== 'step_end') return
      end = first.value
      next = events.next()
      await next
    }
    let isOver = false
    const over = () => void (isOver = true)
    const known = next.then(goesOn).then(over, over)
    if (await isWaiting(undecided(event.calls), () => isOver)) {
      yield event
      return
    }
    await known
    if (end) yield end
  }
}
