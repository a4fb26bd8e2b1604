/**
 * The stores and indexes in SQLite while they grow to 100,000 documents: memory, the cost of one more document, searches.
 * Exits with 1 when a bar is missed. Times are of the processor; those of one more document and of searches are medians.
 *
 * @example npm run bench -- storage
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TextNode } from '../packages/core-model/src/index.ts'
import {
  openDatabase,
  SqliteDocumentStore,
  SqliteKeywordRetriever,
  SqliteVectorRetriever,
} from '../packages/integrations/sqlite/src/index.ts'

const SIZES = [1_000, 10_000, 100_000]
const DIMENSION = 384
/** Documents that are added in one call while a store grows, and those whose addition is measured at each size. */
const BATCH = 200

let missed = 0
const print = (line: string) => process.stdout.write(`${line}\n`)
function bar(met: boolean, what: string): void {
  if (!met) missed++
  print(`  ${met ? 'ok' : 'MISSED'}: ${what}`)
}

let state = 1
function random(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return state / 2 ** 32
}

const words = Array.from({ length: 20_000 }, (_, i) => `w${(i * 7919).toString(36)}`)
/** About 1 kB of words, the frequent ones more often. */
const textOf = () => Array.from({ length: 170 }, () => words[Math.floor(words.length * random() ** 3)]).join(' ')
const median = (times: number[]) => times.sort((one, other) => one - other)[times.length >> 1]!
const megabytes = () => process.memoryUsage().rss / 2 ** 20

/** Milliseconds of processor time, which other work on the machine changes little. */
async function timed(run: () => unknown): Promise<number> {
  const start = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

/** Two nodes of a source document. */
function nodesOf(n: number): TextNode[] {
  return ['a', 'b'].map(
    (part) =>
      new TextNode({ id: `d${n}/${part}`, text: textOf(), metadata: { n }, relationships: { 1: { nodeId: `d${n}` } } }),
  )
}

const directory = mkdtempSync(join(tmpdir(), 'x-bench-'))

/** Grows to each size, in batches, and measures the cost of one more there. */
async function grow(
  name: string,
  add: (first: number, count: number) => unknown,
  search?: () => Promise<unknown>,
): Promise<void> {
  print(name)
  const before = megabytes()
  let size = 0
  let peak = 0
  const costs: number[] = []
  for (const target of SIZES) {
    const first = size
    const filling = await timed(async () => {
      for (; size < target; size += BATCH) {
        await add(size, BATCH)
        peak = Math.max(peak, megabytes())
      }
    })
    const each = filling / (size - first)
    const times: number[] = []
    for (let i = 0; i < BATCH; i++, size++) times.push(await timed(() => add(size, 1)))
    costs.push(median(times))
    const searches = search ? await searchTimes(search) : ''
    print(
      `  ${target} documents: ${each.toFixed(3)} ms each, one more ${costs.at(-1)!.toFixed(3)} ms${searches}, ${peak.toFixed(0)} MB`,
    )
  }
  bar(peak - before < 150, `at most 150 MB more memory: ${(peak - before).toFixed(0)} MB`)
  const growth = costs.at(-1)! / costs[0]!
  bar(growth < 2, `one more document at 100,000 costs less than twice as much as at 1,000: ${growth.toFixed(2)} times`)
}

async function searchTimes(search: () => Promise<unknown>): Promise<string> {
  const times: number[] = []
  for (let i = 0; i < 15; i++) times.push(await timed(search))
  return `, a search ${median(times).toFixed(1)} ms`
}

try {
  // The time of flushing the disk is not measured here.
  const open = (name: string, sqliteVec = false) =>
    openDatabase(join(directory, name), { durability: 'normal', sqliteVec })
  const range = (first: number, length: number) => Array.from({ length }, (_, i) => first + i)
  const database = await open('documents.db')
  const store = new SqliteDocumentStore(database)
  await grow('SqliteDocumentStore: upsert of documents of two nodes of 1 kB', (first, count) =>
    store.upsert(range(first, count).flatMap(nodesOf)),
  )
  print(`  ${(statSync(database.path).size / 2 ** 20).toFixed(0)} MB on the disk`)
  let count = 0
  const before = megabytes()
  let peak = 0
  const reading = await timed(async () => {
    for await (const _ of store.nodes()) if (++count % 1000 === 0) peak = Math.max(peak, megabytes())
  })
  print(`  all ${count} nodes read in ${(reading / 1000).toFixed(1)} s, ${(peak - before).toFixed(0)} MB more`)
  database.close()

  const keywords = new SqliteKeywordRetriever(await open('keywords.db'))
  const query = () => `${words[Math.floor(random() * 200)]} ${words[2000]} ${words[Math.floor(random() * 9000)]}`
  await grow(
    'SqliteKeywordRetriever: add of nodes of 1 kB, search of three words',
    (first, count) => keywords.add(range(first, count).map((n) => new TextNode({ id: `n${n}`, text: textOf() }))),
    () => keywords.retrieve(query()),
  )

  const vector = () => Array.from({ length: DIMENSION }, () => random() - 0.5)
  const embedModel = {
    getQueryEmbedding: async () => vector(),
    getTextEmbedding: async () => vector(),
    getTextEmbeddingBatch: async (texts: readonly string[]) => texts.map(vector),
  }
  const vectors = new SqliteVectorRetriever(await open('vectors.db'), { embedModel })
  await grow(
    `SqliteVectorRetriever: add of nodes with ${DIMENSION} numbers, search`,
    (first, count) => vectors.add(range(first, count).map((n) => new TextNode({ id: `n${n}`, text: `node ${n}` }))),
    () => vectors.retrieve('q'),
  )
  const extended = new SqliteVectorRetriever(await open('vectors.db', true), { embedModel })
  print(`  with sqlite-vec${await searchTimes(() => extended.retrieve('q'))}`)
} finally {
  rmSync(directory, { recursive: true })
}
process.exitCode = missed === 0 ? 0 : 1
