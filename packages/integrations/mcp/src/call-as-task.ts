/**
 * @module
 * Calls of tools as tasks of their server: the experimental part of the protocol revision 2025-11-25, as SDK 1 has it.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks
 */

/** What the client of SDK 1 reports about a call that is a task. */
type TaskMessage =
  | { type: 'taskCreated' | 'taskStatus'; task: { taskId: string; statusMessage?: string | undefined } }
  | { type: 'result'; result: unknown }
  | { type: 'error'; error: unknown }

/** The methods of SDK 1 for tasks. */
export interface TaskCalls {
  callToolStream(params: object, schema: undefined, options: object): AsyncIterable<TaskMessage>
  cancelTask(taskId: string): Promise<unknown>
}

/**
 * Makes a call as a task: the SDK asks for its status until it is over. The time limit of a request applies to each of these requests. An
 * abort cancels the task.
 */
export async function callAsTask(
  tasks: TaskCalls,
  params: object,
  options: { signal?: AbortSignal | undefined },
): Promise<unknown> {
  let task: { taskId: string; statusMessage?: string | undefined } | undefined
  for await (const message of tasks.callToolStream(params, undefined, { ...options, task: {} })) {
    if (message.type === 'result') return message.result
    if (message.type !== 'error') {
      task = message.task
      continue
    }
    if (options.signal?.aborted && task) await tasks.cancelTask(task.taskId)
    // The SDK does not read the result of a task that failed.
    throw task?.statusMessage ? new Error(task.statusMessage, { cause: message.error }) : message.error
  }
  throw new Error('The task has ended without a result.')
}
