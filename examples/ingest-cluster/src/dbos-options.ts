/**
 * What the workers of DBOS and the program that starts them agree on.
 */
import type { DBOSConfig } from '@dbos-inc/dbos-sdk'
import type { Addresses } from './engine.ts'

/** The name of the workflow and of its queue. */
export const WORKFLOW = 'ingest'
export const QUEUE = 'documents'
export const APPLICATION = 'ingest-cluster'

/** After how long without a report a worker counts as gone. Short, so that the example shows it soon. */
export const DEAD_AFTER_MS = 2000

/** The arguments of a worker. */
export interface WorkerOptions extends Addresses {
  executorID: string
}

/** DBOS writes to the console unless it is told otherwise. */
export const silent = { info() {}, debug() {}, warn() {}, error() {} }

export function dbosConfig(systemDatabaseUrl: string, executorID: string): DBOSConfig {
  return { name: APPLICATION, systemDatabaseUrl, executorID, applicationVersion: '1', logger: silent }
}
