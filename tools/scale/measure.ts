/**
 * Measures the inputs of the simulation and of `main.ts` on this machine: sizes on disk and times of one document, one step of an
 * agent and one task that waits.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DBOS } from '@dbos-inc/dbos-sdk'
import { FunctionCallingAgent, FunctionTool, journal } from '@x/agents'
import { ChatMessage, Document, LLMMetadata, type TaskStore, type TextNode } from '@x/core-model'
import { agentWorkflow } from '@x/dbos'
import { DbosTasks } from '@x/dbos/client'
import { durableAgent, type TaskRun } from '@x/durable'
import { ScriptedLLM } from '@x/llm/testing'
import { fromContent, MarkdownElementNodeParser } from '@x/node-parser'
import { openDatabase, PostgresDocumentStore, PostgresTaskStore } from '@x/postgres'
import { IngestionPipeline, type IngestionStore } from '@x/retrieval'
import { openDatabase as openFile, SqliteDocumentStore, SqliteTaskStore } from '@x/sqlite'
import pg from 'pg'
import { startPostgres } from '../postgres-server.ts'

const DOCUMENTS = 400
const TASKS = 200
const WAITING = 500
/** The turns of a task. */
export const TURNS = 6

/** Times in seconds, sizes in bytes. */
export interface DocumentCosts {
  markdown: number
  nodes: number
  parseCpu: number
  sqlite: { bytes: number; seconds: number }
  postgres: { bytes: number; seconds: number; secondsAtOnce: number }
}

export interface TaskCosts {
  /** A task of six turns with an output of 2 kB in five of them, per store. */
  sqlite: number
  postgres: number
  dbos: { bytes: number; callsPerSecond: number; callSeconds: number }
  /** A task that waits for a decision in DBOS, after one turn. */
  waiting: { bytes: number; queriesPerSecond: number }
}

const makeParser = () =>
  new MarkdownElementNodeParser({
    idFunc: fromContent(),
    summarizer: () => ({ summary: 'Prices and places of parts.', tableTitle: null, tableId: null, columns: [] }),
  })

/** Parses documents and stores them in both databases. */
export async function measureDocuments(): Promise<DocumentCosts> {
  const documents = Array.from({ length: DOCUMENTS }, (_, i) => exampleDocument(i))
  const parser = makeParser()
  await parser.transform(documents.slice(0, 50))
  const started = process.cpuUsage()
  let nodes: readonly TextNode[] = []
  for (const document of documents) nodes = await parser.transform([document])
  const { user, system } = process.cpuUsage(started)
  return {
    markdown: documents.reduce((sum, { text }) => sum + text.length, 0) / DOCUMENTS,
    nodes: nodes.length,
    parseCpu: (user + system) / 1e6 / DOCUMENTS,
    sqlite: await withFile(async (path) => {
      const database = await openFile(path)
      const seconds = await ingestAll(documents, new SqliteDocumentStore(database), 1)
      database.close()
      return { bytes: (await stat(path)).size / DOCUMENTS, seconds: seconds / DOCUMENTS }
    }),
    postgres: await withPool(async (pool) => {
      const store = new PostgresDocumentStore(await openDatabase(pool))
      const empty = await sizeOf(pool)
      const seconds = await ingestAll(documents.slice(0, DOCUMENTS / 2), store, 1)
      const secondsAtOnce = await ingestAll(documents.slice(DOCUMENTS / 2), store, 8)
      const bytes = ((await sizeOf(pool)) - empty) / DOCUMENTS
      return { bytes, seconds: seconds / (DOCUMENTS / 2), secondsAtOnce: secondsAtOnce / (DOCUMENTS / 2) }
    }),
  }
}

