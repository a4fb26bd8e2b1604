/**
 * @module
 * An agent as the route of a web application, for any protocol of chats: conversations, approvals, coming back and stopping.
 */

import { type AgentEvent, StoredChatMemory } from '@x/agents'
import { lastMessageKey } from '@x/agents/durable'
import { callback, checkOptions, flag, having, type OptionTable, required, wholeNumber } from '@x/core/options'
import { type ChatMessage, type ChatStore, isToolkitError } from '@x/core-model'
import { anySignal } from '@x/core-model/async'
import { newId, sha256 } from '@x/core-model/data'
import { readJson } from './chat-request.ts'
import { type ChatStreams, type ChatStreamWriter, MemoryStream, memoryChatStreams } from './chat-streams.ts'
import { answerMessages, type RunOfChat, type RunUIArguments, turnOfMemory, type UIAgent } from './run-ui-messages.ts'
import { type AllowFile, messageId, type UIMessageLike } from './ui-conversation.ts'
import { linesResponse, type UIMessageStreamOptions } from './ui-message-stream.ts'

/** A chat of a user. */
export interface UserChat {
  /** What `user` returned for the request. */
  readonly user: string
  /** The id of the chat, which the client chose. */
  readonly id: string
  readonly request: Request
}

/** The options of a run that are the same for all chats. The handler chooses the conversation, the task and the signal. */
export type ChatRun<Options extends object> = Omit<RunOfChat<Options>, 'memory' | 'taskId' | 'signal'> & {
  readonly [Chosen in 'memory' | 'conversation' | 'chatHistory' | 'taskId' | 'signal']?: never
}

/** The options of {@link chatHandler} besides those of a run. */
export interface ChatRouteOptions<Options extends object, Chat extends UserChat = UserChat>
  extends Pick<UIMessageStreamOptions, 'onError' | 'typedTools'> {
  /**
   * The agent, or a function that returns the agent of a chat, for each request, also for GET and DELETE. The agent's own memory is not
   * used.
   */
  agent: UIAgent<Options> | ((chat: Chat) => UIAgent<Options> | Promise<UIAgent<Options>>)
  /** Returns who sends a request, by its session; null refuses the request with status 401. */
  user: (request: Request) => string | null | Promise<string | null>
  /** Stores the conversations, under {@link chatKey}. A database lets any process answer any request. */
  chatStore: ChatStore
  /**
   * Where the streams of running answers are. With it, a run goes on when its reader leaves, and only a request with the method DELETE
   * stops it. @defaultValue none: a run stops when its reader leaves
   */
  streams?: ChatStreams | undefined
  /** Whether a file of the client may be used. @defaultValue addresses that begin with `data:` or `https:` */
  allowFile?: AllowFile | undefined
  /** The limit of the body of a request, in bytes, at least 1. @defaultValue 10485760, 10 MB */
  maxBodyBytes?: number | undefined
  /** Receives the work that goes on after the response, for platforms that end it otherwise, such as `waitUntil` of Workers. */
  waitUntil?: ((work: Promise<void>) => void) | undefined
}

/** Options of {@link chatHandler}. `run` is required if the agent needs a context. */
export type ChatHandlerOptions<Options extends object, Chat extends UserChat = UserChat> = ChatRouteOptions<
  Options,
  Chat
> &
  (Record<never, never> extends Options
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
 * @param chatStore - the one of the handler
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
  const isShown = !last || messages.some((message) => messageId(message) === messageId(last))
  return isShown ? messages : [...messages, last]
}

/** What a request asks for, in any protocol. */
export interface ChatTurn {
  /** The id of the chat. */
  id: string
  messages: readonly UIMessageLike[]
  /** What else the client sent, for the functions `agent` and `run`. */
  sent?: object
  /** Returns the lines of the response for the events of the run, also for an error that it throws. */
  encode(events: AsyncIterable<AgentEvent>): AsyncIterable<string>
}

/** How clients talk to a route. */
export interface ChatProtocol {
  /**
   * Reads the body of a request.
   * @throws {ModelValidationError} for a body of another form.
   */
  read(body: unknown): ChatTurn
  /** Returns the turn of a client that comes back to a chat and sends nothing. */
  comeBack(id: string): Pick<ChatTurn, 'sent' | 'encode'>
}

const MAX_BODY = 10 * 2 ** 20

const anAgent = having('an agent, or a function that returns one', 'runEvents')

const routeOptions: OptionTable<ChatHandlerOptions<object>> = {
  agent: required((value) => (typeof value === 'function' ? undefined : anAgent(value))),
  user: required(callback),
  chatStore: required('a chat store', 'getMessages', 'addMessage'),
  run: callback,
  streams: having('streams of chats', 'begin'),
  allowFile: callback,
  maxBodyBytes: wholeNumber(1),
  waitUntil: callback,
  onError: callback,
  typedTools: flag,
}

/** An answer with a status that is not a fault of the handler. */
class Refusal extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** A route. */
export class ChatRoute<Options extends object> {
  private readonly options: ChatRouteOptions<Options> & { run?: (chat: UserChat) => ChatRun<Options> }
  private readonly streams: ChatStreams

  private readonly protocol: ChatProtocol

  constructor(options: ChatHandlerOptions<Options>, protocol: ChatProtocol) {
    this.protocol = protocol
    checkOptions('chatHandler', options, routeOptions)
    this.options = options as ChatRouteOptions<Options> & { run?: (chat: UserChat) => ChatRun<Options> }
    this.streams = options.streams ?? memoryChatStreams()
  }

