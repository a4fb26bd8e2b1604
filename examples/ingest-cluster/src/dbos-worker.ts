/**
 * A worker of DBOS: ingests documents from the queue until it dies.
 */
import { DBOS } from '@dbos-inc/dbos-sdk'
import { ingestionWorkflow, WorkerReaper } from '@x/dbos'
import pg from 'pg'
import { APPLICATION, DEAD_AFTER_MS, dbosConfig, WORKFLOW, type WorkerOptions } from './dbos-engine.ts'
import { pipelineOf } from './documents.ts'

const { connectionString, modelUrl, executorID } = JSON.parse(process.argv[2]!) as WorkerOptions

const pool = new pg.Pool({ connectionString, max: 8 })
pool.on('error', ({ message }) => console.error(message))
const pipeline = await pipelineOf(pool, modelUrl)

DBOS.setConfig(dbosConfig(connectionString, executorID))
ingestionWorkflow({
  dbos: DBOS,
  name: WORKFLOW,
  ingest: (document, options) => pipeline.ingest(document, options),
  // The provider states how long to wait; with many workers, a request may have to wait often.
  retry: { maxAttempts: 50 },
})
const reaper = new WorkerReaper({
  dbos: DBOS,
  pool,
  application: APPLICATION,
  executorID,
  intervalMs: DEAD_AFTER_MS / 4,
  deadAfterMs: DEAD_AFTER_MS,
  onTakeover: (takeovers) => console.log(`took over ${takeovers.length} documents`),
  onError: console.error,
})
await reaper.start()
await DBOS.launch()
console.log('ready')
// The input ends with the process that started this one.
process.stdin.on('close', () => process.exit()).resume()
