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

/** A queue that workers have registered. Asks the database until they have. */
export class KnownQueue {
  private readonly dbos: DbosControl
  private readonly name: string
  private isKnown = false

  constructor(dbos: DbosControl, name: string) {
    this.dbos = dbos
    this.name = name
  }

  /** @throws {UnknownQueueError} if no worker has registered the queue. */
  async check(): Promise<void> {
    if (this.isKnown) return
    const names = (await this.dbos.listQueues()).map(({ name }) => name)
    if (!names.includes(this.name)) throw new UnknownQueueError(this.name, names)
    this.isKnown = true
  }
}
