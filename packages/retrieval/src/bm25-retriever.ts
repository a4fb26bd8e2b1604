/**
 * @module
 * A retriever that ranks nodes by the terms they share with the query.
 */
import { type CallbackManager, NodeWithScore, type QueryBundle, type TextNode } from '@x/core-model'
import { Bm25Index, type Bm25Options } from './bm25-index.ts'
import { Retriever } from './retriever.ts'

/** The options of {@link Bm25Retriever}. */
export interface Bm25RetrieverOptions extends Bm25Options {
  /** The nodes to search. Their order decides between equal scores. @defaultValue no nodes */
  nodes?: Iterable<TextNode> | undefined
  /** The maximum number of nodes returned. @defaultValue 10 */
  similarityTopK?: number | undefined
  callbackManager?: CallbackManager | null | undefined
}

/**
 * Ranks nodes by the words they share with the query (BM25). Needs no model.
 * Searches the text of each node and the metadata that embedding models see.
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

  /** Adds nodes to the index. */
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
