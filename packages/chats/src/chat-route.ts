/**
 * @module
 * An agent as the route of a web application, for any protocol of chats: conversations, approvals, reconnecting and stopping.
 */
import type { AgentEvent } from '@x/agents'
import { checkGiven, checkOptions } from '@x/core/options'
import { isToolkitError, type Turn } from '@x/core-model'
import { anySignal, interruptible } from '@x/core-model/async'
import { turnsIn } from '@x/core-model/memory'
import { isUser, linesResponse, requestText } from '@x/durable'
import type { ChatAgent } from './chat-agent.ts'
import { type BegunAnswer, ChatAnswers } from './chat-answers.ts'
import type { AnsweredTurn, ChatMessageTurn, ChatProtocol, ChatTurn, UserChat } from './chat-protocol.ts'
import { busy, chatInPath, isForeign, readTurn, refusal, refusals } from './chat-request.ts'
import { type ChatRouteOptions, type FailedChat, routeOptions } from './chat-route-options.ts'
import { type ChatStreams, type ChatStreamWriter, MemoryStream, memoryChatStreams } from './chat-streams.ts'
import {
  isRunning,
  isSameMessage,
  openTasks,
  stopWaiting,
  type TurnsOfChat,
  turnsFrom,
  userMessage,
  whenSealed,
  withStop,
} from './chat-turn.ts'
import { withdraw } from './decide-calls.ts'
import { concat, orError, tee } from './event-readers.ts'
import { followed } from './run-turn.ts'
import { shownEvents } from './shown-events.ts'
import { chatKey, chatsOf, titleOf } from './user-chats.ts'

/**
 * Returns the handler of a chat on web `Request` and `Response`, for the clients of a protocol. `chatHandler` of `@x/ai-sdk` is this route
 * for `useChat`, and `agUiHandler` for clients of AG-UI.
 *
 * - `POST` with JSON (`application/json`) answers a message, or continues a task after the user's decisions, in any process that has the
 *   stores of conversations and tasks. The turn is in the chat store as soon as the message is accepted, and is written while the agent
 *   works. A message that has its answer is not answered twice; a turn that failed or was stopped continues. The user continues tasks of
 *   this chat only; a decision about another one is refused with status 404.
 * - `GET …/CHAT/stream` returns the stream of the running answer, from its beginning; 204 without one.
 * - `DELETE …/CHAT/stream` stops it, or the call that waits, and answers when the turn is written and the chat is free.
 * - `DELETE …/CHAT` stops it too, and deletes the chat as {@link chatsOf} does; 404 without one. Its first message has put it into the list
 *   of the user.
 *
 * If the agent is a `TasksAgent` of `@x/durable`, each answer is a durable task, which every process finds: the client reconnects to it
 * after the process has ended, and a message that is sent again joins the running task. Only DELETE stops it.
 *
 * A chat has one run at a time: a second one is refused with status 409. Errors before a run begins are responses with JSON
 * `{ error: { code, message } }`; errors of a run are events of its stream.
 * @throws {ModelValidationError} if an option is unknown, missing or not valid.
 * @example
 * import { ReActAgent } from '@x/agents'
 * import { SimpleChatStore } from '@x/core-model'
 *
 * const plainText: ChatProtocol = {
 *   read: (body) => body as { id: string; content: string },
 *   async *lines(events) {
 *     for await (const event of events) if (event.type === 'task_end') yield event.answer.text
 *   },
 *   headers: { 'content-type': 'text/plain; charset=utf-8' },
 * }
 * const options = {
 *   agent: ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: ['Answer: Paris'] }) }),
 *   user: () => 'ann',
 *   chatStore: new SimpleChatStore(),
 * }
 * const handle = chatRoute(options, plainText)
 * const body = JSON.stringify({ id: 'c1', content: 'Capital of France?' })
 * const headers = { 'content-type': 'application/json' }
 * const response = await handle(new Request('https://a.example/chat', { method: 'POST', headers, body }))
 * await response.text() // => 'Paris'
 */
export function chatRoute<Options extends object, Sent extends object = object>(
  options: ChatRouteOptions<Options, UserChat & Sent>,
  protocol: ChatProtocol<Sent>,
): (request: Request) => Promise<Response> {
  checkGiven('chatRoute', { protocol }, 'a protocol')
  checkOptions(protocol.name ?? 'chatRoute', options, routeOptions)
  const route = new ChatRoute<Options, Sent>(options, protocol)
  return (request) => {
    const known: KnownOfChat = { request }
    return route.handle(known).catch((error) => route.failed(error, known))
  }
}

