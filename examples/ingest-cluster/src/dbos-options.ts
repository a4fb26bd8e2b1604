/**
 * Names and options that the workers of DBOS share with the program that starts them.
 */
import type { DBOSConfig } from '@dbos-inc/dbos-sdk'
import type { Addresses } from './engine.ts'

/** The name of the workflow and of its queue. */
export const WORKFLOW = 'ingest'
export const QUEUE = 'documents'
export const APPLICATION = 'ingest-cluster'

/** The time without a report after which a worker counts as dead, in milliseconds. It is short, so that the example shows takeovers soon. */
export const DEAD_AFTER_MS = 2000

/** The arguments of a worker. */
export interface WorkerOptions extends Addresses {
  executorID: string
}

/** A logger that writes nothing; without it, DBOS writes to the console. */
export const silent = { info() {}, debug() {}, warn() {}, error() {} }

export function dbosConfig(systemDatabaseUrl: string, executorID: string): DBOSConfig {
  return { name: APPLICATION, systemDatabaseUrl, executorID, applicationVersion: '1', logger: silent }
}
