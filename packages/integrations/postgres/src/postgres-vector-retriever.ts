/**
 * @module
 * A vector index in a database, with its retriever.
 */
import { checkOptions, having, type OptionTable, wholeNumber } from '@x/core/options'
import { ConfigurationError, type NodeWithScore } from '@x/core-model'
import {
  type ChangeOutcome,
  checkDimension,
  DatabaseVectorRetriever,
  type FiltersInput,
  type IndexChanges,
  type NodeVector,
  unitVector,
  type VectorRetrieverOptions,
  vectorOptions,
} from '@x/retrieval'
import { type NodeClassOptions, nodeClassOptions } from '@x/storage'
import { columnsOf } from './batches.ts'
import { conditionOf } from './filter-condition.ts'
import { IndexedNodes, type NodeRow, type Put } from './indexed-nodes.ts'
import type { PostgresDatabase } from './postgres-database.ts'
import type { PythonTable } from './python-table.ts'
import { ownVectorTable, type VectorTable } from './vector-table.ts'

/** The options of {@link PostgresVectorRetriever}. */
interface PostgresVectorRetrieverOptions extends NodeClassOptions, VectorRetrieverOptions {
  /**
   * The table of a `PGVectorStore` of LlamaIndex for Python, in the schema of the database: `pythonTable(name)`. This retriever then
   * searches and writes that table, which must exist. @defaultValue a table of this package
   */
  pythonTable?: PythonTable | undefined
}

/** The options of `createHnswIndex`; see the documentation of pgvector. */
interface HnswOptions {
  /** The number of connections of a vector in each layer. @defaultValue 16 */
  m?: number | undefined
  /** The number of candidates while the index is built. @defaultValue 64 */
  efConstruction?: number | undefined
}

const ownOptions: OptionTable<PostgresVectorRetrieverOptions> = {
  ...vectorOptions,
  ...nodeClassOptions,
  pythonTable: having('pythonTable(name)', 'tableIn'),
}

const hnswOptions: OptionTable<HnswOptions> = { m: wholeNumber(2), efConstruction: wholeNumber(4) }

/** Nodes that are read in addition, because an index returns equal scores in any order. */
const TIES = 40

/**
 * Ranks nodes by the cosine similarity of their embeddings to that of the query: `VectorRetriever` of `@x/retrieval` over pgvector, which
 * searches need (version 0.8 or newer). A search reads every vector, until `createHnswIndex` makes an index, which finds nearly all of the
 * best nodes in a fraction of the time. Filters are part of the search, so it finds `similarityTopK` nodes that meet them if there are so
 * many. Nodes are returned without their embeddings. A database contains one vector index.
 * @throws {ModelValidationError} when `similarityTopK` or `filters` is not valid.
 * @example
 * async function search(database: PostgresDatabase, embedModel: EmbeddingModel): Promise<string[]> {
 *   const retriever = new PostgresVectorRetriever(database, { embedModel, similarityTopK: 1 })
 *   await retriever.add(['pear', 'wine'].map((text) => new TextNode({ text })))
 *   return (await retriever.retrieve('fruit')).map(({ text }) => text)
 * }
 */
export class PostgresVectorRetriever extends DatabaseVectorRetriever {
  /** @internal */
  declare protected readonly nodes: IndexedNodes
  private readonly table: VectorTable

  constructor(database: PostgresDatabase, options: PostgresVectorRetrieverOptions) {
    checkOptions('PostgresVectorRetriever', options, ownOptions)
    const { tables } = database
    const table = options.pythonTable ? options.pythonTable.tableIn(tables) : ownVectorTable(tables)
    super(new IndexedNodes(database, table, options), options)
    this.table = table
  }

  /**
   * Makes an HNSW index unless it exists: searches then read a part of the vectors. It is made much faster when the nodes are added before,
   * and is kept up to date. Vectors may have up to 2,000 numbers.
   * @throws {ConfigurationError} when the index contains no node yet, or the extension `vector` is missing.
   */
  async createHnswIndex(options: HnswOptions = {}): Promise<void> {
    checkOptions('PostgresVectorRetriever.createHnswIndex', options, hnswOptions)
    const { m = 16, efConstruction = 64 } = options
    const { table, dimension, vector, operatorClass, hnswIndex } = this.table
    const { rows } = await this.nodes.database.query(
      `select ${dimension} as length from ${table} where ${dimension} is not null limit 1`,
    )
    if (rows.length === 0)
      throw new ConfigurationError(
        'PostgresVectorRetriever.createHnswIndex: expected an index with nodes, whose vectors have a length; add nodes first.',
      )
    const sql = `create index if not exists ${hnswIndex} on ${table}
      using hnsw (${vector(rows[0].length)} ${operatorClass}) with (m = ${m}, ef_construction = ${efConstruction})`
    await withExtension(() => this.nodes.database.query(sql))
  }

