/**
 * @module
 * The answers of a chat: a message begins or continues a turn, decisions continue one.
 */
import type { AgentEvent, PendingToolCall } from '@x/agents'
import {
  type BaseMemory,
  type ChatMessage,
  type ChatStore,
  isToolkitError,
  type Turn,
  type TurnMarks,
} from '@x/core-model'
import { newId } from '@x/core-model/data'
import { TurnMemory, withoutWaiting } from '@x/core-model/memory'
import type { ChatAgent } from './chat-agent.ts'
import type { AnsweredTurn, ChatDecisionTurn, ChatMessageTurn, ChatTurn } from './chat-protocol.ts'
import {
  type BegunTurn,
  beginTurn,
  decidedCalls,
  endedTasks,
  isOutdated,
  markTurn,
  namesCalls,
  sealTurn,
  type TurnsOfChat,
  turnsFrom,
  usedBy,
  userMessage,
} from './chat-turn.ts'
import { type Decided, type Deciding, decideCalls, decidedCall, withdraw } from './decide-calls.ts'
import { concat, nothing } from './event-readers.ts'
import { unknownEvents } from './run-turn.ts'
import { storedEvents } from './turn-events.ts'

/** The events of an answer, or why there is none. */
export type BegunAnswer =
  | {
      kind: 'refused'
      because:
        | Exclude<BegunTurn['kind'], 'new' | 'continue' | 'replay'>
        | 'decision_refused'
        | 'nothing_waits'
        | 'unknown_task'
    }
  | {
      kind: 'begun'
      /** The events of the turn from its beginning, or those that the client lacks if no other ones are known. */
      events: AsyncIterable<AgentEvent>
      /** Leaves out the events that the client knows; undefined if it knows none. */
      unknown?: ((events: AsyncIterable<AgentEvent>) => AsyncIterable<AgentEvent>) | undefined
      answered: AnsweredTurn
      /** The turn with the message of the user. */
      asked: Turn
    }

interface ChatRunOptions<Options extends object> {
  /** Rejects if the agent cannot be made: then the run fails. */
  agent: Promise<ChatAgent<Options>>
  /** Returns the options of the run. */
  options: () => Options | undefined | Promise<Options | undefined>
  signal: AbortSignal
  /** Who decides. */
  by: string | undefined
  mayDecide?: Deciding['mayDecide']
  refusesWhileWaiting: boolean
  refusesReplacing?: boolean | undefined
}

/** The answers of one request to a chat. */
export class ChatAnswers<Options extends object> {
  private readonly chat: TurnsOfChat
  private readonly chatStore: ChatStore
  private readonly run: ChatRunOptions<Options>

  constructor(chat: TurnsOfChat, chatStore: ChatStore, run: ChatRunOptions<Options>) {
    this.chat = chat
    this.chatStore = chatStore
    this.run = run
  }

  async begin(turn: ChatTurn): Promise<BegunAnswer> {
    const own = await this.run.agent.catch(() => undefined)
    return turn.taskId === undefined ? this.answer(turn, own) : this.decide(turn, own)
  }

