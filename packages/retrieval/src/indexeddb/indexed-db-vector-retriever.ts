/**
 * @module
 * A vector index in the database of browsers, with its retriever.
 */
import { checkOption, checkOptions, type OptionTable, required, unchecked, wholeNumber } from '@x/core/options'
import type { CallbackManager, EmbeddingModel, NodeWithScore, QueryBundle, TextNode } from '@x/core-model'
import { embedQuery } from '@x/core-model/components'
import { embedNodes } from '../embed-nodes.ts'
import type { IndexChanges } from '../ingestion-types.ts'
import { type FiltersInput, nodeFilter } from '../metadata-filters.ts'
import { type CancelOptions, type RetrieveOptions, Retriever } from '../retriever.ts'
import { scopeKeys } from '../scope.ts'
import { unitVector } from '../unit-vector.ts'
import { VectorIndex } from '../vector-index.ts'
import { type ChangeOutcome, type IndexedDBIndexOptions, IndexedDBNodes, type NodeToWrite } from './indexed-db-nodes.ts'

/** The options of {@link IndexedDBVectorRetriever}. */
export interface IndexedDBVectorRetrieverOptions extends IndexedDBIndexOptions {
  embedModel: EmbeddingModel
  /** The maximum number of nodes returned, an integer of at least 0. @defaultValue 2 */
  similarityTopK?: number | undefined
  /** Conditions on the metadata of the nodes returned. @defaultValue no conditions */
  filters?: FiltersInput | undefined
  /** The metadata keys for which each search must state a value, such as `['tenant']`: no search can forget them. @defaultValue no keys */
  scope?: readonly string[] | undefined
  callbackManager?: CallbackManager | null | undefined
}

const vectorOptions: OptionTable<IndexedDBVectorRetrieverOptions> = {
  embedModel: required('an embedding model', 'getQueryEmbedding'),
  similarityTopK: wholeNumber(0),
  filters: unchecked,
  scope: scopeKeys,
  callbackManager: unchecked,
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
export class IndexedDBVectorRetriever extends Retriever {
  similarityTopK: number
  private readonly embedModel: EmbeddingModel
  private readonly nodes: IndexedDBNodes<Vector>

  private constructor(nodes: IndexedDBNodes<Vector>, options: IndexedDBVectorRetrieverOptions) {
    const { embedModel, similarityTopK = 2, filters, scope, callbackManager } = options
    super(callbackManager, scope, filters)
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

  /** Returns the number of nodes. */
  count(): Promise<number> {
    return this.nodes.count()
  }

  /** Returns whether the index contains a node with this id. */
  async has(id: string): Promise<boolean> {
    return (await this.missing([id])).length === 0
  }

  /** Returns those of the ids that the index does not contain. */
  missing(ids: readonly string[]): Promise<string[]> {
    return this.nodes.missing(ids)
  }

  /**
   * Adds nodes to the index, in one transaction. A node replaces the node with the same id. Nodes without an embedding are embedded in one
   * batch; the nodes are not changed.
   * @throws {EmbeddingDimensionError} if an embedding has a different length. Then no node is added.
   */
  async add(nodes: Iterable<TextNode>, options?: CancelOptions): Promise<void> {
    await this.change({ added: [...nodes] }, options)
  }

  /** Replaces nodes whose content for embeddings is unchanged: they keep their vectors. Nodes with other ids are ignored. */
  async update(nodes: Iterable<TextNode>): Promise<void> {
    await this.change({ updated: [...nodes] })
  }

  /** Removes the nodes with these ids, in one transaction, and returns how many were removed. Other ids are ignored. */
  async remove(ids: Iterable<string>): Promise<number> {
    return (await this.change({ removed: [...ids] })).removed
  }

  /** Makes the changes of a document, in one transaction, and returns those of the ids `kept` that the index does not contain. */
  async apply(changes: IndexChanges, options?: CancelOptions): Promise<string[]> {
    return (await this.change(changes, options)).missing
  }

  protected async search(query: QueryBundle, { signal, parentId, filters }: RetrieveOptions): Promise<NodeWithScore[]> {
    checkOption('IndexedDBVectorRetriever', 'similarityTopK', this.similarityTopK, wholeNumber(0))
    const vector = await embedQuery(this.embedModel, query, (work) => work({ signal, parentId }))
    return this.nodes.search(filters, (index, accepts) =>
      (index as VectorIndex).search(vector, this.similarityTopK, accepts),
    )
  }

  private async change(
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
