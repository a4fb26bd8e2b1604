/**
 * @module
 * The events of a durable task for a reader that stops where the task waits.
 */
import type { AgentEvent, PendingToolCall } from '@x/agents'
import { jsonOr } from '@x/core/values'
import { raceAbort } from '@x/core-model/async'
import type { TaskEvents } from './task-events.ts'

/**
 * Whether a task waits for one of these calls, as soon as it waits or has gone on.
 * @param isOver - whether the task has gone on.
 */
export type IsWaiting = (calls: readonly PendingToolCall[], isOver: () => boolean) => Promise<boolean>

/**
 * The events of the records. Before those of a repeated attempt, an event says that what the interrupted one wrote is void.
 * @param read - counts the records.
 */
export async function* agentEvents(
  records: AsyncIterable<TaskEvents>,
  signal: AbortSignal | undefined,
  read: { count: number },
) {
  const attempts = new Map<string, string>()
  const iterator = records[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { done, value } = await raceAbort(iterator.next(), signal)
      if (done) return
      read.count++
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
 * @param asked - the ids of the questions about the decided calls: one with another id, after it, asks again.
 * @param onSame - called at one with the same id: it asks again if the task waits.
 */
export async function* sinceDecisions(
  events: AsyncGenerator<AgentEvent>,
  {
    decided,
    asked,
    onSame,
  }: {
    decided: ReadonlySet<string>
    asked: ReadonlyMap<string, string | undefined>
    onSame: () => void
  },
  isWaiting: IsWaiting,
): AsyncGenerator<AgentEvent> {
  const isDecided = ({ id }: PendingToolCall) => decided.has(id)
  const isAsked = ({ id, approval }: PendingToolCall) => (asked.get(id) ?? approval?.id) === approval?.id
  let isPast = false
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
    const open = paused && undecided(paused.calls)
    const own = paused?.calls.filter((call) => call.decision === null && isDecided(call)) ?? []
    const isDecidedNow = own.some(isAsked)
    const isAgain = isPast && own.some((call) => !isAsked(call))
    if (isPast && isDecidedNow && !isAgain) onSame()
    isPast ||= isDecidedNow
    if (isAgain) yield event
    else if (isDecidedNow) {
      held = undefined
      pausedStep = paused?.stepId
    } else if (own.length > 0)
      held = [] // An earlier question about the call.
    else if (event.type === 'step_end' && event.stepId === pausedStep) pausedStep = undefined
    else if (!held) yield event
    else if (!open) held.push(event)
    else if (await isWaiting(open, () => isNextKnown)) yield* [...held, event]
    else held = []
  }
  yield* held ?? []
}

const undecided = (calls: readonly PendingToolCall[]) => calls.filter(({ decision }) => decision === null)

/** Leaves out the pauses that are over, and ends where the task waits. */
export async function* untilPause(
  events: AsyncGenerator<AgentEvent>,
  isWaiting: IsWaiting,
): AsyncGenerator<AgentEvent> {
  let next: Promise<IteratorResult<AgentEvent>> | undefined
  /** The calls of pauses that are over: readers know them. */
  const known = new Set<string>()
  for (;;) {
    const { done, value: event } = await (next ?? events.next())
    next = undefined
    if (done) return
    if (event.type === 'tool_call' && known.has(event.callId)) continue
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
    const looked = next.then(goesOn).then(over, over)
    if (await isWaiting(undecided(event.calls), () => isOver)) {
      yield event
      return
    }
    await looked
    const held = end ? [end] : []
    let first = await next
    for (; !first.done && isBeforeCalls(first.value); first = await events.next()) held.push(first.value)
    next = Promise.resolve(first)
    // One that was edited runs with other arguments than those of the question.
    const edited = first.value?.type === 'tool_call' ? first.value : undefined
    // Whoever reads from the beginning has not seen the calls, whose results follow.
    for (const { id: callId, name: toolName, arguments: args } of event.calls) {
      if (known.has(callId)) continue
      known.add(callId)
      const { taskId, stepId } = event
      const read = callId === edited?.callId ? { arguments: edited.arguments } : readArguments(args)
      yield { type: 'tool_call', taskId, stepId, callId, toolName, ...read }
    }
    yield* held
  }
}

/** Whether an event may come before the decided calls of a step: layers add messages there. */
const isBeforeCalls = ({ type }: AgentEvent) => type === 'step_start' || type === 'message'

function readArguments(given: string | Record<string, unknown>) {
  if (typeof given !== 'string') return { arguments: given }
  const read = jsonOr(given)
  return read === undefined
    ? { arguments: {}, invalidArguments: given }
    : { arguments: read as Record<string, unknown> }
}

/** Replaces the errors after which the task was continued: what its step has said is void, because the step is repeated. */
export async function* withoutPastErrors(events: AsyncGenerator<AgentEvent>): AsyncGenerator<AgentEvent> {
  let failed: Extract<AgentEvent, { type: 'error' }> | undefined
  let stepId = ''
  for await (const event of events) {
    if (failed?.taskId) {
      const { taskId, error } = failed
      yield { type: 'turn_restarted', taskId, stepId, attempt: 1, delayMs: 0, error }
    }
    failed = event.type === 'error' ? event : undefined
    if (event.type === 'step_start') stepId = event.stepId
    if (!failed) yield event
  }
  if (failed) yield failed
}