  private async decide(turn: ChatDecisionTurn, own: ChatAgent<Options> | undefined): Promise<BegunAnswer> {
    const { taskId } = turn
    const turns = await this.read()
    const found = turns.find(({ task }) => task === taskId)
    if (!found) return { kind: 'refused', because: 'unknown_task' }
    if (saysNothing(found, turn)) return { kind: 'refused', because: 'nothing_waits' }
    const shown = turn.answers?.find(({ id }) => id === found.id)
    const later = () => turnsFrom(this.chat, found.id, shown)
    const earlier = turns.slice(0, turns.indexOf(found))
    const missed = isBehind(earlier, turn) ? earlier : []
    const { id: messageId, state, usage } = found
    const answered = { messageId, missed, later, continues: true, stopped: state === 'stopped' ? { usage } : undefined }
    const begun = { kind: 'begun' as const, answered, asked: found }
    const isDurable = own?.statusOf !== undefined
    // A durable task reports what followed the decisions, whoever made them.
    const isWaiting = (isDurable && found.state !== 'stopped') || isAsked(found, turn)
    // Somebody else has decided, or stopped the turn: the client has not seen what followed.
    const unknown = (all: AsyncIterable<AgentEvent>) => unknownEvents(all, turn)
    if (!isWaiting && found.state !== 'failed' && found.state !== 'open')
      return { ...begun, events: concat(storedEvents(found), nothing()), unknown }
    let decided: Decided | null
    try {
      const { by, mayDecide } = this.run
      const agent = await this.run.agent
      decided = await decideCalls(agent, turn, { memory: this.memoryOf(agent, taskId), by, mayDecide })
    } catch (error) {
      // The calls still wait.
      return { ...begun, events: failing(error) }
    }
    if (!decided) {
      // A durable task was opened to be continued.
      if (isDurable) await own.runEvents('', { taskId } as Options & { taskId: string }).return(undefined)
      return { kind: 'refused', because: 'decision_refused' }
    }
    if (!isWaiting) {
      await this.reopen(found, decided)
      return { ...begun, events: this.continued(taskId), unknown }
    }
    const before = storedEvents(found, { open: true })
    if (decided.left.length > 0) before.push(await this.noteWaiting(taskId, decided))
    else if (!isDurable) await this.reopen(found, decided)
    const isOver = decided.left.length > 0 && !isDurable
    const events = concat(before, isOver ? nothing() : this.noted(taskId, decided, this.events(null, taskId)))
    // An engine may have taken another decision before the turn says so.
    const options = { known: before.length - (decided.left.length > 0 ? 1 : 0), waits: !isDurable }
    return { ...begun, events, unknown: (all) => unknownEvents(all, turn, options) }
  }

  /** Writes which calls of a turn are decided while others wait. Returns the event of the others. */
  private async noteWaiting(taskId: string, decided: Decided): Promise<AgentEvent> {
    let calls: PendingToolCall[] = []
    await markTurn(this.chat, taskId, (marks) => {
      const { state, waiting = [] } = marks
      calls = (waiting as readonly PendingToolCall[]).map((call) => decidedCall(call, decided))
      return state === 'waiting' ? { ...marks, waiting: calls } : marks
    })
    return { type: 'approval_required', taskId, stepId: '', calls: calls.filter(({ decision }) => decision === null) }
  }

  /** Yields events of a durable task. What it asks about again is written in the turn, with the decisions about its other calls. */
  private async *noted(
    taskId: string,
    decided: Decided,
    events: AsyncIterable<AgentEvent>,
  ): AsyncGenerator<AgentEvent> {
    for await (const event of events) {
      if (event.type === 'approval_required' && event.calls.some(({ problem }) => problem !== undefined))
        await markTurn(this.chat, taskId, (marks) => {
          const known = (marks.waiting ?? []) as readonly PendingToolCall[]
          const waiting = known.map((call) => {
            const again = event.calls.find(({ id }) => id === call.id)
            return again ? { ...call, ...again } : decidedCall(call, decided)
          })
          return marks.state === 'waiting' ? { ...marks, waiting } : marks
        })
      yield event
    }
  }

  /** Lets a turn run again. With its decisions: its process may end before it runs. */
  private async reopen(found: Turn, decided: Decided): Promise<void> {
    await markTurn(this.chat, found.task, (marks) => {
      if (marks.state !== 'waiting') return { ...marks, state: 'open' }
      const waiting = ((marks.waiting ?? []) as readonly PendingToolCall[]).map((call) => decidedCall(call, decided))
      const turn = { ...found, ...marks, waiting }
      return withoutWaiting({ ...turn, decided: decidedCalls(turn) }, 'open')
    })
  }

