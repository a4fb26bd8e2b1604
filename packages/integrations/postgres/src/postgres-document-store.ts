/**
 * @module
 * A document store in a database.
 */
import { readJsonText, type TextNode, writeJsonText } from '@x/core-model'
import {
  type AddDocumentsOptions,
  BaseDocumentStore,
  type NodeClassOptions,
  NodeExistsError,
  NodeRecords,
  nodeOfText,
  nodeReader,
  type ReadAllOptions,
  type RefDocInfo,
  type UpsertResult,
} from '@x/storage'
import { DocumentWrite, dropEmptySources, orderedNodes } from './document-writes.ts'
import { opened } from './opened.ts'
import type { PostgresDatabase } from './postgres-database.ts'
import { conflict, type PostgresResult } from './postgres-driver.ts'
import { storedKey, storedText, textOfStored } from './stored-key.ts'

/** Nodes per query when all nodes are read. */
const PAGE = 500

/**
 * A document store in a database, with the operations of `KVDocumentStore` of `@x/storage`. Each operation is one transaction, and complete
 * when its promise resolves. Operations of one store object take effect in the order of their calls; reads run at the same time. Several
 * store objects and processes may write at the same time; those that write to the same source document wait for each other. The cost of
 * adding a document does not depend on the size of the store.
 * @throws {ModelValidationError} when two of `nodeClasses` have the same class name.
 * @example
 * import pg from 'pg'
 * const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'] })
 * const store = new PostgresDocumentStore(await openDatabase(pool, { schema: 'upsert' }))
 * const node = (id: string, text: string) => new TextNode({ id, text, relationships: { 1: { nodeId: 'a.md' } } })
 * await store.upsert([node('1', 'old'), node('2', 'same'), node('3', 'gone')])
 * await store.upsert([node('1', 'new'), node('2', 'same')])
 * // => { added: [], changed: ['1'], unchanged: ['2'], removed: ['3'] }
 * await pool.end()
 */
export class PostgresDocumentStore extends BaseDocumentStore {
  private readonly database: PostgresDatabase
  private readonly records: NodeRecords
  private readonly order = new CallOrder()

  constructor(database: PostgresDatabase, options?: NodeClassOptions) {
    super()
    this.database = opened('PostgresDocumentStore', database)
    this.records = new NodeRecords(options)
  }

  protected override async writeNodes(
    nodes: readonly TextNode[],
    { allowUpdate, storeText }: Required<AddDocumentsOptions>,
  ): Promise<void> {
    if (nodes.length === 0) return
    await this.change(async (inside) => {
      const write = await new DocumentWrite(inside, nodes, this.records).start()
      const existing = allowUpdate ? undefined : write.nodes.find(({ id }) => write.rows.get(id)?.known)
      if (existing) throw new NodeExistsError(existing.node.id)
      await write.write(write.nodes, storeText ? this.records : null)
    })
  }

  protected override async replaceNodes(nodes: readonly TextNode[]): Promise<UpsertResult> {
    return this.change(async (inside) => {
      const result: UpsertResult = { added: [], changed: [], unchanged: [], removed: [] }
      const write = await new DocumentWrite(inside, nodes, this.records).start()
      const last = new Map(write.nodes.map((columns) => [columns.id, columns]))
      const fresh = [...last.values()].filter(({ node, id, hash, source }) => {
        const known = write.rows.get(id)
        const isSame = known?.hash === hash && known.source === source
        result[!known ? 'added' : isSame ? 'unchanged' : 'changed'].push(node.id)
        return !isSame
      })
      await write.write(fresh, this.records, [...last.values()])
      result.removed = await write.deleteOthers()
      await write.order()
      return result
    })
  }

  /** Returns whether a node with this id exists. */
  async documentExists(id: string): Promise<boolean> {
    return (await this.select('1', 'id = $1 and record is not null', id)).length > 0
  }

  /**
   * Returns all nodes by id. They are in memory together: for many, use `nodes()`.
   * @throws {StoreReadError} for a damaged record, unless `onUnreadable` skips it.
   */
  async docs(options?: ReadAllOptions): Promise<Record<string, TextNode>> {
    const found = new Map<string, TextNode>()
    for await (const node of this.nodes(options)) found.set(node.id, node)
    return Object.fromEntries(found)
  }