const MAX_BODY = 10 * 2 ** 20

type Begun = Extract<BegunAnswer, { kind: 'begun' }>

/** What is known of a chat so far, while a request is read. */
type KnownOfChat = { -readonly [Field in keyof FailedChat]: FailedChat[Field] }

/** What the runs of a request share. */
interface RunOfChat<Options extends object, Chat> {
  agent: Promise<ChatAgent<Options>>
  chat: Chat
  signal: AbortSignal
}

class ChatRoute<Options extends object, Sent extends object> {
  private readonly options: ChatRouteOptions<Options, UserChat & Sent>
  private readonly protocol: ChatProtocol<Sent>
  private readonly streams: ChatStreams

  constructor(options: ChatRouteOptions<Options, UserChat & Sent>, protocol: ChatProtocol<Sent>) {
    this.options = options
    this.protocol = protocol
    this.streams = options.streams ?? memoryChatStreams()
  }

  /** Returns the response to a request that has failed, if its error is logged. */
  failed(error: unknown, known: KnownOfChat): Response {
    if (!this.options.logError) throw error
    this.log(error, known)
    return refusal(500, isToolkitError(error) ? error.code : null, 'The request failed.')
  }

  async handle(known: KnownOfChat): Promise<Response> {
    const { request } = known
    const user: unknown = await this.options.user(request)
    // For a value such as `undefined` or its text, all visitors without a session would be one user.
    if (!isUser(user)) return refusal(401, 'unauthorized', 'The request has no user.')
    known.user = user
    if (request.method !== 'GET' && isForeign(request, this.options.origins))
      return refusal(403, 'foreign_origin', 'The request comes from another site; the option origins allows its pages.')
    return request.method === 'POST' ? this.answer(user, known) : this.follow(user, known)
  }

  private async answer(user: string, known: KnownOfChat): Promise<Response> {
    const { request } = known
    const { streams, maxBodyBytes = MAX_BODY, allowFile } = this.options
    // Forms of other sites can send other types.
    if (!/^application\/json\s*(?:;|$)/i.test(request.headers.get('content-type') ?? ''))
      return refusal(415, 'content_type', 'The content-type must be application/json.')
    const text = await requestText(request, maxBodyBytes)
    if (text === null) return refusal(413, 'body_too_large', `A body may have at most ${maxBodyBytes} bytes.`)
    const body = readTurn(text, this.protocol, allowFile)
    if (body instanceof Response) return body
    const { id, sent, next, ...turn } = body
    known.id = id
    const chat = { ...sent, user, id, request } as UserChat & Sent
    const key = chatKey(user, id)
    const turns = this.turnsOf(key)
    const agent = this.agentOf(chat)
    const isDurable = (await agent.catch(() => undefined))?.statusOf !== undefined
    // An engine has one run of a task, and takes each decision once: one need not wait for the stream of a process that has ended.
    const writer = isDurable ? new MemoryStream() : await this.streams.begin(key)
    if (!writer) return busy()
    // With streams a run continues without its reader, and a durable task always: maybe only its server ends.
    const left = new AbortController()
    const { signal, release } = anySignal(
      writer.stopped,
      left.signal,
      ...(streams || isDurable ? [] : [request.signal]),
    )
    let finishing: Promise<void> | undefined
    const finish = async () => {
      release()
      finishing ??= writer.finish()
      await finishing
    }
    try {
      if (turn.taskId === undefined) await this.list(turn, chat)
      const run = { agent, chat, signal }
      const own = await this.begin(turns, turn, run)
      if (own.kind === 'refused') {
        await finish()
        return refusals[own.because]()
      }
      const stop = () => left.abort()
      const begun = next
        ? { ...own, events: followed(own.events, () => this.answerNext(turns, next, own, run), stop) }
        : own
      // Nobody else would begin the answer behind that of a durable task.
      if (streams || (next && isDurable)) return this.respond(this.detached(begun, chat, writer, finish))
      const { events, unknown = (all) => all, answered } = begun
      const lines = this.lines(unknown(events), { ...chat, ...answered })
      const read = interruptible(finished(lines, finish), () => isDurable || stop())
      // Some servers neither read nor cancel the response when the client has left. Without a first read, `return` finishes nothing.
      const leave = () => void read.return(undefined).then(finish, finish)
      request.signal.addEventListener('abort', leave)
      if (request.signal.aborted) leave()
      return this.respond(read)
    } catch (error) {
      await finish()
      throw error
    }
  }

