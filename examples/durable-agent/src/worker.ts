/**
 * @module
 * A worker process: `worker.ts PORT ENGINE PLACE SHOP SLOW_MS INDEX`. Runs the agent of orders on an engine, and prints its port when it is
 * ready.
 */
import { DBOS } from '@dbos-inc/dbos-sdk'
import * as restate from '@restatedev/restate-sdk'
import { agentWorkflow as dbosWorkflow } from '@x/dbos'
import { StoredTasks, type TaskRun } from '@x/durable'
import { agentWorkflow as restateWorkflow } from '@x/restate'
import { reportTo } from '@x/restate/client'
import { openDatabase, SqliteTaskStore } from '@x/sqlite'
import type { EngineName } from './engines.ts'
import { orderAgent } from './order-agent.ts'
import { Shop } from './shop.ts'

const [port = '0', engine = '', place = '', path = '', slowMs = '', index = ''] = process.argv.slice(2)
const shop = new Shop(path)
const agent = (run: TaskRun) => orderAgent(run, shop, Number(slowMs))

const STARTS: Readonly<Record<EngineName, () => Promise<number>>> = {
  store: async () => {
    const store = new SqliteTaskStore(await openDatabase(place))
    await new StoredTasks({ store, agent, events: shop, pollingIntervalMs: 100, leaseMs: 2000 }).start()
    return 0
  },
  dbos: async () => {
    // A worker that comes back with its id continues its tasks.
    const executorID = `worker-${index}`
    const logger = { info() {}, debug() {}, warn() {}, error: console.error }
    DBOS.setConfig({ name: 'shop', systemDatabaseUrl: place, executorID, applicationVersion: '1', logger })
    dbosWorkflow({ dbos: DBOS, name: 'order', agent, streamEvents: true })
    await DBOS.launch()
    await DBOS.registerQueue('orders', { workerConcurrency: 10, minPollingIntervalMs: 100 })
    return 0
  },
  restate: () =>
    restate.serve({
      services: [restateWorkflow({ restate, name: 'order', agent, onEvent: reportTo(shop) })],
      port: Number(port),
    }),
}

console.log(await STARTS[engine as EngineName]())
process.stdin.on('close', () => process.exit()).resume()