  private async answer(turn: ChatMessageTurn, own: ChatAgent<Options> | undefined): Promise<BegunAnswer> {
    const { chat } = this
    const { refusesWhileWaiting, refusesReplacing, signal } = this.run
    const isDurable = own?.statusOf !== undefined
    const ended = isDurable ? await endedTasks(chat, own) : undefined
    const message = userMessage(turn.content)
    const task = `${chat.key}.${newId()}`
    const isHeld = own?.agentWorker?.holdsInput
    const begun = await beginTurn(chat, turn, { message, task, refusesWhileWaiting, refusesReplacing, ended, isHeld })
    const { kind } = begun
    if (kind !== 'new' && kind !== 'continue' && kind !== 'replay') return { kind: 'refused', because: kind }
    const { id: messageId, task: taskId } = begun.turn
    for (const { task, state } of begun.removed)
      if (state === 'waiting' || (isDurable && state === 'open'))
        await withdraw(own, task, { chatStore: this.chatStore, conversationId: chat.key })
    const answered: AnsweredTurn = { messageId, ...(await this.around(turn, begun)) }
    const asked: Turn = { ...begun.turn, shown: undefined, messages: [message] }
    const answer = (events: AsyncIterable<AgentEvent>): BegunAnswer => ({ kind: 'begun', events, answered, asked })
    if (kind === 'new') return answer(this.events(message, taskId))
    if (isDurable) {
      const status = await own.statusOf!(taskId)
      if ((status === 'failed' || status === 'cancelled') && !(await isRetried(own, taskId)))
        return answer(await this.anew(message, taskId))
      return answer(status === undefined ? this.events(message, taskId) : own.open!(taskId).events(signal))
    }
    const found = (await this.read()).find(({ task }) => task === taskId)
    if (kind === 'replay') return answer(concat(found ? storedEvents(found) : [], nothing()))
    return answer(await this.goOn(message, taskId, found, own))
  }

  /** Continues a task. One that was never stored, or is lost, begins anew and knows the calls that were made. */
  private async goOn(
    message: ChatMessage,
    taskId: string,
    found: Turn | undefined,
    own: ChatAgent<Options> | undefined,
  ): Promise<AsyncIterable<AgentEvent>> {
    const memory = this.memoryOf(own, taskId)
    const known = await own?.resumeTask(taskId, { memory }).catch(() => null)
    if (known) return this.continued(taskId)
    return concat(await this.asAttempt(found, taskId, taskId), this.events(message, taskId))
  }

  /**
   * The events of a turn whose task was loaded: what is written of it, and what follows. A step that waited, and a task that has finished,
   * do not say again what they have said: it is what the turn has when they end.
   */
  private async *continued(taskId: string): AsyncGenerator<AgentEvent> {
    let isLive = false
    let steps = 0
    const own = async () => (await this.read()).find(({ task }) => task === taskId)
    const found = await own()
    let hasWaited: boolean | undefined
    for await (const event of this.events(null, taskId)) {
      // With the first event the turn says what waited, also if its process ended before it wrote that.
      hasWaited ??= (found?.waiting ?? (await own())?.waiting) !== undefined
      if (event.type === 'step_start') steps++
      const isNext = steps > (hasWaited ? 1 : 0)
      if (!isLive && (isNext || event.type === 'task_end' || event.type === 'error')) {
        isLive = true
        const written = await own()
        // The run says its end.
        if (written) yield* storedEvents(written, { open: isNext }).filter(({ type }) => type !== 'task_end')
      }
      if (isLive) yield event
    }
    const written = isLive ? undefined : await own()
    if (written) yield* storedEvents(written)
  }

  /** Answers with a new task, which knows the calls that were made. */
  private async anew(message: ChatMessage, before: string): Promise<AsyncIterable<AgentEvent>> {
    const found = (await this.read()).find(({ task }) => task === before)
    const task = `${this.chat.key}.${newId()}`
    return concat(await this.asAttempt(found, before, task), this.events(message, task))
  }

  /** Keeps what a task has done as an earlier attempt of another one, if it has called tools. Returns its events. */
  private async asAttempt(found: Turn | undefined, before: string, task: string): Promise<AgentEvent[]> {
    const known = found && namesCalls(found) ? found : undefined
    await markTurn(this.chat, before, ({ shown, usage, replaced, ...marks }) => ({
      ...marks,
      task,
      replaced: usedBy([{ usage, replaced }]),
      attempts: known?.messages.length,
      shown: known && shown ? { messages: shown.messages, attempts: shown.messages.length } : shown,
    }))
    return known ? storedEvents(known) : []
  }

  /** Returns the turns before the answered one, if the client does not show them as they are, and how to read what is behind the answer. */
  private async around(sent: ChatMessageTurn, { turn, after }: BegunTurn): Promise<Omit<AnsweredTurn, 'messageId'>> {
    const at = after.findIndex(({ task }) => task === turn.task)
    const isKnown = at === after.length - 1 && Object.keys(decidedCalls(turn)).length === 0
    const later = isKnown ? undefined : () => turnsFrom(this.chat, turn.id)
    if (at === 0 || !isBehind(after.slice(0, at), sent)) return { missed: [], later }
    const turns = (await this.read()).slice(0, at)
    return { missed: isBehind(turns, sent) ? turns : [], later }
  }

