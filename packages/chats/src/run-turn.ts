/**
 * @module
 * A run of an agent for what a user sends to a chat, and which of its events the client lacks.
 */
import { type AgentEvent, applyToolDecision, type ToolDecision } from '@x/agents'
import { errorEvent, readToolDecision } from '@x/agents/protocol'
import { deepEqual, isPlainObject } from '@x/core/values'
import { type BaseMemory, isToolkitError } from '@x/core-model'
import { relay } from '@x/core-model/async'
import type { ChatAgent } from './chat-agent.ts'
import type { ChatDecision, ChatDecisionTurn, ChatTurn } from './chat-protocol.ts'
import { type TurnsOfChat, userMessage, whenSealed } from './chat-turn.ts'
import { turnEvents } from './turn-events.ts'

/**
 * Runs an agent for what a user sent: a message, or decisions, after which their task continues.
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
    const decisions = turn.decisions.map((decision) => {
      readToolDecision(decision)
      return by === undefined ? decision : { ...decision, by }
    })
    const { memory } = run
    // Another process may have continued the task.
    await agent.resumeTask(taskId, { memory })
    for (const decision of decisions) await decide(agent, { taskId, decision, memory })
    yield* read(agent.runEvents('', { ...run, taskId }))
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
  { decisions }: ChatDecisionTurn,
  { known, waits = false }: { known?: number; waits?: boolean } = {},
): AsyncGenerator<AgentEvent> {
  const decided = new Map(decisions.map((decision) => [decision.callId, decision]))
  const calls = new Map<string, Extract<AgentEvent, { type: 'tool_call' }>>()
  /** The beginning of a step whose calls may follow; undefined behind it. */
  let held: AgentEvent[] | undefined = []
  /** Those whose arguments are the ones with which they run. */
  const final = new Set<string>()
  let index = 0
  let isKnown = true
  for await (const event of events) {
    const isResult = event.type === 'tool_result' && decided.has(event.callId)
    isKnown &&= known === undefined ? !isResult && event.type !== 'error' : index++ < known
    if (event.type === 'tool_call' && decided.has(event.callId)) {
      calls.set(event.callId, event)
      if (!isKnown) final.add(event.callId)
    } else if (isKnown) continue
    else if (held && !waits && (event.type === 'step_start' || event.type === 'step_end')) held.push(event)
    else {
      for (const call of held ? calls.values() : []) {
        const { type, shows } = decided.get(call.callId)!
        const isFinal = final.has(call.callId) || (isResult && event.callId === call.callId) || known === undefined
        if (
          (waits ? type === 'reject' : isFinal || type === 'reject') &&
          shows &&
          !deepEqual(shows, argumentsOf(call.arguments))
        )
          yield call
      }
      yield* held ?? []
      held = undefined
      yield event
    }
  }
  yield* held ?? []
}

type ErrorEvent = Extract<AgentEvent, { type: 'error' }>

/**
 * Yields the events of a turn; a run that throws ends with an event `error`. If the user has stopped the turn, the error has the code `abort`,
 * whatever the engine reports, and before it calls without a result get the one of the store: a page that lacks results of calls that were approved
 * would send its decision again.
 * @param id - that of the turn
 */
export async function* withStop(
  events: AsyncIterable<AgentEvent>,
  chat: TurnsOfChat,
  id: string,
): AsyncGenerator<AgentEvent> {
  const open = new Set<string>()
  let failure: ErrorEvent | undefined
  try {
    for await (const event of events) {
      if (event.type === 'error') {
        failure = event
        break
      }
      if (event.type === 'tool_call') open.add(event.callId)
      if (event.type === 'tool_result') open.delete(event.callId)
      yield event
    }
  } catch (error) {
    failure = errorEvent(null, error) as ErrorEvent
  }
  if (!failure) return
  const { code } = failure.error
  const own = async () => (await chat.store.read(chat.key)).find((turn) => turn.id === id)
  let turn = code === 'abort' || code === 'task_cancelled' ? await own() : undefined
  if (turn?.state === 'open') {
    // A worker writes the turn of a cancelled task.
    await whenSealed(chat, turn.task)
    turn = await own()
  }
  if (turn?.state !== 'stopped') return yield failure
  for (const event of turnEvents(turn)) if (event.type === 'tool_result' && open.has(event.callId)) yield event
  yield { ...failure, error: { ...failure.error, code: 'abort' } }
}

/** A call that waits. */
type WaitingToolCall = ReturnType<ChatAgent<never>['getPendingApprovals']>[number]

/** Applies a decision if its call waits for it. */
async function decide(
  agent: ChatAgent<never>,
  { taskId, decision, memory }: { taskId: string; decision: ChatDecision; memory: BaseMemory | undefined },
): Promise<void> {
  const { callId, type } = decision
  const waiting = () => agent.getPendingApprovals(taskId).find(({ id }) => id === callId)
  const call = waiting()
  const { awaits = 'approval' } = call ?? {}
  if (!call || (type !== 'reject' && awaits !== (type === 'result' ? 'result' : 'approval'))) return
  try {
    await applyToolDecision(agent, taskId, asShown(decision, call))
  } catch (error) {
    if (!isToolkitError(error, 'approval')) throw error
    // Another request may have decided, such as this one when it arrives twice.
    await agent.resumeTask(taskId, { memory })
    if (waiting()) throw error
  }
}

/**
 * Returns the decision about what the page shows: an approval of other arguments is an edit. The agent, which knows what it asked, takes one
 * with the arguments of the question as an approval: if the saved call has others by now, it waits again.
 */
function asShown({ shows, ...decision }: ChatDecision, { arguments: waiting }: WaitingToolCall): ToolDecision {
  if (decision.type !== 'approve' || shows === undefined || deepEqual(shows, argumentsOf(waiting)))
    return decision as ToolDecision
  const { callId, by, approvalId } = decision
  const asked = { ...(by !== undefined && { by }), ...(approvalId !== undefined && { approvalId }) }
  return { callId, type: 'edit', arguments: { ...shows }, ...asked }
}

/** Returns arguments as a page has received them. */
function argumentsOf(given: WaitingToolCall['arguments']): unknown {
  if (typeof given !== 'string')
    return JSON.parse(JSON.stringify(given, (_key, value) => (typeof value === 'bigint' ? `${value}` : value)))
  try {
    const read: unknown = JSON.parse(given)
    return isPlainObject(read) ? read : {}
  } catch {
    return {}
  }
}
