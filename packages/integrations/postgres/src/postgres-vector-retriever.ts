/**
 * @module
 * A vector index in a database, with its retriever.
 */
import { checkOption, checkOptions, type OptionTable, required, text, wholeNumber } from '@x/core/options'
import {
  ConfigurationError,
  type EmbeddingModel,
  type NodeWithScore,
  type QueryBundle,
  type TextNode,
} from '@x/core-model'
import { embedQuery } from '@x/core-model/components'
import {
  type CancelOptions,
  type ChangeOutcome,
  checkDimension,
  DatabaseRetriever,
  embedNodes,
  type IndexChanges,
  type RetrieveOptions,
  type RetrieverOptions,
  retrieverOptions,
  unitVector,
} from '@x/retrieval'
import { type NodeClassOptions, nodeClassOptions } from '@x/storage'
import { conditionOf, numbered } from './filter-condition.ts'
import { type FoundRow, IndexedNodes, type NodeRow, type Put } from './indexed-nodes.ts'
import type { PostgresDatabase } from './postgres-database.ts'
import { ownVectorTable, pythonVectorTable, type VectorTable } from './vector-table.ts'

/** The options of {@link PostgresVectorRetriever}. */
export interface PostgresVectorRetrieverOptions extends NodeClassOptions, RetrieverOptions {
  embedModel: EmbeddingModel
  /** The maximum number of nodes returned, an integer of at least 0. @defaultValue 2 */
  similarityTopK?: number | undefined
  /**
   * The `table_name` of a `PGVectorStore` of LlamaIndex for Python, in the schema of the database: this retriever then searches and writes the
   * same table, which must exist. @defaultValue a table of this package
   */
  pythonTable?: string | undefined
}

/** The options of `createHnswIndex`; see the documentation of pgvector. */
export interface HnswOptions {
  /** The number of connections of a vector in each layer. @defaultValue 16 */
  m?: number | undefined
  /** The number of candidates while the index is built. @defaultValue 64 */
  efConstruction?: number | undefined
}

const vectorOptions: OptionTable<PostgresVectorRetrieverOptions> = {
  ...retrieverOptions,
  ...nodeClassOptions,
  embedModel: required('an embedding model', 'getQueryEmbedding'),
  similarityTopK: wholeNumber(0),
  pythonTable: text,
}

/** Nodes that are read in addition, because an index returns equal scores in any order. */
const TIES = 40

/**
 * Ranks nodes by the cosine similarity of their embeddings to that of the query: `VectorRetriever` of `@x/retrieval` over pgvector, which
 * searches need (version 0.8 or newer). A search reads every vector, until `createHnswIndex` makes an index, which finds nearly all of the best
 * nodes in a fraction of the time. Filters are part of the search, so it finds `similarityTopK` nodes that meet them if there are so many. Nodes
 * are returned without their embeddings. A database contains one vector index.
 * @throws {ModelValidationError} when `similarityTopK` or `filters` is not valid.
 * @example
 * async function search(database: PostgresDatabase, embedModel: EmbeddingModel): Promise<string[]> {
 *   const retriever = new PostgresVectorRetriever(database, { embedModel, similarityTopK: 1 })
 *   await retriever.add(['pear', 'wine'].map((text) => new TextNode({ text })))
 *   return (await retriever.retrieve('fruit')).map(({ text }) => text)
 * }
 */
export class PostgresVectorRetriever extends DatabaseRetriever {
  similarityTopK: number
  private readonly embedModel: EmbeddingModel
  private readonly database: PostgresDatabase
  private readonly table: VectorTable
  private readonly nodes: IndexedNodes

  constructor(database: PostgresDatabase, options: PostgresVectorRetrieverOptions) {
    checkOptions('PostgresVectorRetriever', options, vectorOptions)
    const { embedModel, similarityTopK = 2, filters, scope, pythonTable, callbackManager, ...classes } = options
    const { tables } = database
    const table = pythonTable === undefined ? ownVectorTable(tables) : pythonVectorTable(tables, pythonTable)
    const nodes = new IndexedNodes(database, table, classes)
    super(nodes, { callbackManager, scope, filters })
    this.embedModel = embedModel
    this.similarityTopK = similarityTopK
    this.database = database
    this.table = table
    this.nodes = nodes
  }

  /** Replaces nodes whose content for embeddings is unchanged: they keep their vectors. Nodes with other ids are ignored. */
  async update(nodes: Iterable<TextNode>): Promise<void> {
    await this.change({ updated: [...nodes] })
  }

  /**
   * Makes an HNSW index unless it exists: searches then read a part of the vectors. It is made much faster when the nodes are added before, and
   * is kept up to date. Vectors may have up to 2,000 numbers.
   * @throws {ConfigurationError} when the index contains no node yet, or the extension `vector` is missing.
   */
  async createHnswIndex({ m = 16, efConstruction = 64 }: HnswOptions = {}): Promise<void> {
    checkOption('PostgresVectorRetriever.createHnswIndex', 'm', m, wholeNumber(2))
    checkOption('PostgresVectorRetriever.createHnswIndex', 'efConstruction', efConstruction, wholeNumber(4))
    const { table, dimension, vector, operatorClass, hnswIndex } = this.table
    const { rows } = await this.database.query(
      `select ${dimension} as length from ${table} where ${dimension} is not null limit 1`,
    )
    if (rows.length === 0)
      throw new ConfigurationError(
        'PostgresVectorRetriever.createHnswIndex: expected an index with nodes, whose vectors have a length; add nodes first.',
      )
    const sql = `create index if not exists ${hnswIndex} on ${table}
      using hnsw (${vector(rows[0].length)} ${operatorClass}) with (m = ${m}, ef_construction = ${efConstruction})`
    await withExtension(() => this.database.query(sql))
  }

