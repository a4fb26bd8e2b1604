/**
 * @module
 * Which task answers a chat, in its chat store, so that every process finds it.
 */
import type { AgentEvent, AgentInput } from '@x/agents'
import { ChatMessage, type ChatStore, isInstance, isToolkitError } from '@x/core-model'
import type { DurableTasks, TaskStatus } from './durable-tasks.ts'

/** A conversation in a chat store, such as a `StoredChatMemory`. */
export interface ChatOfTasks {
  /** The key of the conversation. */
  readonly conversationId: string
  readonly chatStore: ChatStore
}

/** A task of a chat that runs or waits. */
export interface OpenTask {
  readonly taskId: string
  /**
   * Yields the events of the task from the first one until it ends or waits. Leaving them does not stop the task, `signal` does.
   * @throws the error of the task if it fails, with its `code`.
   */
  events(signal?: AbortSignal): AsyncGenerator<AgentEvent, void, undefined>
  /** Stops the task. */
  cancel(): Promise<void>
}

/**
 * The task for a message of a chat: the one that runs, or an id for a new one, for `runEvents`. `busy`: the task of another message
 * runs.
 */
export type ChatTask = OpenTask | { readonly taskId: string; readonly events?: never } | 'busy'

const TASK_ID = 'task_id'
/** The number of messages of the conversation before the task. */
const LENGTH = 'conversation_length'

/**
 * Returns the key under which a chat store has the message of the last task of a chat. The conversation contains it as soon as the task has
 * finished.
 * @example
 * lastMessageKey('ann/1') // => 'ann/1.task'
 */
export function lastMessageKey(conversationId: string): string {
  return `${conversationId}.task`
}

/** Returns the number of messages of the conversation before the task that answers this message. */
export function lengthBefore({ additionalKwargs }: ChatMessage): number {
  return Number(additionalKwargs[LENGTH])
}

/** Saves that a task answers the chat from now on. */
export async function saveTask(
  { conversationId, chatStore }: ChatOfTasks,
  { taskId, input, length }: { taskId: string; input: AgentInput; length: number },
): Promise<void> {
  const given = isInstance(input, ChatMessage) ? input : new ChatMessage({ role: 'user', content: input })
  const additionalKwargs = { ...given.additionalKwargs, [TASK_ID]: taskId, [LENGTH]: length }
  await chatStore.setMessages(lastMessageKey(conversationId), [given.copy({ update: { additionalKwargs } })])
}

/** The last task of a chat. */
interface LastTask {
  taskId: string
  /** Undefined if it was not submitted yet. */
  status: TaskStatus | undefined
  /** Whether it runs or waits. */
  isOpen: boolean
  /** The number of messages of the conversation before the task. */
  length: number
}

/** Returns the last task of a chat; undefined if it had none. */
export async function lastTask(
  tasks: DurableTasks,
  { conversationId, chatStore }: ChatOfTasks,
): Promise<LastTask | undefined> {
  const [message] = await chatStore.getMessages(lastMessageKey(conversationId))
  const taskId = message?.additionalKwargs[TASK_ID]
  if (!message || typeof taskId !== 'string') return undefined
  const status = await tasks.status(taskId).catch((error: unknown) => {
    if (isToolkitError(error, 'task_not_found')) return undefined
    throw error
  })
  return { taskId, status, isOpen: status !== undefined && OPEN.has(status), length: lengthBefore(message) }
}

const OPEN: ReadonlySet<TaskStatus> = new Set(['queued', 'running', 'waiting'])

/** Whether the conversation has the messages of a task. This is so a moment before the task is finished. */
export async function isInConversation({ conversationId, chatStore }: ChatOfTasks, { length }: LastTask) {
  return (await chatStore.getMessages(conversationId)).length > length
}
