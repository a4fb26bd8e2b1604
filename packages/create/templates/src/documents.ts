/** Answers a question from the Markdown files in `docs`, with citations that are checked. */
import { fromContent, MarkdownNodeParser } from '@x/node-parser'
import { Bm25Retriever, IngestionPipeline } from '@x/retrieval'
import { answerWithSources } from '@x/retrieval/answer'
import { readMarkdownFolder } from '@x/retrieval/folder'
import { SimpleDocumentStore } from '@x/storage'
import { modelOr } from './model.ts'

const question = process.argv.slice(2).join(' ') || 'How long do pears keep?'

// Sections with their headings and lines. The index is in memory: @x/sqlite and @x/postgres have indexes that stay.
const parser = new MarkdownNodeParser({
  chunkSize: 256,
  minChunkSize: 64,
  headerPath: true,
  lineNumbers: true,
  idFunc: fromContent(),
})
const index = new Bm25Retriever({ similarityTopK: 4 })
const pipeline = new IngestionPipeline({
  transformations: [parser],
  store: new SimpleDocumentStore(),
  indexes: [index],
})
await pipeline.run(await readMarkdownFolder('docs'))

const llm = modelOr(['The first passage that the search found fits best [1]. (a scripted answer)'])
const passages = await index.retrieve(question)
const answer = answerWithSources({ llm, passages, question })
console.log(`\n${question}\n`)
for await (const piece of answer) process.stdout.write(piece)
console.log()
for (const { number, file, line, problem } of (await answer.result()).sources)
  console.log(`[${number}] ${problem ?? `docs/${file}:${line}`}`)
