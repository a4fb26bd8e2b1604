/**
 * @module
 * The engines between which the configuration chooses. What differs between them is here and in `worker.ts`; everything else is written for
 * `DurableTasks`.
 */
import { DBOSClient } from '@dbos-inc/dbos-sdk'
import { DbosTasks } from '@x/dbos/client'
import { type DurableTasks, StoredTasks } from '@x/durable'
import { RestateTasks } from '@x/restate/client'
import { openDatabase, SqliteTaskStore } from '@x/sqlite'
import { startPostgres } from '../../../tools/postgres-server.ts'
import { registerServices, startRestate } from '../../../tools/restate-server.ts'
import type { Shop } from './shop.ts'

/** `store`: a task store in SQLite. `dbos`: DBOS on PostgreSQL. `restate`: a Restate server. */
export type EngineName = 'store' | 'dbos' | 'restate'
export const ENGINES: readonly EngineName[] = ['store', 'dbos', 'restate']

/** An engine that runs. */
export interface Engine {
  tasks: DurableTasks
  /** Where the workers find it: an address, or a file. */
  place: string
  /** The most workers that it has. */
  maxWorkers: number
  /** Called when the workers are ready. @param uri - their address. */
  connect(uri: string): Promise<void>
  stop(): Promise<void>
}

const POLL = { pollingIntervalMs: 100 }

const STARTS: Readonly<Record<EngineName, (shop: Shop, folder: string) => Promise<Engine>>> = {
  store: async (shop, folder) => {
    const place = `${folder}/tasks.db`
    const database = await openDatabase(place)
    return {
      tasks: new StoredTasks({ store: new SqliteTaskStore(database), events: shop, ...POLL }),
      place,
      // One process at a time runs the tasks of a store.
      maxWorkers: 1,
      connect: async () => {},
      stop: async () => database.close(),
    }
  },
  dbos: async () => {
    const server = await startPostgres()
    const place = server.connectionString
    let client: DBOSClient | undefined
    return {
      // The workers make the tables.
      get tasks() {
        return new DbosTasks({ dbos: client!, workflow: 'order', queue: 'orders', ...POLL })
      },
      place,
      maxWorkers: 8,
      connect: async () => {
        client = await DBOSClient.create({ systemDatabaseUrl: place, applicationName: 'shop' })
      },
      stop: async () => {
        await client?.destroy()
        await server.stop()
      },
    }
  },
  restate: async (shop) => {
    const server = await startRestate()
    return {
      tasks: new RestateTasks({ ingress: server.ingress, service: 'order', events: shop, ...POLL }),
      place: server.ingress,
      maxWorkers: 50,
      connect: (uri) => registerServices(server, uri),
      stop: () => server.stop(),
    }
  },
}

/** Starts an engine. */
export function startEngine(name: EngineName, shop: Shop, folder: string): Promise<Engine> {
  return STARTS[name](shop, folder)
}
