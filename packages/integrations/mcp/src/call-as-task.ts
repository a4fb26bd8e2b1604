/**
 * @module
 * Calls of tools as tasks of their server: the experimental part of the protocol revision 2025-11-25, as SDK 1 has it.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks
 */
import { pause, raceAbort } from '@x/core-model/async'

/**
 * Where the ids of tasks of servers are kept, by the hash of the idempotency key of their call: a `Map`, which a process loses at its end,
 * or a table.
 */
export interface McpTaskIds {
  get(key: string): string | null | undefined | Promise<string | null | undefined>
  set(key: string, taskId: string): unknown
}

/** What the client of SDK 1 reports about a call that is a task. */
type TaskMessage =
  | { type: 'taskCreated' | 'taskStatus'; task: { taskId: string; statusMessage?: string | undefined } }
  | { type: 'result'; result: unknown }
  | { type: 'error'; error: unknown }

/** The state of a task of a server. */
interface ServerTask {
  status: 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled'
  statusMessage?: string | undefined
  pollInterval?: number | undefined
}

/** The methods of SDK 1 for tasks. */
export interface TaskCalls {
  getTask(taskId: string, options: object): Promise<ServerTask>
  getTaskResult(taskId: string, schema: object, options: object): Promise<unknown>
  callToolStream(params: object, schema: undefined, options: object): AsyncIterable<TaskMessage>
  cancelTask(taskId: string): Promise<unknown>
}

/**
 * Makes a call as a task: the SDK asks for its status until it is over. The time limit of a request applies to each of these requests. An
 * abort cancels the task. A call whose task is known waits for this task, unless it was cancelled.
 */
export async function callAsTask(
  tasks: TaskCalls,
  params: object,
  options: { signal?: AbortSignal | undefined },
  ids?: { key: string; taskIds: McpTaskIds },
): Promise<unknown> {
  const known = await ids?.taskIds.get(ids.key)
  const result = known && (await resultOf(tasks, known, options))
  if (result) return result
  let task: { taskId: string; statusMessage?: string | undefined } | undefined
  for await (const message of tasks.callToolStream(params, undefined, { ...options, task: {} })) {
    if (message.type === 'result') return message.result
    if (message.type !== 'error') {
      task = message.task
      if (message.type === 'taskCreated') await ids?.taskIds.set(ids.key, task.taskId)
      continue
    }
    if (options.signal?.aborted && task) await tasks.cancelTask(task.taskId)
    // The SDK does not read the result of a task that failed.
    throw task?.statusMessage ? new Error(task.statusMessage, { cause: message.error }) : message.error
  }
  throw new Error('The task has ended without a result.')
}

/** The form of a result, which is read later: the schemas of the SDK are not imported. */
const anyResult = { safeParse: (data: unknown) => ({ success: true, data }) }

/** Waits for the result of a task; undefined if the task was cancelled. */
async function resultOf(
  tasks: TaskCalls,
  taskId: string,
  options: { signal?: AbortSignal | undefined },
): Promise<unknown> {
  try {
    for (;;) {
      const { status, statusMessage, pollInterval = 1000 } = await tasks.getTask(taskId, options)
      if (status === 'cancelled') return undefined
      if (status === 'failed') throw new Error(statusMessage ?? 'The task has failed.')
      // The result of a task that needs input comes after the questions of the server.
      if (status !== 'working') return await tasks.getTaskResult(taskId, anyResult, options)
      await raceAbort(pause(pollInterval), options.signal)
    }
  } finally {
    if (options.signal?.aborted) await tasks.cancelTask(taskId)
  }
}
