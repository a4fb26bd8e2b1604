/**
 * @module
 * An agent as the route of a web application, for any protocol of chats: conversations, approvals, reconnecting and stopping.
 */
import { StoredChatMemory } from '@x/agents'
import { callback, checkOptions, having, list, type OptionTable, required, wholeNumber } from '@x/core/options'
import { invalid } from '@x/core/reading'
import { type BaseMemory, type ChatMessage, type ChatStore, isToolkitError } from '@x/core-model'
import { anySignal, interruptible } from '@x/core-model/async'
import { newId, sha256 } from '@x/core-model/data'
import {
  type AllowFile,
  checkFiles,
  isUser,
  lastMessageKey,
  lengthBefore,
  linesResponse,
  requestText,
} from '@x/durable'
import { answerTurn, type ChatAgent, messageId } from './answer-turn.ts'
import type { ChatProtocol, ChatTurn, UserChat } from './chat-protocol.ts'
import { type ChatStreams, type ChatStreamWriter, MemoryStream, memoryChatStreams } from './chat-streams.ts'
import { isForeign } from './own-site.ts'
import { type OnChatError, shownEvents } from './shown-events.ts'

/** The options of a run that are the same for all chats. The route chooses the conversation, the task and the signal. */
export type ChatRun<Options extends object> = Omit<
  Options,
  'memory' | 'conversation' | 'chatHistory' | 'taskId' | 'signal'
> & {
  readonly [Chosen in 'memory' | 'conversation' | 'chatHistory' | 'taskId' | 'signal']?: never
}

/** Options of {@link chatRoute}. `run` is required if the agent needs a context. */
export type ChatRouteOptions<Options extends object, Chat extends UserChat = UserChat> = {
  /**
   * The agent, or a function that returns the agent of a chat, for each request, also for GET and DELETE. The agent's own memory is not
   * used.
   */
  agent: ChatAgent<Options> | ((chat: Chat) => ChatAgent<Options> | Promise<ChatAgent<Options>>)
  /**
   * Returns who sends a request, by its session. Null, and all that cannot be a user, such as a blank string, `'undefined'` or
   * `'[object Object]'`, refuses the request with status 401.
   */
  user: (request: Request) => string | null | Promise<string | null>
  /** Stores the conversations, under {@link chatKey}. A database lets any process answer any request. */
  chatStore: ChatStore
  /**
   * Where the streams of running answers are. With it, a run continues when its reader leaves, and only a request with the method DELETE
   * stops it. @defaultValue none: a run stops when its reader leaves
   */
  streams?: ChatStreams | undefined
  /** Whether a file of the client may be used. @defaultValue `data:` addresses, and `https:` ones of public hosts; see `checkFiles` */
  allowFile?: AllowFile | undefined
  /**
   * Further origins whose pages may send requests, such as `https://app.example`. Those of other pages, by `Sec-Fetch-Site` and `Origin`,
   * are refused with status 403. @defaultValue the origin of the route alone
   */
  origins?: readonly string[] | undefined
  /** The limit of the body of a request, in bytes, at least 1. @defaultValue 10485760, 10 MB */
  maxBodyBytes?: number | undefined
  /** Receives the work that continues after the response, for platforms that end it otherwise, such as `waitUntil` of Workers. */
  waitUntil?: ((work: Promise<void>) => void) | undefined
  /**
   * Returns the text that the user sees when the run fails. @defaultValue a sentence with the code of the error but not its message,
   * which may contain what the user must not see
   */
  onError?: OnChatError | undefined
} & (Record<never, never> extends Options
  ? { run?: ((chat: Chat) => ChatRun<Options>) | undefined }
  : { run: (chat: Chat) => ChatRun<Options> })

/**
 * Returns the key of a chat in the chat store: different for each user and chat, whatever characters their ids contain.
 * @example
 * chatKey('ann', '1').length // => 64
 */
export function chatKey(user: string, id: string): string {
  return sha256(JSON.stringify([user, id]))
}

/**
 * Returns the messages of a chat for a page that was loaded again: those of the conversation, and the one that a durable task answers.
 * @param chatStore - the one of the route
 * @example
 * import { SimpleChatStore } from '@x/core-model'
 *
 * await loadChat(new SimpleChatStore(), 'ann', '1') // => []
 */
export async function loadChat(chatStore: ChatStore, user: string, id: string): Promise<ChatMessage[]> {
  const key = chatKey(user, id)
  // First, because the conversation has it as soon as its task has finished.
  const [last] = await chatStore.getMessages(lastMessageKey(key))
  const messages = await chatStore.getMessages(key)
  if (!last) return messages
  const own = messageId(last)
  // A client that sets no ids has no other sign than the length.
  const isShown = own === undefined ? messages.length > lengthBefore(last) : messages.map(messageId).includes(own)
  return isShown ? messages : [...messages, last]
}

