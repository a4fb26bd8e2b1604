/**
 * @module
 * The rows of an index in a table of LanceDB.
 */
import type { Connection, Table } from '@lancedb/lancedb'
import type { TextNode } from '@x/core-model'
import {
  type DatabaseNodes,
  type FiltersInput,
  type IndexChanges,
  type MetadataFilter,
  sqlCondition,
} from '@x/retrieval'
import { type NodeClassOptions, NodeRecords, nodeClassOptions, nodeOfText, nodeText } from '@x/storage'

/** A row of an index. */
export interface LanceRow {
  /** The id of the node as JSON, which has only characters that SQL can quote. */
  readonly id: string
  /** The place of the node among nodes with equal scores. */
  readonly seq: number
  /** The node as JSON. */
  readonly record: string
  /** The entries of its metadata that conditions can find, such as `lang="en"`; an empty string if there are none. */
  readonly labels: readonly string[]
  readonly [column: string]: unknown
}

/** A row to write, without its place. Null: a row of a node that exists, which keeps its other columns. */
export type NewRow = readonly [node: TextNode, columns: Readonly<Record<string, unknown>> | null]

/** The most values of a condition. */
const maxValues = 1_000
const maxAttempts = 10

const keyOf = (id: string): string => JSON.stringify(id)
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`
const isIn = (keys: readonly string[]): string => `id IN (${keys.map(quoted).join(', ')})`

/** A table of LanceDB, which is made with the first row. Each change is one version of the table. */
export class LanceTable implements DatabaseNodes {
  readonly #connection: Connection
  readonly #name: string
  readonly #records: NodeRecords
  #table: Table | null = null
  /** The highest place in a version of the table. */
  #place = { version: -1, last: 0 }
  /** The changes of this object run one after the other. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(connection: Connection, name: string, classes: NodeClassOptions) {
    this.#connection = connection
    this.#name = name
    // The options of the retriever contain others.
    const own = Object.keys(nodeClassOptions).map((name) => [name, classes[name as keyof NodeClassOptions]])
    this.#records = new NodeRecords(Object.fromEntries(own))
  }

  /** Returns the newest version of the table; null before the first row is written. */
  async open(): Promise<Table | null> {
    if (this.#table) {
      // Other processes may have written.
      await this.#table.checkoutLatest()
      return this.#table
    }
    const names = await this.#connection.tableNames()
    if (names.includes(this.#name)) this.#table = await this.#connection.openTable(this.#name)
    return this.#table
  }

  async count(): Promise<number> {
    return (await (await this.open())?.countRows()) ?? 0
  }

  async missing(ids: readonly string[]): Promise<string[]> {
    const known = await this.byKey(ids.map(keyOf), ['id'])
    return ids.filter((id) => !known.has(keyOf(id)))
  }

  /** Returns the rows with these keys. */
  async byKey(keys: readonly string[], columns: string[]): Promise<Map<string, LanceRow>> {
    const rows = new Map<string, LanceRow>()
    const table = await this.open()
    for (let start = 0; table && start < keys.length; start += maxValues) {
      const query = table.query().where(isIn(keys.slice(start, start + maxValues)))
      for (const row of (await query.select(columns).toArray()) as LanceRow[]) rows.set(row.id, row)
    }
    return rows
  }

  /** Returns the node of a row. */
  nodeOf({ record }: LanceRow): TextNode {
    return nodeOfText(record, this.#records)
  }

  /**
   * Writes and removes rows, all or none, and returns the number of removed ones. A change of another writer at the same time is repeated.
   * @param replaces - called with the table and the keys that remain; returns whether the table is to be replaced by the rows.
   */
  change(
    rows: readonly NewRow[],
    { removed = [], kept = [] }: IndexChanges,
    replaces: (table: Table, others: string) => Promise<boolean> = async () => false,
  ): Promise<{ removed: number; missing: string[] }> {
    const work = async () => {
      const records = rows.map(([node, columns]) => [keyOf(node.id), this.#rowOf(node), columns] as const)
      for (let attempt = 1; ; attempt++) {
        try {
          const count = await this.#write(records, [...new Set(removed.map(keyOf))], replaces)
          return { removed: count, missing: await this.missing(kept) }
        } catch (error) {
          // The error of a commit that lost has no code.
          if (attempt === maxAttempts || !/conflict|already exists/i.test(String(error))) throw error
          this.#table = null
        }
      }
    }
    const done = this.#last.then(work)
    this.#last = done.catch(() => {})
    return done
  }

  #rowOf(node: TextNode) {
    const labels = Object.entries(node.metadata).flatMap(([key, value]) =>
      isLabel(value) ? [labelOf(key, value)] : [],
    )
    return { record: nodeText(node, this.#records, { embedding: null }), labels: labels.length > 0 ? labels : [''] }
  }

  async #write(
    records: readonly (readonly [key: string, row: object, columns: object | null])[],
    removed: readonly string[],
    replaces: (table: Table, others: string) => Promise<boolean>,
  ): Promise<number> {
    const table = await this.open()
    const keepsColumns = records.some(([, , columns]) => columns === null)
    const old = await this.byKey(
      records.map(([key]) => key),
      // Vectors are read only where they are written again.
      keepsColumns ? ((await table?.schema())?.fields.map(({ name }) => name) ?? []) : ['id', 'seq'],
    )
    let next = (await this.#lastPlace(table)) + 1
    const rows = new Map<string, object>()
    for (const [key, row, columns] of records) {
      const known = old.get(key)
      if (columns === null && !known) continue
      const seq = known?.seq ?? (rows.get(key) as LanceRow | undefined)?.seq ?? next++
      rows.set(key, { id: key, seq, ...row, ...(columns ?? plain(known!)) })
    }
    const gone = removed.filter((key) => !rows.has(key))
    const count = table && gone.length > 0 ? await table.countRows(isIn(gone)) : 0
    if (!table) {
      if (rows.size > 0) this.#table = await this.#connection.createTable(this.#name, [...rows.values()] as never)
    } else if (rows.size === 0) {
      if (count > 0) await table.delete(isIn(gone))
    } else if (await replaces(table, `NOT (${isIn([...rows.keys(), ...gone])})`)) {
      this.#table = await this.#connection.createTable(this.#name, [...rows.values()] as never, { mode: 'overwrite' })
    } else {
      let merge = table.mergeInsert('id').whenMatchedUpdateAll().whenNotMatchedInsertAll()
      if (count > 0) merge = merge.whenNotMatchedBySourceDelete({ where: isIn(gone) })
      await merge.execute([...rows.values()] as never)
    }
    this.#place = { version: (await this.#table?.version()) ?? -1, last: next - 1 }
    return count
  }

  /** Returns the highest place. It is read again when another writer has changed the table. */
  async #lastPlace(table: Table | null): Promise<number> {
    if (!table || this.#place.version === (await table.version())) return table ? this.#place.last : 0
    let last = 0
    for (const { seq } of (await table.query().select(['seq']).toArray()) as LanceRow[]) last = Math.max(last, seq)
    return last
  }
}

/** Returns the columns of a row other than those of the node, as plain values. */
function plain({ ...columns }: LanceRow): Record<string, unknown> {
  const { id: _id, seq: _seq, record: _record, labels: _labels, ...others } = columns
  return Object.fromEntries(
    Object.entries(others).map(([name, value]) => [
      name,
      typeof value === 'object' && value ? [...(value as Iterable<unknown>)] : value,
    ]),
  )
}

const isLabel = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value)
const labelOf = (key: string, value: unknown): string => `${JSON.stringify(key)}=${JSON.stringify(value)}`

/** Returns a condition that is true for all nodes that meet the filters, and for as few others as labels can tell; null if they cannot. */
export function labelCondition(filters: FiltersInput | undefined): string | null {
  const entry = ({ key, value, operator = '==' }: MetadataFilter) => {
    const values: readonly unknown[] = operator === 'in' ? (value as readonly unknown[]) : [value]
    if ((operator !== '==' && operator !== 'in') || values.length === 0 || !values.every(isLabel)) return null
    const labels = values.map((each) => quoted(labelOf(key, each)))
    return { sql: `array_has_any(labels, [${labels.join(', ')}])`, values: [] }
  }
  return sqlCondition<never>([filters], entry)?.sql ?? null
}

/** Returns a condition that is true for rows with at least one of the strings in a column. */
export function hasAny(column: string, texts: readonly string[]): string {
  return `array_has_any(${column}, [${texts.map(quoted).join(', ')}])`
}
