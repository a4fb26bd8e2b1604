/** A vector index in a database with an HTTP interface: what Qdrant and Chroma have in common. */
import { createHash } from 'node:crypto'
import type { NodeWithScore, TextNode } from '@x/core-model'
import {
  type ChangeOutcome,
  DatabaseVectorRetriever,
  type FiltersInput,
  type IndexChanges,
  type NodeVector,
  unitVector,
  type VectorRetrieverOptions,
} from '@x/retrieval'
import { NodeRecords, nodeOfText, nodeText } from '@x/storage'

/** A node in the database. `record` is the node as JSON; `place` orders nodes with equal scores. */
export interface Point {
  key: string
  record: string
  place: number
  vector: readonly number[]
}

/** The operations of a database, by the keys of points. */
export interface PointStore {
  /** Returns the points with these keys, with their vectors. */
  get(keys: readonly string[]): Promise<Point[]>
  /** Writes points, or replaces them. */
  put(points: readonly Point[]): Promise<void>
  delete(keys: readonly string[]): Promise<void>
  /** Returns the nearest points, best first. */
  nearest(vector: readonly number[], limit: number): Promise<(Omit<Point, 'vector'> & { score: number })[]>
  count(): Promise<number>
}

/** Both databases accept UUIDs as ids, so the id of a node becomes one. */
const keyOf = (id: string): string =>
  createHash('sha256')
    .update(JSON.stringify(id))
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')

/** How many more points are read than asked for, so that equal scores at the limit are in the order of adding. */
const TIES = 50

export class RestVectorRetriever extends DatabaseVectorRetriever {
  private readonly points: PointStore
  private readonly records = new NodeRecords()
  private last = 0

  constructor(points: PointStore, options: VectorRetrieverOptions) {
    const known = async (ids: readonly string[]) => new Set((await points.get(ids.map(keyOf))).map(({ key }) => key))
    const missing = async (ids: readonly string[]) => {
      const keys = await known(ids)
      return ids.filter((id) => !keys.has(keyOf(id)))
    }
    super({ count: () => points.count(), missing }, options)
    this.points = points
  }

  protected async write(nodes: readonly NodeVector[], changes: IndexChanges): Promise<ChangeOutcome> {
    const { removed = [], kept = [] } = changes
    const old = new Map((await this.points.get(nodes.map(([{ id }]) => keyOf(id)))).map((point) => [point.key, point]))
    const points = new Map<string, Point>()
    for (const [node, embedding] of nodes) {
      const key = keyOf(node.id)
      const vector = embedding ? [...unitVector(embedding, 'RestVectorRetriever')] : old.get(key)?.vector
      // Null: the vector that is stored is kept; nodes that are not stored are ignored.
      if (vector)
        points.set(key, { key, vector, place: old.get(key)?.place ?? this.next(), record: this.recordOf(node) })
    }
    const gone = [...new Set(removed.map(keyOf))].filter((key) => !points.has(key))
    const count = (await this.points.get(gone)).length
    if (gone.length > 0) await this.points.delete(gone)
    if (points.size > 0) await this.points.put([...points.values()])
    return { removed: count, missing: await this.missing(kept) }
  }

  protected nearest(
    vector: readonly number[],
    limit: number,
    filters: FiltersInput | undefined,
  ): Promise<NodeWithScore[]> {
    const unit = [...unitVector(vector, 'RestVectorRetriever')]
    return this.best(limit, filters, async (count) => {
      const found = await this.points.nearest(unit, count + TIES)
      found.sort((one, other) => other.score - one.score || one.place - other.place)
      return found.slice(0, count).map(({ record, score }) => ({ node: nodeOfText(record, this.records), score }))
    })
  }

  private recordOf(node: TextNode): string {
    return nodeText(node, this.records, { embedding: null })
  }

  /** A number above all before, also of other processes whose clocks agree. */
  private next(): number {
    this.last = Math.max(this.last + 1, Date.now() * 1000)
    return this.last
  }
}

/** JSON of a server. */
// biome-ignore lint/suspicious/noExplicitAny: its form is that of the documentation
export type Json = any

/** Sends a request of JSON, and returns the answer; null for 404. */
export async function request(
  url: string,
  method: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Json> {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
    redirect: 'error',
  })
  if (response.status === 404) return null
  if (!response.ok)
    throw new Error(`${method} ${new URL(url).pathname}: ${response.status} ${(await response.text()).slice(0, 200)}`)
  return response.json()
}
