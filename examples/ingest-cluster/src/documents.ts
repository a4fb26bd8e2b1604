/**
 * Generated documents: each has two sections of prose and two tables that no other document has.
 */
import { Document } from '@x/core-model'
import { withCache } from '@x/llm'
import { fromContent, MarkdownElementNodeParser, MarkdownNodeParser } from '@x/node-parser'
import { OpenAI } from '@x/openai'
import { openDatabase, PostgresAnswerCache, PostgresDocumentStore } from '@x/postgres'
import { IngestionPipeline } from '@x/retrieval'
import type pg from 'pg'

/** The number of tables of a document. */
export const TABLES = 2

const goods = ['pears', 'apples', 'plums', 'cherries', 'quinces', 'figs', 'grapes', 'melons']
const towns = ['Lima', 'Oslo', 'Quito', 'Riga', 'Turin', 'Perth', 'Cork', 'Nara']

/** Returns the document with a number. After the change, one document in ten has different prices, and one in ten different prose. */
export function documentOf(number: number, isChanged = false): Document {
  const hasOtherPrices = isChanged && number % 10 === 3
  const hasOtherProse = isChanged && number % 10 === 7
  const title = `Report ${number} of ${pick(towns, number)}`
  const text = [
    `# ${title}`,
    prose(number, hasOtherProse ? 'A late correction. ' : ''),
    '## Prices',
    table(['good', 'price', 'report'], number, hasOtherPrices ? 1000 : 0),
    prose(number + 1, ''),
    '## Harvest',
    table(['good', 'tons', 'report'], number, 500),
  ].join('\n\n')
  return new Document({ id: `report-${number}`, text, metadata: { town: pick(towns, number) } })
}

/** Yields the documents one by one. */
export function* documents(count: number, isChanged = false): Generator<Document> {
  for (let number = 0; number < count; number++) yield documentOf(number, isChanged)
}

function prose(number: number, start: string): string {
  const about = pick(goods, number)
  const sentence = `The ${about} of ${pick(towns, number * 3)} were ${number % 2 ? 'late' : 'early'} this year. `
  return start + sentence.repeat(3 + (number % 4)).trim()
}

function table(header: readonly string[], number: number, base: number): string {
  const rows = Array.from({ length: 4 + (number % 3) }, (_, i) => [
    pick(goods, number + i),
    base + number * 7 + i,
    number,
  ])
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function pick<T>(from: readonly T[], number: number): T {
  return from[number % from.length]!
}

/** How documents are split: around 256 tokens, small sections joined, with the headings above each node. */
export const splitting = {
  idFunc: fromContent(),
  headerPath: true,
  nestedNodeParser: new MarkdownNodeParser({ chunkSize: 256, minChunkSize: 64, headerPath: true }),
}

/** Returns a pipeline that summarizes tables with the model at `modelUrl`, and writes each document in one transaction. */
export async function pipelineOf(pool: pg.Pool, modelUrl: string): Promise<IngestionPipeline> {
  // Without a listener, an idle connection that is lost ends the process.
  pool.on('error', ({ message }) => console.error(message))
  const database = await openDatabase(pool)
  const llm = withCache(new OpenAI({ model: 'summaries', baseUrl: modelUrl }), new PostgresAnswerCache(database))
  return new IngestionPipeline({
    transformations: [new MarkdownElementNodeParser({ ...splitting, llm })],
    store: new PostgresDocumentStore(database),
    transaction: (work) =>
      database.transaction((inside) => work({ store: new PostgresDocumentStore(inside), indexes: [] })),
  })
}