  private async begin(
    turns: TurnsOfChat,
    turn: ChatTurn,
    run: RunOfChat<Options, UserChat & Sent>,
  ): Promise<BegunAnswer> {
    const { chatStore, whileWaiting, replacing, mayDecide } = this.options
    const { run: runOf } = this.options as { run?: (chat: UserChat & Sent) => object }
    const options = async () => (await runOf?.(run.chat)) as Options | undefined
    const begun = await new ChatAnswers<Options>(turns, chatStore, {
      ...run,
      options,
      by: run.chat.user,
      mayDecide: mayDecide && ((asked) => mayDecide(asked, run.chat)),
      refusesWhileWaiting: whileWaiting === 'refuse',
      refusesReplacing: replacing === 'refuse',
    }).begin(turn)
    if (begun.kind === 'refused') return begun
    const log = (error: unknown) => this.log(error, run.chat)
    return { ...begun, events: withStop(begun.events, turns, begun.answered.messageId, log) }
  }

  /** Answers a message that came with decisions, unless it is the one of their turn. */
  private async *answerNext(
    turns: TurnsOfChat,
    next: ChatMessageTurn,
    { asked }: Begun,
    run: RunOfChat<Options, UserChat & Sent>,
  ): AsyncGenerator<AgentEvent> {
    if (
      next.messageId !== undefined &&
      next.messageId === asked.message &&
      isSameMessage(asked, userMessage(next.content))
    )
      return
    await this.list(next, run.chat)
    const begun = await this.begin(turns, { asks: 'send', ...next }, run)
    if (begun.kind === 'begun') return yield* begun.events
    const { error } = await refusals[begun.because]().json()
    yield { type: 'error', taskId: null, error: { name: 'Error', retryable: true, ...error }, usage: null }
  }

  /**
   * Puts the chat of a message at the beginning of the list of its user. A process that ends behind it leaves no chat that is not listed.
   */
  private async list({ content }: ChatMessageTurn, chat: UserChat & Sent): Promise<void> {
    const { chatStore, title, waitUntil } = this.options
    const chats = chatsOf(chatStore, chat.user)
    const isNew = await chats.put({ id: chat.id, title: titleOf(content), at: Date.now() })
    if (!isNew || !title) return
    const work = async () => chats.setTitle(chat.id, await title(userMessage(content), chat))
    // The answer does not need it.
    const titled = work().catch((error) => this.log(error, chat))
    waitUntil?.(titled)
  }

  private lines(
    events: AsyncIterable<AgentEvent>,
    chat: UserChat & Sent & Partial<AnsweredTurn>,
  ): AsyncIterable<string> {
    return this.protocol.lines(shownEvents(events, this.options.onError), chat)
  }

  /** The first line for a client that reconnects. */
  private question(turn: Turn): string[] {
    const line = this.protocol.question?.(turn)
    return line === undefined ? [] : [line]
  }

  /** A stop is no failure, and a log that fails changes nothing. */
  private log(error: unknown, chat: FailedChat): void {
    try {
      if (Object(error).code !== 'abort') this.options.logError?.(error, chat)
    } catch {}
  }

  private respond(lines: AsyncIterable<string> | null): Response {
    return lines ? linesResponse(lines, this.protocol.headers) : new Response(null, { status: 204 })
  }

  private async agentOf(chat: UserChat & Sent): Promise<ChatAgent<Options>> {
    const { agent } = this.options
    return typeof agent === 'function' ? agent(chat) : agent
  }

  private turnsOf(key: string): TurnsOfChat {
    return { store: turnsIn(this.options.chatStore), key }
  }

