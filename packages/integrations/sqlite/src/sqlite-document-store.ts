/**
 * @module
 * A document store in a database.
 */
import { merge } from '@x/core/values'
import { readJsonText, type TextNode, writeJsonText } from '@x/core-model'
import {
  type AddDocumentsOptions,
  BaseDocumentStore,
  mergedMetadata,
  type NodeClassOptions,
  NodeExistsError,
  NodeRecords,
  nodeOfText,
  nodeReader,
  nodeText,
  type ReadAllOptions,
  type RefDocInfo,
  type UpsertResult,
} from '@x/storage'
import { opened } from './opened.ts'
import type { SqliteDatabase } from './sqlite-database.ts'

/** Nodes per query when all nodes are read. */
const PAGE = 500

/**
 * A document store in a database, with the operations of `KVDocumentStore` of `@x/storage`. Each operation is one transaction, and complete
 * when its promise resolves. The cost of adding a document does not depend on the size of the store. A database contains one document
 * store.
 * @throws {ModelValidationError} when two of `nodeClasses` have the same class name.
 * @example
 * const store = new SqliteDocumentStore(await openDatabase(':memory:'))
 * const node = (id: string, text: string) => new TextNode({ id, text, relationships: { 1: { nodeId: 'a.md' } } })
 * await store.upsert([node('1', 'old'), node('2', 'same'), node('3', 'gone')])
 * await store.upsert([node('1', 'new'), node('2', 'same')])
 * // => { added: [], changed: ['1'], unchanged: ['2'], removed: ['3'] }
 */
export class SqliteDocumentStore extends BaseDocumentStore {
  private readonly database: SqliteDatabase
  private readonly records: NodeRecords

  constructor(database: SqliteDatabase, options?: NodeClassOptions) {
    super()
    this.database = opened('SqliteDocumentStore', database)
    this.records = new NodeRecords(options)
  }

  protected override async writeNodes(
    nodes: readonly TextNode[],
    { allowUpdate, storeText }: Required<AddDocumentsOptions>,
  ): Promise<void> {
    this.database.transaction(() => {
      const existing = allowUpdate ? undefined : nodes.find(({ id }) => this.recordOf(id) !== null)
      if (existing) throw new NodeExistsError(existing.id)
      this.write(nodes, storeText)
    })
  }

  protected override async replaceNodes(nodes: readonly TextNode[]): Promise<UpsertResult> {
    return this.database.transaction(() => {
      const result: UpsertResult = { added: [], changed: [], unchanged: [], removed: [] }
      const last = new Map(nodes.map((node) => [node.id, node]))
      const fresh = [...last.values()].filter((node) => {
        const known = this.rowOf(node.id)
        const isSame = known?.['hash'] === this.records.hashOf(node) && known['source'] === node.refDocId
        result[!known ? 'added' : isSame ? 'unchanged' : 'changed'].push(node.id)
        return !isSame
      })
      this.write(fresh, true)
      const metadata = mergedMetadata(last.values())
      for (const source of new Set(nodes.flatMap(({ refDocId }) => refDocId ?? []))) {
        const gone = this.idsOf(source).filter((id) => !last.has(id))
        for (const id of gone) this.database.run('delete from nodes where id = ?', id)
        if (gone.length > 0) this.dropEmpty(source, last.has(source))
        const text = writeJsonText(metadata.get(source) ?? {})
        this.database.run('update sources set metadata = ? where id = ? and metadata <> ?', text, source, text)
        this.order(
          source,
          [...last.values()].flatMap(({ id, refDocId }) => (refDocId === source ? [id] : [])),
        )
        result.removed.push(...gone)
      }
      return result
    })
  }

  /** Returns whether a node with this id exists. */
  async documentExists(id: string): Promise<boolean> {
    return this.database.get('select 1 from nodes where id = ? and record is not null', id) !== null
  }

  /**
   * Returns all nodes by id. They are in memory together: for many, use `nodes()`.
   * @throws {StoreReadError} for a damaged record, unless `onUnreadable` skips it.
   */
  async docs(options?: ReadAllOptions): Promise<Record<string, TextNode>> {
    const found: [string, TextNode][] = []
    for await (const node of this.nodes(options)) found.push([node.id, node])
    return Object.fromEntries(found)
  }

  /**
   * Returns all nodes one by one, in the order in which they were added, with a bounded number in memory. Nodes that are added or deleted
   * meanwhile may be among them or not.
   * @throws {StoreReadError} for a damaged record, unless `onUnreadable` skips it.
   * @example
   * const store = new SqliteDocumentStore(await openDatabase(':memory:'))
   * await store.addDocuments(['a', 'b'].map((id) => new TextNode({ id })))
   * const ids: string[] = []
   * for await (const { id } of store.nodes()) ids.push(id)
   * ids // => ['a', 'b']
   */
  async *nodes(options: ReadAllOptions = {}): AsyncGenerator<TextNode, void, undefined> {
    const readable = nodeReader('nodes', options)
    const sql = 'select seq, id, record from nodes where seq > ? and record is not null order by seq limit ?'
    let last = 0
    for (;;) {
      const rows = this.database.all(sql, last, PAGE)
      for (const { id, record } of rows) {
        const node = readable(() => this.nodeOf(String(id), String(record)))
        if (node !== null) yield node
      }
      if (rows.length < PAGE) return
      last = Number(rows.at(-1)!['seq'])
    }
  }

  /** Returns the nodes of a source document; null if the store has no nodes of it. */
  async getRefDocInfo(id: string): Promise<RefDocInfo | null> {
    return this.infoOf(id)
  }

  /** Returns all source documents by id. */
  async getAllRefDocInfo(): Promise<Record<string, RefDocInfo>> {
    const ids = this.database.all('select id from sources order by rowid').map(({ id }) => String(id))
    return Object.fromEntries(ids.map((id) => [id, this.infoOf(id)!]))
  }

