/**
 * @module
 * The base class of retrievers whose vector index is in a database.
 */
import { checkOption } from '@x/core/options'
import type { EmbeddingModel, NodeWithScore, QueryBundle, TextNode } from '@x/core-model'
import { embedQuery } from '@x/core-model/components'
import { allOf } from './all-of.ts'
import { type ChangeOutcome, type DatabaseNodes, DatabaseRetriever } from './database-retriever.ts'
import { embedNodes } from './embed-nodes.ts'
import type { IndexChanges } from './ingestion-types.ts'
import type { FiltersInput } from './metadata-filters.ts'
import type { CancelOptions, RetrieveOptions } from './retriever.ts'
import { type VectorRetrieverOptions, vectorOptions } from './vector-options.ts'

/** A node to write, and its embedding; null to keep the vector that is stored. */
export type NodeVector = readonly [node: TextNode, embedding: readonly number[] | null]

/**
 * Base class of retrievers whose vector index is in a database: a subclass implements `write` and `nearest`.
 * @example
 * const rows = new Map<string, { node: TextNode; unit: Float32Array }>()
 * class NearestNodes extends DatabaseVectorRetriever {
 *   protected async write(nodes: readonly NodeVector[], { removed = [], kept = [] }: IndexChanges) {
 *     const count = removed.filter((id) => rows.delete(id)).length
 *     for (const [node, vector] of nodes) {
 *       const unit = vector ? unitVector(vector, 'NearestNodes') : rows.get(node.id)?.unit
 *       if (unit) rows.set(node.id, { node, unit })
 *     }
 *     return { removed: count, missing: await this.missing(kept) }
 *   }
 *
 *   protected nearest(vector: readonly number[], limit: number, filters: FiltersInput | undefined) {
 *     const scoreOf = (unit: Float32Array) => unit.reduce((sum, value, i) => sum + value * vector[i]!, 0)
 *     const all = Array.from(rows.values(), ({ node, unit }) => ({ node, score: scoreOf(unit) }))
 *     all.sort((one, other) => other.score - one.score)
 *     return this.best(limit, filters, async (count) => all.slice(0, count))
 *   }
 * }
 * const count = async () => rows.size
 * const nodes = { count, missing: async (ids: readonly string[]) => ids.filter((id) => !rows.has(id)) }
 * const embedModel = new TableEmbedding({ texts: { pear: [1, 0], wine: [0, 1] }, queries: { fruit: [1, 0.2] } })
 * const retriever = new NearestNodes(nodes, { embedModel, similarityTopK: 1 })
 * await retriever.add(['pear', 'wine'].map((text) => new TextNode({ text })))
 * ;(await retriever.retrieve('fruit')).map(({ text }) => text) // => ['pear']
 */
export abstract class DatabaseVectorRetriever extends DatabaseRetriever {
  private readonly embedModel: EmbeddingModel

  /**
   * @param nodes - the nodes of the index
   * @throws {ModelValidationError} if `embedModel` is missing, or `filters` is not valid.
   */
  constructor(nodes: DatabaseNodes, options: VectorRetrieverOptions) {
    const { embedModel, similarityTopK = 2 } = options ?? {}
    checkOption('DatabaseVectorRetriever', 'embedModel', embedModel, vectorOptions.embedModel)
    super(nodes, { ...options, similarityTopK })
    this.embedModel = embedModel
  }

  /** Makes changes in one transaction: writes nodes that are added and replaced, and removes others. */
  protected abstract write(nodes: readonly NodeVector[], changes: IndexChanges): Promise<ChangeOutcome>

  /** Returns at most `limit` nodes that meet all conditions, those with the most similar vectors first. */
  protected abstract nearest(
    vector: readonly number[],
    limit: number,
    filters: FiltersInput | undefined,
  ): Promise<NodeWithScore[]>

  /** Replaces nodes whose content for embeddings is unchanged: they keep their vectors. Nodes with other ids are ignored. */
  async update(nodes: Iterable<TextNode>): Promise<void> {
    await this.change({ updated: allOf(nodes, 'update') })
  }

  protected async search(query: QueryBundle, { signal, parentId, filters }: RetrieveOptions): Promise<NodeWithScore[]> {
    const { limit } = this
    const vector = await embedQuery(this.embedModel, query, (work) => work({ signal, parentId }))
    return this.nearest(vector, limit, filters)
  }

  protected async change(changes: IndexChanges, { signal }: CancelOptions = {}): Promise<ChangeOutcome> {
    const { added = [], updated = [] } = changes
    signal?.throwIfAborted()
    const vectors = await embedNodes(added, this.embedModel, signal)
    const kept = updated.map((node): NodeVector => [node, null])
    return this.write(
      [...kept, ...added.map((node): NodeVector => [node, node.embedding ?? vectors.get(node)!])],
      changes,
    )
  }
}
