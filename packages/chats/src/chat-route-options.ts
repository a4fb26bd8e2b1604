/**
 * @module
 * The options of the route of a chat.
 */
import { callback, choice, having, list, type OptionTable, required, wholeNumber } from '@x/core/options'
import type { ChatMessage, ChatStore } from '@x/core-model'
import type { AllowFile, AskedDecision } from '@x/durable'
import type { ChatAgent } from './chat-agent.ts'
import type { UserChat } from './chat-protocol.ts'
import type { ChatStreams } from './chat-streams.ts'
import type { OnChatError } from './shown-events.ts'

/** The options of a run that are the same for all chats. The route chooses the conversation, the task and the signal. */
type ChatRun<Options extends object> = Omit<
  Options,
  'memory' | 'conversation' | 'chatHistory' | 'taskId' | 'signal'
> & {
  readonly [Chosen in 'memory' | 'conversation' | 'chatHistory' | 'taskId' | 'signal']?: never
}

/** The chat in which something failed; of a request that fails, what was read of it until then: the user, then the id. */
export type FailedChat = Pick<UserChat, 'request'> & Partial<UserChat>

/** Options of `chatRoute`. `run` is required if the agent needs a context. */
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
  /** Stores the conversations, under `chatKey`. A database lets any process answer any request. */
  chatStore: ChatStore
  /**
   * Where the streams of running answers are. With it, a run continues when its client disconnects, and only a request with the method
   * DELETE stops it. @defaultValue none: a run stops when its client disconnects
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
  /**
   * What happens to a message while a call of an earlier turn waits. `accept`: it is answered, and the model reads that the call waits.
   * `refuse`: status 409 with the code `decision_pending`. @defaultValue 'accept'
   */
  whileWaiting?: 'accept' | 'refuse' | undefined
  /**
   * What happens to a request that would remove an answer, such as an edit, or one for another answer: its tools would run again, with
   * other keys. `refuse`: status 409 with the code `replacing_refused`; the last answer can still go on, if it failed or was stopped.
   * @defaultValue 'accept'
   */
  replacing?: 'accept' | 'refuse' | undefined
  /**
   * Whether the user of a chat may make a decision about a call that waits; if not, the request is refused with status 403, and none of its
   * decisions counts. `arguments` are what the tool would receive, with default values and conversions: a limit applies to edited ones too.
   * An edit that does not fit the tool is not judged: the call waits again, with the reason. Every value other than `true` refuses. With
   * it, `always` is refused: the arguments of later calls would not be judged.
   * @defaultValue the user of the chat may make all
   */
  mayDecide?: ((decision: AskedDecision, chat: Chat) => boolean | Promise<boolean>) | undefined
  /**
   * Returns the title of a new chat in the list of its user, such as one that a model writes. The answer does not wait for it; until then,
   * and if it fails, the title is the default one. @defaultValue the first 80 characters of the message
   */
  title?: ((message: ChatMessage, chat: Chat) => string | Promise<string>) | undefined
  /** Receives the work that continues after the response, for platforms that end it otherwise, such as `waitUntil` of Workers. */
  waitUntil?: ((work: Promise<void>) => void) | undefined
  /**
   * Returns the text that the user sees when the run fails, and when a tool does (always the code `tool_execution`, also if its arguments
   * were refused), whose error the model reads as it is. Called at each showing, so not meant for logs. @defaultValue a sentence with the
   * code of the error but not its message, which may contain what the user must not see
   */
  onError?: OnChatError | undefined
  /**
   * Receives what fails, for your logs: errors of runs with their cause, of tools (code `tool_execution`), whose cause is what the tool has
   * thrown if it ran in this process, of `title`, of stores; no stops and no refused requests. With it, a request that fails, such as when
   * the chat store does, is answered with status 500; without it, the handler rejects.
   * @param chat - `user` and `id` are missing if the request failed before they were read, such as in `user`
   */
  logError?: ((error: unknown, chat: FailedChat) => void) | undefined
} & (Record<never, never> extends Options
  ? { run?: ((chat: Chat) => ChatRun<Options> | Promise<ChatRun<Options>>) | undefined }
  : { run: (chat: Chat) => ChatRun<Options> | Promise<ChatRun<Options>> })

const anAgent = having('an agent, or a function that returns one', 'runEvents')

/** How the options are checked. */
export const routeOptions: OptionTable<ChatRouteOptions<object>> = {
  agent: required((value) => (typeof value === 'function' ? undefined : anAgent(value))),
  user: required(callback),
  chatStore: required('a chat store', 'getMessages', 'addMessage'),
  run: callback,
  streams: having('streams of chats', 'begin'),
  allowFile: callback,
  origins: list,
  whileWaiting: choice('accept', 'refuse'),
  replacing: choice('accept', 'refuse'),
  mayDecide: callback,
  maxBodyBytes: wholeNumber(1),
  title: callback,
  waitUntil: callback,
  onError: callback,
  logError: callback,
}
