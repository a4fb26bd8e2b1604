/**
 * @module
 * A document store over a key-value store: nodes by id, their hashes, and their source documents.
 */
import {
  ClassRegistry,
  type DocumentStore,
  docToJson,
  jsonToDoc,
  type ModelClass,
  NodeNotFoundError,
  nodeClasses,
  type TextNode,
  UnknownNodeTypeError,
} from '@x/core-model'
import { NodeExistsError, RefDocNotFoundError } from './errors.ts'
import type { KeyValueStore, StoredValue } from './key-value-store.ts'

/** The nodes of one source document. */
export interface RefDocInfo {
  /** The ids of the nodes, in the order they were added. */
  nodeIds: string[]
  /** The merged metadata of the nodes; later values override earlier ones. */
  metadata: Record<string, unknown>
}

/** The options of `addDocuments`. */
export interface AddDocumentsOptions {
  /** Whether a node may replace a stored node with the same id. @defaultValue true */
  allowUpdate?: boolean
  /** Whether the nodes themselves are stored, not only their hashes and sources. @defaultValue true */
  storeText?: boolean
}

/** The ids of the nodes that `upsert` added, changed, left unchanged and removed. */
export interface UpsertResult {
  added: string[]
  changed: string[]
  unchanged: string[]
  removed: string[]
}

/** How to handle a missing id. */
export interface MissingOptions {
  /** Whether a missing id is an error. @defaultValue true */
  raiseError?: boolean
}

interface HashRecord extends StoredValue {
  doc_hash?: string
  ref_doc_id?: string
}

/** The options of a document store. */
export interface DocumentStoreOptions {
  /** The prefix of the collection names. @defaultValue 'docstore' */
  namespace?: string
  /** Your own node classes that the store may contain; those of `@x/core-model` are always known. */
  nodeClasses?: Iterable<ModelClass<TextNode>>
  /** Further classes that the store may contain. */
  registry?: ClassRegistry
}

/** The nodes of a source while a write is prepared. */
interface SourceChange {
  nodeIds: Set<string>
  metadata: Record<string, unknown>
}

/**
 * A document store over any key-value store.
 *
 * Operations on one store run in the order of their calls, so concurrent calls lose no entries. Nodes are copied when they are
 * stored and read.
 * @throws {ModelValidationError} when two of `nodeClasses` have the same class name.
 */
export class KVDocumentStore implements DocumentStore {
  /** The key-value store with the records. */
  protected readonly values: KeyValueStore
  private readonly classes: Pick<ClassRegistry, 'get'>
  private readonly nodes: string
  private readonly hashes: string
  private readonly sources: string
  /** Settles when the last operation that was called has settled. */
  private last: Promise<unknown> = Promise.resolve()

  constructor(
    keyValueStore: KeyValueStore,
    { namespace = 'docstore', nodeClasses = [], registry }: DocumentStoreOptions = {},
  ) {
    this.values = keyValueStore
    const own = new ClassRegistry(nodeClasses)
    this.classes = { get: (className) => own.get(className) ?? registry?.get(className) }
    this.nodes = `${namespace}/data`
    this.hashes = `${namespace}/metadata`
    this.sources = `${namespace}/ref_doc_info`
  }

  /**
   * Adds nodes, or replaces nodes with the same id. A node whose source has changed moves to its new source.
   * If a node exists already or cannot be serialized, no node is written.
   * @throws {NodeExistsError} when `allowUpdate` is false and one of the ids exists; then no node is added.
   */
  addDocuments(
    nodes: readonly TextNode[],
    { allowUpdate = true, storeText = true }: AddDocumentsOptions = {},
  ): Promise<void> {
    return this.inOrder(async () => {
      if (!allowUpdate) {
        for (const { id } of nodes) if (await this.values.get(id, this.nodes)) throw new NodeExistsError(id)
      }
      await this.write(nodes, storeText)
    })
  }

