/**
 * A worker that is killed: runs the tasks of one queue until it dies.
 */
import { DBOS } from '@dbos-inc/dbos-sdk'
import { durableAgent } from '@x/durable'
import pg from 'pg'
import { sixSteps } from '../../../durable/test/kill-rounds/six-steps.ts'
import { agentWorkflow } from '../src/agent-workflow.ts'
import { WorkerReaper } from '../src/worker-reaper.ts'
import { configOf, type KillWorkerOptions } from './launch.ts'

const { url, executorID, queue, file, deadAfterMs } = JSON.parse(process.argv[2]!) as KillWorkerOptions
DBOS.setConfig(configOf(url, { executorID, listenQueues: [queue] }))
agentWorkflow({
  dbos: DBOS,
  name: 'six steps',
  agent: durableAgent(() => sixSteps(file)),
})
const intervalMs = deadAfterMs / 4
const pool = new pg.Pool({ connectionString: url, max: 1 })
// The reaper tries again; without a handler a lost connection ends the process.
pool.on('error', console.error)
const reaper = new WorkerReaper({
  dbos: DBOS,
  pool,
  application: 'tests',
  executorID,
  intervalMs,
  deadAfterMs,
  // On a slow machine, workers that are alive count as dead too.
  maxTakeovers: 1_000_000,
  onError: console.error,
})
await reaper.start()
await DBOS.launch()
console.log('ready')
