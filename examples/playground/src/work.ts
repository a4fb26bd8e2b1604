/** What takes time with large documents: parsing, searching and evaluating. It runs in a worker, so that the page stays smooth. */
import { Document, isToolkitError, type NodeWithScore, type TextNode } from '@x/core-model'
import { type EvaluationRun, evaluateRetriever, readTestSet } from '@x/evaluate'
import { extractMarkdownElements, MarkdownElementNodeParser, MarkdownNodeParser } from '@x/node-parser'
import {
  type ExplanationEntry,
  ExplanationLedger,
  type NodePostprocessor,
  PostprocessorPipeline,
} from '@x/postprocessors'
import { Bm25Retriever } from '@x/retrieval'
import { makePostprocessor } from './chain.ts'
import { readPassages, SOURCE } from './passages.ts'
import type { ChainStep } from './state.ts'

/** The page shows the first cards only. */
export const MOST_CARDS = 100
const MOST_TEXT = 600

/** An element or a node, with its place in the document. */
export interface Card {
  kind: string
  text: string
  start: number | null
  end: number | null
  table?: { columns: string[]; rows: string[][] }
}

export interface Parsed {
  elements: Card[]
  nodes: Card[]
  counts: { elements: number; tables: number; nodes: number }
  milliseconds: number
}

export interface Searched {
  found: number
  results: { id: string; text: string; score: number | null }[]
  ledger: ExplanationEntry[]
}

/** An error as data. */
export interface Failure {
  code: string | null
  message: string
}

export class Work {
  private text = ''
  private nodes: TextNode[] = []

  async parse(text: string): Promise<Parsed> {
    const start = performance.now()
    const elements = extractMarkdownElements(text)
    const nestedNodeParser = new MarkdownNodeParser({ chunkSize: 256, minChunkSize: 64 })
    const parser = new MarkdownElementNodeParser({ summarizer: 'headers', nestedNodeParser })
    const nodes = await parser.getNodesFromDocuments([new Document({ id: SOURCE, text })])
    this.text = text
    this.nodes = nodes
    return {
      elements: elements.slice(0, MOST_CARDS).map(({ type, element, startCharIdx, endCharIdx, table }) => ({
        kind: type,
        text: element.slice(0, MOST_TEXT),
        start: startCharIdx,
        end: endCharIdx,
        ...(table && { table: { columns: [...table.columns], rows: table.rows.slice(0, 20).map((row) => [...row]) } }),
      })),
      nodes: nodes.slice(0, MOST_CARDS).map((node) => ({
        kind: (node.constructor as typeof TextNode).className(),
        text: node.text.slice(0, MOST_TEXT),
        start: node.startCharIdx,
        end: node.endCharIdx,
      })),
      counts: {
        elements: elements.length,
        tables: elements.filter(({ type }) => type === 'table').length,
        nodes: nodes.length,
      },
      milliseconds: performance.now() - start,
    }
  }

  /** Searches the passages, or the nodes of the last document, and reports what each step of the chain did. */
  async search(query: string, chain: readonly ChainStep[], passages: string): Promise<Searched> {
    const given = readPassages(passages)
    // Passages with scores were found by another search.
    const isFound = given.some(({ score }) => score !== null)
    const found = isFound ? given : await this.retriever(given).retrieve(query)
    const ledger = new ExplanationLedger()
    const results = await this.pipeline(chain).postprocessNodes(found, { queryStr: query, ledger })
    return { found: found.length, results: results.map(shown), ledger: ledger.entries }
  }

  async evaluate(lines: string, chain: readonly ChainStep[], passages: string): Promise<EvaluationRun> {
    const given = readPassages(passages)
    return evaluateRetriever({
      retriever: this.retriever(given),
      testSet: readTestSet(lines),
      nodes: this.nodesOf(given),
      postprocessors: chain.map(makePostprocessor),
      ledger: () => new ExplanationLedger(),
      sourceText: (source) => (source === SOURCE ? this.text : undefined),
      k: 10,
    })
  }

  /** The passages if there are some, otherwise the nodes of the document. */
  private nodesOf(given: readonly NodeWithScore[]): readonly TextNode[] {
    return given.length > 0 ? given.map(({ node }) => node as TextNode) : this.nodes
  }

  private retriever(given: readonly NodeWithScore[]): Bm25Retriever {
    return new Bm25Retriever({ nodes: this.nodesOf(given), similarityTopK: 12 })
  }

  private pipeline(chain: readonly ChainStep[]): NodePostprocessor {
    return new PostprocessorPipeline({ postprocessors: chain.map(makePostprocessor) })
  }
}

function shown({ node, score }: NodeWithScore): Searched['results'][number] {
  return { id: node.id, text: (node as TextNode).text.slice(0, MOST_TEXT), score }
}

/** Returns an error as data, which can leave a worker. */
export function failureOf(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error)
  return { code: isToolkitError(error) ? error.code : null, message }
}
