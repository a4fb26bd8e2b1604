/**
 * @module
 * The nodes of an index: the keyword index and the vector index of a database share one record per node.
 */
import { NodeWithScore, readJsonText, type TextNode, writeJsonText } from '@x/core-model'
import { allOf, type FiltersInput, nodeFilter } from '@x/retrieval'
import { type NodeClassOptions, NodeRecords, nodeOfText, nodeText } from '@x/storage'
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
    // The vector index stores the embedding in its own form.
    const text = nodeText(node, this.records, { embedding: null })
    const sql = `insert into indexed (id, record, metadata, ${this.column}) values (?, ?, ?, 1)
      on conflict (id) do update set record = excluded.record, metadata = excluded.metadata, ${this.column} = 1`
    this.database.run(sql, node.id, text, writeJsonText(node.metadata))
    return this.seqOf(node.id)!
  }

  /**
   * Removes the nodes with these ids from this index, in one transaction, and returns how many were removed. Other ids are ignored.
   * @param statements - remove the data of a node from the index, by its number.
   */
  removeAll(ids: Iterable<string>, statements: readonly string[]): number {
    const all = allOf(ids, 'remove', 'ids')
    return this.database.transaction(() => {
      let count = 0
      for (const id of all) {
        const seq = this.seqOf(id)
        if (seq === null) continue
        for (const sql of statements) this.database.run(sql, seq)
        this.database.run(`update indexed set ${this.column} = 0 where seq = ?`, seq)
        this.database.run('delete from indexed where seq = ? and in_keywords = 0 and in_vectors = 0', seq)
        count++
      }
      return count
    })
  }

  /**
   * Returns the best nodes that meet all conditions, best first. Equal scores keep the order in which nodes were added. The best candidates
   * are tested first, so that few nodes are read.
   * @param scores - the scores of the candidates by the number of the node
   */
  best(scores: ReadonlyMap<number, number>, limit: number, conditions: FiltersInput | undefined): NodeWithScore[] {
    if (conditions === undefined) return topOf(scores, limit).map((match) => this.withNode(match))
    const ranked = Array.from(scores, ([seq, score]) => ({ seq, score })).sort(compare)
    const accepts = nodeFilter(conditions)
    const found: NodeWithScore[] = []
    for (let start = 0, size = 256; start < ranked.length && found.length < limit; start += size, size *= 4) {
      const page = ranked.slice(start, start + size)
      const accepted = this.accepted(page, accepts)
      for (const match of page.filter(({ seq }) => accepted.has(seq)).slice(0, limit - found.length))
        found.push(this.withNode(match))
    }
    return found
  }

  /** Returns the numbers of the candidates that meet all conditions. */
  private accepted(page: readonly IndexMatch[], accepts: (node: TextNode) => boolean): Set<number> {
    const sql = 'select seq, metadata from indexed where seq in (select value from json_each(?))'
    const rows = this.database.all(sql, JSON.stringify(page.map(({ seq }) => seq)))
    const isAccepted = (metadata: string) => accepts({ metadata: readJsonText(metadata) } as TextNode)
    return new Set(rows.flatMap(({ seq, metadata }) => (isAccepted(String(metadata)) ? [Number(seq)] : [])))
  }

  private withNode({ seq, score }: IndexMatch): NodeWithScore {
    return new NodeWithScore({ node: this.nodeAt(seq), score })
  }

  private nodeAt(seq: number): TextNode {
    const row = this.database.get('select id, record from indexed where seq = ?', seq)
    const nodeId = String(row?.['id'] ?? `number ${seq}`)
    return nodeOfText(String(row?.['record']), this.records, { path: this.database.path, nodeId })
  }
}

const compare = (one: IndexMatch, other: IndexMatch) => other.score - one.score || one.seq - other.seq

/** Returns the best matches, best first. */
function topOf(scores: ReadonlyMap<number, number>, limit: number): IndexMatch[] {
  const top: IndexMatch[] = []
  if (limit === 0) return top
  for (const [seq, score] of scores) {
    const match = { seq, score }
    if (top.length === limit && compare(match, top.at(-1)!) >= 0) continue
    if (top.length === limit) top.pop()
    let at = top.length
    while (at > 0 && compare(match, top[at - 1]!) < 0) at--
    top.splice(at, 0, match)
  }
  return top
}
