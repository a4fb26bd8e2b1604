/**
 * @module
 * Finding nodes by the words they share with a query.
 */
import { type CallbackManager, NodeWithScore, type QueryBundle, type TextNode } from '@x/core-model'
import { Bm25Index, type Bm25Options } from './bm25-index.ts'
import { Retriever } from './retriever.ts'

/** The options of a BM25 retriever. */
export interface Bm25RetrieverOptions extends Bm25Options {
  /** The nodes to search, in the order that decides between equal scores. @defaultValue none */
  nodes?: Iterable<TextNode> | undefined
  /** How many nodes to give at most. @defaultValue 10 */
  similarityTopK?: number | undefined
  callbackManager?: CallbackManager | null | undefined
}

/**
 * Searches nodes by their words: the text and the metadata that embeddings see. Needs no model.
 * @example
 * const retriever = new Bm25Retriever({ nodes: [new TextNode({ text: 'Pears are green.' })] })
 * const [best] = await retriever.retrieve('Which pear?')
 * best.node.text // => 'Pears are green.'
 */
export class Bm25Retriever extends Retriever {
  similarityTopK: number
  private readonly index: Bm25Index
  private readonly nodes: TextNode[] = []

  constructor(options: Bm25RetrieverOptions = {}) {
    super(options.callbackManager)
    this.similarityTopK = options.similarityTopK ?? 10
    this.index = new Bm25Index(options)
    this.add(options.nodes ?? [])
  }

  /** The number of nodes. */
  get size(): number {
    return this.nodes.length
  }

  /** Adds nodes to search. */
  add(nodes: Iterable<TextNode>): void {
    for (const node of nodes) {
      this.index.add(node.getContent('embed'))
      this.nodes.push(node)
    }
  }

  protected search(query: QueryBundle): NodeWithScore[] {
    const matches = this.index.search(query.queryStr, this.similarityTopK)
    return matches.map(({ index, score }) => new NodeWithScore({ node: this.nodes[index]!, score }))
  }
}