  /**
   * Lets a run continue until its end, whether somebody reads the response or not. The stream that is stored has the whole turn: the client
   * knows what was before its decision, one that reconnects does not.
   */
  private detached(
    { events, unknown, answered, asked }: Begun,
    chat: UserChat & Sent,
    writer: ChatStreamWriter,
    finish: () => Promise<void>,
  ) {
    const own = new MemoryStream()
    const shown = { ...chat, ...answered }
    const whole = {
      ...shown,
      continues: false,
      later: () => turnsFrom(this.turnsOf(chatKey(chat.user, chat.id)), answered.messageId),
    }
    for (const line of this.question(asked)) writer.writeLine(line)
    const write = async (from: AsyncIterable<AgentEvent>, ...to: { writeLine(line: string): void }[]) => {
      // Who reads the stored stream has no beginning of the turn.
      const isWhole = unknown !== undefined && to[0] === writer
      for await (const line of this.lines(from, isWhole ? whole : shown)) for (const each of to) each.writeLine(line)
    }
    const work = (async () => {
      try {
        if (!unknown) await write(events, writer, own)
        else {
          const [first, second] = tee(events)
          await Promise.all([write(unknown(first), own), write(second, writer)])
        }
      } finally {
        // The chat is free before the reader sees the end, and sends its next message.
        await finish().finally(() => own.finish())
      }
    })()
    // The run has reported its own errors; here is left that the store of streams fails, which the answer survives.
    const handled = work.catch((error) => this.log(error, chat))
    this.options.waitUntil?.(handled)
    return own.follow()
  }

  /** Responds with the running answer, for GET, or stops it, for DELETE, and deletes the chat at the address of the chat itself. */
  private async follow(user: string, known: KnownOfChat): Promise<Response> {
    const { request } = known
    const { method } = request
    const { id, isStream } = chatInPath(request)
    if (id === undefined || (!isStream && method !== 'DELETE'))
      return refusal(404, 'not_found', 'Expected an address that ends with /CHAT/stream, or with /CHAT for DELETE.')
    if (method !== 'GET' && method !== 'DELETE') return refusal(405, 'method', `The method ${method} is not supported.`)
    known.id = id
    const key = chatKey(user, id)
    const chat = { ...this.protocol.withoutBody?.(), user, id, request } as UserChat & Sent
    const agent = await this.agentOf(chat)
    const isDurable = agent.statusOf !== undefined
    if (method === 'GET') return isDurable ? this.followTask(agent, key, chat) : this.followRun(key, chat)
    await (isDurable ? this.stopTasks(agent, this.turnsOf(key)) : this.stopRun(key))
    const own = { chatStore: this.options.chatStore, conversationId: key }
    // A plain agent continues a turn that was stopped, when the user sends its message again.
    for (const task of await stopWaiting(this.turnsOf(key), isStream ? 'last' : 'all'))
      if (isDurable || !isStream) await withdraw(agent, task, own)
    const isKnown = (await this.turnsOf(key).store.read(key)).length > 0
    if (!isStream) await Promise.all([chatsOf(this.options.chatStore, user).delete(id), this.streams.delete?.(key)])
    return isKnown ? this.respond(null) : refusal(404, 'not_found', 'The user has no such chat.')
  }

  /** Responds with the stream of the answer that runs. */
  private async followRun(key: string, chat: UserChat & Sent): Promise<Response> {
    const lines = await this.streams.follow(key)
    return this.respond(lines && orError(lines, (event) => this.lines(event, chat)))
  }

  /** Responds with the last turn whose task runs. A turn that waits is loaded with the page. */
  private async followTask(agent: ChatAgent<Options>, key: string, chat: UserChat & Sent): Promise<Response> {
    const own = this.turnsOf(key)
    const turns = await own.store.read(key)
    for (const turn of turns.toReversed()) {
      const { id: messageId, task, state } = turn
      if (state !== 'open' && state !== 'waiting') continue
      if (!isRunning(await agent.statusOf!(task))) continue
      const events = withStop(agent.open!(task).events(), own, messageId)
      const later = () => turnsFrom(own, messageId)
      const lines = this.lines(events, { ...chat, messageId, missed: [], later })
      return this.respond(concat(this.question(turn), lines))
    }
    return this.respond(null)
  }

  /** Stops the durable tasks of a chat that run. */
  private async stopTasks(agent: ChatAgent<Options>, turns: TurnsOfChat): Promise<void> {
    for (const task of await openTasks(turns)) {
      if ((await agent.statusOf!(task)) !== undefined) await agent.open!(task).cancel()
      await whenSealed(turns, task)
    }
  }

  /** Stops the run of a chat, and waits until it has ended. */
  private async stopRun(key: string): Promise<void> {
    const running = await this.streams.follow(key)
    await this.streams.stop(key)
    try {
      for await (const _ of running ?? []) {
      }
    } catch (error) {
      // Its process has ended, and the run with it.
      if (!isToolkitError(error, 'abort')) throw error
    }
  }
}

/** The lines of a run; `finish` is called when they end or their reader leaves. */
async function* finished(lines: AsyncIterable<string>, finish: () => Promise<void>) {
  try {
    yield* lines
  } finally {
    await finish()
  }
}
