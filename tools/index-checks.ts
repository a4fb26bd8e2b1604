/**
 * Runs the checks of the contract of indexes on every index of this repository, and prints one row per check with a column per index. Exits
 * with 1 when a check fails. Postgres and its embedded form, which has pgvector, are started.
 *
 * @example npm run index-checks
 */
import { Bm25Retriever, VectorRetriever } from '@x/retrieval'
import { IndexedDBKeywordRetriever, IndexedDBVectorRetriever } from '@x/retrieval/indexeddb'
import { type IndexCheckOptions, indexChecks, LetterEmbedding } from '@x/testing/retrieval'
import { IDBFactory } from 'fake-indexeddb'
import 'fake-indexeddb/auto'
import pg from 'pg'
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
import { startPostgres } from './postgres-server.ts'

const print = (line: string) => process.stdout.write(`${line}\n`)
const server = await startPostgres()
const pool = new pg.Pool({ connectionString: server.connectionString })
const embedded = await embeddedPostgres()
let schemas = 0
const schema = () => ({ schema: `check_${schemas++}` })
const vectors = { embedModel: new LetterEmbedding(), similarityTopK: 10 }
const browser = () => ({ indexedDB: new IDBFactory(), durability: 'relaxed' as const })

const indexes: Record<IndexCheckOptions['kind'], Record<string, Parameters<typeof indexChecks>[0]>> = {
  words: {
    memory: (options) => new Bm25Retriever(options),
    'node:sqlite': async (options) =>
      new SqliteKeywordRetriever(await openSqlite(':memory:', { library: 'node:sqlite' }), options),
    'better-sqlite3': async (options) =>
      new SqliteKeywordRetriever(await openSqlite(':memory:', { library: 'better-sqlite3' }), options),
    Postgres: async (options) => new PostgresKeywordRetriever(await openPostgres(pool, schema()), options),
    IndexedDB: (options) => IndexedDBKeywordRetriever.open('words', { ...browser(), ...options }),
  },
  vectors: {
    memory: (options) => new VectorRetriever({ ...vectors, ...options }),
    'node:sqlite': async (options) =>
      new SqliteVectorRetriever(await openSqlite(':memory:', { library: 'node:sqlite' }), { ...vectors, ...options }),
    'better-sqlite3': async (options) =>
      new SqliteVectorRetriever(await openSqlite(':memory:', { library: 'better-sqlite3' }), {
        ...vectors,
        ...options,
      }),
    Postgres: async (options) =>
      new PostgresVectorRetriever(await openPostgres(embedded.pool, { ...schema(), pgvector: true }), {
        ...vectors,
        ...options,
      }),
    IndexedDB: (options) => IndexedDBVectorRetriever.open('vectors', { ...browser(), ...vectors, ...options }),
  },
}

let failed = 0
for (const kind of ['words', 'vectors'] as const) {
  const all = Object.entries(indexes[kind]).map(
    ([name, create]) => [name, indexChecks(create, { kind, hasBm25Scores: kind === 'words' })] as const,
  )
  const names = all.map(([name]) => name)
  print(`\nAn index of ${kind} ${''.padEnd(74 - kind.length - 12)} ${names.map((name) => name.padEnd(14)).join(' ')}`)
  for (const [at, { name }] of all[0]![1].entries()) {
    const cells: string[] = []
    for (const [, checks] of all) {
      const start = performance.now()
      const error = await checks[at]!.run().then(
        () => null,
        (reason: unknown) => reason,
      )
      if (error !== null) failed++
      cells.push(error === null ? `ok ${(performance.now() - start).toFixed(0).padStart(5)} ms` : `FAILED: ${error}`)
    }
    print(`  ${name.padEnd(76)} ${cells.map((cell) => cell.padEnd(14)).join(' ')}`)
  }
}
await pool.end()
await embedded.stop()
await server.stop()
print(failed === 0 ? '\nEvery check passed.' : `\n${failed} checks failed.`)
process.exitCode = failed === 0 ? 0 : 1
