/**
 * @module
 * The turn of a chat that a message begins, or that it belongs to, and what a client shows of its answer, beside what is stored of it.
 */
import type { AgentEvent, PendingToolCall } from '@x/agents'
import { type ErrorData, errorEvent, TOOL_FAILURE } from '@x/agents/protocol'
import { deepEqual } from '@x/core/values'
import {
  addUsage,
  ChatMessage,
  type DecidedCall,
  type MessageContent,
  ToolkitError,
  type Turn,
  type TurnMarks,
  type TurnStore,
  type TurnUsage,
  writeJsonText,
} from '@x/core-model'
import { pause } from '@x/core-model/async'
import { heldTurn, sealed, shownTurn, withoutWaiting } from '@x/core-model/memory'
import type { ChatAgent } from './chat-agent.ts'
import type { ChatMessageTurn, ShownAnswer } from './chat-protocol.ts'
import { toolError } from './shown-events.ts'
import { storedEvents } from './turn-events.ts'

/** The turns of one chat. */
export interface TurnsOfChat {
  readonly store: TurnStore
  readonly key: string
}

/**
 * What a message is: `new` begins a run; `continue` has a turn that failed, was stopped, or whose process has ended; `replay` has one that
 * waits or that is done; the others are refused.
 */
export interface BegunTurn {
  readonly kind: 'new' | 'continue' | 'replay' | Refused
  readonly turn: TurnMarks
  /** The turns that the change has removed. */
  readonly removed: readonly TurnMarks[]
  /** The turns as they are now. */
  readonly after: readonly TurnMarks[]
}

type Refused = 'busy' | 'decision_pending' | 'replacing_refused' | 'unknown_message'

export interface BeginOptions {
  /** The message of the user. */
  message: ChatMessage
  /** The id of a new task. */
  task: string
  /** Whether a message is refused while a call of another turn waits. */
  refusesWhileWaiting: boolean
  /** Whether a message is refused if it removes a turn. @defaultValue false */
  refusesReplacing?: boolean | undefined
  /** The tasks of durable turns that are open although they do not run; undefined for agents whose runs the streams know. */
  ended: ReadonlySet<string> | undefined
  /** Whether later answers do not know the message before the agent has accepted it. */
  isHeld?: boolean | undefined
}

/**
 * Finds the turn of a message, or begins it, in one change. A message with the id of an earlier one and other words replaces it and what
 * follows. Nothing else is removed.
 */
export async function beginTurn(
  { store, key }: TurnsOfChat,
  sent: ChatMessageTurn,
  { message, task, refusesWhileWaiting, refusesReplacing, ended, isHeld }: BeginOptions,
): Promise<BegunTurn> {
  const { messageId: id, discardsRest = false, replaces } = sent
  const open: Turn = { id: task, task, message: id, state: 'open', messages: [message] }
  const own = isHeld ? heldTurn(open) : open
  let begun: Omit<BegunTurn, 'after'> = { kind: 'new', turn: own, removed: [] }
  const after = await store.begin(key, id, (turns, first) => {
    const at = id === undefined ? -1 : turns.findLastIndex((turn) => turn.message === id)
    const found = turns[at]
    const others = turns.filter((turn) => turn !== found)
    begun = { kind: 'new', turn: own, removed: [] }
    const refuse = (kind: Refused) => {
      begun = { ...begun, kind }
      return turns
    }
    if (replaces !== undefined && replaces !== id && replaces !== found?.id) return refuse('unknown_message')
    const isSame = found !== undefined && first !== undefined && isSameMessage({ ...found, messages: [first] }, message)
    const runs = ({ state, task: other }: TurnMarks) => state === 'open' && ended !== undefined && !ended.has(other)
    if ((isSame ? others : turns).some(runs)) return refuse('busy')
    if (refusesWhileWaiting && others.some(({ state }) => state === 'waiting')) return refuse('decision_pending')
    const kind = isSame ? kindOf(found, sent) : 'new'
    if (kind === 'replay') {
      begun = { kind, turn: found!, removed: [] }
      return turns
    }
    const rest = turns.map(sealed)
    const isLast = !found || discardsRest || !isSame
    const isReplaced = found && kind === 'new'
    const from = isReplaced ? at : at + 1
    const removed = found ? turns.slice(from, isLast ? turns.length : at + 1) : []
    if (refusesReplacing && removed.length > 0) return refuse('replacing_refused')
    const replaced = usedBy([...removed, { replaced: isReplaced ? undefined : found?.replaced }])
    const turn: TurnMarks = {
      ...(kind === 'continue' ? { ...found!, state: 'open' } : own),
      ...(replaced && { replaced }),
    }
    begun = { kind, turn, removed }
    if (!found) return [...rest, turn]
    return isLast ? [...rest.slice(0, at), turn] : rest.with(at, turn)
  })
  return { ...begun, after }
}

