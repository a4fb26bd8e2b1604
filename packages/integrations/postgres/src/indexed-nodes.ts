/**
 * @module
 * The nodes of an index as rows.
 */
import { isPlainObject } from '@x/core/values'
import { NodeWithScore, type TextNode, writeJsonText } from '@x/core-model'
import { type ChangeOutcome, type FiltersInput, type IndexChanges, nodeFilter } from '@x/retrieval'
import { type NodeClassOptions, NodeRecords, nodeOfText, nodeText } from '@x/storage'
import { batchesOf } from './batches.ts'
import type { PostgresDatabase } from './postgres-database.ts'
import { storedKey, storedText, textOfStored } from './stored-key.ts'

/** The columns of a node that are the same in every index. */
export interface NodeRow {
  id: string
  record: string
  metadata: string
}

/** Rows by id, each with its longest part. */
export type RowsToWrite<Row extends NodeRow> = ReadonlyMap<string, readonly [Row, string]>

/** A statement that writes and removes nodes. */
export interface Put<Row extends NodeRow> {
  rows: readonly Row[]
  removed: readonly string[]
  /** The ids that should exist. The statement returns those that did not when it began. */
  kept: readonly string[]
}

/** A node that a statement has found. */
export interface FoundRow {
  record: string
  score: number
}

/** A table with nodes. */
export interface NodeTable {
  /** The quoted name. */
  table: string
  /** The column with the ids. */
  id: string
  /** Returns the columns of a node. Its embedding is stored by the index, in its own form. */
  rowOf(node: TextNode, records: NodeRecords): NodeRow
  nodeOf(record: string, records: NodeRecords): TextNode
}

/** Returns a table of this package. */
export function ownNodeTable(table: string): NodeTable {
  return {
    table,
    id: 'id',
    rowOf: (node, records) => ({
      id: storedKey(node.id),
      record: nodeText(node, records, { embedding: null }),
      metadata: writeJsonText(storable(node.metadata)),
    }),
    nodeOf: nodeOfText,
  }
}

/** The nodes of one table. */
export class IndexedNodes {
  private readonly database: PostgresDatabase
  private readonly table: NodeTable
  private readonly records: NodeRecords

  constructor(database: PostgresDatabase, table: NodeTable, options: NodeClassOptions) {
    this.database = database
    this.table = table
    this.records = new NodeRecords(options)
  }

  /** Returns the columns of a node. */
  rowOf(node: TextNode): NodeRow {
    return this.table.rowOf(node, this.records)
  }

  /** Returns the number of nodes. */
  async count(): Promise<number> {
    const { rows } = await this.database.query(`select count(*)::int as n from ${this.table.table}`)
    return rows[0].n
  }

  /** Returns those of the ids that the table does not contain. */
  async missing(ids: readonly string[]): Promise<string[]> {
    if (ids.length === 0) return []
    const { table, id } = this.table
    const sql = `select key from unnest($1::text[]) as t (key) where not exists (select from ${table} n where n.${id} = t.key)`
    const { rows } = await this.database.query(sql, [ids.map(storedKey)])
    return rows.map(({ key }) => textOfStored(key))
  }

  /**
   * Makes changes in one transaction, with one statement if the rows are not too large for it.
   * @param adds - whether a row exists from now on, also if it did not before
   * @param put - runs a statement
   */
  async change<Row extends NodeRow>(
    rows: RowsToWrite<Row>,
    { removed = [], kept = [] }: IndexChanges,
    adds: (row: Row) => boolean,
    put: (inside: PostgresDatabase, change: Put<Row>) => Promise<ChangeOutcome>,
  ): Promise<ChangeOutcome> {
    if (rows.size === 0 && removed.length === 0) return { removed: 0, missing: await this.missing(kept) }
    const other = { removed: removed.map(storedKey).filter((id) => !rows.has(id)), kept: kept.map(storedKey) }
    return this.database.within(async (inside) => {
      if (inside.isRepeated) await this.lock(inside, [...rows.keys(), ...other.removed])
      const [first = [], ...others] = Array.from(batchesOf(rows.values()), (batch) => batch.map(([row]) => row))
      const result = await put(inside, { rows: first, ...other })
      for (const batch of others) await put(inside, { rows: batch, removed: [], kept: [] })
      const isMissing = (id: string) => !(rows.has(id) && adds(rows.get(id)![0]))
      return { removed: result.removed, missing: result.missing.filter(isMissing).map(textOfStored) }
    })
  }

  /**
   * Locks rows, so that the statements after it see their last version and nobody changes it. Without this, an attempt waits for a writer
   * of the same row, is undone because of it, and finds the next writer.
   */
  private async lock(inside: PostgresDatabase, ids: readonly string[]): Promise<void> {
    const { table, id } = this.table
    await inside.query(`select from ${table} where ${id} = any($1) order by ${id} for update`, [ids])
  }

  /**
   * Returns the best nodes that meet all conditions. Those that Postgres cannot check are tested here; if few nodes meet them, more are read.
   * @param read - returns at most so many nodes, best first
   */
  async best(
    limit: number,
    conditions: FiltersInput | undefined,
    read: (limit: number) => Promise<FoundRow[]>,
  ): Promise<NodeWithScore[]> {
    if (limit === 0) return []
    const accepts = conditions === undefined ? () => true : nodeFilter(conditions)
    for (let count = limit; ; count *= 16) {
      const rows = await read(count)
      const found = rows.map(({ record, score }) => ({ node: this.table.nodeOf(record, this.records), score }))
      const accepted = found.filter(({ node }) => accepts(node))
      if (accepted.length >= limit || rows.length < count)
        return accepted.slice(0, limit).map((entry) => new NodeWithScore(entry))
    }
  }
}

/** Returns metadata with strings that `jsonb` can contain. */
function storable(value: unknown): unknown {
  if (typeof value === 'string') return storedText(value)
  if (Array.isArray(value)) return value.map(storable)
  if (!isPlainObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [storedText(key), storable(each)]))
}
