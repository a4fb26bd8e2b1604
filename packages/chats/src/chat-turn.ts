/**
 * @module
 * The turn of a chat that a message begins, or that it belongs to.
 */

import {
  addUsage,
  ChatMessage,
  type MessageContent,
  type Turn,
  type TurnMarks,
  type TurnStore,
  type TurnUsage,
  writeJsonText,
} from '@x/core-model'
import { pause } from '@x/core-model/async'
import { heldTurn, sealed, shownTurn, stoppedTurn } from '@x/core-model/memory'
import type { ChatAgent } from './chat-agent.ts'
import type { ChatMessageTurn } from './chat-protocol.ts'

/** The turns of one chat. */
export interface TurnsOfChat {
  readonly store: TurnStore
  readonly key: string
}

/**
 * What a message is: `new` begins a run; `continue` has a turn that failed, was stopped, or whose process has ended; `replay` has one that waits or
 * that is done; the others are refused.
 */
export interface BegunTurn {
  readonly kind: 'new' | 'continue' | 'replay' | 'busy' | 'decision_pending' | 'unknown_message'
  readonly turn: TurnMarks
  /** The turns that the change has removed. */
  readonly removed: readonly TurnMarks[]
  /** The turns as they are now. */
  readonly after: readonly TurnMarks[]
}

export interface BeginOptions {
  /** The message of the user. */
  message: ChatMessage
  /** The id of a new task. */
  task: string
  /** Whether a message is refused while a call of another turn waits. */
  refusesWhileWaiting: boolean
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
  { message, task, refusesWhileWaiting, ended, isHeld }: BeginOptions,
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
    const refuse = (kind: 'busy' | 'decision_pending' | 'unknown_message') => {
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
        return stoppedTurn(own)
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