  /**
   * Updates the store with all nodes of one or more source documents: adds new nodes, replaces nodes whose hash or source has
   * changed, and deletes stored nodes of these sources that are not in `nodes`. Returns the ids of each kind, so that only new and
   * changed nodes need embedding. Nodes without a source are added and replaced, never deleted.
   * @example
   * const store = new SimpleDocumentStore()
   * const node = (id: string, text: string) =>
   *   new TextNode({ id, text, relationships: { 1: { nodeId: 'a.md' } } })
   * await store.upsert([node('1', 'old'), node('2', 'same'), node('3', 'gone')])
   * await store.upsert([node('1', 'new'), node('2', 'same')]) // => { added: [], changed: ['1'], unchanged: ['2'], removed: ['3'] }
   */
  upsert(nodes: readonly TextNode[]): Promise<UpsertResult> {
    return this.inOrder(async () => {
      const result: UpsertResult = { added: [], changed: [], unchanged: [], removed: [] }
      const fresh: TextNode[] = []
      const ids = new Set<string>()
      const sources = new Set<string>()
      for (const node of nodes) {
        ids.add(node.id)
        if (node.refDocId !== null) sources.add(node.refDocId)
        const known = (await this.values.get(node.id, this.hashes)) as HashRecord | null
        const same = known?.doc_hash === node.hash && (known.ref_doc_id ?? null) === node.refDocId
        result[!known ? 'added' : same ? 'unchanged' : 'changed'].push(node.id)
        if (!same) fresh.push(node)
      }
      await this.write(fresh, true)
      for (const id of sources) {
        const source = await this.readSource(id)
        const gone = source?.nodeIds.filter((nodeId) => !ids.has(nodeId)) ?? []
        if (!source || gone.length === 0) continue
        // The list is not empty: at least one of `nodes` has this source.
        source.nodeIds = source.nodeIds.filter((nodeId) => ids.has(nodeId))
        await this.values.put(id, sourceRecord(source), this.sources)
        for (const nodeId of gone) {
          await this.dropNode(nodeId)
          result.removed.push(nodeId)
        }
      }
      return result
    })
  }

  /** Returns the node with this id. @throws {NodeNotFoundError} when it does not exist; with `raiseError: false` it returns null. */
  getDocument(id: string, options?: { raiseError?: true }): Promise<TextNode>
  getDocument(id: string, options: MissingOptions): Promise<TextNode | null>
  getDocument(id: string, { raiseError = true }: MissingOptions = {}): Promise<TextNode | null> {
    return this.inOrder(async () => {
      const record = await this.values.get(id, this.nodes)
      if (record) return this.read(record)
      if (raiseError) throw new NodeNotFoundError(id)
      return null
    })
  }

  /** An alias of `getDocument`. */
  getNode(id: string, options?: { raiseError?: true }): Promise<TextNode>
  getNode(id: string, options: MissingOptions): Promise<TextNode | null>
  getNode(id: string, options: MissingOptions = {}): Promise<TextNode | null> {
    return this.getDocument(id, options)
  }

  /** Returns the nodes with these ids, in the same order. @throws {NodeNotFoundError} for a missing node; with `raiseError: false` it is left out. */
  async getNodes(ids: readonly string[], options: MissingOptions = {}): Promise<TextNode[]> {
    const nodes = await Promise.all(ids.map((id) => this.getDocument(id, options)))
    return nodes.filter((node) => node !== null)
  }

  /** Returns the nodes whose ids are the values of `ids`, by the same keys. @throws {NodeNotFoundError} for a missing node. */
  async getNodeDict(ids: Readonly<Record<string, string>>): Promise<Record<string, TextNode>> {
    return Object.fromEntries(
      await Promise.all(Object.entries(ids).map(async ([key, id]) => [key, await this.getDocument(id)] as const)),
    )
  }

  /** Returns whether a node with this id exists. */
  documentExists(id: string): Promise<boolean> {
    return this.inOrder(async () => (await this.values.get(id, this.nodes)) !== null)
  }