  /**
   * Returns all nodes one by one, in the order in which they were added, with a bounded number in memory. Nodes that are added or deleted
   * meanwhile may be among them or not.
   * @throws {StoreReadError} for a damaged record, unless `onUnreadable` skips it.
   */
  async *nodes(options: ReadAllOptions = {}): AsyncGenerator<TextNode, void, undefined> {
    const readable = nodeReader('nodes', options)
    const sql = `select seq, id, record from ${this.database.tables.nodes}
      where seq > $1 and record is not null order by seq limit ${PAGE}`
    let last: unknown = 0
    for (;;) {
      const rows = await this.read(sql, [last])
      for (const { id, record } of rows) {
        const node = readable(() => this.nodeOf(textOfStored(id), record))
        if (node !== null) yield node
      }
      if (rows.length < PAGE) return
      last = rows.at(-1).seq
    }
  }

  /** Returns the nodes of a source document; null if the store has no nodes of it. */
  async getRefDocInfo(id: string): Promise<RefDocInfo | null> {
    return (await this.infos('where s.id = $1', [storedKey(id)])).get(id) ?? null
  }

  /** Returns all source documents by id. */
  async getAllRefDocInfo(): Promise<Record<string, RefDocInfo>> {
    return Object.fromEntries(await this.infos('', []))
  }

  /** Returns whether the store has nodes of this source document. */
  async refDocExists(id: string): Promise<boolean> {
    return (await this.select('1', 'source = $1 limit 1', id)).length > 0
  }

  protected override async readNodes(ids: readonly string[]): Promise<(TextNode | null)[]> {
    const sql = `select id, record from ${this.database.tables.nodes} where id = any($1) and record is not null`
    const rows = await this.read(sql, [ids.map(storedKey)])
    const records = new Map<string, string>(rows.map(({ id, record }) => [textOfStored(id), record]))
    return ids.map((id) => {
      const record = records.get(id)
      return record === undefined ? null : this.nodeOf(id, record)
    })
  }

  protected override deleteNode(id: string): Promise<boolean> {
    return this.deleteWhere(id, 'n.id = $1')
  }

  protected override async deleteSource(id: string): Promise<boolean> {
    // The document may itself be a node. It stays if it belongs to a different source.
    return (await this.refDocExists(id)) && this.deleteWhere(id, '(n.source = $1 or (n.id = $1 and n.source is null))')
  }

  protected override async writeHashes(hashes: Readonly<Record<string, string>>): Promise<void> {
    const sql = `insert into ${this.database.tables.nodes} (id, hash) select * from unnest($1::text[], $2::text[]) as t (id, hash) order by id collate "C"
      on conflict (id) do update set hash = excluded.hash`
    const values = [Object.keys(hashes).map(storedKey), Object.values(hashes).map(storedText)]
    await this.order.write(() => this.database.query(sql, values))
  }

  /** Returns the hash of a document; null if the store has none. */
  async getDocumentHash(id: string): Promise<string | null> {
    const [row] = await this.select('hash', 'id = $1', id)
    return row ? textOfStored(row.hash) : null
  }

  /** Returns document ids by hash; for equal hashes the document that was added last. */
  async getAllDocumentHashes(): Promise<Record<string, string>> {
    const rows = await this.read(`select id, hash from ${this.database.tables.nodes} order by seq`, [])
    return Object.fromEntries(rows.map(({ id, hash }) => [textOfStored(hash), textOfStored(id)]))
  }

  /** Returns the hash of a document and the ids of its nodes. For `IngestionPipeline` of `@x/retrieval`. */
  async getIngested(id: string): Promise<{ hash: string | null; nodeIds: string[] }> {
    const { nodes } = this.database.tables
    const sql = `select (select hash from ${nodes} where id = $1) as hash,
      array(select id from ${nodes} where source = $1 order by seq) as ids`
    const [row] = (await this.database.query(sql, [storedKey(id)])).rows
    return { hash: row.hash === null ? null : textOfStored(row.hash), nodeIds: row.ids.map(textOfStored) }
  }

