/**
 * @module
 * The turns of conversations in a chat store: which messages belong together, and how far their task is.
 */
import type { ChatMessage } from './chat-message.ts'
import type { TokenUsage } from './response-metadata.ts'

/** `open`: its task runs, or the process of the task has ended. The tasks of the others do not run. */
export type TurnState = 'open' | 'waiting' | 'done' | 'stopped' | 'failed'

/**
 * What is special about a call of a turn: it waits for an `approval` or a `result`, or for an approval although an interrupted run has
 * `begun` it; it was interrupted or ended its run (`unknown`), or it `failed`, was rejected, or was stopped before it ran; `provided`: its
 * result comes from outside, and reports an error.
 */
export type CallMark = 'approval' | 'begun' | 'result' | 'unknown' | 'failed' | 'provided'

/** A decision of the user about a call that needed an approval. */
export interface DecidedCall {
  /** What the question was called: the `approval.id` of the call, or the id of the call itself. */
  readonly id: string
  readonly approved: boolean
  readonly reason?: string | undefined
  /** Why the call had to be asked about again before. */
  readonly problem?: string | undefined
  /** What no message of the turn has: the call is one of an agent behind the call `parent`. Without `result` it has not run. */
  readonly inner?:
    | {
        readonly parent: string
        readonly name: string
        readonly arguments: string | Record<string, unknown>
        readonly result?: string | undefined
      }
    | undefined
}

/** What a turn has used. Token counts are those that the model reports. */
export interface TurnUsage extends TokenUsage {
  /** Calls of the model, except those to which it did not begin to reply because the provider refused them or failed. */
  modelCalls: number
  /** Tool calls that ran. */
  toolCalls: number
  /** Money, in the currency of the prices of the layer `cost` of `@x/layers`; missing without it. */
  cost?: number
}

/** What is known of a turn beside its messages, as JSON. */
export interface TurnMarks {
  /** The id of the assistant's message for clients. It stays when the turn continues. */
  readonly id: string
  /** The task that answers. */
  readonly task: string
  /** The id of the user's message that the client has set. */
  readonly message?: string | undefined
  readonly state: TurnState
  /** By the ids of calls. */
  readonly calls?: Readonly<Record<string, CallMark>> | undefined
  /** The values of results whose text does not say them, by the ids of calls. */
  readonly values?: Readonly<Record<string, unknown>> | undefined
  /** Arguments that are no JSON object, by the ids of their calls: the messages, which a model receives, have `{}` in their place. */
  readonly unreadable?: Readonly<Record<string, string>> | undefined
  /** The calls that wait, as the event `approval_required` has them, and those of the same step that are decided. */
  readonly waiting?: readonly object[] | undefined
  /** How the calls that needed an approval were decided, by their ids. */
  readonly decided?: Readonly<Record<string, DecidedCall>> | undefined
  /** The ids of calls whose results came from outside. */
  readonly provided?: readonly string[] | undefined
  /** What the turn has used, unless it is open. */
  readonly usage?: TurnUsage | undefined
  /** What turns have used that this one has replaced, as after an edit or another answer. */
  readonly replaced?: TurnUsage | undefined
  /** Whether a page does not show the reasoning of its messages. @defaultValue false */
  readonly hidesReasoning?: boolean | undefined
  /** The number of messages of earlier attempts, whose tasks are lost. @defaultValue 0 */
  readonly attempts?: number | undefined
  /** The number of messages of completed steps. What follows belongs to a step that did not end. @defaultValue all */
  readonly kept?: number | undefined
  /** The steps as a page shows them, as JSON, for protocols whose messages have no calls. @defaultValue the messages */
  readonly shown?: (Pick<TurnMarks, 'attempts' | 'kept'> & { readonly messages: readonly object[] }) | undefined
}

/** A turn: a message of the user, and what followed it. */
export interface Turn extends TurnMarks {
  readonly messages: readonly ChatMessage[]
}

/**
 * Returns the turns as they are to be: entry `i` replaces entry `i`, with other messages if it has `messages`. The rest is removed if
 * the array is shorter, and one turn with messages may be added at the end. Entries that stay are the same objects.
 * @param first - the first message of the turn of the message
 */
export type DecideTurns = (turns: readonly TurnMarks[], first: ChatMessage | undefined) => readonly (TurnMarks | Turn)[]

/** New messages of a turn, and its marks. */
export interface TurnChange {
  readonly marks: Omit<TurnMarks, 'id' | 'task' | 'message'>
  /** The number of messages that stay. */
  readonly from: number
  /** The messages after them. */
  readonly messages: readonly ChatMessage[]
}

/**
 * The turns of the conversations of a chat store. The messages of all turns in their order are the messages of the conversation. Messages
 * that were added in another way are turns too, whose ids begin with `old-`.
 */
export interface TurnStore {
  /** Returns the turns of a conversation, the oldest first. */
  read(key: string): Turn[] | Promise<Turn[]>
  /**
   * Changes which turns there are, with no other change in between. Returns them as they are then.
   * @param message - the id of a message of the user, of which `decide` receives the first message of its turn
   */
  begin(
    key: string,
    message: string | undefined,
    decide: DecideTurns,
  ): readonly TurnMarks[] | Promise<readonly TurnMarks[]>
  /**
   * Replaces the messages of the turn of a task, and its marks. A turn that was removed stays so. Returns false, and changes nothing, if
   * the turn has fewer messages than are to stay.
   */
  save(key: string, task: string, change: TurnChange): boolean | Promise<boolean>
  /**
   * Adds a turn at the end, and changes the turns that are open, with no other change in between. Does nothing if its task has a turn. A
   * store that has it, and `before`, reads no more of a long conversation than a model receives.
   * @param change - returns the marks of an open turn as they are to be
   */
  append?(key: string, turn: Turn, change: (open: TurnMarks) => TurnMarks): void | Promise<void>
  /** Returns the turn of a task, and the last `count` messages before it, or all if there are fewer. */
  before?(key: string, task: string, count: number): MessagesBefore | Promise<MessagesBefore>
  /** Returns the number of messages before the turn of a task, or of all messages if it does not exist. */
  countMessages?(key: string, task: string): number | Promise<number>
}

/** A turn, undefined if it does not exist, and messages before it: without a turn, those at the end of the conversation. */
export interface MessagesBefore {
  readonly turn: Turn | undefined
  readonly messages: readonly ChatMessage[]
}
