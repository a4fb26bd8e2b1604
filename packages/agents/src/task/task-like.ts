/**
 * @module
 * The parts of a task and of a step that a protocol needs, so that it also serves loops without a runner.
 */
import type { ChatMessage } from '@x/core-model'

/** Messages that can be read: those of a conversation. */
interface MessageSource {
  /** Returns the messages that the model receives. */
  get(): ChatMessage[] | Promise<ChatMessage[]>
  getAll(): ChatMessage[] | Promise<ChatMessage[]>
}

/** A task as protocols and layers use it: a `Task` of a runner, or one of a loop. */
export interface TaskLike {
  readonly taskId: string
  /** The text of the user. */
  readonly input: string
  /** The conversation before the task. */
  readonly memory: MessageSource
  /** The state of the task between its steps. */
  readonly extraState: Record<string, unknown>
}

/** A step as protocols use it. */
export interface StepLike {
  /** `is_first` is true in the first step of a task. */
  readonly stepState: Record<string, unknown>
}

/** The messages of a running task. */
export interface MessageList extends MessageSource {
  get(): ChatMessage[]
  getAll(): ChatMessage[]
  put(message: ChatMessage): void
  set(messages: readonly ChatMessage[]): void
}
