/**
 * DBOS on a separate database, for the tests of one file.
 */
import { DBOS, type DBOSConfig } from '@dbos-inc/dbos-sdk'
import { startPostgres } from '../../../../tools/postgres-server.ts'

/** A logger that writes nothing. */
export const silent = { info() {}, debug() {}, warn() {}, error() {} }

/** Returns the configuration of every worker of these tests. */
export function configOf(systemDatabaseUrl: string, config: Partial<DBOSConfig> = {}): DBOSConfig {
  return {
    name: 'tests',
    systemDatabaseUrl,
    applicationVersion: 'one',
    executorID: 'this',
    logger: silent,
    schedulerPollingIntervalMs: 100,
    ...config,
  }
}

/** Starts a database, and DBOS when the workflows are registered. */
export async function launch(register: (url: string) => void | Promise<void>, { keepsCommits = false } = {}) {
  const server = await startPostgres({ keepsCommits })
  DBOS.setConfig(configOf(server.connectionString))
  await register(server.connectionString)
  await DBOS.launch()
  return {
    url: server.connectionString,
    restart: server.restart,
    async stop() {
      await DBOS.shutdown({ deregister: true })
      await server.stop()
    },
  }
}

/** The options of a worker that is killed. */
export interface KillWorkerOptions {
  url: string
  executorID: string
  queue: string
  /** The file to which its tools write their effects. */
  file: string
  /** The time without a report after which a worker counts as dead, in milliseconds. */
  deadAfterMs: number
}
