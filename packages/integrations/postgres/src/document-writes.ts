/**
 * @module
 * Writing nodes within a transaction.
 *
 * A writer first locks the records of all source documents whose nodes it adds, moves or deletes, in the order of their ids. So no other
 * writer changes the nodes of its sources, and writers of the same documents wait for each other. When a node gets a different source
 * while a writer waits, its transaction is tried again.
 */
import { merge } from '@x/core/values'
import { readJsonText, type TextNode, writeJsonText } from '@x/core-model'
import { mergedMetadata, type NodeRecords, nodeText } from '@x/storage'
import { batchesOf } from './batches.ts'
import type { PostgresDatabase } from './postgres-database.ts'
import { conflict } from './postgres-driver.ts'
import { storedKey, storedText, textOfStored } from './stored-key.ts'

/** A node to write, with its columns. */
interface NodeColumns {
  node: TextNode
  id: string
  hash: string
  source: string | null
}

/** A node that is stored. */
interface NodeRow {
  hash: string
  source: string | null
  /** Whether the node itself is stored, not only its hash. */
  known: boolean
}

/** One write of nodes. Ids and hashes are in their stored form. */
export class DocumentWrite {
  readonly nodes: readonly NodeColumns[]
  /** The stored nodes with the same ids, locked. */
  readonly rows = new Map<string, NodeRow>()
  private readonly database: PostgresDatabase
  /** The metadata of the locked sources, as JSON text. */
  private readonly sources = new Map<string, string>()

  constructor(database: PostgresDatabase, nodes: readonly TextNode[], records: NodeRecords) {
    this.database = database
    this.nodes = nodes.map((node) => {
      const { id, refDocId } = node
      const hash = storedText(records.hashOf(node))
      return { node, id: storedKey(id), hash, source: refDocId === null ? null : storedKey(refDocId) }
    })
  }

  /**
   * Locks the new and the previous sources of the nodes, and creates new sources; then locks the stored nodes.
   * @param hashed - a document whose hash is set, too.
   */
  async start(hashed?: { id: string; hash: string }): Promise<this> {
    const { nodes, sources } = this.database.tables
    const hashing = hashed
      ? `with hashed as (insert into ${nodes} (id, hash) values ($3, $4) on conflict (id) do update set hash = excluded.hash)`
      : ''
    const locking = `${hashing} insert into ${sources} as s (id, metadata)
      select id, '{}' from (
        select unnest($1::text[]) as id union select source from ${nodes} where id = any($2) and source is not null
      ) as t order by id collate "C"
      on conflict (id) do update set metadata = s.metadata returning id, metadata`
    const values = [this.ownSources, this.ids, ...(hashed ? [hashed.id, hashed.hash] : [])]
    const locked = await this.database.query(locking, values)
    for (const { id, metadata } of locked.rows) this.sources.set(id, metadata)
    const reading = `select id, hash, source, record is not null as known from ${nodes} where id = any($1) order by id for update`
    for (const row of (await this.database.query(reading, [this.ids])).rows) {
      if (row.source !== null && !this.sources.has(row.source)) throw conflict()
      this.rows.set(row.id, row)
    }
    return this
  }

  /**
   * Writes some of the nodes. All records are created before the first write.
   * @param records - null to store only the hashes
   * @param whole - all nodes of their sources, whose metadata replaces that of the sources; without them, that of `nodes` is merged into it
   */
  async write(
    nodes: readonly NodeColumns[],
    records: NodeRecords | null,
    whole?: readonly NodeColumns[],
  ): Promise<void> {
    const written = new Map<string, [NodeColumns, record: string | null]>()
    for (const columns of nodes) {
      const { node, id, source } = columns
      // The metadata is stored with the source, so it must be JSON in any case.
      if (!records) node.toJson()
      const record = records && nodeText(node, records)
      // A statement accepts an id once: the last node counts, at the position of the first one in its source.
      if (written.get(id)?.[0].source !== source) written.delete(id)
      written.set(id, [columns, record])
    }
    for (const batch of batchesOf(written.values())) await this.insert(batch)
    await this.setMetadata(whole ?? nodes, whole !== undefined)
    await dropEmptySources(this.database, this.leftBy([...this.sources.keys()]), this.ids)
  }

  /** Returns the sources that none of these nodes has. If an id occurs twice, the last node counts. */
  private leftBy(sources: readonly string[]): string[] {
    const used = new Set(new Map(this.nodes.map(({ id, source }) => [id, source])).values())
    return sources.filter((id) => !used.has(id))
  }

  /** Brings the nodes of each source into the order of these nodes, of which an id that occurs twice stands at its first position. */
  async order(): Promise<void> {
    const ids = new Map<string, string[]>()
    for (const { id, source } of new Map(this.nodes.map((columns) => [columns.id, columns])).values())
      if (source !== null && ids.get(source)?.push(id) === undefined) ids.set(source, [id])
    // New nodes are in the order in which they were added.
    if (this.rows.size === 0) return
    const reading = `select source, array_agg(id order by seq) as ids from ${this.database.tables.nodes} where source = any($1) group by source`
    const { rows } = await this.database.query(reading, [[...ids.keys()]])
    for (const row of rows) if (row.ids.join('\n') === ids.get(row.source)?.join('\n')) ids.delete(row.source)
    for (const [source, own] of ids)
      await this.database.query(`with ${orderedNodes(this.database, '$1', '$2')} select`, [source, own])
  }