/** Returns what turns have used, with the turns that they have replaced; undefined if that is not known. */
export function usedBy(turns: readonly Pick<TurnMarks, 'usage' | 'replaced'>[]): TurnUsage | undefined {
  return turns
    .flatMap(({ usage, replaced }) => [usage, replaced])
    .reduce((one, other) => (one && other ? usageTogether(one, other) : (one ?? other)), undefined)
}

function usageTogether(one: TurnUsage, other: TurnUsage): TurnUsage {
  const cost = one.cost === undefined ? other.cost : one.cost + (other.cost ?? 0)
  const calls = { modelCalls: one.modelCalls + other.modelCalls, toolCalls: one.toolCalls + other.toolCalls }
  return { ...calls, ...addUsage(one, other), ...(cost !== undefined && { cost }) }
}

/** What a message asks for that is there already. */
function kindOf({ state }: TurnMarks, { asks }: ChatMessageTurn): 'new' | 'continue' | 'replay' {
  if (state === 'done') return asks === 'send' ? 'replay' : 'new'
  if (state === 'waiting') return asks === 'again' ? 'new' : 'replay'
  return 'continue'
}

/** Returns the message of the user. */
export function userMessage(content: MessageContent): ChatMessage {
  return new ChatMessage({ role: 'user', content })
}

/** Changes the marks of the turn of a task. */
export async function markTurn(
  { store, key }: TurnsOfChat,
  task: string,
  change: (turn: TurnMarks) => TurnMarks,
): Promise<void> {
  await store.begin(key, undefined, (turns) => turns.map((turn) => (turn.task === task ? change(turn) : turn)))
}

/** Marks a turn whose run has not ended in another way, because it never began. */
export async function sealTurn(chat: TurnsOfChat, task: string, state: 'failed' | 'stopped' = 'failed'): Promise<void> {
  // Nearly every run has written its end: no reason to read all turns.
  const own = await chat.store.before?.(chat.key, task, 0)
  if (own && own.turn?.state !== 'open') return
  await markTurn(chat, task, (turn) => (turn.state === 'open' ? { ...turn, state } : turn))
}

/** Stops the last turn if it waits, or every turn that waits: their calls will not run. Returns their tasks. */
export async function stopWaiting({ store, key }: TurnsOfChat, which: 'last' | 'all'): Promise<string[]> {
  const turns = await store.read(key)
  const known = (which === 'last' ? turns.slice(-1) : turns).filter(({ state }) => state === 'waiting')
  let tasks: string[] = []
  if (known.length > 0)
    await store.begin(key, undefined, (marks) => {
      tasks = []
      return marks.map((turn, i) => {
        const own = known.find(({ task }) => task === turn.task)
        // It may have been decided in the meantime, or another one follows.
        if (!own || turn.state !== 'waiting' || (which === 'last' && i < marks.length - 1)) return turn
        tasks.push(turn.task)
        return { ...withoutWaiting(own, 'stopped'), waiting: undefined }
      })
    })
  return tasks
}

/** Returns the tasks of turns that are open although they do not run. */
export async function endedTasks({ store, key }: TurnsOfChat, agent: ChatAgent<never>): Promise<Set<string>> {
  const open = await openTasks({ store, key })
  const statuses = await Promise.all(open.map((task) => agent.statusOf!(task)))
  return new Set(open.filter((_, i) => !isRunning(statuses[i])))
}