/** Returns the seconds that storing takes, without parsing. */
async function ingestAll(documents: readonly Document[], store: IngestionStore, atOnce: number): Promise<number> {
  const parser = makeParser()
  const parsed = new Map<string, readonly TextNode[]>()
  for (const document of documents) parsed.set(document.id, await parser.transform([document]))
  const transformations = [{ transform: async ([document]: readonly TextNode[]) => parsed.get(document!.id)! }]
  const pipeline = new IngestionPipeline({ transformations, store })
  const started = performance.now()
  const queue = [...documents]
  const lane = async () => {
    for (let document = queue.pop(); document; document = queue.pop()) await pipeline.ingest(document)
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return (performance.now() - started) / 1000
}

/** Runs tasks in both task stores and in DBOS. */
export async function measureTasks(): Promise<TaskCosts> {
  return {
    sqlite: await withFile(async (path) => {
      const database = await openFile(path)
      await runTasks(new SqliteTaskStore(database))
      database.close()
      return (await stat(path)).size / TASKS
    }),
    postgres: await withPool(async (pool) => {
      const store = new PostgresTaskStore(await openDatabase(pool))
      const empty = await sizeOf(pool)
      await runTasks(store)
      return ((await sizeOf(pool)) - empty) / TASKS
    }),
    ...(await measureDbos()),
  }
}

async function runTasks(taskStore: TaskStore): Promise<void> {
  for (let i = 0; i < TASKS; i++)
    await agentOf()({ taskStore: journal(taskStore) }).chat('Order all parts.', { taskId: `task-${i}` })
}

async function measureDbos(): Promise<Pick<TaskCosts, 'dbos' | 'waiting'>> {
  const logger = { info() {}, debug() {}, warn() {}, error() {} }
  return withPool(async (pool, systemDatabaseUrl) => {
    DBOS.setConfig({ name: 'scale', systemDatabaseUrl, executorID: 'one', applicationVersion: 'one', logger })
    agentWorkflow({ dbos: DBOS, name: 'six turns', agent: agentOf() })
    agentWorkflow({ dbos: DBOS, name: 'waits', agent: agentOf({ needsApproval: true }) })
    await DBOS.launch()
    await DBOS.registerQueue('agents', { minPollingIntervalMs: 50 })
    const running = new DbosTasks({ dbos: DBOS, workflow: 'six turns', queue: 'agents', pollingIntervalMs: 100 })
    const waiting = new DbosTasks({ dbos: DBOS, workflow: 'waits', queue: 'agents', pollingIntervalMs: 100 })
    await running.answer(await running.submit('Order one part.', { taskId: 'first' }))

    const empty = await sizeOf(pool)
    const started = performance.now()
    const ids = await Promise.all(
      Array.from({ length: TASKS }, (_, i) => running.submit('Order all parts.', { taskId: `task-${i}` })),
    )
    await Promise.all(ids.map((id) => running.answer(id)))
    const seconds = (performance.now() - started) / 1000
    const calls = TASKS * (2 * TURNS - 1)
    const alone = performance.now()
    for (let i = 0; i < 10; i++)
      await running.answer(await running.submit('Order all parts.', { taskId: `alone-${i}` }))
    const callSeconds = (performance.now() - alone) / 1000 / 10 / (2 * TURNS - 1)
    const bytes = ((await sizeOf(pool)) - empty) / (TASKS + 10)

    // The server counts transactions late.
    const idle = async () => {
      await sleep(12_000)
      const queries = await queriesOf(pool)
      await sleep(10_000)
      return ((await queriesOf(pool)) - queries) / 10
    }
    const withoutTasks = await idle()
    const before = await sizeOf(pool)
    for (let i = 0; i < WAITING; i++) await waiting.submit('Order all parts.', { taskId: `waits-${i}` })
    while ((await waiting.status(`waits-${WAITING - 1}`)) !== 'waiting') await sleep(100)
    await sleep(1000)
    const together = await idle()
    const bytesWaiting = ((await sizeOf(pool)) - before) / WAITING
    await DBOS.shutdown()
    return {
      dbos: { bytes, callsPerSecond: calls / seconds, callSeconds },
      waiting: {
        bytes: bytesWaiting,
        queriesPerSecond: (together - withoutTasks) / WAITING,
      },
    }
  })
}

/** Returns what makes an agent that orders a part in each turn but the last, with a model that takes so many milliseconds. */
export function agentOf({ needsApproval = false, modelMs = 0 } = {}) {
  const order = FunctionTool.fromDefaults({
    name: 'order',
    schema: { type: 'object', properties: { part: { type: 'integer' } }, required: ['part'] },
    needsApproval,
    // Random, because databases compress what repeats.
    fn: ({ part }) => `${part} ${randomBytes(750).toString('base64')} ${randomBytes(750).toString('base64')}`,
  })
  const llm = new ScriptedLLM({
    async answers(messages) {
      if (modelMs > 0) await sleep(modelMs)
      const part = messages.filter(({ role }) => role === 'tool').length
      if (part === TURNS - 1) return 'All are ordered.'
      const tool_calls = [{ id: `call-${part}`, name: 'order', arguments: { part } }]
      return new ChatMessage({ role: 'assistant', content: null, additionalKwargs: { tool_calls } })
    },
    metadata: new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true }),
  })
  return durableAgent((_: Partial<TaskRun>) => ({ llm, tools: [order] }), FunctionCallingAgent)
}