  /** Deletes the other nodes of the sources of these nodes, and returns their ids. */
  async deleteOthers(): Promise<string[]> {
    const sql = `with gone as (
        delete from ${this.database.tables.nodes} n where source = any($1)
          and not exists (select from unnest($2::text[]) as kept (id) where kept.id = n.id) returning seq, id, source
      ) select id from gone order by array_position($1::text[], source), seq`
    const { rows } = await this.database.query(sql, [this.ownSources, this.ids])
    await dropEmptySources(this.database, this.leftBy(this.ownSources), this.ids)
    return rows.map(({ id }) => textOfStored(id))
  }

  private get ids(): string[] {
    return this.nodes.map(({ id }) => id)
  }

  private get ownSources(): string[] {
    return [...new Set(this.nodes.flatMap(({ source }) => source ?? []))]
  }

  private async insert(batch: [NodeColumns, string | null][]): Promise<void> {
    // The new version of an existing row has the lock of this transaction in xmax.
    const sql = `insert into ${this.database.tables.nodes} as n (id, record, hash, source)
      select id, record, hash, source
      from unnest($1::text[], $2::text[], $3::text[], $4::text[]) with ordinality as t (id, record, hash, source, at) order by at
      on conflict (id) do update set record = coalesce(excluded.record, n.record), hash = excluded.hash, source = excluded.source,
        seq = case when n.source is distinct from excluded.source then excluded.seq else n.seq end
      returning xmax <> 0 as existed`
    const { rows } = await this.database.query(sql, [
      batch.map(([{ id }]) => id),
      batch.map(([, record]) => record),
      batch.map(([{ hash }]) => hash),
      batch.map(([{ source }]) => source),
    ])
    // A node that another transaction has added meanwhile may belong to a source that is not locked.
    const known = batch.filter(([{ id }]) => this.rows.has(id)).length
    if (rows.filter(({ existed }) => existed).length > known) throw conflict()
  }

  private async setMetadata(nodes: readonly NodeColumns[], replaces: boolean): Promise<void> {
    const changed = new Map<string, string>()
    for (const [source, metadata] of mergedMetadata(nodes.map(({ node }) => node))) {
      const id = storedKey(source)
      const before = this.sources.get(id)!
      const text = writeJsonText(replaces ? metadata : merge(readJsonText(before) as Record<string, unknown>, metadata))
      if (text !== before) changed.set(id, text)
    }
    if (changed.size === 0) return
    const sql = `update ${this.database.tables.sources} s set metadata = t.metadata
      from unnest($1::text[], $2::text[]) as t (id, metadata) where s.id = t.id`
    await this.database.query(sql, [[...changed.keys()], [...changed.values()]])
  }
}

/**
 * Returns common table expressions that bring the nodes of a source into an order: from the first one that stands elsewhere on, they get
 * new numbers.
 * @param source - the parameter with the id of the source
 * @param ids - the parameter with the ids of its nodes, in their order
 */
export function orderedNodes(database: PostgresDatabase, source: string, ids: string): string {
  const { nodes } = database.tables
  const sequence = `pg_get_serial_sequence('${nodes.replaceAll("'", "''")}', 'seq')`
  // Arrays are compared by position: a join of expressions without statistics may compare every row with every other.
  return `pairs as (
        select t.id, t.stored, t.at from unnest(${ids}::text[], (
          select array_agg(id order by seq) from ${nodes} where source = ${source} and id = any(${ids}::text[])
        )) with ordinality as t (id, stored, at)
      ),
      moving as (
        select array_agg(id order by at) as ids from pairs
        where at >= (select min(at) from pairs where id is distinct from stored)
      ),
      numbers as (
        select array_agg(seq order by seq) as seqs
        from (select nextval(${sequence}) as seq from moving, generate_series(1, cardinality(moving.ids))) as t
      ),
      moved as (
        update ${nodes} n set seq = t.seq
        from moving, numbers, unnest(moving.ids, numbers.seqs) as t (id, seq) where n.id = t.id and n.source = ${source}
      )`
}

/**
 * Deletes the locked sources without nodes. The hash of a source is kept if the source itself is a node, or is one of `written`.
 */
export async function dropEmptySources(
  database: PostgresDatabase,
  ids: readonly string[],
  written: readonly string[] = [],
): Promise<void> {
  if (ids.length === 0) return
  const { nodes, sources } = database.tables
  const sql = `with empty as (
      delete from ${sources} s where id = any($1) and not exists (select from ${nodes} n where n.source = s.id) returning id
    ) delete from ${nodes} n using empty where n.id = empty.id and n.record is null and n.source is null and n.id <> all($2)`
  await database.query(sql, [ids, written])
}
