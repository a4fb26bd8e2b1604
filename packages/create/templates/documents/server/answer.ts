/** Answers a question from the Markdown files of a folder, with citations that are checked. */
import { isToolkitError } from '@x/core-model'
import { fromContent, MarkdownNodeParser } from '@x/node-parser'
import { Bm25Retriever, IngestionPipeline } from '@x/retrieval'
import { answerWithSources } from '@x/retrieval/answer'
import { readMarkdownFolder } from '@x/retrieval/folder'
import { SimpleDocumentStore } from '@x/storage'
import { modelOr } from './model.ts'

/** A piece of an answer, as the page receives it. */
export type Piece = { text: string } | { sources: Source[] } | { error: string }

/** A passage that the answer cites. */
export interface Source {
  number: number
  /** `docs/fruit.md:3` */
  place: string
  passage: string
  /** Why the citation is wrong; null for a right one. */
  problem: string | null
}

const llm = modelOr(
  () => 'This passage fits the question best [1]. The answer is scripted: name a model in `.env` for a written one.',
)

/** Reads the files into an index in memory: `@x/sqlite` and `@x/postgres` have indexes that stay. */
export async function openDocs(folder: string): Promise<Bm25Retriever> {
  const index = new Bm25Retriever({ similarityTopK: 4 })
  const sections = { chunkSize: 256, minChunkSize: 64, headerPath: true, lineNumbers: true }
  const pipeline = new IngestionPipeline({
    transformations: [new MarkdownNodeParser({ ...sections, idFunc: fromContent() })],
    store: new SimpleDocumentStore(),
    indexes: [index],
  })
  await pipeline.run(await readMarkdownFolder(folder))
  return index
}

/** Yields the answer while the model writes it, and its sources. */
export async function* answerFrom(index: Bm25Retriever, question: string): AsyncGenerator<Piece> {
  const passages = await index.retrieve(question)
  if (passages.length === 0) return yield { text: 'No document answers this.' }
  try {
    const answer = answerWithSources({ llm, passages, question })
    for await (const text of answer) yield { text }
    const { sources } = await answer.result()
    yield {
      sources: sources.map(({ number, file, line, problem }) => ({
        number,
        place: `docs/${file}:${line}`,
        passage: passages[number - 1]?.text ?? '',
        problem: problem ?? null,
      })),
    }
  } catch (error) {
    console.error(error)
    yield { error: `The answer failed (${isToolkitError(error) ? error.code : 'unknown'}).` }
  }
}
