/**
 * @module
 * The nodes of an index as rows.
 */
import { isPlainObject } from '@x/core/values'
import { NodeWithScore, readJsonText, type TextNode, writeJsonText } from '@x/core-model'
import { type FiltersInput, nodeFilter } from '@x/retrieval'
import { type NodeClassOptions, NodeRecords, type StoredValue } from '@x/storage'
import type { PostgresDatabase } from './postgres-database.ts'
import { storedKey, storedText, textOfStored } from './stored-key.ts'

/** The columns of a node that are the same in every index. */
export interface NodeRow {
  id: string
  record: string
  metadata: string
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
    rowOf: (node, records) => {
      const record = records.recordOf(node)
      const text = writeJsonText({ ...record, __data__: { ...(record['__data__'] as object), embedding: null } })
      return { id: storedKey(node.id), record: text, metadata: writeJsonText(storable(node.metadata)) }
    },
    nodeOf: (record, records) => records.nodeOf(readJsonText(record) as StoredValue),
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