  /** Returns whether the store has nodes of this source document. */
  async refDocExists(id: string): Promise<boolean> {
    return this.database.get('select 1 from nodes where source = ? limit 1', id) !== null
  }

  protected override async readNodes(ids: readonly string[]): Promise<(TextNode | null)[]> {
    return ids.map((id) => {
      const record = this.recordOf(id)
      return record === null ? null : this.nodeOf(id, record)
    })
  }

  protected override async deleteNode(id: string): Promise<boolean> {
    return this.database.transaction(() => {
      const row = this.rowOf(id)
      if (!row) return false
      this.database.run('delete from nodes where id = ?', id)
      if (row['source'] !== null) this.dropEmpty(String(row['source']))
      return true
    })
  }

  protected override async deleteSource(id: string): Promise<boolean> {
    return this.database.transaction(() => {
      if (this.database.run('delete from nodes where source = ?', id) === 0) return false
      // A node with the id of the source may belong to another source.
      this.database.run('delete from nodes where id = ? and source is null', id)
      this.database.run('delete from sources where id = ?', id)
      return true
    })
  }

  protected override async writeHashes(hashes: Readonly<Record<string, string>>): Promise<void> {
    const sql = 'insert into nodes (id, hash) values (?, ?) on conflict (id) do update set hash = excluded.hash'
    this.database.transaction(() => {
      for (const [id, hash] of Object.entries(hashes)) this.database.run(sql, id, hash)
    })
  }

  /** Returns the hash of a document; null if the store has none. */
  async getDocumentHash(id: string): Promise<string | null> {
    return (this.rowOf(id)?.['hash'] ?? null) as string | null
  }

  /** Returns document ids by hash; for equal hashes the document that was added last. */
  async getAllDocumentHashes(): Promise<Record<string, string>> {
    const rows = this.database.all('select id, hash from nodes order by seq')
    return Object.fromEntries(rows.map(({ id, hash }) => [hash, id]))
  }

  /** Writes nodes within a transaction. All records are created before the first write. */
  private write(nodes: readonly TextNode[], storeText: boolean): void {
    const records = nodes.map((node) => {
      if (storeText) return nodeText(node, this.records)
      // The metadata is stored with the source, so it must be JSON in this case too.
      node.toJson()
      return null
    })
    const ids = new Set(nodes.map(({ id }) => id))
    const left = new Set<string>()
    for (const [i, node] of nodes.entries()) {
      const { id, refDocId } = node
      const before = this.rowOf(id)?.['source'] ?? null
      this.writeNode(node, records[i]!, before !== refDocId)
      if (before !== null && before !== refDocId) left.add(String(before))
    }
    for (const [source, added] of mergedMetadata(nodes)) this.mergeMetadata(source, added)
    for (const source of left) this.dropEmpty(source, ids.has(source))
  }

  /** @param isMoved - whether the node moves to the end of its new source. */
  private writeNode(node: TextNode, record: string | null, isMoved: boolean): void {
    const { id, refDocId } = node
    this.database.run(
      `insert into nodes (id, record, hash, source) values (?, ?, ?, ?) on conflict (id) do update set
         record = coalesce(excluded.record, record), hash = excluded.hash, source = excluded.source
         ${isMoved ? ', seq = (select max(seq) + 1 from nodes)' : ''}`,
      id,
      record,
      this.records.hashOf(node),
      refDocId,
    )
  }

  private mergeMetadata(source: string, added: Readonly<Record<string, unknown>>): void {
    const before = this.database.get('select metadata from sources where id = ?', source)
    const text = writeJsonText(before ? merge(metadataOf(before['metadata']), added) : added)
    if (before?.['metadata'] === text) return
    this.database.run(
      'insert into sources (id, metadata) values (?, ?) on conflict (id) do update set metadata = excluded.metadata',
      source,
      text,
    )
  }

  /** Deletes a source without nodes. Its hash is kept if the source itself is a node, or was just written. */
  private dropEmpty(source: string, isWritten = false): void {
    if (this.database.get('select 1 from nodes where source = ? limit 1', source)) return
    this.database.run('delete from sources where id = ?', source)
    if (!isWritten) this.database.run('delete from nodes where id = ? and record is null and source is null', source)
  }

  /** Brings the nodes of a source into an order: from the first one that stands elsewhere on, they move to the end. */
  private order(source: string, ids: readonly string[]): void {
    const stored = this.idsOf(source)
    const first = ids.findIndex((id, at) => id !== stored[at])
    if (first < 0) return
    const sql = 'update nodes set seq = (select max(seq) + 1 from nodes) where id = ?'
    for (const id of ids.slice(first)) this.database.run(sql, id)
  }

  private infoOf(id: string): RefDocInfo | null {
    const nodeIds = this.idsOf(id)
    if (nodeIds.length === 0) return null
    const row = this.database.get('select metadata from sources where id = ?', id)
    return { nodeIds, metadata: metadataOf(row?.['metadata'] ?? '{}') }
  }

  private idsOf(source: string): string[] {
    return this.database.all('select id from nodes where source = ? order by seq', source).map(({ id }) => String(id))
  }

  private rowOf(id: string) {
    return this.database.get('select hash, source from nodes where id = ?', id)
  }

  private recordOf(id: string): string | null {
    return (this.database.get('select record from nodes where id = ?', id)?.['record'] ?? null) as string | null
  }

  private nodeOf(nodeId: string, record: string): TextNode {
    return nodeOfText(record, this.records, { path: this.database.path, nodeId })
  }
}

function metadataOf(text: unknown): Record<string, unknown> {
  return readJsonText(String(text)) as Record<string, unknown>
}
