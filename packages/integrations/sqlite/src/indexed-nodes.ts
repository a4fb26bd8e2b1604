/**
 * @module
 * The nodes of an index: the keyword index and the vector index of a database share one record per node.
 */
import { NodeWithScore, readJsonText, type TextNode, writeJsonText } from '@x/core-model'
import { type FiltersInput, nodeFilter } from '@x/retrieval'
import { type NodeClassOptions, NodeRecords, type StoredValue } from '@x/storage'
import type { SqliteDatabase } from './sqlite-database.ts'

/** The number of a node in the indexes, and the score of the node. */
export interface IndexMatch {
  seq: number
  score: number
}

/** The nodes of one index. */
export class IndexedNodes {
  private readonly database: SqliteDatabase
  private readonly column: 'in_keywords' | 'in_vectors'
  private readonly records: NodeRecords

  constructor(database: SqliteDatabase, index: 'keywords' | 'vectors', options: NodeClassOptions) {
    this.database = database
    this.column = `in_${index}`
    this.records = new NodeRecords(options)
  }

  /** The number of nodes. */
  get size(): number {
    return Number(this.database.get(`select count(*) n from indexed where ${this.column} = 1`)!['n'])
  }

  /** Returns the number of the node with an id; null when the index does not contain it. */
  seqOf(id: string): number | null {
    const row = this.database.get(`select seq from indexed where id = ? and ${this.column} = 1`, id)
    return row && Number(row['seq'])
  }

  /** Adds a node, or replaces the node with the same id, which keeps its number. Returns the number. */
  put(node: TextNode): number {
    const record = this.records.recordOf(node)
    // The vector index stores the embedding in its own form.
    const text = writeJsonText({ ...record, __data__: { ...(record['__data__'] as object), embedding: null } })
    const sql = `insert into indexed (id, record, metadata, ${this.column}) values (?, ?, ?, 1)
      on conflict (id) do update set record = excluded.record, metadata = excluded.metadata, ${this.column} = 1`
    this.database.run(sql, node.id, text, writeJsonText(node.metadata))
    return this.seqOf(node.id)!
  }

  /**
   * Removes the nodes with these ids from this index, in one transaction, and returns how many were removed. Other ids are ignored.
   * @param sql - removes the data of a node from the index, by its number.
   */
  removeAll(ids: Iterable<string>, sql: string): number {
    return this.database.transaction(() => {
      let count = 0
      for (const id of ids) {
        const seq = this.seqOf(id)
        if (seq === null) continue
        this.database.run(sql, seq)
        this.database.run(`update indexed set ${this.column} = 0 where seq = ?`, seq)
        this.database.run('delete from indexed where seq = ? and in_keywords = 0 and in_vectors = 0', seq)
        count++
      }
      return count
    })
  }

  /** Returns the best matches whose nodes meet all conditions, best first. Equal scores keep the order in which nodes were added. */
  best(matches: Iterable<IndexMatch>, limit: number, all: readonly (FiltersInput | undefined)[]): NodeWithScore[] {
    const filters = all.flatMap((filter) => (filter === undefined ? [] : [nodeFilter(filter)]))
    const isBefore = (one: IndexMatch, other: IndexMatch) =>
      one.score > other.score || (one.score === other.score && one.seq < other.seq)
    const top: IndexMatch[] = []
    for (const match of matches) {
      if (top.length === limit && (limit === 0 || !isBefore(match, top.at(-1)!))) continue
      if (filters.length > 0) {
        const node = this.nodeAt(match.seq)
        if (!filters.every((accepts) => accepts(node))) continue
      }
      if (top.length === limit) top.pop()
      let at = top.length
      while (at > 0 && isBefore(match, top[at - 1]!)) at--
      top.splice(at, 0, match)
    }
    return top.map(({ seq, score }) => new NodeWithScore({ node: this.nodeAt(seq), score }))
  }

  private nodeAt(seq: number): TextNode {
    const row = this.database.get('select record from indexed where seq = ?', seq)!
    return this.records.nodeOf(readJsonText(String(row['record'])) as StoredValue)
  }
}