  protected async search(query: QueryBundle, { signal, parentId, filters }: RetrieveOptions): Promise<NodeWithScore[]> {
    checkOption('PostgresVectorRetriever', 'similarityTopK', this.similarityTopK, wholeNumber(0))
    const vector = await embedQuery(this.embedModel, query, (work) => work({ signal, parentId }))
    const unit = unitVector(vector, 'PostgresVectorRetriever')
    const condition = conditionOf(filters, this.table.metadata)
    const read = async (limit: number, isExact: boolean): Promise<FoundRow[]> => {
      const sql = this.searchStatement(unit.length, condition && numbered(condition.sql, 2), isExact)
      const values = [`[${unit.join()}]`, limit, ...(condition?.values ?? [])]
      const [first, ...others] = (await withExtension(() => this.database.query(sql, values))).rows
      if (first.length !== null) checkDimension(first.length, unit.length)
      return first.record === null ? [] : [first, ...others]
    }
    return this.nodes.best(this.similarityTopK, filters, async (limit) => {
      const rows = await read(limit, false)
      // An HNSW index gives up when few vectors meet the conditions.
      return rows.length < limit && condition ? read(limit, true) : rows
    })
  }

  /** @returns a statement with the parameters vector and limit. Its first row has the length of stored vectors, also without matches. */
  private searchStatement(length: number, condition: string | null, isExact: boolean): string {
    const { table, seq, record, dimension, vector, operator, score } = this.table
    const distance = `${vector(length)} ${operator} $1::vector(${length})`
    // Settings of this statement alone, which the scan of an index reads when it begins.
    const settings = `(select set_config('hnsw.iterative_scan', 'strict_order', true)
        || set_config('hnsw.ef_search', least(1000, greatest(40, 2 * $2::int))::text, true)) is not null`
    return `with other as (select ${dimension} as length from ${table} where ${dimension} is not null limit 1),
      near as (
        select ${seq} as seq, ${record} as record, ${score(distance)} as score from ${table}
        where ${settings} and (select length from other) = ${length} and ${dimension} is not null ${condition === null ? '' : `and ${condition}`}
        order by ${isExact ? `(${distance}) + 0` : distance} limit $2::int + ${TIES}
      )
      select other.length, near.record, near.score from (select) as always left join other on true left join near on true
      order by score desc nulls last, seq limit $2::int`
  }

  protected async change(changes: IndexChanges, { signal }: CancelOptions = {}): Promise<ChangeOutcome> {
    const { added = [], updated = [] } = changes
    signal?.throwIfAborted()
    const vectors = await embedNodes(added, this.embedModel, signal)
    const rows = new Map<string, readonly [VectorRow, string]>()
    const rowOf = (node: TextNode, vector: string | null) => {
      const row = { ...this.nodes.rowOf(node), vector }
      rows.set(row.id, [row, row.record + vector])
    }
    let length: number | null = null
    for (const node of updated) rowOf(node, null)
    for (const node of added) {
      const vector = this.table.numbersOf(node.embedding ?? vectors.get(node)!)
      length ??= vector.length
      checkDimension(length, vector.length)
      rowOf(node, `{${Array.from(vector).join()}}`)
    }
    return this.nodes.change(
      rows,
      changes,
      ({ vector }) => vector !== null,
      (inside, put) => this.put(inside, put, length),
    )
  }

  /** Writes and removes nodes with one statement. A row without a vector replaces the data of a node that exists. */
  private async put(
    inside: PostgresDatabase,
    { rows, removed, kept }: Put<VectorRow>,
    length: number | null,
  ): Promise<ChangeOutcome> {
    const { table, id, dimension, writes } = this.table
    const sql = `with old as (select ${id} as id from ${table} where ${id} = any($1) or ${id} = any($3) order by ${id} for update),
      gone as (delete from ${table} n using old where n.${id} = old.id and old.id = any($1) returning 1),
      input as (
        select * from unnest($3::text[], $4::text[], $5::text[], $6::text[]) with ordinality as t (id, record, metadata, vector, at)
        where (select count(*) from old) >= 0
      ),
      ${writes}
      select (select count(*)::int from gone) as removed,
        (select ${dimension} from ${table} n where ${id} <> all($1) and ${id} <> all($3) limit 1) as length,
        array(select key from unnest($2::text[]) as t (key) where not exists (select from ${table} n where n.${id} = t.key)) as missing`
    const { rows: results } = await inside.query(sql, [
      removed,
      kept,
      rows.map(({ id }) => id),
      rows.map(({ record }) => record),
      rows.map(({ metadata }) => metadata),
      rows.map(({ vector }) => vector),
    ])
    const [result] = results
    if (length !== null && result.length !== null) checkDimension(result.length, length)
    return result
  }
}

/** A node with its vector; null to keep the vector that is stored. */
interface VectorRow extends NodeRow {
  vector: string | null
}

/** Runs a statement that needs the extension `vector`. */
async function withExtension<T>(operation: () => Promise<T>): Promise<T> {
  try {
    return await operation()
  } catch (cause) {
    // undefined_object
    if ((cause as { code?: unknown }).code !== '42704') throw cause
    throw new ConfigurationError(
      'PostgresVectorRetriever: expected a database with the extension vector (pgvector); open it with { pgvector: true }, or run CREATE EXTENSION vector.',
      { cause },
    )
  }
}
