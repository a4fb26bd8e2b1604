/**
 * @module
 * The parts of a task and of a step that a protocol needs, so that it also serves loops without a runner.
 */
import type { ChatMessage } from '@x/core-model'
import { TaskAlreadyExistsError } from './task-errors.ts'

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

/**
 * Checks that a task is asked for in its own conversation: another user may have used the same id.
 * @param known - the id of its conversation, if that is stored elsewhere.
 * @throws {TaskAlreadyExistsError}
 */
export function checkConversation(
  taskId: string,
  known: string | null | undefined,
  asked: object | null | undefined,
): void {
  const id = asked ? conversationIdOf(asked) : undefined
  if (id === undefined || known === undefined || known === null || known === id) return
  throw new TaskAlreadyExistsError(taskId, ' in another conversation; use an id that is unique in all of them')
}

/** Returns the id of a conversation whose messages are stored elsewhere, otherwise undefined. */
export function conversationIdOf(memory: object): string | undefined {
  return (memory as { conversationId?: string }).conversationId
}
