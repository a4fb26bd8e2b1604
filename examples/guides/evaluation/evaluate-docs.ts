/** Measures how well the documentation of this repository is found, for the questions in `questions.jsonl`. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Document } from '@x/core-model'
import { type EvaluationRun, evaluateRetriever, readTestSet } from '@x/evaluate'
import { MarkdownNodeParser } from '@x/node-parser'
import { Bm25Retriever, tokenizeWords, type WordTokenizer } from '@x/retrieval'

const root = join(import.meta.dirname, '..', '..', '..')

/** Introductions, which repeat what other pages say: the right passage is on several of them. And a page of measurements, which is made. */
const leftOut = ['docs/start.md', 'docs/choose.md', 'docs/come-from/**', 'docs/where-it-runs.md']
const documentation = ['*.md', 'docs/**/*.md', 'packages/*/README.md', 'packages/integrations/*/README.md']

/** The documentation as sections, searched by plain words and by the default tokenizer. */
export async function evaluateDocs(): Promise<EvaluationRun[]> {
  const sources = new Map(
    globSync(documentation, { cwd: root, exclude: ['**/node_modules/**', ...leftOut] })
      .sort()
      .map((file) => [file.replaceAll('\\', '/'), readFileSync(join(root, file), 'utf8')]),
  )
  const documents = Array.from(sources, ([id, text]) => new Document({ id, text }))
  const parser = new MarkdownNodeParser({ headerPath: true })
  const nodes = await parser.getNodesFromDocuments(documents)
  const testSet = readTestSet(readFileSync(join(import.meta.dirname, 'questions.jsonl'), 'utf8'))
  const sourceText = (source: string) => sources.get(source)
  const run = (name: string, tokenize?: WordTokenizer) => {
    const retriever = new Bm25Retriever({ nodes, similarityTopK: 50, ...(tokenize && { tokenize }) })
    return evaluateRetriever({ name, retriever, testSet, sourceText, nodes, ...(tokenize && { tokenize }) })
  }
  return [await run('plain words', tokenizeWords), await run('default')]
}
