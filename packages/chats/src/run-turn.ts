/**
 * @module
 * A run of an agent for what a user sends to a chat, and which of its events the client lacks.
 */
import type { AgentEvent } from '@x/agents'
import { deepEqual } from '@x/core/values'
import type { BaseMemory } from '@x/core-model'
import { relay } from '@x/core-model/async'
import { argumentsOf } from '@x/durable'
import type { ChatAgent } from './chat-agent.ts'
import type { ChatDecisionTurn, ChatTurn } from './chat-protocol.ts'
import { type ErrorEvent, userMessage } from './chat-turn.ts'
import { approvalRequired, decideCalls } from './decide-calls.ts'

/**
 * Runs an agent for what a user sent: a message, or decisions, after which their task continues. Calls that still wait are asked about
 * again.
 * @param by - who decides. @defaultValue what the decision says
 */
export function runTurn<Options extends object>(
  agent: ChatAgent<Options>,
  turn: ChatTurn,
  given: Options & { memory?: BaseMemory | undefined },
  by: string | undefined,
): AsyncGenerator<AgentEvent, void, undefined> {
  return relay(async function* (read) {
    const run = given as Options & { memory?: BaseMemory }
    if (turn.taskId === undefined) return yield* read(agent.runEvents(userMessage(turn.content), run))
    const { taskId } = turn
    const decided = await decideCalls(agent, turn, { memory: run.memory, by })
    // A durable task reports what still waits.
    if (decided && decided.left.length > 0 && !agent.statusOf) yield approvalRequired(taskId, decided)
    else yield* read(agent.runEvents('', { ...run, taskId }))
  })
}

/**
 * Yields the events that the client of a decision does not know: those from the first result of a decided call. It shows the calls already.
 * One that its page has edited comes again, before the events of its step, if it did not run with these arguments.
 * @param options.known - how many of the first events the client knows instead
 * @param options.waits - whether the calls wait for the decisions. @defaultValue false: somebody else may have decided
 */
export async function* unknownEvents(
  events: AsyncIterable<AgentEvent>,
  { taskId, decisions }: ChatDecisionTurn,
  { known, waits }: { known?: number; waits?: boolean } = {},
): AsyncGenerator<AgentEvent> {
  const decided = new Map(decisions.map((decision) => [decision.callId, decision]))
  const calls = new Map<string, Extract<AgentEvent, { type: 'tool_call' }>>()
  /** The beginning of a step whose calls may follow; undefined behind it. */
  let held: AgentEvent[] | undefined = []
  /** Those whose arguments are the ones with which they run. */
  const final = new Set<string>()
  /** Those of other requests that the client shows. */
  const others = new Set<string>()
  let index = 0
  let isKnown = true
  for await (const event of events) {
    if (event.taskId && event.taskId !== taskId) {
      // The answer to a message that came with the decisions.
      yield* held ?? []
      held = undefined
      isKnown = false
      yield event
      continue
    }
    const isResult = event.type === 'tool_result' && decided.has(event.callId)
    isKnown &&= known === undefined ? !isResult && event.type !== 'error' : index++ < known
    if (event.type === 'tool_call' && decided.has(event.callId)) {
      calls.set(event.callId, event)
      if (!isKnown) final.add(event.callId)
    } else if (isKnown) {
      if (event.type === 'tool_call') others.add(event.callId)
    } else if (event.type === 'tool_call' && others.has(event.callId)) continue
    else if (held && (event.type === 'step_start' || event.type === 'step_end')) held.push(event)
    else {
      for (const call of held ? calls.values() : []) {
        const { type, shows } = decided.get(call.callId)!
        const isOwn = !waits && (known === undefined || (isResult && event.callId === call.callId))
        const isFinal = type === 'reject' || isOwn || final.has(call.callId)
        if (isFinal && shows && !deepEqual(shows, argumentsOf(call.arguments))) yield call
      }
      yield* held ?? []
      held = undefined
      yield event
    }
  }
  yield* held ?? []
}

/**
 * Yields the events of a turn, and behind them those of another one, which begins however the first one ends: else its message would be
 * lost. No event follows an error.
 * @param stop - called if the user has stopped the first turn: the other one is stopped too
 */
export async function* followed(
  events: AsyncIterable<AgentEvent>,
  next: () => AsyncIterable<AgentEvent>,
  stop: () => void,
): AsyncGenerator<AgentEvent> {
  let failure: ErrorEvent | undefined
  let isOver = false
  try {
    for await (const event of events) {
      if (event.type === 'error') failure = event
      else yield event
    }
    isOver = true
  } finally {
    if (!isOver || failure?.error.code === 'abort') stop()
    // The reader has left.
    if (!isOver)
      for await (const _ of next()) {
      }
  }
  yield* next()
  if (failure) yield failure
}