  /** Returns all nodes by id. */
  docs(): Promise<Record<string, TextNode>> {
    return this.inOrder(async () => mapRecord(await this.values.getAll(this.nodes), (record) => this.read(record)))
  }

  /** Returns the nodes of a source document; null if there are none. */
  getRefDocInfo(id: string): Promise<RefDocInfo | null> {
    return this.inOrder(() => this.readSource(id))
  }

  /** Returns all source documents by id. */
  getAllRefDocInfo(): Promise<Record<string, RefDocInfo>> {
    return this.inOrder(async () => mapRecord(await this.values.getAll(this.sources), readSourceRecord))
  }

  /** Returns whether the store has nodes of this source document. */
  refDocExists(id: string): Promise<boolean> {
    return this.inOrder(async () => (await this.values.get(id, this.sources)) !== null)
  }

  /** Deletes a node. @throws {NodeNotFoundError} when neither the node nor its hash exists, unless `raiseError` is false. */
  deleteDocument(id: string, { raiseError = true }: MissingOptions = {}): Promise<void> {
    return this.inOrder(async () => {
      if (!(await this.remove(id)) && raiseError) throw new NodeNotFoundError(id)
    })
  }

  /**
   * Deletes a source document and all of its nodes.
   * @throws {RefDocNotFoundError} when the store has no nodes of it, unless `raiseError` is false.
   */
  deleteRefDoc(id: string, { raiseError = true }: MissingOptions = {}): Promise<void> {
    return this.inOrder(async () => {
      const source = await this.readSource(id)
      if (!source) {
        if (raiseError) throw new RefDocNotFoundError(id)
        return
      }
      for (const nodeId of source.nodeIds) await this.dropNode(nodeId)
      await this.values.delete(id, this.sources)
      await this.dropNode(id)
    })
  }

  /** Sets the hash of a document. The document itself need not be stored. */
  setDocumentHash(id: string, hash: string): Promise<void> {
    return this.setDocumentHashes({ [id]: hash })
  }

  /** Sets the hashes of documents by id. */
  setDocumentHashes(hashes: Readonly<Record<string, string>>): Promise<void> {
    return this.inOrder(async () => {
      const records: [string, StoredValue][] = []
      for (const [id, hash] of Object.entries(hashes))
        records.push([id, { ...(await this.values.get(id, this.hashes)), doc_hash: hash }])
      await this.values.putAll(records, this.hashes)
    })
  }

  /** Returns the hash of a document; null if there is none. */
  getDocumentHash(id: string): Promise<string | null> {
    return this.inOrder(async () => ((await this.values.get(id, this.hashes)) as HashRecord | null)?.doc_hash ?? null)
  }

  /** Returns document ids by hash; for equal hashes the document whose hash was written last. */
  getAllDocumentHashes(): Promise<Record<string, string>> {
    return this.inOrder(async () => {
      const entries = Object.entries((await this.values.getAll(this.hashes)) as Record<string, HashRecord>)
      return Object.fromEntries(
        entries.flatMap(([id, { doc_hash }]) => (doc_hash === undefined ? [] : [[doc_hash, id]])),
      )
    })
  }

  /** Runs an operation after all earlier operations have settled. */
  protected inOrder<T>(operation: () => Promise<T>): Promise<T> {
    const result = this.last.then(operation)
    this.last = result.catch(() => {})
    return result
  }

  private read(record: StoredValue): TextNode {
    return jsonToDoc(record, { registry: this.classes })
  }

  /** The record of a node, which can be read again. */
  private recordOf(node: TextNode): StoredValue {
    const { constructor } = node
    const className = (constructor as unknown as ModelClass).className()
    const known = nodeClasses().classes.some((nodeClass) => nodeClass.className() === className)
    // Checked before anything is written: a record of a class that nobody knows cannot be read.
    if (!known && !this.classes.get(className)) throw new UnknownNodeTypeError(className)
    return { ...docToJson(node) }
  }

