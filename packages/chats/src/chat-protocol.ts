/**
 * @module
 * What a client and the route of a chat say to each other, in any protocol.
 */
import type { AgentEvent, ToolDecision } from '@x/agents'
import type { MessageContent } from '@x/core-model'

/** A chat of a user. */
export interface UserChat {
  /** What `user` returned for the request. */
  readonly user: string
  /** The id of the chat, which the client chose. */
  readonly id: string
  readonly request: Request
}

/** A message of the user. */
export interface ChatMessageTurn {
  readonly content: MessageContent
  /** The id of the message that the client has set. A message with the id of an earlier one replaces it, and what follows it. */
  readonly messageId?: string | undefined
  /**
   * The ids of the messages of the user that the client shows. Messages after the last one that both have are removed from the conversation.
   * @defaultValue none are removed
   */
  readonly shown?: readonly string[] | undefined
  readonly taskId?: never
}

/** Decisions of the user about calls of a task that waits. */
export interface ChatDecisionTurn {
  readonly taskId: string
  /** Those about calls that do not wait for them are skipped. With `edit` and `always` a user approves what the agent did not ask for. */
  readonly decisions: readonly ToolDecision[]
}

/** What a user sends to a chat: a message, or decisions. */
export type ChatTurn = ChatMessageTurn | ChatDecisionTurn

/** How clients talk to the route of a chat. `Sent` is what else they send, for the functions `agent` and `run`. */
export interface ChatProtocol<Sent extends object = object> {
  /**
   * Reads the body of a request, which is JSON of any form: check it. `id` is the id of the chat, of 1 to 1000 characters.
   * @throws an error with the code `configuration` or `model_validation` for a body of another form; the response has the status 400.
   */
  read(body: unknown): ChatTurn & { readonly id: string; readonly sent?: Sent }
  /**
   * Returns the lines of the response. The last event of a run that fails is an `error`, whose message users may see.
   * @param chat - with what else the client sent
   */
  lines(events: AsyncIterable<AgentEvent>, chat: UserChat & Sent): AsyncIterable<string>
  /** Returns what else a client sends with a request that reconnects to an answer or stops it: the request has no body. */
  withoutBody?(): Sent
  /** The headers of responses with lines. @defaultValue the content type of server-sent events */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The name of the handler, for errors of its options. @defaultValue 'chatRoute' */
  readonly name?: string | undefined
}
