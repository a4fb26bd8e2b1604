/**
 * @module
 * Calls of served tools as tasks: the experimental part of the protocol revision 2025-11-25, as SDK 1 has it.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks
 */
import type { McpResult } from './mcp-types.ts'

/** The store of tasks that a handler of SDK 1 receives. */
export interface RequestTasks {
  createTask(options: { ttl: number | null }): Promise<{ taskId: string; pollInterval?: number | undefined }>
  getTask(taskId: string): Promise<{ status: string }>
  updateTaskStatus(taskId: string, status: 'working', message: string): Promise<void>
  storeTaskResult(taskId: string, status: 'completed' | 'failed', result: object): Promise<void>
}

/** How long results are kept for a client that does not say it, in milliseconds. */
const DEFAULT_TTL = 3_600_000

/** Starts work as a task and returns the result that names the task. The work aborts when the client cancels the task. */
export async function answerAsTask(
  tasks: RequestTasks,
  ttl: number | null | undefined,
  work: (signal: AbortSignal) => Promise<McpResult>,
): Promise<object> {
  const task = await tasks.createTask({ ttl: ttl ?? DEFAULT_TTL })
  const { taskId, pollInterval = 1000 } = task
  const controller = new AbortController()
  const isCancelled = async () => (await tasks.getTask(taskId)).status === 'cancelled'
  // The SDK does not report that a task was cancelled.
  const watch = setInterval(async () => {
    if (await isCancelled().catch(() => true)) controller.abort()
  }, pollInterval)
  const finish = async () => {
    try {
      const result = await work(controller.signal)
      const message = result.isError && result.content?.[0]?.text
      if (message) await tasks.updateTaskStatus(taskId, 'working', message)
      await tasks.storeTaskResult(taskId, result.isError ? 'failed' : 'completed', result)
    } catch {
      // The task was cancelled, or its time to live is over: nobody can read the result.
    } finally {
      clearInterval(watch)
    }
  }
  void finish()
  return { task }
}
