/**
 * @module
 * The nodes of an index as rows.
 */
import { isPlainObject } from '@x/core/values'
import { type TextNode, writeJsonText } from '@x/core-model'
import type { ChangeOutcome, IndexChanges } from '@x/retrieval'
import { type NodeClassOptions, NodeRecords, nodeOfText, nodeText, type RecordPlace } from '@x/storage'
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
  /** The ids that should exist. The statement returns those that do not. */
  kept: readonly string[]
}

/** A row of a search; without a record if the search has found no node. */
export interface FoundRow {
  record: string | null
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
  nodeOf(record: string, records: NodeRecords, place?: RecordPlace): TextNode
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
  readonly database: PostgresDatabase
  private readonly table: NodeTable
  private readonly records: NodeRecords

  constructor(database: PostgresDatabase, table: NodeTable, { nodeClasses, registry, line }: NodeClassOptions) {
    this.database = database
    this.table = table
    this.records = new NodeRecords({ nodeClasses, registry, line })
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
    const { rows } = await this.database.query(this.missingStatement(1), [ids.map(storedKey)])
    return rows.map(({ key }) => textOfStored(key))
  }

  /** Returns a statement that finds those of the ids in a parameter that the table does not contain. */
  missingStatement(parameter: number): string {
    const { table, id } = this.table
    return `select key from unnest($${parameter}::text[]) as t (key) where not exists (select from ${table} n where n.${id} = key)`
  }

  /**
   * Makes changes in one transaction, with one statement if the rows are not too large for it.
   * @param put - runs a statement
   */
  async change<Row extends NodeRow>(
    rows: RowsToWrite<Row>,
    { removed = [], kept = [] }: IndexChanges,
    put: (inside: PostgresDatabase, change: Put<Row>) => Promise<ChangeOutcome>,
  ): Promise<ChangeOutcome> {
    if (rows.size === 0 && removed.length === 0) return { removed: 0, missing: await this.missing(kept) }
    const { table, id } = this.table
    const other = { removed: removed.map(storedKey).filter((key) => !rows.has(key)), kept: kept.map(storedKey) }
    return this.database.within(async (inside) => {
      // Without these locks, an attempt waits for a writer of the same row, is undone because of it, and finds the next writer.
      const lock = `select from ${table} where ${id} = any($1) order by ${id} for update`
      if (inside.isRepeated) await inside.query(lock, [[...rows.keys(), ...other.removed]])
      const [first = [], ...others] = batchesOf(rows.values())
      const write = (batch: typeof first) => put(inside, { rows: batch.map(([row]) => row), ...other })
      const result = await write(first)
      for (const batch of others) result.missing = (await write(batch)).missing
      return { ...result, missing: result.missing.map(textOfStored) }
    })
  }

  private placeOf(record: string): RecordPlace {
    return { path: this.table.table, nodeId: /"id_": ?"([^"]*)"/.exec(record)?.[1] ?? '' }
  }

  /** Returns the nodes of rows with their scores. */
  found(rows: readonly FoundRow[]): { node: TextNode; score: number }[] {
    return rows.flatMap(({ record, score }) =>
      record === null ? [] : { node: this.table.nodeOf(record, this.records, this.placeOf(record)), score },
    )
  }
}

/** Returns metadata with strings that `jsonb` can contain. */
function storable(value: unknown): unknown {
  if (typeof value === 'string') return storedText(value)
  if (Array.isArray(value)) return value.map(storable)
  if (!isPlainObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [storedText(key), storable(each)]))
}