/**
 * Returns the handler of a chat on web `Request` and `Response`, for the clients of a protocol. `chatHandler` of `@x/ai-sdk` is this route for
 * `useChat`, and `agUiHandler` for clients of AG-UI.
 *
 * - `POST` with JSON (`application/json`) answers a message, or continues a task after the user's decisions, in any process that has the stores of conversations and tasks.
 *   The conversation is the one in the chat store, without the messages that the client no longer has. The user continues tasks of this chat
 *   only.
 * - `GET …/CHAT/stream` returns the stream of the running answer, from its beginning; 204 without one.
 * - `DELETE …/CHAT/stream` stops it.
 *
 * If the agent is a `TasksAgent` of `@x/durable`, each answer is a durable task, which every process finds: the client reconnects to it
 * after the process has ended, and a message that is sent again joins the running task.
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
  checkOptions(protocol.name ?? 'chatRoute', options, routeOptions)
  const route = new ChatRoute<Options, Sent>(options, protocol)
  return (request) => route.handle(request)
}

const MAX_BODY = 10 * 2 ** 20

/** The maximum number of characters of the id of a chat. */
const MAX_ID = 1000

const anAgent = having('an agent, or a function that returns one', 'runEvents')

const routeOptions: OptionTable<ChatRouteOptions<object>> = {
  agent: required((value) => (typeof value === 'function' ? undefined : anAgent(value))),
  user: required(callback),
  chatStore: required('a chat store', 'getMessages', 'addMessage'),
  run: callback,
  streams: having('streams of chats', 'begin'),
  allowFile: callback,
  origins: list,
  maxBodyBytes: wholeNumber(1),
  waitUntil: callback,
  onError: callback,
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

  async handle(request: Request): Promise<Response> {
    const user: unknown = await this.options.user(request)
    // For a value such as `undefined` or its text, all visitors without a session would be one user.
    if (!isUser(user)) return refusal(401, 'unauthorized', 'The request has no user.')
    if (request.method !== 'GET' && isForeign(request, this.options.origins))
      return refusal(403, 'foreign_origin', 'The request comes from another site; the option origins allows its pages.')
    return request.method === 'POST' ? this.answer(user, request) : this.follow(user, request)
  }

  private async answer(user: string, request: Request): Promise<Response> {
    const { streams, maxBodyBytes = MAX_BODY, allowFile } = this.options
    // Forms of other sites can send other types.
    if (!/^application\/json\s*(?:;|$)/i.test(request.headers.get('content-type') ?? ''))
      return refusal(415, 'content_type', 'The content-type must be application/json.')
    const body = readTurn(await requestText(request, maxBodyBytes), this.protocol, maxBodyBytes, allowFile)
    if (body instanceof Response) return body
    const { id, sent, ...turn } = body
    const chat = { ...sent, user, id, request } as UserChat & Sent
    const key = chatKey(user, id)
    const agent = this.agentOf(chat)
    const task = await this.taskFor(agent, key, turn)
    if (task === 'busy') return busy()
    // A message that is sent again has another reader of its task, not another run. An engine takes each decision once: one need not wait
    // for the stream of a process that has ended.
    const isOpen = task === 'decision' || task?.events
    const writer = isOpen ? new MemoryStream() : await this.streams.begin(key)
    if (!writer) return busy()
    // With streams a run continues without its reader.
    const left = new AbortController()
    const { signal, release } = anySignal(writer.stopped, ...(streams ? [] : [request.signal, left.signal]))
    const { taskId = `${key}.${newId()}`, events: follow } = task === 'decision' ? {} : { ...task }
    const events = follow?.(signal) ?? this.events(agent, chat, turn, { key, signal, taskId })
    const lines = this.lines(events, chat)
    let finishing: Promise<void> | undefined
    const finish = async () => {
      release()
      finishing ??= writer.finish()
      await finishing
    }
    if (streams) return this.respond(this.detached(lines, writer, finish))
    // A response that breaks does not cancel a durable task: maybe only its server ends.
    const read = interruptible(finished(lines, finish), () => task || left.abort())
    // Some servers neither read nor cancel the response when the client has left. Without a first read, `return` finishes nothing.
    const leave = () => void read.return(undefined).then(finish, finish)
    request.signal.addEventListener('abort', leave, { once: true })
    if (request.signal.aborted) leave()
    return this.respond(read)
  }

  private lines(events: Parameters<typeof shownEvents>[0], chat: UserChat & Sent): AsyncIterable<string> {
    return this.protocol.lines(shownEvents(events, this.options.onError), chat)
  }

  private respond(lines: AsyncIterable<string> | null): Response {
    return lines ? linesResponse(lines, this.protocol.headers) : new Response(null, { status: 204 })
  }

  private async agentOf(chat: UserChat & Sent): Promise<ChatAgent<Options>> {
    const { agent } = this.options
    return typeof agent === 'function' ? agent(chat) : agent
  }

  /** Returns the durable task for a message; undefined for agents without such tasks, and for one that could not be made: its run fails. */
  private async taskFor(agent: Promise<ChatAgent<Options>>, key: string, turn: ChatTurn) {
    const own = await agent.catch(() => undefined)
    if (turn.taskId !== undefined) return own?.taskFor && 'decision'
    const { messageId: id, content } = turn
    const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content
    return own?.taskFor?.(this.chatOf(key), sha256(JSON.stringify([id, parts])))
  }

  private chatOf(conversationId: string) {
    return { conversationId, chatStore: this.options.chatStore }
  }

  /** The events of a run; a failure before the first one is an event too. */
  private async *events(
    agent: Promise<ChatAgent<Options>>,
    chat: UserChat & Sent,
    turn: ChatTurn,
    { key, signal, taskId }: { key: string; signal: AbortSignal; taskId: string },
  ) {
    const { chatStore } = this.options
    const { run } = this.options as { run?: (chat: UserChat & Sent) => ChatRun<Options> }
    const own = await agent
    const { tokenLimit, tokenizerFn } = own.conversation().memory as Partial<StoredChatMemory>
    const memory = new StoredChatMemory({ conversationId: key, chatStore, tokenLimit, tokenizerFn })
    yield* answerTurn(own, turn, {
      run: { ...run?.(chat), signal, memory, taskId } as unknown as Options & { memory: BaseMemory },
      // The id of a task says to which chat it belongs.
      mayContinue: (task) => task.startsWith(`${key}.`),
      // The files are checked before.
      allowFile: () => true,
      by: chat.user,
    })
  }

  /** Lets a run continue until its end, whether somebody reads the response or not. */
  private detached(lines: AsyncIterable<string>, writer: ChatStreamWriter, finish: () => Promise<void>) {
    const own = new MemoryStream()
    const work = (async () => {
      try {
        for await (const line of lines) {
          writer.writeLine(line)
          own.writeLine(line)
        }
      } finally {
        // The chat is free before the reader sees the end, and sends its next message.
        await finish().finally(() => own.finish())
      }
    })()
    // The run has reported its own errors; here is left that the store of streams fails, which the answer survives.
    const handled = work.catch(() => {})
    this.options.waitUntil?.(handled)
    return own.follow()
  }

  /** Responds with the running answer, for GET, or stops it, for DELETE. */
  private async follow(user: string, request: Request): Promise<Response> {
    const { method } = request
    const id = idInPath(request)
    if (id === undefined) return refusal(404, 'not_found', 'Expected an address that ends with /CHAT/stream.')
    if (method !== 'GET' && method !== 'DELETE') return refusal(405, 'method', `The method ${method} is not supported.`)
    const key = chatKey(user, id)
    const chat = { ...this.protocol.withoutBody?.(), user, id, request } as UserChat & Sent
    const agent = await this.agentOf(chat)
    const task = await agent.openTask?.(this.chatOf(key))
    if (method === 'GET' && agent.openTask) return this.respond(task ? this.lines(task.events(), chat) : null)
    if (method === 'GET') return this.respond(await this.streams.follow(key))
    await this.streams.stop(key)
    await task?.cancel()
    return this.respond(null)
  }
}

