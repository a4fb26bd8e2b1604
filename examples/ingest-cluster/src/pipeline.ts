/**
 * The pipeline of a worker, the same for both engines.
 */
import { withCache } from '@x/llm'
import { fromContent, MarkdownElementNodeParser, MarkdownNodeParser } from '@x/node-parser'
import { OpenAI } from '@x/openai'
import { openDatabase, PostgresAnswerCache, PostgresDocumentStore } from '@x/postgres'
import { IngestionPipeline } from '@x/retrieval'
import type pg from 'pg'

/** How documents are split: around 256 tokens, small sections joined, with the headings above each node. */
export const splitting = {
  idFunc: fromContent(),
  headerPath: true,
  nestedNodeParser: new MarkdownNodeParser({ chunkSize: 256, minChunkSize: 64, headerPath: true }),
}

/** Returns a pipeline that summarizes tables with the model at `modelUrl`, and writes each document in one transaction. */
export async function pipelineOf(pool: pg.Pool, modelUrl: string): Promise<IngestionPipeline> {
  // Without a listener, an idle connection that is lost ends the process.
  pool.on('error', console.error)
  const database = await openDatabase(pool)
  const llm = withCache(new OpenAI({ model: 'summaries', baseUrl: modelUrl }), new PostgresAnswerCache(database))
  return new IngestionPipeline({
    transformations: [new MarkdownElementNodeParser({ ...splitting, llm })],
    store: new PostgresDocumentStore(database),
    transaction: (work) =>
      database.transaction((inside) => work({ store: new PostgresDocumentStore(inside), indexes: [] })),
  })
}