  async handle(request: Request): Promise<Response> {
    try {
      const user = await this.options.user(request)
      if (user === null) throw new Refusal(401, 'unauthorized', 'The request has no user.')
      if (request.method === 'POST') return await this.answer(user, request)
      const lines = await this.follow(user, idInPath(request), request)
      return lines ? linesResponse(lines) : new Response(null, { status: 204 })
    } catch (error) {
      if (error instanceof Refusal) return refusalResponse(error.status, error)
      if (isToolkitError(error, 'model_validation')) return refusalResponse(400, error)
      throw error
    }
  }

  private async answer(user: string, request: Request): Promise<Response> {
    const { maxBodyBytes, streams } = this.options
    const turn = this.protocol.read(await readJson(request, maxBodyBytes ?? MAX_BODY))
    const chat = { ...turn.sent, user, id: turn.id, request }
    const key = chatKey(user, turn.id)
    const agent = this.agentOf(chat)
    const task = await this.taskFor(agent, key, turn.messages)
    if (task === 'busy') throw busy()
    // A message that is sent again has another reader of its task, not another run. An engine takes each decision once: one need not wait
    // for the stream of a process that has ended.
    const isOpen = task === 'decision' || task?.events
    const writer = isOpen ? new MemoryStream() : await this.streams.begin(key)
    if (!writer) throw busy()
    // With streams a run goes on without its reader.
    const { signal, release } = anySignal(writer.stopped, streams ? undefined : request.signal)
    const { taskId = `${key}.${newId()}`, events: follow } = task === 'decision' ? {} : { ...task }
    const events = follow?.(signal) ?? this.events(agent, chat, turn.messages, { key, signal, taskId })
    const lines = turn.encode(events)
    const finish = async () => {
      release()
      await writer.finish()
    }
    return streams ? this.detached(lines, writer, finish) : linesResponse(finished(lines, finish))
  }

  /** Returns the agent of a chat. A failure is reported by what awaits it. */
  private agentOf(chat: UserChat): Promise<UIAgent<Options>> {
    const { agent } = this.options
    const made = (async () => (typeof agent === 'function' ? agent(chat) : agent))()
    made.catch(() => {})
    return made
  }

  /** Returns the durable task for the last message; undefined for agents without such tasks. */
  private async taskFor(agent: Promise<UIAgent<Options>>, key: string, messages: readonly UIMessageLike[]) {
    const last = messages.at(-1)
    const own = await agent.catch(() => undefined)
    if (last?.role !== 'user') return own?.taskFor && 'decision'
    return own?.taskFor?.(this.chatOf(key), sha256(JSON.stringify([last?.id, last?.parts])))
  }

  private chatOf(conversationId: string) {
    return { conversationId, chatStore: this.options.chatStore }
  }

  /** The events of a run; a failure before the first one is reported by the encoder too. */
  private async *events(
    agent: Promise<UIAgent<Options>>,
    chat: UserChat,
    messages: readonly UIMessageLike[],
    { key, signal, taskId }: { key: string; signal: AbortSignal; taskId: string },
  ) {
    const { run, allowFile } = this.options
    const own = await agent
    const { tokenLimit, tokenizerFn } = own.conversation().memory as Partial<StoredChatMemory>
    const memory = new StoredChatMemory({ ...this.chatOf(key), tokenLimit, tokenizerFn })
    const options = {
      run: { ...run?.(chat), signal, memory, taskId },
      // The id of a task says to which chat it belongs.
      mayContinue: (given: string) => given.startsWith(`${key}.`),
      allowFile,
    }
    yield* answerMessages(own, messages, options as unknown as RunUIArguments<Options>, turnOfMemory)
  }

  /** Lets a run go on until its end, whether somebody reads the response or not. */
  private detached(lines: AsyncIterable<string>, writer: ChatStreamWriter, finish: () => Promise<void>): Response {
    const own = new MemoryStream()
    const work = (async () => {
      try {
        for await (const line of lines) {
          writer.writeLine(line)
          own.writeLine(line)
        }
      } finally {
        await own.finish()
        await finish()
      }
    })()
    // The run has reported its own errors; here is left that the store of streams fails, which the answer survives.
    const handled = work.catch(() => {})
    this.options.waitUntil?.(handled)
    return linesResponse(own.follow())
  }

  /** Returns the lines of the answer that goes on, for GET, or stops it, for DELETE. */
  private async follow(user: string, id: string, request: Request): Promise<AsyncIterable<string> | null> {
    const { method } = request
    if (method !== 'GET' && method !== 'DELETE')
      throw new Refusal(405, 'method', `The method ${method} is not supported.`)
    const key = chatKey(user, id)
    const { encode, sent } = this.protocol.comeBack(id)
    const agent = await this.agentOf({ ...sent, user, id, request })
    const task = await agent.openTask?.(this.chatOf(key))
    if (method === 'GET' && agent.openTask) return task ? encode(task.events()) : null
    if (method === 'GET') return this.streams.follow(key)
    await this.streams.stop(key)
    await task?.cancel()
    return null
  }
}

const busy = () => new Refusal(409, 'conversation_busy', 'Another answer of this chat is not finished.')

/** The lines of a run; `finish` is called when they end or their reader leaves. */
async function* finished(lines: AsyncIterable<string>, finish: () => Promise<void>) {
  try {
    yield* lines
  } finally {
    await finish()
  }
}

/** Returns the id of the chat in an address such as `/api/chat/ID/stream`. */
function idInPath({ url }: Request): string {
  const encoded = /\/([^/]+)\/stream$/.exec(new URL(url).pathname)?.[1]
  try {
    if (encoded !== undefined) return decodeURIComponent(encoded)
  } catch {}
  throw new Refusal(404, 'not_found', 'Expected an address that ends with /CHAT/stream.')
}

function refusalResponse(status: number, { code, message }: { code: string; message: string }): Response {
  return Response.json({ error: { code, message } }, { status })
}
