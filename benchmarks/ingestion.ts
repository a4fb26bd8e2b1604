/**
 * Ingestion of 10,000 documents with an embedding model that needs 150 ms for a request of 100 texts, beside the time that the requests alone
 * need, and 20,000 documents into SQLite: the time of a document while the store grows, and the memory. Exits with 1 when a bar is missed.
 *
 * @example npm run bench -- ingestion
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Document } from '../packages/core-model/src/index.ts'
import { openDatabase, SqliteDocumentStore, SqliteKeywordRetriever } from '../packages/integrations/sqlite/src/index.ts'
import { fromContent, MarkdownNodeParser } from '../packages/node-parser/src/index.ts'
import { IngestionPipeline, type IngestionPipelineOptions, VectorRetriever } from '../packages/retrieval/src/index.ts'
import { SimpleDocumentStore } from '../packages/storage/src/index.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

let missed = 0
const print = (line: string) => process.stdout.write(`${line}\n`)
function bar(met: boolean, what: string): void {
  if (!met) missed++
  print(`  ${met ? 'ok' : 'MISSED'}: ${what}`)
}

const REQUEST_MS = 150
const DIMENSION = 64

/** Answers each request after a fixed time. */
class SlowEmbedding {
  readonly embedBatchSize = 100
  requests = 0
  async getQueryEmbedding() {
    return this.vectorOf('')
  }
  async getTextEmbedding(text: string) {
    return this.vectorOf(text)
  }
  async getTextEmbeddingBatch(texts: readonly string[]) {
    this.requests++
    await new Promise((resolve) => setTimeout(resolve, REQUEST_MS))
    return texts.map((text) => this.vectorOf(text))
  }
  private vectorOf(text: string) {
    return Array.from({ length: DIMENSION }, (_, i) => ((text.charCodeAt(i % (text.length || 1)) || 1) % 31) - 15)
  }
}

const document = (i: number, edit = '') =>
  new Document({
    id: `d${i}`,
    text: `# Document ${i}\n\nAbout the subject ${i}${edit}. ${'More words follow. '.repeat(20)}`,
  })

function* documents(count: number, edit = ''): Generator<Document> {
  for (let i = 0; i < count; i++) yield document(i, edit)
}

const parser = () => new MarkdownNodeParser({ idFunc: fromContent() })

async function seconds(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await run()
  return (performance.now() - start) / 1000
}

async function requests(where: string, target: Pick<IngestionPipelineOptions, 'store' | 'indexes'>): Promise<void> {
  const COUNT = 10_000
  const embedModel = new SlowEmbedding()
  const pipeline = new IngestionPipeline({ transformations: [parser()], embedModel, ...target })
  const time = await seconds(() => pipeline.run(documents(COUNT)))
  const alone = (COUNT / embedModel.embedBatchSize) * (REQUEST_MS / 1000)
  print(`${where}: ${COUNT} documents in ${time.toFixed(1)} s, ${embedModel.requests} requests, which need ${alone} s`)
  bar(time / alone <= 1.3, `${(time / alone).toFixed(2)} of the time of the requests alone (at most 1.3)`)
  const unchanged = await seconds(() => pipeline.run(documents(COUNT)))
  print(`  unchanged: ${unchanged.toFixed(1)} s, ${embedModel.requests} requests in all`)
}

async function growth(directory: string): Promise<void> {
  const [COUNT, PART] = [20_000, 2_000]
  const database = await openDatabase(join(directory, 'growth.db'), { durability: 'normal' })
  const pipeline = new IngestionPipeline({
    transformations: [parser()],
    store: new SqliteDocumentStore(database),
    indexes: [new SqliteKeywordRetriever(database)],
  })
  collect()
  const before = process.memoryUsage().heapUsed
  const times: number[] = []
  let [heap, start] = [0, process.cpuUsage()]
  await pipeline.run(documents(COUNT), {
    onProgress: ({ done }) => {
      if (done % PART !== 0) return
      const { user, system } = process.cpuUsage(start)
      times.push((user + system) / 1000 / PART)
      collect()
      heap = Math.max(heap, process.memoryUsage().heapUsed - before)
      start = process.cpuUsage()
    },
  })
  const ratio = times.at(-1)! / times[0]!
  print(
    `SQLite: ${COUNT} documents, ${times[0]!.toFixed(2)} ms each at the start, ${times.at(-1)!.toFixed(2)} ms at the end`,
  )
  bar(ratio <= 1.3, `time per document ×${ratio.toFixed(2)} (at most 1.3)`)
  bar(heap <= 40 * 2 ** 20, `heap ${(heap / 2 ** 20).toFixed(1)} MB (at most 40)`)
  database.close()
}

const directory = mkdtempSync(join(tmpdir(), 'ingestion-'))
try {
  const embedModel = new SlowEmbedding()
  await requests('memory', { store: new SimpleDocumentStore(), indexes: [new VectorRetriever({ embedModel })] })
  const database = await openDatabase(join(directory, 'requests.db'), { durability: 'normal' })
  await requests('SQLite', {
    store: new SqliteDocumentStore(database),
    indexes: [new SqliteKeywordRetriever(database)],
  })
  database.close()
  await growth(directory)
} finally {
  rmSync(directory, { recursive: true })
}
process.exitCode = missed === 0 ? 0 : 1
