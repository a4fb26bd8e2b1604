/**
 * @module
 * A vector index in a database, with its retriever.
 */

import { checkOption, checkOptions, type OptionTable, wholeNumber } from '@x/core/options'
import type { EmbeddingModel, NodeWithScore, QueryBundle, TextNode } from '@x/core-model'
import { embedQuery } from '@x/core-model/components'
import {
  allOf,
  type CancelOptions,
  checkDimension,
  embedNodes,
  type RetrieveOptions,
  Retriever,
  type SqlCondition,
  unitVector,
  type VectorRetrieverOptions,
  vectorOptions,
} from '@x/retrieval'
import { type NodeClassOptions, nodeClassOptions } from '@x/storage'
import { conditionOf } from './filter-condition.ts'
import { IndexedNodes } from './indexed-nodes.ts'
import { opened } from './opened.ts'
import type { SqliteDatabase } from './sqlite-database.ts'
import type { SqlValue } from './sqlite-driver.ts'

/** The options of {@link SqliteVectorRetriever}. */
interface SqliteVectorRetrieverOptions extends NodeClassOptions, VectorRetrieverOptions {}

const ownOptions: OptionTable<SqliteVectorRetrieverOptions> = { ...vectorOptions, ...nodeClassOptions }

/**
 * Ranks nodes by the cosine similarity of their embeddings to that of the query: `VectorRetriever` of `@x/retrieval` over a database. The
 * search is exact and reads every vector, 4 bytes per number, by sqlite-vec if the database was opened with it. Nodes are returned without
 * their embeddings. A database contains one vector index.
 * @throws {ModelValidationError} when `similarityTopK` or `filters` is not valid.
 * @example
 * const embedModel = new TableEmbedding({ texts: { pear: [1, 0], wine: [0, 1] }, queries: { fruit: [1, 0.2] } })
 * const retriever = new SqliteVectorRetriever(await openDatabase(':memory:'), { embedModel, similarityTopK: 1 })
 * await retriever.add(['pear', 'wine'].map((text) => new TextNode({ text })))
 * const [best] = await retriever.retrieve('fruit')
 * best.text // => 'pear'
 */
export class SqliteVectorRetriever extends Retriever {
  similarityTopK: number
  private readonly embedModel: EmbeddingModel
  private readonly database: SqliteDatabase
  private readonly nodes: IndexedNodes

  constructor(database: SqliteDatabase, options: SqliteVectorRetrieverOptions) {
    checkOptions('SqliteVectorRetriever', options, ownOptions)
    const { embedModel, similarityTopK = 2, filters, scope, callbackManager, ...classes } = options
    super(callbackManager, scope, filters)
    this.embedModel = embedModel
    this.similarityTopK = similarityTopK
    this.database = opened('SqliteVectorRetriever', database)
    this.nodes = new IndexedNodes(database, 'vectors', classes)
  }

  /** The number of nodes. */
  get size(): number {
    return this.nodes.size
  }

  /** Whether the index contains a node with this id. */
  has(id: string): boolean {
    return this.nodes.seqOf(id) !== null
  }

  /**
   * Adds nodes to the index, in one transaction. A node replaces the node with the same id. Nodes without an embedding are embedded in one
   * batch; the nodes are not changed.
   * @throws {EmbeddingDimensionError} when an embedding has a different length. Then no node is added.
   * @throws {ModelValidationError} when a number of an embedding is not finite.
   */
  async add(nodes: Iterable<TextNode>, { signal }: CancelOptions = {}): Promise<void> {
    signal?.throwIfAborted()
    const all = allOf(nodes, 'SqliteVectorRetriever.add')
    const vectors = await embedNodes(all, this.embedModel, signal)
    const sql = 'insert into vectors values (?, ?) on conflict (seq) do update set vector = excluded.vector'
    this.database.transaction(() => {
      for (const node of all) {
        const vector = node.embedding ?? vectors.get(node)!
        this.checkLength(vector, node.id)
        const bytes = bytesOf(unitVector(vector, 'SqliteVectorRetriever'))
        this.database.run(sql, this.nodes.put(node), bytes)
      }
    })
  }

