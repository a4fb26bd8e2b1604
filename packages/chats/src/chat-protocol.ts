/**
 * @module
 * What a client and the route of a chat say to each other, in any protocol.
 */
import type { AgentEvent, ToolDecision } from '@x/agents'
import type { MessageContent, Turn, TurnUsage } from '@x/core-model'

/** A chat of a user. */
export interface UserChat {
  /** What `user` returned for the request. */
  readonly user: string
  /** The id of the chat, which the client chose. */
  readonly id: string
  readonly request: Request
}

/** The turn of a chat that is answered. */
export interface AnsweredTurn {
  /** The id of the assistant's message. */
  readonly messageId: string
  /** All turns before it, if the client lacks one of them or its answer, or shows it in an older state; otherwise none. */
  readonly missed: readonly Turn[]
  /**
   * Reads, when the answer has ended, what a client puts at the end, in place of what it shows of it: turns after the answered one; and
   * this one itself, if the client cannot know how its calls were decided. @defaultValue none
   */
  readonly later?: (() => Promise<readonly Turn[]>) | undefined
  /** What the turn has used, if the user had stopped it before this client decided about a call of it. @defaultValue it was not stopped */
  readonly stopped?: Pick<Turn, 'usage'> | undefined
  /** Whether the client has the beginning of the turn, because it has decided about a call of it. @defaultValue false */
  readonly continues?: boolean | undefined
}

/** What a client shows of an answer, as far as another client can change it. */
export interface ShownAnswer {
  /** That of the assistant's message. */
  readonly id: string
  readonly taskId: string
  /** What it has used, of an answer that is done or was stopped. */
  readonly usage?: TurnUsage | undefined
  /** Calls that wait or run, and those that the user has decided, by their ids. */
  readonly calls: Readonly<Record<string, 'open' | 'approved' | 'rejected'>>
  /** Why calls had to be asked about again, by their ids. */
  readonly problems?: Readonly<Record<string, string | undefined>> | undefined
}

/** A message of the user. */
export interface ChatMessageTurn {
  readonly content: MessageContent
  /**
   * The id of the message that the client has set. A message with the id of an earlier one and other words replaces it and what follows it.
   */
  readonly messageId?: string | undefined
  /**
   * The ids of the messages that the client shows, and of the answers (`messageId`). If it lacks one, it receives what is before the
   * answered message. Nothing is removed for it. @defaultValue not known
   */
  readonly shown?: readonly string[] | undefined
  /** The states of answers that the client shows: it is behind too if one has another state by now. @defaultValue not known */
  readonly answers?: readonly ShownAnswer[] | undefined
  /**
   * What the client asks for: `send` never makes another answer for a message that has one; `again` asks for another answer, or to go on
   * after a failure. @defaultValue `again` for a message with the id of an earlier one
   */
  readonly asks?: 'send' | 'again' | undefined
  /**
   * Whether the client says that what follows the message is removed, as after an edit. Otherwise another answer replaces that of the
   * message alone. @defaultValue false
   */
  readonly discardsRest?: boolean | undefined
  /** The id of the message, or of its answer, that the client replaces: any other id is refused. @defaultValue not known */
  readonly replaces?: string | undefined
  readonly taskId?: never
}

/** A decision about a call, with the arguments that the page shows. */
export type ChatDecision = ToolDecision & {
  /**
   * With other arguments than those of the question, `approve` is `edit`; a rejected call is shown with its own. @defaultValue those of the
   * question
   */
  readonly shows?: Readonly<Record<string, unknown>> | undefined
}

/** Decisions of the user about calls of a task that waits. */
export interface ChatDecisionTurn {
  readonly taskId: string
  /** Those about calls that do not wait for them are skipped. With `edit` and `always` a user approves what the agent did not ask for. */
  readonly decisions: readonly ChatDecision[]
  /** As of a message. @defaultValue not known */
  readonly shown?: readonly string[] | undefined
  /** As of a message; with the answered turn, whose client receives what others have decided. @defaultValue not known */
  readonly answers?: readonly ShownAnswer[] | undefined
}

/** What a user sends to a chat: a message, or decisions. */
export type ChatTurn = ChatMessageTurn | ChatDecisionTurn

/** How clients talk to the route of a chat. `Sent` is what else they send, for the functions `agent` and `run`. */
export interface ChatProtocol<Sent extends object = object> {
  /**
   * Reads the body of a request, which is JSON of any form: check it. `id` is the id of the chat, of 1 to 1000 characters, other than
   * `stream`, `.` and `..`. `next` is a message that came with decisions: it is answered behind their turn, unless it is the message of
   * that turn.
   * @throws an error with the code `configuration` or `model_validation` for a body of another form; the response has the status 400.
   */
  read(
    body: unknown,
  ): ChatTurn & { readonly id: string; readonly sent?: Sent; readonly next?: ChatMessageTurn | undefined }
  /**
   * Returns the lines of the response. The last event of a run that fails is an `error`, whose message users may see.
   * Events with another `taskId` than those before are the answer to the message `next`; the id of its turn is that task.
   * @param chat - with what else the client sent; without `messageId`, the only event is the error of a stream whose process has ended
   */
  lines(events: AsyncIterable<AgentEvent>, chat: UserChat & Sent & Partial<AnsweredTurn>): AsyncIterable<string>
  /**
   * Returns the first line for a client that reconnects, with the message of the user that is answered: its page may have been loaded
   * before the message was stored. @defaultValue no line
   * @param turn - with the message of the user
   */
  question?(turn: Turn): string | undefined
  /** Returns what else a client sends with a request that reconnects to an answer or stops it: the request has no body. */
  withoutBody?(): Sent
  /** The headers of responses with lines. @defaultValue the content type of server-sent events */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The name of the handler, for errors of its options. @defaultValue 'chatRoute' */
  readonly name?: string | undefined
}
