/**
 * A worker: ingests documents from the queue until it dies.
 */
import { DBOS } from '@dbos-inc/dbos-sdk'
import { withCache } from '@x/core-model'
import { ingestionWorkflow, WorkerReaper } from '@x/dbos'
import { fromContent, MarkdownElementNodeParser } from '@x/node-parser'
import { OpenAI } from '@x/openai'
import { openDatabase, PostgresAnswerCache, PostgresDocumentStore } from '@x/postgres'
import { IngestionPipeline } from '@x/retrieval'
import pg from 'pg'
import { DEAD_AFTER_MS, dbosConfig, WORKFLOW, type WorkerOptions } from './worker-options.ts'

const { connectionString, modelUrl, executorID } = JSON.parse(process.argv[2]!) as WorkerOptions

const pool = new pg.Pool({ connectionString, max: 8 })
const database = await openDatabase(pool)
const llm = withCache(new OpenAI({ model: 'summaries', baseUrl: modelUrl }), new PostgresAnswerCache(database))
const pipeline = new IngestionPipeline({
  transformations: [new MarkdownElementNodeParser({ llm, idFunc: fromContent() })],
  store: new PostgresDocumentStore(database),
  transaction: (work) =>
    database.transaction((inside) => work({ store: new PostgresDocumentStore(inside), indexes: [] })),
})

DBOS.setConfig(dbosConfig(connectionString, executorID))
ingestionWorkflow({
  dbos: DBOS,
  name: WORKFLOW,
  ingest: (document, options) => pipeline.ingest(document, options),
  // The provider says how long to wait; many workers may have to wait often.
  retry: { maxAttempts: 50 },
})
const reaper = new WorkerReaper({
  dbos: DBOS,
  pool,
  executorID,
  intervalMs: DEAD_AFTER_MS / 4,
  deadAfterMs: DEAD_AFTER_MS,
  onTakeover: (takeovers) => console.log(`took over ${takeovers.length} documents`),
})
await reaper.start()
await DBOS.launch()
console.log('ready')
