/**
 * @module
 * The options of durable tasks on a task store.
 */
import type { BaseAgentRunner } from '@x/agents/protocol'
import type { JournalOptions } from '@x/agents/store'
import { callback, dict, having, milliseconds, type OptionTable, required, wholeNumber } from '@x/core/options'
import type { ChatStore, TaskStore } from '@x/core-model'
import type { TaskRun } from './durable-tasks.ts'
import type { TaskEventLog } from './task-events.ts'

/** Options of `StoredTasks`. */
export interface StoredTasksOptions {
  /**
   * Where the tasks are stored. A call that has not ended after four times `leaseMs`, at least a second, fails with `deadline_exceeded`.
   */
  store: TaskStore
  /**
   * Creates the agent of a run, with the `taskStore` of its argument. Agents may share models and tools.
   * @defaultValue none: another process runs the tasks
   */
  agent?: ((run: TaskRun<never>) => BaseAgentRunner | Promise<BaseAgentRunner>) | undefined
  /** Stores conversations, for tasks with a `conversation`. They may only grow. */
  chatStore?: ChatStore | undefined
  /** How the tasks of agents are saved, such as your own classes in them. */
  journal?: JournalOptions | undefined
  /** Stores the events of tasks. Readers in other processes need one that both share. @defaultValue a `MemoryEventLog` */
  events?: TaskEventLog | undefined
  /**
   * The number of tasks that run at the same time; others are queued. Those that wait for decisions, or for the answers of other tasks
   * (`inPlaceOf`), do not count. @defaultValue 10
   */
  maxRunning?: number | undefined
  /**
   * How often in a row the process of a task may end without any progress of the task: at the next end, the task fails with
   * `task_abandoned`. After three times it runs alone in its process, so that it takes no other tasks with it. Also how often in a row
   * workers that cannot run a task, because `agent` throws or the tool of an approved call is missing, may leave it to others before it
   * fails with this error. @defaultValue 20
   */
  maxInterruptions?: number | undefined
  /**
   * After this time without a heartbeat of the process that runs a task, in milliseconds, another process continues it, whatever its own
   * `leaseMs` is. A worker writes a heartbeat three times in this period. A run of more than 20 periods writes fewer, so that its record
   * stays small, and continues elsewhere after a twentieth of the time for which it has run, at most two minutes. @defaultValue 5000
   */
  leaseMs?: number | undefined
  /** How often the store is read for changes by other processes, in milliseconds. @defaultValue 1000 */
  pollingIntervalMs?: number | undefined
  /**
   * Receives errors of the store and of the event log, which are tried again after `pollingIntervalMs`, and the errors for which a task
   * failed or was left to another worker. `taskId`: of the task that this worker ran. @defaultValue none
   */
  onError?: ((error: unknown, taskId?: string) => void) | undefined
  /**
   * Deletes what layers store about a task, before it is deleted, such as messages and files:
   * `(taskId) => Promise.all([steering.clear(taskId), files(values).clear(taskId)])`. @defaultValue none
   */
  onDelete?: ((taskId: string) => unknown) | undefined
}

/** The shortest lease by default, in milliseconds. */
export const LEASE_MS = 5000

/** How long a call of the store may take, in milliseconds. Others take over the tasks of a worker before. */
export const storeMs = ({ leaseMs = LEASE_MS }: Pick<StoredTasksOptions, 'leaseMs'>): number =>
  Math.max(4 * leaseMs, 1000)

export const STORED_TASKS: OptionTable<StoredTasksOptions> = {
  store: required('a task store', 'append', 'load', 'list'),
  agent: callback,
  chatStore: having('a chat store', 'getMessages', 'setMessages'),
  journal: dict,
  events: having('an event log', 'addEvents', 'readEvents'),
  maxRunning: wholeNumber(1),
  maxInterruptions: wholeNumber(0),
  leaseMs: milliseconds(1),
  pollingIntervalMs: milliseconds(),
  onError: callback,
  onDelete: callback,
}
