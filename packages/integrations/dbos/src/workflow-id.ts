/**
 * @module
 * The ids of workflows, and the queue that they are put into.
 */
import { ConfigurationError } from '@x/core-model'
import type { DbosControl } from './dbos-types.ts'
import { UnknownQueueError } from './errors.ts'

/** Whether the database can store an id: PostgreSQL has no strings with the character U+0000. */
export function isWorkflowId(id: unknown): id is string {
  return typeof id === 'string' && id !== '' && !id.includes('\u0000')
}

/** @throws {ConfigurationError} if the database cannot store an id. */
export function checkWorkflowId(where: string, id: unknown): void {
  if (!isWorkflowId(id))
    throw new ConfigurationError(
      `${where}: expected a string that is not empty and has no character U+0000, received ${JSON.stringify(id) ?? 'nothing'}.`,
    )
}

/** A queue that should be registered. Asks the database until it is. */
export class KnownQueue {
  private readonly dbos: DbosControl
  private readonly name: string
  private isKnown = false

  constructor(dbos: DbosControl, name: string) {
    this.dbos = dbos
    this.name = name
  }

  /** @throws {UnknownQueueError} if the queue is not registered. */
  async check(): Promise<void> {
    if (this.isKnown) return
    if (!(await this.dbos.retrieveQueue(this.name)))
      throw new UnknownQueueError(
        this.name,
        (await this.dbos.listQueues()).map(({ name }) => name),
      )
    this.isKnown = true
  }
}