  protected async nearest(
    vector: readonly number[],
    limit: number,
    filters: FiltersInput | undefined,
  ): Promise<NodeWithScore[]> {
    const unit = unitVector(vector, 'PostgresVectorRetriever')
    let condition = conditionOf(filters, this.table.metadata, 3)
    const read = async (limit: number, isExact: boolean) => {
      const sql = this.searchStatement(unit.length, condition?.sql, isExact)
      const values = [`[${unit.join()}]`, limit, ...(condition ? [condition.values] : [])]
      const { rows } = await withExtension(() => this.nodes.database.query(sql, values))
      const { length } = rows[0]
      if (length !== null) checkDimension(length, unit.length)
      return this.nodes.found(rows)
    }
    return this.best(limit, filters, async (count) => {
      const found = await read(count, false).catch((error) => {
        // untranslatable_character, invalid_text_representation: `jsonb` has no form for a string in the `json` of Python.
        if (!condition || !['22P05', '22P02'].includes(error.code)) throw error
        condition = null
        return read(count, false)
      })
      // An HNSW index gives up when few vectors meet the conditions.
      return found.length < count && condition ? read(count, true) : found
    })
  }

  /** @returns a statement with the parameters vector and limit. Its first row has the length of stored vectors, also without matches. */
  private searchStatement(length: number, condition: string | undefined, isExact: boolean): string {
    const { table, seq, record, dimension, vector, operator, score } = this.table
    const distance = `${vector(length)} ${operator} $1::vector(${length})`
    // Settings of this statement alone, which the scan of an index reads when it begins.
    const settings = `(select set_config('hnsw.iterative_scan', 'strict_order', true)
        || set_config('hnsw.ef_search', least(1000, greatest(40, 2 * $2::bigint))::text, true)) is not null`
    return `with other as (select ${dimension} as length from ${table} where ${dimension} is not null limit 1),
      near as (
        select ${seq} as seq, ${record} as record, ${score(distance)} as score from ${table}
        where ${settings} and (select length from other) = ${length} and ${dimension} is not null ${condition ? `and ${condition}` : ''}
        order by ${isExact ? `(${distance}) + 0` : distance} limit $2::bigint + ${TIES}
      )
      select other.length, near.record, near.score from (select) as always left join other on true left join near on true
      order by score desc nulls last, seq limit $2`
  }

  protected async write(nodes: readonly NodeVector[], changes: IndexChanges): Promise<ChangeOutcome> {
    const rows = new Map<string, readonly [VectorRow, string]>()
    let length: number | null = null
    for (const [node, embedding] of nodes) {
      const numbers = embedding && this.table.numbersOf(embedding)
      if (numbers) checkDimension((length ??= numbers.length), numbers.length)
      const vector = numbers && `{${Array.from(numbers).join()}}`
      const row = { ...this.nodes.rowOf(node), vector }
      rows.set(row.id, [row, row.record + vector])
    }
    return this.nodes.change(rows, changes, (inside, put) => this.put(inside, put, length))
  }

  /** Writes and removes nodes with one statement. A row without a vector replaces the data of a node that exists. */
  private async put(
    inside: PostgresDatabase,
    { rows, removed, kept }: Put<VectorRow>,
    length: number | null,
  ): Promise<ChangeOutcome> {
    const { table, id, dimension, writes } = this.table
    const sql = `with old as (select ${id} as id from ${table} where ${id} = any($5) or ${id} = any($1) order by ${id} for update),
      gone as (delete from ${table} n using old where n.${id} = old.id and old.id = any($5) returning 1),
      input as (
        select * from unnest($1::text[], $2::text[], $3::text[], $4::text[]) with ordinality as t (id, record, metadata, vector, at)
        where (select count(*) from old) >= 0
      ),
      written as (select id from input where vector is not null),
      ${writes}
      select (select count(*)::int from gone) as removed,
        (select ${dimension} from ${table} n where ${id} <> all($5) and ${id} not in (select id from written) limit 1) as length,
        array(${this.nodes.missingStatement(6)} and key not in (select id from written)) as missing`
    const { rows: results } = await inside.query(sql, [
      ...columnsOf(rows, 'id', 'record', 'metadata', 'vector'),
      removed,
      kept,
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
