/**
 * @module
 * A document store over a key-value store: nodes by id, their hashes, and their source documents.
 */
import { checkGiven, checkOptions, type OptionTable, text } from '@x/core/options'
import type { TextNode } from '@x/core-model'
import { type AddDocumentsOptions, BaseDocumentStore, nodeReader, type ReadAllOptions } from './base-document-store.ts'
import {
  type DocumentCollections,
  DocumentRecords,
  type RefDocInfo,
  readSource,
  type UpsertResult,
} from './document-records.ts'
import { NodeExistsError } from './errors.ts'
import type { KeyValueOperations, KeyValueStore, StoredValue } from './key-value-store.ts'
import { type NodeClassOptions, NodeRecords, nodeClassOptions } from './node-records.ts'

/** The options of a document store. */
export interface DocumentStoreOptions extends NodeClassOptions {
  /** The prefix of the collection names. @defaultValue 'docstore' */
  namespace?: string
}

/** The checks of {@link DocumentStoreOptions}. */
export const documentStoreOptions: OptionTable<DocumentStoreOptions> = { ...nodeClassOptions, namespace: text }

/**
 * A document store over any key-value store.
 *
 * Operations run in the order of their calls, so concurrent calls lose no entries. Each operation that writes is one transaction of the
 * key-value store. If the key-value store has no transactions, the next `upsert` of the same source documents repairs an operation that
 * was interrupted between two writes. Nodes are copied when they are stored and read.
 * @throws {ModelValidationError} if two of `nodeClasses` have the same class name.
 */
export class KVDocumentStore extends BaseDocumentStore {
  /** The key-value store with the records. */
  protected readonly values: KeyValueStore
  protected readonly names: DocumentCollections
  protected readonly records: NodeRecords
  /** Settles when the last operation has settled. */
  private last: Promise<unknown> = Promise.resolve()

  constructor(keyValueStore: KeyValueStore, options: DocumentStoreOptions = {}) {
    super()
    checkGiven('KVDocumentStore', { keyValueStore }, 'a key-value store', 'get', 'putAll')
    checkOptions('KVDocumentStore', options, documentStoreOptions)
    const { namespace = 'docstore', ...classes } = options
    this.values = keyValueStore
    this.records = new NodeRecords(classes)
    this.names = {
      nodes: `${namespace}/data`,
      hashes: `${namespace}/metadata`,
      sources: `${namespace}/ref_doc_info`,
    }
  }

  protected override writeNodes(
    nodes: readonly TextNode[],
    { allowUpdate, storeText }: Required<AddDocumentsOptions>,
  ): Promise<void> {
    return this.change(async (records, values) => {
      if (!allowUpdate) {
        const ids = nodes.map(({ id }) => id)
        const found = await values.getMany(ids, this.names.nodes)
        const at = found.findIndex((record) => record !== null)
        if (at >= 0) throw new NodeExistsError(ids[at]!)
      }
      await records.add(nodes, storeText)
    })
  }

  protected override replaceNodes(nodes: readonly TextNode[]): Promise<UpsertResult> {
    return this.change((records) => records.upsert(nodes))
  }

  /** Returns whether a node with this id exists. */
  documentExists(id: string): Promise<boolean> {
    return this.inOrder(async () => (await this.values.get(id, this.names.nodes)) !== null)
  }

  /** Returns all nodes by id. @throws {StoreReadError} for a damaged record, unless `onUnreadable` skips it. */
  async docs(options: ReadAllOptions = {}): Promise<Record<string, TextNode>> {
    const readable = nodeReader('docs', options)
    return this.inOrder(async () => {
      const records = Object.entries(await this.values.getAll(this.names.nodes))
      const found = records.map(([nodeId, record]) => {
        const node = readable(() => this.records.nodeOf(record, { path: this.names.nodes, nodeId }))
        return [nodeId, node] as const
      })
      return Object.fromEntries(found.filter((entry): entry is readonly [string, TextNode] => entry[1] !== null))
    })
  }

  /** Returns the nodes of a source document; null if it has no nodes. */
  getRefDocInfo(id: string): Promise<RefDocInfo | null> {
    return this.inOrder(() => this.stored.sourceOf(id))
  }

  /** Returns all source documents by id. */
  getAllRefDocInfo(): Promise<Record<string, RefDocInfo>> {
    return this.inOrder(async () => mapRecord(await this.values.getAll(this.names.sources), readSource))
  }

  /** Returns whether the store has nodes of this source document. */
  refDocExists(id: string): Promise<boolean> {
    return this.inOrder(async () => (await this.values.get(id, this.names.sources)) !== null)
  }

  protected override writeHashes(hashes: Readonly<Record<string, string>>): Promise<void> {
    return this.change((records) => records.setHashes(hashes))
  }

  /** Returns the hash of a document; null if it has no hash. */
  getDocumentHash(id: string): Promise<string | null> {
    return this.inOrder(() => this.stored.hashOf(id))
  }

  /** Returns document ids by hash; for equal hashes the document whose hash was written last. */
  getAllDocumentHashes(): Promise<Record<string, string>> {
    return this.inOrder(() => this.stored.idsByHash())
  }

  protected override readNodes(ids: readonly string[]): Promise<(TextNode | null)[]> {
    return this.inOrder(() => this.stored.nodesOf(ids))
  }

  protected override deleteNode(id: string): Promise<boolean> {
    return this.change((records) => records.remove(id))
  }

  protected override deleteSource(id: string): Promise<boolean> {
    return this.change((records) => records.removeSource(id))
  }

  /** Runs an operation after all earlier operations have settled. */
  protected inOrder<T>(operation: () => Promise<T>): Promise<T> {
    const result = this.last.then(operation)
    this.last = result.catch(() => {})
    return result
  }

  /** Runs an operation that writes; in one transaction if the key-value store has transactions. */
  private change<T>(operation: (records: DocumentRecords, values: KeyValueOperations) => Promise<T>): Promise<T> {
    const { values } = this
    const run = (inside: KeyValueOperations) => operation(this.recordsIn(inside), inside)
    return this.inOrder(() => (values.transaction ? values.transaction(run) : run(values)))
  }

  private get stored(): DocumentRecords {
    return this.recordsIn(this.values)
  }

  private recordsIn(values: KeyValueOperations): DocumentRecords {
    return new DocumentRecords(values, this.names, this.records)
  }
}

function mapRecord<T>(values: Record<string, StoredValue>, map: (value: StoredValue) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]))
}
