/**
 * @module
 * A vector index in the database of browsers, with its retriever.
 */
import { checkOption, checkOptions, choice, having, type OptionTable, required, text, unchecked } from '@x/core/options'
import type { NodeWithScore } from '@x/core-model'
import type { ChangeOutcome } from '../database-retriever.ts'
import { DatabaseVectorRetriever, type NodeVector } from '../database-vector-retriever.ts'
import type { IndexChanges } from '../ingestion-types.ts'
import { type FiltersInput, nodeFilter } from '../metadata-filters.ts'
import { unitVector } from '../unit-vector.ts'
import { VectorIndex } from '../vector-index.ts'
import { type VectorRetrieverOptions, vectorOptions } from '../vector-options.ts'
import { type IndexedDBIndexOptions, IndexedDBNodes } from './indexed-db-nodes.ts'

/** The options of {@link IndexedDBVectorRetriever}. */
interface IndexedDBVectorRetrieverOptions extends IndexedDBIndexOptions, VectorRetrieverOptions {}

const ownOptions: OptionTable<IndexedDBVectorRetrieverOptions> = {
  ...vectorOptions,
  indexedDB: having('an IDBFactory', 'open'),
  durability: choice('strict', 'relaxed'),
  nodeClasses: unchecked,
}

/** A vector in the database. It has what the index in memory reads of an array. */
type Vector = readonly number[]

/**
 * Ranks nodes by the cosine similarity of their embeddings to that of the query: `VectorRetriever` over an IndexedDB database, for browsers
 * and their workers. The vectors, 4 bytes per number, and the metadata of all nodes are in memory while it is open, their text is not. A
 * search is exact, and sees the changes of other tabs. Nodes are returned without their embeddings.
 * @example
 * async function search(embedModel: EmbeddingModel, nodes: TextNode[], question: string): Promise<string[]> {
 *   const retriever = await IndexedDBVectorRetriever.open('meaning', { embedModel })
 *   await retriever.add(nodes)
 *   return (await retriever.retrieve(question)).map(({ text }) => text)
 * }
 */
export class IndexedDBVectorRetriever extends DatabaseVectorRetriever {
  /** @internal */
  declare protected readonly nodes: IndexedDBNodes<Vector>

  private constructor(nodes: IndexedDBNodes<Vector>, options: IndexedDBVectorRetrieverOptions) {
    super(nodes, options)
  }

  /**
   * Opens an index, and creates it when it does not exist.
   * @param name - the name of the index; its database has this name with `/vectors` behind it. A store and other indexes may have the same
   * name. Each origin has its own
   * @throws {ModelValidationError} if an option is not valid.
   * @throws {ConfigurationError} if the platform has no IndexedDB, or the database cannot be opened.
   */
  static async open(name: string, options: IndexedDBVectorRetrieverOptions): Promise<IndexedDBVectorRetriever> {
    checkOption('IndexedDBVectorRetriever.open', 'name', name, required(text))
    checkOptions('IndexedDBVectorRetriever', options, ownOptions)
    if (options.filters !== undefined) nodeFilter(options.filters)
    const createIndex = () => new VectorIndex()
    const nodes = await IndexedDBNodes.open<Vector>(name, options, { kind: 'vectors', createIndex, tag: 'vectors' })
    return new IndexedDBVectorRetriever(nodes, options)
  }

  /** Closes the database. */
  close(): void {
    this.nodes.close()
  }

  protected nearest(
    vector: readonly number[],
    limit: number,
    filters: FiltersInput | undefined,
  ): Promise<NodeWithScore[]> {
    return this.nodes.search(filters, (index, accepts) => (index as VectorIndex).search(vector, limit, accepts))
  }

  protected async write(
    nodes: readonly NodeVector[],
    { removed = [], kept = [] }: IndexChanges,
  ): Promise<ChangeOutcome> {
    const vectors = nodes.flatMap(([, vector]) => (vector === null ? [] : [vector]))
    if (vectors.length > 0) await this.nodes.withMemory((index) => (index as VectorIndex).check(vectors))
    const unit = (vector: Vector) => unitVector(vector, 'IndexedDBVectorRetriever') as Iterable<number> as Vector
    return this.nodes.change(
      nodes.map(([node, vector]) => [node, vector && unit(vector)] as const),
      removed,
      kept,
    )
  }
}