  /**
   * Replaces nodes whose content for embeddings is unchanged, in one transaction: they keep their vectors. Nodes with other ids are
   * ignored.
   */
  update(nodes: Iterable<TextNode>): void {
    const all = allOf(nodes, 'SqliteVectorRetriever.update')
    this.database.transaction(() => {
      for (const node of all) if (this.has(node.id)) this.nodes.put(node)
    })
  }

  /** Removes the nodes with these ids, in one transaction, and returns how many were removed. Other ids are ignored. */
  remove(ids: Iterable<string>): number {
    return this.nodes.removeAll(ids, ['delete from vectors where seq = ?'])
  }

  protected async search(query: QueryBundle, { signal, parentId, filters }: RetrieveOptions): Promise<NodeWithScore[]> {
    checkOption('SqliteVectorRetriever', 'similarityTopK', this.similarityTopK, wholeNumber(0))
    const vector = await embedQuery(this.embedModel, query, (work) => work({ signal, parentId }))
    const unit = unitVector(vector, 'SqliteVectorRetriever')
    if (this.dimension === null) return []
    this.checkLength(vector)
    // Without conditions SQLite itself selects the best matches, in half of the time.
    const limit = filters === undefined ? this.similarityTopK : null
    const condition = conditionOf(filters)
    const matches = this.database.hasVectorFunctions
      ? this.measured(unit, limit, condition)
      : this.scanned(unit, condition)
    return this.nodes.best(matches, this.similarityTopK, filters)
  }

  /** The length of the vectors; null while the index is empty. */
  private get dimension(): number | null {
    const row = this.database.get('select length(vector) / 4 as n from vectors limit 1')
    return row && Number(row['n'])
  }

  private checkLength(vector: readonly number[], id?: string): void {
    const { dimension } = this
    // The replaced vector may be the only one.
    if (dimension === null || vector.length === dimension || (this.size === 1 && id !== undefined && this.has(id)))
      return
    checkDimension(dimension, vector.length)
  }

  /**
   * Returns the similarities of the vectors, computed by sqlite-vec.
   * @param limit - the number of the best ones to return, or null for all
   */
  private measured(
    unit: Float32Array,
    limit: number | null,
    condition: SqlCondition<SqlValue> | null,
  ): Map<number, number> {
    // The distance to a zero vector is null.
    const sql = `select seq, 1 - coalesce(vec_distance_cosine(vector, ?), 1) as score from vectors${joined(condition)}`
    const values = [bytesOf(unit), ...(condition?.values ?? [])]
    const rows =
      limit === null
        ? this.database.stored<Record<'seq' | 'score', number>>(sql, ...values)
        : this.database.stored<Record<'seq' | 'score', number>>(
            `${sql} order by score desc, seq limit ?`,
            ...values,
            limit,
          )
    return new Map(rows.map(({ seq, score }) => [seq, score]))
  }

  /** Returns the similarities of the vectors, computed in JavaScript. */
  private scanned(unit: Float32Array, condition: SqlCondition<SqlValue> | null): Map<number, number> {
    const scores = new Map<number, number>()
    for (const { seq, vector } of this.database.each(
      `select seq, vector from vectors${joined(condition)}`,
      ...(condition?.values ?? []),
    )) {
      const numbers = floatsOf(vector as Uint8Array)
      let score = 0
      for (let i = 0; i < unit.length; i++) score += unit[i]! * numbers[i]!
      scores.set(Number(seq), score)
    }
    return scores
  }
}

/** Returns what adds a condition to a statement on the vectors. */
function joined(condition: SqlCondition<SqlValue> | null): string {
  return condition ? ` join indexed using (seq) where ${condition.sql}` : ''
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

function floatsOf(bytes: Uint8Array): Float32Array {
  // A Float32Array must start at a multiple of 4 bytes.
  const { buffer, byteOffset, byteLength } = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice()
  return new Float32Array(buffer, byteOffset, byteLength / 4)
}
