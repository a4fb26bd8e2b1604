/**
 * A worker of Restate: `restate-worker.ts PORT ADDRESSES`. Serves the ingestion until it dies, and prints its port.
 */
import * as restate from '@restatedev/restate-sdk'
import { ingestionWorkflow } from '@x/restate'
import pg from 'pg'
import { pipelineOf } from './documents.ts'
import type { Addresses } from './engine.ts'

const [port, addresses] = process.argv.slice(2)
const { connectionString, modelUrl } = JSON.parse(addresses!) as Addresses
const pool = new pg.Pool({ connectionString, max: 8 })
pool.on('error', ({ message }) => console.error(message))
const pipeline = await pipelineOf(pool, modelUrl)
const ingestion = ingestionWorkflow({
  restate,
  name: 'ingest',
  ingest: (document, options) => pipeline.ingest(document, options),
  // The provider states how long to wait; with many workers, a request may have to wait often.
  retry: { maxRetryAttempts: 50 },
})
console.log(await restate.serve({ services: [ingestion], port: Number(port) }))
// The input ends with the process that started this one.
process.stdin.on('close', () => process.exit()).resume()
