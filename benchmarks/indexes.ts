/**
 * Searches of 20,000 nodes in every index: by words and by meaning, with and without filters. The scores must be those in memory, and a filter
 * may cost at most half of a search more in SQLite, and two searches more in Postgres. Starts Postgres, and the embedded one that has pgvector. Exits with 1 when a bar is missed.
 *
 * @example npm run bench -- indexes
 */
import { QueryBundle, TextNode } from '../packages/core-model/src/index.ts'
import {
  openDatabase as openPostgres,
  PostgresKeywordRetriever,
  PostgresVectorRetriever,
} from '../packages/integrations/postgres/src/index.ts'
import { embeddedPostgres } from '../packages/integrations/postgres/test/embedded-postgres.ts'
import {
  openDatabase as openSqlite,
  SqliteKeywordRetriever,
  SqliteVectorRetriever,
} from '../packages/integrations/sqlite/src/index.ts'
import {
  Bm25Retriever,
  type FiltersInput,
  type IngestionIndex,
  type Retriever,
  VectorRetriever,
} from '../packages/retrieval/src/index.ts'
import { newPool } from '../tools/postgres-pool.ts'
import { startPostgres } from '../tools/postgres-server.ts'

const SIZE = 20_000
const DIMENSION = 128
const SEARCHES = 15

let missed = 0
const print = (line: string) => process.stdout.write(`${line}\n`)
function bar(met: boolean, what: string): void {
  if (!met) missed++
  print(`  ${met ? 'ok' : 'MISSED'}: ${what}`)
}

let state = 7
function next(): number {
  state = (state * 1664525 + 1013904223) % 4294967296
  return state / 4294967296
}
/** Words whose frequency falls with their rank, as in real texts. */
const text = (length: number) => Array.from({ length }, () => `w${Math.floor(50_000 ** next()).toString(36)}`).join(' ')
const vector = () => Array.from({ length: DIMENSION }, () => next() - 0.5)

const nodes = Array.from({ length: SIZE }, (_, i) => {
  const metadata = { tenant: `t${i % 200}`, half: i % 2 }
  return new TextNode({
    id: `${i}`,
    text: text(60),
    metadata,
    excludedEmbedMetadataKeys: Object.keys(metadata),
    embedding: vector(),
  })
})
const queries = Array.from({ length: SEARCHES }, () => new QueryBundle({ queryStr: text(8), embedding: vector() }))
const filters: Record<string, FiltersInput | undefined> = {
  'no filter': undefined,
  'one in 200': [{ key: 'tenant', value: 't7' }],
  'one in two': [{ key: 'half', value: 1 }],
  'not in SQL': [{ key: 'tenant', operator: 'text_match', value: 'T7' }],
}
const none = () => Promise.reject(new Error('every node has its vector'))
const embedModel = { getQueryEmbedding: none, getTextEmbedding: none, getTextEmbeddingBatch: none }

const server = await startPostgres()
const pool = newPool(server.connectionString)
const embedded = await embeddedPostgres()
type Index = IngestionIndex & Retriever
const indexes: Record<'words' | 'meaning', Record<string, () => Promise<Index>>> = {
  words: {
    memory: async () => new Bm25Retriever(),
    SQLite: async () => new SqliteKeywordRetriever(await openSqlite(':memory:')),
    Postgres: async () => new PostgresKeywordRetriever(await openPostgres(pool)),
  },
  meaning: {
    memory: async () => new VectorRetriever({ embedModel, similarityTopK: 10 }),
    SQLite: async () => new SqliteVectorRetriever(await openSqlite(':memory:'), { embedModel, similarityTopK: 10 }),
    'Postgres (embedded)': async () =>
      new PostgresVectorRetriever(await openPostgres(embedded.pool, { pgvector: true }), {
        embedModel,
        similarityTopK: 10,
      }),
  },
}

/** The median milliseconds of a search, and the ids and scores of all searches. */
async function measure(index: Index, filter: FiltersInput | undefined) {
  const times: number[] = []
  const results: string[] = []
  for (const query of queries) {
    const start = performance.now()
    const found = await index.retrieve(query, { filters: filter })
    times.push(performance.now() - start)
    results.push(found.map(({ id, score }) => `${id} ${score!.toFixed(4)}`).join())
  }
  return { time: times.sort((a, b) => a - b)[times.length >> 1]!, results }
}

for (const [kind, all] of Object.entries(indexes)) {
  print(`\n${SIZE.toLocaleString('en')} nodes, by ${kind}: milliseconds of a search (median)`)
  print(
    `  ${''.padEnd(20)} µs to add  ${Object.keys(filters)
      .map((name) => name.padStart(11))
      .join('')}`,
  )
  const expected = new Map<string, string[]>()
  for (const [name, create] of Object.entries(all)) {
    const index = await create()
    const start = performance.now()
    for (let at = 0; at < SIZE; at += 200) await index.add(nodes.slice(at, at + 200))
    const adding = ((performance.now() - start) * 1000) / SIZE
    if (name.startsWith('Postgres')) {
      const database = kind === 'words' ? pool : embedded.pool
      await database.query('analyze')
    }
    const times: number[] = []
    let isSame = true
    await measure(index, undefined)
    for (const [what, filter] of Object.entries(filters)) {
      const { time, results } = await measure(index, filter)
      times.push(time)
      const known = expected.get(what)
      if (known) isSame &&= results.every((result, i) => result === known[i])
      else expected.set(what, results)
    }
    print(
      `  ${name.padEnd(20)} ${adding.toFixed(0).padStart(9)}  ${times.map((time) => time.toFixed(1).padStart(11)).join('')}`,
    )
    if (name === 'memory') continue
    if (kind === 'words') bar(isSame, 'the nodes and scores in memory')
    const most = name === 'SQLite' ? 1.5 : 3
    bar(Math.max(...times.slice(1)) < most * times[0]!, `with any filter at most ${most} times the time without`)
  }
}

await pool.end()
await embedded.stop()
await server.stop()
print(missed === 0 ? '\nAll bars met.' : `\n${missed} bars missed.`)
process.exitCode = missed === 0 ? 0 : 1
