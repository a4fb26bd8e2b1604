/**
 * @module
 * A retriever that ranks nodes by the similarity of their embeddings to that of the query.
 */

import { checkOption, checkOptions, wholeNumber } from '@x/core/options'
import type { EmbeddingModel, NodeWithScore, QueryBundle, TextNode } from '@x/core-model'
import { embedQuery } from '@x/core-model/components'
import { allOf } from './all-of.ts'
import { embedNodes } from './embed-nodes.ts'
import { NodeTable } from './node-table.ts'
import { type CancelOptions, cancelOptions, type RetrieveOptions, Retriever } from './retriever.ts'
import { VectorIndex } from './vector-index.ts'
import { type VectorRetrieverOptions, vectorOptions } from './vector-options.ts'

/**
 * Ranks nodes by the cosine similarity of their embeddings to that of the query.
 * The search is exact and reads every vector without a pause, so that it cannot be cancelled: suitable for tens of thousands of nodes.
 * Vectors are stored in single precision; see `VectorIndex`.
 * @throws {ModelValidationError} if `similarityTopK` or `filters` is not valid.
 * @example
 * const embedModel = new TableEmbedding({ texts: { pear: [1, 0], wine: [0, 1] }, queries: { fruit: [1, 0.2] } })
 * const nodes = ['pear', 'wine'].map((text) => new TextNode({ text }))
 * const retriever = await VectorRetriever.fromNodes(nodes, { embedModel, similarityTopK: 1 })
 * const [best] = await retriever.retrieve('fruit')
 * best.text // => 'pear'
 */
export class VectorRetriever extends Retriever {
  similarityTopK: number
  private readonly embedModel: EmbeddingModel
  private readonly index = new VectorIndex()
  private readonly nodes = new NodeTable()

  constructor(options: VectorRetrieverOptions) {
    checkOptions('VectorRetriever', options, vectorOptions)
    super(options.callbackManager, options.scope, options.filters)
    this.embedModel = options.embedModel
    this.similarityTopK = options.similarityTopK ?? 2
  }

  /** Creates a retriever over nodes. Nodes without an embedding are embedded in one batch. */
  static async fromNodes(
    nodes: Iterable<TextNode>,
    options: VectorRetrieverOptions & CancelOptions,
  ): Promise<VectorRetriever> {
    const { signal, ...own } = options ?? {}
    const retriever = new VectorRetriever(own)
    await retriever.add(nodes, { signal })
    return retriever
  }

  /** The number of nodes. */
  get size(): number {
    return this.index.size
  }

  /** Whether the index contains a node with this id. */
  has(id: string): boolean {
    return this.nodes.positionOf(id) !== undefined
  }

  /**
   * Adds nodes to the index. A node replaces the node with the same id. Nodes without an embedding are embedded in one batch; the
   * nodes are not changed.
   * @throws {ModelValidationError} if `nodes` is not iterable, or an option is unknown or invalid.
   * @throws {EmbeddingDimensionError} if an embedding has a different length. Then no node is added.
   */
  async add(nodes: Iterable<TextNode>, options: CancelOptions = {}): Promise<void> {
    checkOptions('VectorRetriever.add', options, cancelOptions)
    const all = allOf(nodes, 'VectorRetriever.add')
    const vectors = await embedNodes(all, this.embedModel, options.signal)
    const vectorOf = (node: TextNode) => node.embedding ?? vectors.get(node)!
    this.index.check(all.map(vectorOf))
    for (const node of all) {
      const vector = vectorOf(node)
      const known = this.nodes.positionOf(node.id)
      if (known !== undefined) this.index.replace(known, vector)
      this.nodes.set(known ?? this.index.add(vector), node)
    }
  }

  /** Replaces nodes whose content for embeddings is unchanged: they keep their vectors. Nodes with other ids are ignored. */
  update(nodes: Iterable<TextNode>): void {
    for (const node of allOf(nodes, 'VectorRetriever.update')) {
      const position = this.nodes.positionOf(node.id)
      if (position !== undefined) this.nodes.set(position, node)
    }
  }

  /** Removes the nodes with these ids and returns how many there were. Other ids are ignored. */
  remove(ids: Iterable<string>): number {
    return this.nodes.remove(ids, this.index)
  }

  protected async search(query: QueryBundle, options: RetrieveOptions): Promise<NodeWithScore[]> {
    const { signal, parentId, filters } = options
    checkOption('VectorRetriever', 'similarityTopK', this.similarityTopK, wholeNumber(0))
    const accepts = this.nodes.accepting(filters)
    const vector = await embedQuery(this.embedModel, query, (work) => work({ signal, parentId }))
    return this.nodes.withScores(this.index.search(vector, this.similarityTopK, accepts))
  }
}
