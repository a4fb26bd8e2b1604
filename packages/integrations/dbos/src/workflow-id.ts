/**
 * @module
 * The ids of workflows, and the queue that they are put into.
 */
import { milliseconds, text, unchecked } from '@x/core/options'
import { ConfigurationError } from '@x/core-model'
import type { DbosControl } from './dbos-types.ts'
import { UnknownQueueError } from './errors.ts'

/** The checks of the options of `DbosTasks` and `IngestionRuns`. */
export const CLIENT_OPTIONS = { dbos: unchecked, workflow: text, queue: text, pollingIntervalMs: milliseconds() }

/** Whether the database can store an id: PostgreSQL has no strings with the character U+0000. */
export function isWorkflowId(id: unknown): id is string {
  return typeof id === 'string' && id !== '' && !id.includes('\u0000')
}

/** @throws {ConfigurationError} if the database cannot store an id. */
export function checkWorkflowId(where: string, id: unknown): void {
  if (!isWorkflowId(id))
    throw new ConfigurationError(
      `${where}: expected a string with at least one character and without U+0000, received ${JSON.stringify(id)}.`,
    )
}

/** @throws {UnknownQueueError} if the queue is not registered. */
export async function checkQueue(dbos: DbosControl, queue: string): Promise<void> {
  if (!(await dbos.retrieveQueue(queue))) throw new UnknownQueueError(queue)
}