function refusal(status: number, code: string, message: string): Response {
  return Response.json({ error: { code, message } }, { status })
}

const busy = () => refusal(409, 'conversation_busy', 'Another answer of this chat is not finished.')

/** The lines of a run; `finish` is called when they end or their reader leaves. */
async function* finished(lines: AsyncIterable<string>, finish: () => Promise<void>) {
  try {
    yield* lines
  } finally {
    await finish()
  }
}

/** Returns the id of the chat in an address such as `/api/chat/ID/stream`; undefined for another one. */
function idInPath({ url }: Request): string | undefined {
  const encoded = /\/([^/]+)\/stream$/.exec(new URL(url).pathname)?.[1]
  try {
    return encoded && decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}

/** Returns what the client sends, or the refusal of a body of another form. */
function readTurn<Sent extends object>(
  text: string | null,
  protocol: ChatProtocol<Sent>,
  maxBytes: number,
  allowFile: AllowFile | undefined,
) {
  try {
    if (text === null) throw refused(`a body of at most ${maxBytes} bytes`, 'a longer one')
    const turn = protocol.read(parsed(text))
    const { id, taskId, content, decisions } = { ...turn } as Readonly<Record<string, unknown>>
    if (typeof id !== 'string' || id === '' || id.length > MAX_ID)
      throw refused(`a string of 1 to ${MAX_ID} characters`, id, 'id')
    const isText = taskId === undefined && typeof content === 'string'
    if (!isText && !Array.isArray(taskId === undefined ? content : decisions))
      throw refused('a message or decisions', turn)
    if (turn.taskId === undefined) checkFiles('content', turn.content, allowFile)
    return turn
  } catch (error) {
    if (isToolkitError(error)) return refusal(400, error.code, error.message)
    throw error
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw refused('JSON', text.slice(0, 100))
  }
}

function refused(expected: string, received: unknown, ...at: string[]) {
  return invalid('ChatRequest', expected, received, at)
}
