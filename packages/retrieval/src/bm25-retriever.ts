/**
 * @module
 * A retriever that ranks nodes by the terms they share with the query.
 */

import { checkGiven, checkOption, checkOptions, type OptionTable, unchecked, wholeNumber } from '@x/core/options'
import { isNode, type NodeWithScore, type QueryBundle, type TextNode } from '@x/core-model'
import { allOf } from './all-of.ts'
import { Bm25Index, type Bm25Options, bm25Options } from './bm25-index.ts'
import { isIndexNode } from './index-node-follower.ts'
import { NodeTable } from './node-table.ts'
import { type RetrieveOptions, Retriever, type RetrieverOptions, retrieverOptions } from './retriever.ts'

/** The options of {@link Bm25Retriever}. */
interface Bm25RetrieverOptions extends Bm25Options, RetrieverOptions {
  /** The nodes to search. Their order decides between equal scores. @defaultValue no nodes */
  nodes?: Iterable<TextNode> | undefined
  /** The maximum number of nodes returned, an integer of at least 0. @defaultValue 10 */
  similarityTopK?: number | undefined
}

const bm25RetrieverOptions: OptionTable<Bm25RetrieverOptions> = {
  ...retrieverOptions,
  ...bm25Options,
  ...{ documents: 'nodes', limit: 'similarityTopK', topN: 'similarityTopK' },
  nodes: unchecked,
  similarityTopK: wholeNumber(0),
}

/**
 * Ranks nodes by the words they share with the query (BM25). Needs no model.
 * Searches the text of each node and the metadata that embedding models see; for an index node, also those of its `obj`, so that a
 * table is found by its cells and not only by its summary.
 * @throws {ModelValidationError} if `similarityTopK`, `k1`, `b` or `filters` is not valid.
 * @example
 * const retriever = new Bm25Retriever({ nodes: [new TextNode({ text: 'Pears are green.' })] })
 * const [best] = await retriever.retrieve('Which pear?')
 * best.node.text // => 'Pears are green.'
 */
export class Bm25Retriever extends Retriever {
  similarityTopK: number
  private readonly index: Bm25Index
  private readonly nodes = new NodeTable()

  constructor(options: Bm25RetrieverOptions = {}) {
    checkOptions('Bm25Retriever', options, bm25RetrieverOptions)
    const { nodes, similarityTopK = 10, filters, scope, callbackManager, ...bm25 } = options
    super(callbackManager, scope, filters)
    this.similarityTopK = similarityTopK
    this.index = new Bm25Index(bm25)
    this.add(nodes ?? [])
  }

  /** The number of nodes. */
  get size(): number {
    return this.index.size
  }

  /** Whether the index contains a node with this id. */
  has(id: string): boolean {
    return this.nodes.positionOf(id) !== undefined
  }

  /** Adds nodes to the index. A node replaces the node with the same id. @throws {ModelValidationError} if `nodes` is not iterable. */
  add(nodes: Iterable<TextNode>): void {
    // The contents of all nodes first: all are added, or none.
    for (const [node, content] of allOf(nodes, 'Bm25Retriever.add').map(
      (node) => [node, searchableText(node)] as const,
    )) {
      const known = this.nodes.positionOf(node.id)
      this.nodes.set(known === undefined ? this.index.add(content) : this.index.replace(known, content), node)
    }
  }

  /** Removes the nodes with these ids and returns how many there were. Other ids are ignored. */
  remove(ids: Iterable<string>): number {
    return this.nodes.remove(ids, this.index)
  }

  protected search(query: QueryBundle, { filters }: RetrieveOptions): NodeWithScore[] {
    checkOption('Bm25Retriever', 'similarityTopK', this.similarityTopK, wholeNumber(0))
    const accepts = this.nodes.accepting(filters)
    return this.nodes.withScores(this.index.search(query.queryStr, this.similarityTopK, accepts))
  }
}

/**
 * Returns the text that a keyword search of a node reads: its content, and for an index node also the content of the node it refers to.
 * @example
 * searchableText(new TextNode({ text: 'Pears', metadata: { color: 'green' } })) // => 'color: green\n\nPears'
 */
export function searchableText(node: TextNode): string {
  checkGiven('searchableText', { node }, 'a node', 'getContent')
  const own = node.getContent('embed')
  const target = isIndexNode(node) && isNode(node.obj) ? node.obj : null
  if (target === null) return own
  const content = target.getContent('embed')
  // A table node begins with the summary of its index node: the words of the summary are indexed once.
  return target.text.startsWith(node.text) ? content : `${own}\n\n${content}`
}
