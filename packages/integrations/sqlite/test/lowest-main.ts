/** Runs the checks of all stores and a search by words and meaning. Prints the versions of SQLite and sqlite-vec. */
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { type TaskStore, TextNode } from '@x/core-model'
import { TableEmbedding } from '@x/llm/testing'
import { taskStoreChecks } from '@x/testing/agents'
import { chatStoreChecks, documentStoreChecks } from '@x/testing/storage'
import {
  openDatabase,
  SqliteChatStore,
  SqliteDocumentStore,
  SqliteKeywordRetriever,
  SqliteTaskStore,
  SqliteVectorRetriever,
} from '../src/index.ts'

const open = () => openDatabase(':memory:', { library: 'better-sqlite3', sqliteVec: true })
const checks = [
  ...chatStoreChecks(async () => new SqliteChatStore(await open())),
  ...documentStoreChecks(async () => new SqliteDocumentStore(await open())),
  ...taskStoreChecks(async (): Promise<TaskStore> => new SqliteTaskStore(await open())),
]
for (const { run } of checks) await run()

const database = await open()
const nodes = ['red wine', 'grapes', 'bread'].map((text) => new TextNode({ id: text, text }))
const words = new SqliteKeywordRetriever(database)
words.add(nodes)
assert.deepEqual(
  (await words.retrieve('wine')).map(({ id }) => id),
  ['red wine'],
)
const texts = { 'red wine': [1, 0.3], grapes: [1, 0.1], bread: [0, 1] }
const embedModel = new TableEmbedding({ texts, queries: { wine: [1, 0.2] } })
const meaning = new SqliteVectorRetriever(database, { embedModel, similarityTopK: 2 })
await meaning.add(nodes)
const found = await meaning.retrieve('wine')
assert.deepEqual(found.map(({ id }) => id).sort(), ['grapes', 'red wine'])

const { version } = createRequire(import.meta.url)('better-sqlite3/package.json') as { version: string }
console.log(version, database.get('select vec_version() as version')?.['version'])