  private async read(): Promise<Turn[]> {
    return this.chat.store.read(this.chat.key)
  }

  private memoryOf(own: ChatAgent<Options> | undefined, turn: string): TurnMemory {
    const { chatStore, chat } = this
    const { memory: like } = own?.conversation() ?? {}
    return new TurnMemory({ conversationId: chat.key, chatStore, turn, like, hasBegun: true })
  }

  /** The events of a run; a failure before the first one is an event too. Without a message, a task continues. */
  private async *events(message: ChatMessage | null, taskId: string): AsyncGenerator<AgentEvent> {
    const { agent, options, signal } = this.run
    let isSealed = false
    try {
      const own = await agent
      // A durable task continues without its reader.
      isSealed = own.statusOf !== undefined
      const memory = this.memoryOf(own, taskId)
      const run = { ...(await options()), signal, memory, taskId } as unknown as Options & { memory: BaseMemory }
      for await (const event of own.runEvents(message ?? '', run)) {
        isSealed ||= event.type === 'task_end'
        yield event
      }
    } finally {
      // The runner has written how the run ended, unless it never began.
      if (!isSealed) await sealTurn(this.chat, taskId).catch(() => {})
    }
  }
}

/** Continues a durable task, unless its engine cannot run a task again. */
async function isRetried(agent: ChatAgent<never>, task: string): Promise<boolean> {
  try {
    await agent.retry!(task)
    return true
  } catch (error) {
    if (isToolkitError(error, 'unsupported_operation')) return false
    throw error
  }
}

/** Whether a turn waits for one of the decisions. */
function isAsked({ state, waiting = [] }: Turn, { decisions }: ChatDecisionTurn): boolean {
  const ids = new Set(decisions.map(({ callId }) => callId))
  const waits = ({ id, decision = null }: PendingToolCall) => decision === null && ids.has(id)
  return state === 'waiting' && (waiting as readonly PendingToolCall[]).some(waits)
}

/**
 * Whether a client sends an answer back without a decision about it, and without a result that was or is asked for: those of the agent's
 * own tools are on its page too.
 */
function saysNothing({ waiting = [], provided = [] }: Turn, { decisions }: ChatDecisionTurn): boolean {
  const isAwaited = ({ id, awaits }: PendingToolCall, callId: string) => id === callId && awaits === 'result'
  const isAsked = (callId: string) =>
    provided.includes(callId) || (waiting as readonly PendingToolCall[]).some((call) => isAwaited(call, callId))
  return decisions.every(({ type, callId }) => type === 'result' && !isAsked(callId))
}

/** Whether a client does not show turns as they are. Without their messages, an answer that it lacks counts although it may say nothing. */
function isBehind(turns: readonly (Turn | TurnMarks)[], { shown, answers = [] }: ChatTurn): boolean {
  const known = shown && new Set(shown)
  const states = new Map(answers.map((answer) => [answer.id, answer]))
  const lacks = (id: string | undefined) => id !== undefined && known !== undefined && !known.has(id)
  return turns.some((turn) => {
    const state = states.get(turn.id)
    if (lacks(turn.message) || (state && isOutdated(turn, state))) return true
    return 'messages' in turn ? lacksAnswer(turn, lacks) : lacks(turn.id)
  })
}

/**
 * Whether a page lacks the answer of a turn. A turn that failed before the model said something has none; a page may know one by its calls
 * alone.
 */
function lacksAnswer(turn: Turn, lacks: (id: string) => boolean): boolean {
  if (!lacks(turn.id)) return false
  const shown = storedEvents(turn).filter(({ type }) => !['step_start', 'step_end', 'task_end'].includes(type))
  return shown.length > 0 && shown.every((event) => !('callId' in event) || lacks(event.callId))
}

/** The events of a run that fails before it begins. */
// biome-ignore lint/correctness/useYield: it throws
async function* failing(error: unknown): AsyncGenerator<never> {
  throw error
}
