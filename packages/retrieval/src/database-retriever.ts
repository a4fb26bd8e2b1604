/**
 * @module
 * The base class of retrievers whose index is in a database.
 */
import { checkOption, checkOptions, type OptionTable, wholeNumber } from '@x/core/options'
import { NodeWithScore, type TextNode } from '@x/core-model'
import { allOf } from './all-of.ts'
import type { IndexChanges, IngestionIndex } from './ingestion-types.ts'
import { type FiltersInput, nodeFilter } from './metadata-filters.ts'
import { type CancelOptions, cancelOptions, Retriever, type RetrieverOptions, retrieverOptions } from './retriever.ts'

/** What {@link DatabaseRetriever} knows about the nodes of its index. */
export interface DatabaseNodes {
  /** Returns the number of nodes. */
  count(): Promise<number>
  /** Returns those of the ids that the database does not contain. */
  missing(ids: readonly string[]): Promise<string[]>
}

/** The options of {@link DatabaseRetriever}. */
export interface DatabaseRetrieverOptions extends RetrieverOptions {
  /** The maximum number of nodes returned, an integer of at least 0. @defaultValue 10 */
  similarityTopK?: number | undefined
}

/** How {@link DatabaseRetrieverOptions} are checked: a part of the tables of retrievers. {@link DatabaseRetriever} checks `filters`. */
export const databaseRetrieverOptions: OptionTable<DatabaseRetrieverOptions> = {
  ...retrieverOptions,
  similarityTopK: wholeNumber(0),
}

/** What a change of an index has done. */
export interface ChangeOutcome {
  /** The number of nodes that were removed. */
  removed: number
  /** Those of the ids `kept` that the index does not contain. */
  missing: string[]
}

/**
 * Base class of retrievers whose index is in a database: a subclass implements `change` and `search`. `indexChecks` of
 * `@x/testing/retrieval` are tests for it.
 * @example
 * const rows = new Map<string, TextNode>()
 * class NewestNodes extends DatabaseRetriever {
 *   protected async change({ added = [], updated = [], removed = [], kept = [] }: IndexChanges) {
 *     const count = removed.filter((id) => rows.delete(id)).length
 *     for (const node of [...added, ...updated]) rows.set(node.id, node)
 *     return { removed: count, missing: await this.missing(kept) }
 *   }
 *
 *   protected search() {
 *     return Array.from(rows.values(), (node) => new NodeWithScore({ node })).reverse()
 *   }
 * }
 * const count = async () => rows.size
 * const retriever = new NewestNodes({ count, missing: async (ids) => ids.filter((id) => !rows.has(id)) })
 * await retriever.add([new TextNode({ text: 'first' }), new TextNode({ text: 'second' })])
 * ;(await retriever.retrieve('news')).map(({ text }) => text) // => ['second', 'first']
 */
export abstract class DatabaseRetriever extends Retriever implements IngestionIndex {
  /** The maximum number of nodes returned. */
  similarityTopK: number
  protected readonly nodes: DatabaseNodes

  /**
   * @param nodes - the nodes of the index
   * @throws {ModelValidationError} if `filters` is not valid.
   */
  constructor(nodes: DatabaseNodes, options: DatabaseRetrieverOptions = {}) {
    const { callbackManager, scope, filters, similarityTopK = 10 } = options ?? {}
    super(callbackManager, scope, filters)
    this.nodes = nodes
    this.similarityTopK = similarityTopK
  }

  /** The maximum number of nodes returned. @throws {ModelValidationError} if `similarityTopK` is not an integer of at least 0. */
  protected get limit(): number {
    checkOption(this.constructor.name, 'similarityTopK', this.similarityTopK, wholeNumber(0))
    return this.similarityTopK
  }

  /**
   * Returns the best nodes that meet all conditions, also those that the database cannot check. If few of the nodes read meet them, more
   * are read.
   * @param limit - the maximum number of nodes returned
   * @param read - returns at most so many nodes, best first
   */
  protected async best(
    limit: number,
    filters: FiltersInput | undefined,
    read: (limit: number) => Promise<readonly { node: TextNode; score: number }[]>,
  ): Promise<NodeWithScore[]> {
    const accepts = filters === undefined ? () => true : nodeFilter(filters)
    for (let count = limit; count > 0; count *= 16) {
      const found = await read(count)
      const accepted = found.filter(({ node }) => accepts(node))
      if (accepted.length >= limit || found.length < count)
        return accepted.slice(0, limit).map((entry) => new NodeWithScore(entry))
    }
    return []
  }

  /** Makes changes in one transaction. */
  protected abstract change(changes: IndexChanges, options?: CancelOptions): Promise<ChangeOutcome>

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
   * Adds nodes to the index, in one transaction. A node replaces the node with the same id. A vector index embeds the nodes without an
   * embedding in one batch; the nodes are not changed.
   * @throws {ConfigurationError} if a keyword index was made with a different tokenizer.
   * @throws {EmbeddingDimensionError} if an embedding has a different length. Then no node is added.
   * @throws {ModelValidationError} if a number of an embedding is not finite, `nodes` is not iterable, or an option is unknown or invalid.
   */
  async add(nodes: Iterable<TextNode>, options: CancelOptions = {}): Promise<void> {
    checkOptions('add', options, cancelOptions)
    await this.change({ added: allOf(nodes, 'add') }, options)
  }

  /** Removes the nodes with these ids, in one transaction, and returns how many were removed. Other ids are ignored. */
  async remove(ids: Iterable<string>): Promise<number> {
    return (await this.change({ removed: allOf(ids, 'remove', 'ids') })).removed
  }

  /** Makes the changes of a document, in one transaction, and returns those of the ids `kept` that the index does not contain. */
  async apply(changes: IndexChanges, options: CancelOptions = {}): Promise<string[]> {
    checkOptions('apply', options, cancelOptions)
    return (await this.change(changes, options)).missing
  }
}