async function sizeOf(pool: pg.Pool): Promise<number> {
  await pool.query('vacuum')
  const { rows } = await pool.query('select pg_database_size(current_database()) as size')
  return Number(rows[0].size)
}

async function queriesOf(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query(
    'select xact_commit + xact_rollback as count from pg_stat_database where datname = current_database()',
  )
  return Number(rows[0].count)
}

async function withFile<T>(work: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'scale-'))
  try {
    return await work(join(folder, 'data.sqlite'))
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function withPool<T>(work: (pool: pg.Pool, connectionString: string) => Promise<T>): Promise<T> {
  const server = await startPostgres()
  const pool = new pg.Pool({ connectionString: server.connectionString, max: 8 })
  pool.on('error', () => {})
  try {
    return await work(pool, server.connectionString)
  } finally {
    await pool.end()
    await server.stop()
  }
}

const WORDS =
  'pump valve pressure flow inlet outlet seal shaft motor bearing service interval wear limit torque setting north plant supplier order'.split(
    ' ',
  )
const PARAGRAPHS = 12
const WORDS_PER_PARAGRAPH = 80
const ROWS = 10

/** Returns a Markdown document of about 8 kB with twelve sections and two tables; each number returns a different text. */
function exampleDocument(number: number): Document {
  const word = (i: number) => WORDS[(i * 7 + number * 13 + (i >> 3)) % WORDS.length]!
  const sections = Array.from({ length: PARAGRAPHS }, (_, section) => {
    const words = Array.from({ length: WORDS_PER_PARAGRAPH }, (_, i) => word(section * WORDS_PER_PARAGRAPH + i))
    const table = section % 6 === 3 ? `\n\n${exampleTable(number, section)}` : ''
    return `## Part ${number}.${section}\n\n${words.join(' ')}.${table}`
  })
  return new Document({ id: `document-${number}`, text: `# Document ${number}\n\n${sections.join('\n\n')}\n` })
}

function exampleTable(number: number, section: number): string {
  const rows = Array.from(
    { length: ROWS },
    (_, i) => `| part ${number}-${section}-${i} | ${i * 17 + number} | ${WORDS[i]} |`,
  )
  return ['| part | price | place |', '| --- | ---: | --- |', ...rows].join('\n')
}

/** Times in seconds. */
interface Ingestion {
  /** Of the processor, to parse a document. */
  parseCpu: number
  /** To store a document. */
  storeSeconds: number
  /** The requests per minute that the model allows. */
  perMinute: number
  workers: number
}

/** Documents that each worker has in work. */
const AT_ONCE = 20
/** Documents that the database stores at the same time. */
const WRITERS = 2
/** The mean time of the longer of two calls: each takes a second (median), and its logarithm varies by 0.5. */
const LONGER_CALL = 1.45
/** The time to save the result of a call. */
const SAVE = 0.002
/** Each worker dies once an hour; its documents continue elsewhere after 30 seconds. */
const [DEATHS_PER_SECOND, TAKEOVER] = [1 / 3600, 30]

/** Returns documents per second, and the resource that limits them. */
export function ingestionRate({ parseCpu, storeSeconds, perMinute, workers }: Ingestion) {
  const one = parseCpu + LONGER_CALL + 2 * SAVE + storeSeconds
  const rates = {
    'rate limit': perMinute / 60 / 2,
    'units in work': ((workers * AT_ONCE) / one) * (1 - DEATHS_PER_SECOND * TAKEOVER),
    store: WRITERS / storeSeconds,
    processors: workers / (parseCpu + 2 * SAVE),
  }
  const [limit, perSecond] = Object.entries(rates).sort(([, a], [, b]) => a - b)[0]!
  return { perSecond, limit }
}