/** Returns the tasks of the turns that are open, the oldest first. */
export async function openTasks({ store, key }: TurnsOfChat): Promise<string[]> {
  const turns = await store.begin(key, undefined, (all) => all)
  return turns.filter(({ state }) => state === 'open').map(({ task }) => task)
}

export const isRunning = (status: string | undefined): boolean => status === 'queued' || status === 'running'

/** How long a stopped durable task may take to write its turn, and how often one looks, in milliseconds. */
const SEAL_MS = 2000
const LOOK_MS = 40

/** Resolves when the worker of a cancelled task has written the turn; after two seconds it is marked as stopped without it. */
export async function whenSealed(chat: TurnsOfChat, task: string): Promise<void> {
  for (let waited = 0; waited < SEAL_MS; waited += LOOK_MS) {
    if (!(await openTasks(chat)).includes(task)) return
    await pause(LOOK_MS)
  }
  await sealTurn(chat, task, 'stopped')
}

/** Whether the messages of a turn name calls, which a new attempt of it must know. */
export function namesCalls({ messages }: Turn): boolean {
  return messages.some(
    ({ role, content, additionalKwargs }) =>
      role === 'assistant' && (additionalKwargs['tool_calls'] !== undefined || String(content).startsWith('(Called ')),
  )
}

/** Whether a page shows this message of the user in a turn. */
export function isSameMessage(turn: Turn, message: ChatMessage): boolean {
  const contentOf = (one: ChatMessage | undefined) => writeJsonText(one?.toDict()['content'] ?? null)
  return contentOf(shownTurn(turn).messages[0]) === contentOf(message)
}

/** Returns how the calls of a turn were decided, by their ids, also of those that have not run because others of their step wait. */
export function decidedCalls({ waiting = [], decided = {}, state }: TurnMarks): Readonly<Record<string, DecidedCall>> {
  const open = state === 'waiting' ? (waiting as readonly PendingToolCall[]) : []
  // A call that was approved and waits again has no decision yet.
  const isUndecided = (id: string) => open.some((call) => call.id === id && call.decision === null)
  const before = Object.entries(decided).filter(([id]) => !isUndecided(id))
  const made = open.flatMap((call): [string, DecidedCall][] => {
    const { id, needsApproval, decision, problem, parent, name, arguments: args } = call
    if (!needsApproval || decision === null) return []
    const reason = decision === 'reject' ? call.reason : undefined
    const inner = parent === undefined ? undefined : { parent, name, arguments: args }
    return [[id, { id: call.approval?.id ?? id, approved: decision === 'approve', reason, problem, inner }]]
  })
  return Object.fromEntries([...before, ...made])
}

/** Whether a client shows an answer in another state than the stored one. */
export function isOutdated(turn: TurnMarks, { taskId, usage, calls, problems = {} }: ShownAnswer): boolean {
  const { task, state } = turn
  const used = state === 'done' || state === 'stopped' ? turn.usage : undefined
  const stored = callsOf(turn)
  return !deepEqual([taskId, usage, calls, problems], [task, used, stored.calls, stored.problems])
}

/**
 * Returns the turns behind an answer, and in front of them its own one if a client has other decisions about its calls: no event says how a
 * call was decided.
 * @param shown - what the client showed before the answer continued. @defaultValue nothing
 */
export async function turnsFrom({ store, key }: TurnsOfChat, id: string, shown?: ShownAnswer): Promise<Turn[]> {
  const turns = await store.read(key)
  const at = turns.findIndex((turn) => turn.id === id)
  const own = turns[at]
  if (!own) return []
  return turns.slice(own.state === 'open' || hasDecisions(own, shown) ? at + 1 : at)
}

/** Whether a client has the decisions of a turn. What waits is asked about again. */
function hasDecisions(turn: TurnMarks, shown: ShownAnswer | undefined): boolean {
  const stored = callsOf(turn).calls
  const decided = (calls: ShownAnswer['calls'] = {}) =>
    Object.fromEntries(Object.entries(calls).filter(([id, how]) => how !== 'open' && stored[id] !== 'open'))
  return deepEqual(decided(shown?.calls), decided(stored))
}