  private async write(nodes: readonly TextNode[], storeText: boolean): Promise<void> {
    const data = new Map<string, StoredValue>()
    const hashes = new Map<string, HashRecord>()
    const sources = new Map<string, SourceChange>()
    const sourceOf = async (id: string) => {
      let source = sources.get(id)
      if (!source) {
        const info = await this.readSource(id)
        source = { nodeIds: new Set(info?.nodeIds), metadata: { ...info?.metadata } }
        sources.set(id, source)
      }
      return source
    }
    // All records are created before the first write, so that a node that cannot be serialized leaves the store unchanged.
    for (const node of nodes) {
      const refDocId = node.refDocId
      if (storeText) data.set(node.id, this.recordOf(node))
      // The metadata is stored with the source, so it must be JSON in this case too.
      else node.toJson()
      const before = hashes.get(node.id) ?? ((await this.values.get(node.id, this.hashes)) as HashRecord | null)
      if (before?.ref_doc_id !== undefined && before.ref_doc_id !== refDocId) {
        ;(await sourceOf(before.ref_doc_id)).nodeIds.delete(node.id)
      }
      hashes.set(node.id, { doc_hash: node.hash, ...(refDocId !== null && { ref_doc_id: refDocId }) })
      if (refDocId === null) continue
      const source = await sourceOf(refDocId)
      source.nodeIds.add(node.id)
      source.metadata = { ...source.metadata, ...node.metadata }
    }
    await this.values.putAll(data, this.nodes)
    await this.values.putAll(hashes, this.hashes)
    for (const [id, { nodeIds, metadata }] of sources) {
      if (nodeIds.size > 0) await this.values.put(id, sourceRecord({ nodeIds: [...nodeIds], metadata }), this.sources)
      else await this.dropSource(id, hashes.has(id))
    }
  }

  /** Deletes a node and removes it from its source; returns whether the node or its hash existed. */
  private async remove(id: string): Promise<boolean> {
    const hash = (await this.values.get(id, this.hashes)) as HashRecord | null
    if (hash === null && (await this.values.get(id, this.nodes)) === null) return false
    const refDocId = hash?.ref_doc_id
    const source = refDocId === undefined ? null : await this.readSource(refDocId)
    if (refDocId !== undefined && source) {
      source.nodeIds = source.nodeIds.filter((nodeId) => nodeId !== id)
      if (source.nodeIds.length > 0) await this.values.put(refDocId, sourceRecord(source), this.sources)
      else await this.dropSource(refDocId, false)
    }
    await this.dropNode(id)
    return true
  }

  private async readSource(id: string): Promise<RefDocInfo | null> {
    const record = await this.values.get(id, this.sources)
    return record && readSourceRecord(record)
  }

  private async dropNode(id: string): Promise<void> {
    await this.values.delete(id, this.nodes)
    await this.values.delete(id, this.hashes)
  }

  /** Deletes a source without nodes. Its hash is kept if the source itself is stored as a node. */
  private async dropSource(id: string, written: boolean): Promise<void> {
    await this.values.delete(id, this.sources)
    if (!written && (await this.values.get(id, this.nodes)) === null) await this.values.delete(id, this.hashes)
  }
}

function sourceRecord({ nodeIds, metadata }: RefDocInfo): StoredValue {
  return { node_ids: nodeIds, metadata }
}

/** Reads a source record, also with the key names of older versions of LlamaIndex. */
function readSourceRecord(record: StoredValue): RefDocInfo {
  const ids = record['node_ids'] ?? record['doc_ids']
  return {
    // Files of the Python library repeat ids.
    nodeIds: Array.isArray(ids) ? [...new Set(ids)].filter((id) => typeof id === 'string') : [],
    metadata: (record['metadata'] ?? record['extra_info'] ?? {}) as Record<string, unknown>,
  }
}

function mapRecord<T>(values: Record<string, StoredValue>, map: (value: StoredValue) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]))
}