  /**
   * Adds nodes of a document and sets the hash of the document, in one transaction. Documents may be written at the same time. For
   * `IngestionPipeline` of `@x/retrieval`.
   */
  async beginIngestion(id: string, nodes: readonly TextNode[], hash: string): Promise<void> {
    await this.database.within(async (inside) => {
      const write = new DocumentWrite(inside, nodes, this.records)
      await write.start({ id: storedKey(id), hash: storedText(hash) })
      await write.write(write.nodes, this.records)
    })
  }

  /**
   * Deletes the nodes of a document that are not among `nodeIds`, brings the others into this order, and sets its hash and the metadata of
   * the source, in one statement. For
   * `IngestionPipeline` of `@x/retrieval`.
   */
  async endIngestion(
    id: string,
    nodeIds: readonly string[],
    hash: string,
    metadata?: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const { nodes, sources } = this.database.tables
    const isEmpty = nodeIds.length === 0
    // A statement can change a row only once.
    const sql = `with locked as (
        ${isEmpty ? `delete from ${sources}` : `update ${sources} set metadata = coalesce($4, metadata)`} where id = $1 returning id
      ),
      gone as (
        delete from ${nodes} n using locked where n.source = locked.id
          and not exists (select from unnest($2::text[]) as kept (id) where kept.id = n.id)
      )${isEmpty ? '' : `, ${orderedNodes(this.database, '$1', '$2')}`}
      insert into ${nodes} (id, hash) select $1, $3 where (select count(*) from locked) >= 0
      on conflict (id) do update set hash = excluded.hash`
    const text = metadata === undefined ? null : writeJsonText(metadata)
    const values = [storedKey(id), nodeIds.map(storedKey), storedText(hash)]
    await this.database.query(sql, isEmpty ? values : [...values, text])
  }

  private change<T>(work: (inside: PostgresDatabase) => Promise<T>): Promise<T> {
    return this.order.write(() => this.database.transaction(work))
  }

  /** Deletes the nodes for which a condition on an id is true; returns whether a node was deleted. */
  private deleteWhere(id: string, condition: string): Promise<boolean> {
    const { nodes, sources } = this.database.tables
    const key = [storedKey(id)]
    return this.change(async (inside) => {
      const lock = `select id from ${sources} where id in (select n.source from ${nodes} n where ${condition}) order by id for update`
      const locked = (await inside.query(lock, key)).rows.map(({ id }) => id)
      const { rows } = await inside.query(`delete from ${nodes} n where ${condition} returning source`, key)
      if (rows.some(({ source }) => source !== null && !locked.includes(source))) throw conflict()
      await dropEmptySources(inside, locked)
      return rows.length > 0
    })
  }

  private read(sql: string, values: unknown[]): Promise<PostgresResult['rows']> {
    return this.order.read(async () => (await this.database.query(sql, values)).rows)
  }

  private select(columns: string, condition: string, id: string): Promise<PostgresResult['rows']> {
    const { tables } = this.database
    return this.read(`select ${columns} from ${tables.nodes} where ${condition}`, [storedKey(id)])
  }

  private async infos(where: string, values: unknown[]): Promise<Map<string, RefDocInfo>> {
    const { nodes, sources } = this.database.tables
    const sql = `select s.id, s.metadata, array(select n.id from ${nodes} n where n.source = s.id order by n.seq) as ids
      from ${sources} s ${where} order by s.seq`
    const rows = await this.read(sql, values)
    return new Map(
      rows.map(({ id, metadata, ids }) => [
        textOfStored(id),
        { nodeIds: ids.map(textOfStored), metadata: readJsonText(metadata) as Record<string, unknown> },
      ]),
    )
  }

  private nodeOf(nodeId: string, record: string): TextNode {
    return nodeOfText(record, this.records, { path: this.database.tables.nodes, nodeId })
  }
}

/** Runs the operations of one object in their order; reads may run at the same time. */
class CallOrder {
  private writes: Promise<unknown> = Promise.resolve()
  private reads: Promise<unknown> = Promise.resolve()

  read<T>(operation: () => Promise<T>): Promise<T> {
    const result = this.writes.then(operation)
    this.reads = Promise.allSettled([this.reads, result])
    return result
  }

  write<T>(operation: () => Promise<T>): Promise<T> {
    const result = Promise.all([this.writes, this.reads]).then(operation)
    this.writes = result.catch(() => {})
    return result
  }
}