/** Returns the calls of a turn about which a page asks its user, and those that the user has decided. */
function callsOf(turn: TurnMarks): Pick<ShownAnswer, 'calls' | 'problems'> {
  const { state, waiting = [] } = turn
  const asked = (state === 'waiting' ? waiting : []) as readonly PendingToolCall[]
  const calls = [
    ...Object.entries(decidedCalls(turn)).map(([id, { approved, problem }]) => {
      return { id, how: approved ? ('approved' as const) : ('rejected' as const), problem }
    }),
    ...asked.flatMap(({ id, decision, needsApproval, awaits, problem }) =>
      decision === null && (needsApproval || awaits === 'result') ? [{ id, how: 'open' as const, problem }] : [],
    ),
  ]
  return {
    calls: Object.fromEntries(calls.map(({ id, how }) => [id, how])),
    problems: Object.fromEntries(calls.map(({ id, problem }) => [id, problem])),
  }
}

export type ErrorEvent = Extract<AgentEvent, { type: 'error' }>

/** Returns the error of an event. */
function errorOf({ name, code, message }: ErrorData, cause?: unknown): Error {
  return code === null ? Object.assign(new Error(message), { name }) : new ToolkitError(name, code, message, { cause })
}

/**
 * Yields the events of a turn; a run that throws ends with an event `error`, and before it calls without a result get the one of the store:
 * a page that lacks results of calls that were approved would send its decision again. If the user has stopped the turn, the error has the
 * code `abort`, whatever the engine reports.
 * @param id - that of the turn
 * @param log - receives what fails, with its cause
 */
export async function* withStop(
  events: AsyncIterable<AgentEvent>,
  chat: TurnsOfChat,
  id: string,
  log?: (error: unknown) => void,
): AsyncGenerator<AgentEvent> {
  const open = new Set<string>()
  /** The calls of which the page has the arguments alone. */
  const unmade = new Set<string>()
  let failure: ErrorEvent | undefined
  let thrown: unknown
  try {
    for await (const event of events) {
      // The run throws the error itself, if it has one.
      if (event.type === 'error') failure = event
      if (failure) continue
      if (event.type === 'turn_restarted') unmade.clear()
      if (event.type === 'approval_required') for (const { id: asked } of event.calls) unmade.delete(asked)
      if (event.type === 'tool_input_delta') unmade.add(event.callId)
      if (event.type === 'tool_call') {
        open.add(event.callId)
        unmade.delete(event.callId)
      }
      if (event.type === 'tool_result') {
        open.delete(event.callId)
        const error = event.isError && toolError(event)
        if (error)
          log?.(errorOf({ ...error, message: `Tool "${event.toolName}": ${error.message}` }, event[TOOL_FAILURE]))
      }
      yield event
    }
  } catch (error) {
    thrown = error
    failure ??= errorEvent(null, error) as ErrorEvent
  }
  if (!failure) return
  const { code } = failure.error
  const own = async () => (await chat.store.read(chat.key)).find((turn) => turn.id === id)
  const isCancelled = code === 'abort' || code === 'task_cancelled'
  let turn = isCancelled || open.size + unmade.size > 0 ? await own() : undefined
  if (isCancelled && turn?.state === 'open') {
    // A worker writes the turn of a cancelled task.
    await whenSealed(chat, turn.task)
    turn = await own()
  }
  const isStopped = isCancelled && turn?.state === 'stopped'
  if (!isStopped) log?.(thrown ?? errorOf(failure.error))
  for (const event of turn && turn.state !== 'open' ? storedEvents(turn) : []) {
    const isLacking =
      (event.type === 'tool_call' && unmade.has(event.callId)) ||
      (event.type === 'tool_result' && (open.has(event.callId) || unmade.has(event.callId)))
    if (isLacking) yield event
  }
  yield isStopped ? { ...failure, error: { ...failure.error, code: 'abort' }, usage: turn?.usage ?? null } : failure
}
