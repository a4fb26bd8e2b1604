/**
 * @module
 * A vector index in the database of browsers, with its retriever.
 */
import { checkOption, checkOptions, type OptionTable, required, unchecked, wholeNumber } from '@x/core/options'
import type { EmbeddingModel, NodeWithScore, QueryBundle, TextNode } from '@x/core-model'
import { embedQuery } from '@x/core-model/components'
import { type ChangeOutcome, DatabaseRetriever } from '../database-retriever.ts'
import { embedNodes } from '../embed-nodes.ts'
import type { IndexChanges } from '../ingestion-types.ts'
import { nodeFilter } from '../metadata-filters.ts'
import { type CancelOptions, type RetrieveOptions, type RetrieverOptions, retrieverOptions } from '../retriever.ts'
import { unitVector } from '../unit-vector.ts'
import { VectorIndex } from '../vector-index.ts'
import { type IndexedDBIndexOptions, IndexedDBNodes, type NodeToWrite } from './indexed-db-nodes.ts'

/** The options of {@link IndexedDBVectorRetriever}. */
export interface IndexedDBVectorRetrieverOptions extends IndexedDBIndexOptions, RetrieverOptions {
  embedModel: EmbeddingModel
  /** The maximum number of nodes returned, an integer of at least 0. @defaultValue 2 */
  similarityTopK?: number | undefined
}

const vectorOptions: OptionTable<IndexedDBVectorRetrieverOptions> = {
  ...retrieverOptions,
  embedModel: required('an embedding model', 'getQueryEmbedding'),
  similarityTopK: wholeNumber(0),
  indexedDB: unchecked,
  durability: unchecked,
  nodeClasses: unchecked,
}

/** A vector in the database. It has what the index in memory reads of an array. */
type Vector = readonly number[]

/**
 * Ranks nodes by the cosine similarity of their embeddings to that of the query: `VectorRetriever` over an IndexedDB database, for browsers and
 * their workers. The vectors, 4 bytes per number, and the metadata of all nodes are in memory while it is open, their texts are not. A search
 * is exact, and sees the changes of other tabs. Nodes are returned without their embeddings.
 * @example
 * async function search(embedModel: EmbeddingModel, nodes: TextNode[], question: string): Promise<string[]> {
 *   const retriever = await IndexedDBVectorRetriever.open('meaning', { embedModel })
 *   await retriever.add(nodes)
 *   return (await retriever.retrieve(question)).map(({ text }) => text)
 * }
 */
export class IndexedDBVectorRetriever extends DatabaseRetriever {
  similarityTopK: number
  private readonly embedModel: EmbeddingModel
  private readonly nodes: IndexedDBNodes<Vector>

  private constructor(nodes: IndexedDBNodes<Vector>, options: IndexedDBVectorRetrieverOptions) {
    const { embedModel, similarityTopK = 2 } = options
    super(nodes, options)
    this.nodes = nodes
    this.embedModel = embedModel
    this.similarityTopK = similarityTopK
  }

  /**
   * Opens an index, and creates it when it does not exist.
   * @param name - the name of the database, which contains this index alone; each origin has its own
   * @throws {ModelValidationError} if an option is not valid.
   * @throws {ConfigurationError} if the platform has no IndexedDB, or the database cannot be opened.
   */
  static async open(name: string, options: IndexedDBVectorRetrieverOptions): Promise<IndexedDBVectorRetriever> {
    checkOptions('IndexedDBVectorRetriever', options, vectorOptions)
    if (options.filters !== undefined) nodeFilter(options.filters)
    const createIndex = () => new VectorIndex()
    const nodes = await IndexedDBNodes.open<Vector>(name, options, { createIndex, tag: 'vectors' })
    return new IndexedDBVectorRetriever(nodes, options)
  }

  /** Closes the database. */
  close(): void {
    this.nodes.close()
  }

  /** Replaces nodes whose content for embeddings is unchanged: they keep their vectors. Nodes with other ids are ignored. */
  async update(nodes: Iterable<TextNode>): Promise<void> {
    await this.change({ updated: [...nodes] })
  }

  protected async search(query: QueryBundle, { signal, parentId, filters }: RetrieveOptions): Promise<NodeWithScore[]> {
    checkOption('IndexedDBVectorRetriever', 'similarityTopK', this.similarityTopK, wholeNumber(0))
    const vector = await embedQuery(this.embedModel, query, (work) => work({ signal, parentId }))
    return this.nodes.search(filters, (index, accepts) =>
      (index as VectorIndex).search(vector, this.similarityTopK, accepts),
    )
  }

  protected async change(
    { added = [], updated = [], removed = [], kept = [] }: IndexChanges,
    { signal }: CancelOptions = {},
  ): Promise<ChangeOutcome> {
    signal?.throwIfAborted()
    const vectors = await embedNodes(added, this.embedModel, signal)
    const vectorOf = (node: TextNode) => node.embedding ?? vectors.get(node)!
    if (added.length > 0) await this.nodes.withMemory((index) => (index as VectorIndex).check(added.map(vectorOf)))
    const written: NodeToWrite<Vector>[] = [
      ...updated.map((node) => [node, null] as const),
      ...added.map(
        (node) => [node, unitVector(vectorOf(node), 'IndexedDBVectorRetriever') as Iterable<number> as Vector] as const,
      ),
    ]
    return this.nodes.change(written, removed, kept)
  }
}
