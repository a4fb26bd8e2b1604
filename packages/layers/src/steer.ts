/**
 * @module
 * Messages into a task that runs.
 */
import type { Layer, Scope } from '@x/agents/loop'
import { callback, checkGiven, checkOption, checkOptions, type OptionCheck, required } from '@x/core/options'
import { ChatMessage, type Dict } from '@x/core-model'
import { pause } from '@x/core-model/async'
import type { KeyValueStore } from '@x/storage'
import { incoming, join, stateOf, withArrival } from './layer-parts.ts'
import { clearAll, steady } from './steady-store.ts'

/** A layer that receives messages, for any number of tasks. */
export interface Steering extends Layer {
  /**
   * Sends a message into a task, from any process that has the store. The task reads it at its next step. That the task exists is not
   * checked.
   * @param options.id - of the message: one that was sent before is not sent again. @defaultValue a new id
   * @throws {ModelValidationError} if the id or the message is empty, or the message is neither a string nor a `ChatMessage`.
   */
  send(taskId: string, message: string | ChatMessage, options?: { id?: string | undefined }): Promise<void>
  /**
   * Returns the messages that a task has not read. What comes in after its last step stays unread: pass it to the next task of the
   * conversation.
   */
  unread(taskId: string): Promise<ChatMessage[]>
  /** Deletes the messages of a task. */
  clear(taskId: string): Promise<void>
}

interface Sent {
  id: string
  /** When it was sent, in milliseconds since 1970. */
  at: number
  message: Dict
  isRead: boolean
}

const KEY = 'steered'
/** How often a run that waits for something else looks for messages, in milliseconds. */
const LOOK_MS = 1000
/** Accepts a string that is not empty. */
const word: OptionCheck = (value) =>
  typeof value === 'string' && value !== '' ? undefined : 'a string that is not empty'

function collectionOf(taskId: string): string {
  checkGiven('steer', { taskId }, word)
  return JSON.stringify(['messages into task', taskId])
}

/**
 * Lets users send messages into a task while it runs: the model receives them at the next step, in the order in which they were sent, also
 * several while one call runs. Each is an event `message`. A task that has an answer when a message has come in continues with the message,
 * and so does one that waits for its tasks in the background. It works with every runner and engine whose processes share the store, and
 * survives their end.
 * @param options.now - returns the time, in milliseconds since 1970.
 * @throws {ModelValidationError} if an option is unknown or not valid.
 */
export function steer(store: KeyValueStore, options: { now?: () => number } = {}): Steering {
  checkOptions('steer', options, { now: callback })
  const now = options.now ?? Date.now
  const rows = steady('steer', store)
  let last = 0
  const all = async (taskId: string) => {
    const values = Object.values(await rows.getAll(collectionOf(taskId))) as unknown as Sent[]
    return values.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
  }
  const readIn = (task: { readonly extraState: object }) => stateOf<readonly string[]>(task, KEY, [])
  const unreadBy = async ({ task }: Scope) => {
    const read = readIn(task)
    return (await all(task.taskId)).filter(({ id }) => !read.includes(id))
  }
  const parts = incoming(
    'steer',
    // The first message of a task comes before those that are sent into it.
    async (scope, isFirst) => (isFirst ? [] : unreadBy(scope)),
    async (messages, scope) => {
      const { task } = scope
      for (const { id, message } of messages) {
        await join(message, scope)
        task.extraState[KEY] = [...readIn(task), id]
      }
      const read = messages.map((one) => [one.id, { ...one, isRead: true }] as const)
      if (read.length > 0) await rows.putAll(read, collectionOf(task.taskId))
    },
  )
  return {
    name: 'steer',
    ...parts,
    step: (next) =>
      parts.step!((input, scope) => {
        const arrival = async (signal: AbortSignal) => {
          while ((await unreadBy(scope)).length === 0) await pause(LOOK_MS, signal)
        }
        return next(input, withArrival(scope, arrival))
      }),
    send: async (taskId, message, { id = globalThis.crypto.randomUUID() } = {}) => {
      const given = typeof message === 'string' ? new ChatMessage({ role: 'user', content: message }) : message
      const check = required('a string that is not empty, or a ChatMessage', 'toDict')
      checkOption('steer.send', 'message', message === '' ? message : given, check)
      if (await rows.get(id, collectionOf(taskId))) return
      // Messages of one millisecond keep their order.
      last = Math.max(now(), last + 1)
      await rows.put(id, { id, at: last, message: given.toDict(), isRead: false }, collectionOf(taskId))
    },
    unread: async (taskId) => {
      const left = (await all(taskId)).filter(({ isRead }) => !isRead)
      return left.map(({ message }) => ChatMessage.fromDict(message))
    },
    clear: async (taskId) => clearAll(rows, collectionOf(taskId)),
  }
}
