/**
 * @module
 * The base class of document stores.
 */
import {
  checkGiven,
  checkOption,
  checkOptions,
  flag,
  having,
  list,
  listOf,
  type OptionTable,
  required,
  text,
} from '@x/core/options'
import { type DocumentStore, NodeNotFoundError, type TextNode } from '@x/core-model'
import type { RefDocInfo, UpsertResult } from './document-records.ts'
import { RefDocNotFoundError, StoreReadError } from './errors.ts'

/** The options of `addDocuments`. */
export interface AddDocumentsOptions {
  /** Whether a node may replace a stored node with the same id. @defaultValue true */
  allowUpdate?: boolean
  /** Whether the nodes themselves are stored, not only their hashes and sources. @defaultValue true */
  storeText?: boolean
}

/** The options of operations on an id. */
interface MissingOptions {
  /** Whether a missing id is an error. @defaultValue true */
  raiseError?: boolean
}

/** The options of operations that read all nodes. */
export interface ReadAllOptions {
  /**
   * What happens when the record of a node is damaged: `throw` a `StoreReadError`, `skip` the node, or skip it and call a function with the
   * error. @defaultValue 'throw'
   */
  onUnreadable?: 'throw' | 'skip' | ((error: StoreReadError) => void) | undefined
}

const readAllOptions: OptionTable<ReadAllOptions> = {
  onUnreadable: (value) =>
    value === 'throw' || value === 'skip' || typeof value === 'function' ? undefined : '"throw", "skip" or a function',
}

/**
 * Returns a function that reads a node, or returns null for a damaged one that is skipped. For your own stores.
 * @throws {ModelValidationError} if an option is unknown or invalid.
 */
export function nodeReader(where: string, options: ReadAllOptions): (read: () => TextNode) => TextNode | null {
  checkOptions(where, options, readAllOptions)
  const { onUnreadable = 'throw' } = options
  return (read) => {
    try {
      return read()
    } catch (error) {
      if (onUnreadable === 'throw' || !(error instanceof StoreReadError)) throw error
      if (typeof onUnreadable === 'function') onUnreadable(error)
      return null
    }
  }
}

const addOptions: OptionTable<AddDocumentsOptions> = { allowUpdate: flag, storeText: flag }
const missingOptions: OptionTable<MissingOptions> = { raiseError: flag }
const idList = required(list)
const nodeList = listOf('a node', 'id', 'toJson')

/** Whether a missing id is an error. @throws {ModelValidationError} if an option is unknown or invalid. */
function raises(where: string, options: MissingOptions): boolean {
  checkOptions(where, options, missingOptions)
  return options.raiseError ?? true
}

/**
 * The base class of document stores. A subclass implements the operations on its database. For most databases, a `KeyValueStore` with
 * `KVDocumentStore` is less work.
 */
export abstract class BaseDocumentStore implements DocumentStore {
  /** Returns whether a node with this id exists. */
  abstract documentExists(id: string): Promise<boolean>
  /** Returns all nodes by id. @throws {StoreReadError} for a damaged record, unless `onUnreadable` skips it. */
  abstract docs(options?: ReadAllOptions): Promise<Record<string, TextNode>>
  /** Returns the nodes of a source document; null if it has no nodes. */
  abstract getRefDocInfo(id: string): Promise<RefDocInfo | null>
  /** Returns all source documents by id. */
  abstract getAllRefDocInfo(): Promise<Record<string, RefDocInfo>>
  /** Returns whether the store has nodes of this source document. */
  abstract refDocExists(id: string): Promise<boolean>
  /** Returns the hash of a document; null if it has no hash. */
  abstract getDocumentHash(id: string): Promise<string | null>
  /** Returns document ids by hash; for equal hashes the document that was added last. */
  abstract getAllDocumentHashes(): Promise<Record<string, string>>

  /** Adds nodes, or replaces nodes with the same id. @throws {NodeExistsError} if `allowUpdate` is false and one of the ids exists. */
  protected abstract writeNodes(nodes: readonly TextNode[], options: Required<AddDocumentsOptions>): Promise<void>
  /** Updates the store with all nodes of source documents, as `upsert` says. */
  protected abstract replaceNodes(nodes: readonly TextNode[]): Promise<UpsertResult>
  /** Sets the hashes of documents by id. */
  protected abstract writeHashes(hashes: Readonly<Record<string, string>>): Promise<void>
  /** Returns the nodes with these ids, in the same order; null for a missing one. */
  protected abstract readNodes(ids: readonly string[]): Promise<(TextNode | null)[]>
  /** Deletes a node and its hash. Returns whether the node or the hash existed. */
  protected abstract deleteNode(id: string): Promise<boolean>
  /** Deletes a source document and all of its nodes. Returns whether the store had any of them. */
  protected abstract deleteSource(id: string): Promise<boolean>

  /**
   * Adds nodes, or replaces nodes with the same id. A node whose source has changed moves to its new source.
   * If a node exists already or cannot be serialized, no node is written.
   * @throws {ModelValidationError} if `nodes` is not an array of nodes, or an option is unknown or invalid.
   * @throws {NodeExistsError} if `allowUpdate` is false and one of the ids exists; then no node is added.
   */
  async addDocuments(nodes: readonly TextNode[], options: AddDocumentsOptions = {}): Promise<void> {
    checkOption('addDocuments', 'nodes', nodes, nodeList)
    checkOptions('addDocuments', options, addOptions)
    const { allowUpdate = true, storeText = true } = options
    return this.writeNodes(nodes, { allowUpdate, storeText })
  }

  /**
   * Updates the store with all nodes of one or more source documents: adds new nodes, replaces nodes whose hash or source has changed, and
   * deletes stored nodes of these sources that are not in `nodes`. The metadata of the sources and the order of their nodes are those of
   * `nodes`. Returns the ids of the added, changed, unchanged and removed nodes, so that you embed only new and changed ones. Nodes without
   * a source are added and replaced, never deleted.
   * @throws {ModelValidationError} if `nodes` is not an array of nodes.
   * @example
   * const store = new SimpleDocumentStore()
   * const node = (id: string, text: string) =>
   *   new TextNode({ id, text, relationships: { 1: { nodeId: 'a.md' } } })
   * await store.upsert([node('1', 'old'), node('2', 'same'), node('3', 'gone')])
   * await store.upsert([node('1', 'new'), node('2', 'same')]) // => { added: [], changed: ['1'], unchanged: ['2'], removed: ['3'] }
   */
  async upsert(nodes: readonly TextNode[]): Promise<UpsertResult> {
    checkOption('upsert', 'nodes', nodes, nodeList)
    return this.replaceNodes(nodes)
  }

  /** Returns the node with this id. @throws {NodeNotFoundError} if it does not exist; with `raiseError: false` it returns null. */
  getDocument(id: string, options?: { raiseError?: true }): Promise<TextNode>
  getDocument(id: string, options: MissingOptions): Promise<TextNode | null>
  async getDocument(id: string, options: MissingOptions = {}): Promise<TextNode | null> {
    return (await this.getNodes([id], options))[0] ?? null
  }

  /** An alias of `getDocument`. */
  getNode(id: string, options?: { raiseError?: true }): Promise<TextNode>
  getNode(id: string, options: MissingOptions): Promise<TextNode | null>
  getNode(id: string, options: MissingOptions = {}): Promise<TextNode | null> {
    return this.getDocument(id, options)
  }

  /**
   * Returns the nodes with these ids, in the same order. @throws {NodeNotFoundError} for a missing node; with `raiseError: false` it is
   * left out.
   */
  async getNodes(ids: readonly string[], options: MissingOptions = {}): Promise<TextNode[]> {
    checkOption('getNodes', 'ids', ids, idList)
    const raiseError = raises('getNodes', options)
    const nodes = await this.readNodes(ids)
    const missing = nodes.indexOf(null)
    if (missing >= 0 && raiseError) throw new NodeNotFoundError(ids[missing]!)
    return nodes.filter((node) => node !== null)
  }

  /** Returns the nodes whose ids are the values of `ids`, by the same keys. @throws {NodeNotFoundError} for a missing node. */
  async getNodeDict(ids: Readonly<Record<string, string>>): Promise<Record<string, TextNode>> {
    checkGiven('getNodeDict', { ids }, having('an object of ids'))
    const nodes = await this.getNodes(Object.values(ids))
    return Object.fromEntries(Object.keys(ids).map((key, i) => [key, nodes[i]!]))
  }

  /** Deletes a node. @throws {NodeNotFoundError} if neither the node nor its hash exists, unless `raiseError` is false. */
  async deleteDocument(id: string, options: MissingOptions = {}): Promise<void> {
    const raiseError = raises('deleteDocument', options)
    const isDeleted = await this.deleteNode(id)
    if (!isDeleted && raiseError) throw new NodeNotFoundError(id)
  }

  /**
   * Deletes a source document and all of its nodes.
   * @throws {RefDocNotFoundError} if the store has no nodes of it, unless `raiseError` is false.
   */
  async deleteRefDoc(id: string, options: MissingOptions = {}): Promise<void> {
    const raiseError = raises('deleteRefDoc', options)
    const isDeleted = await this.deleteSource(id)
    if (!isDeleted && raiseError) throw new RefDocNotFoundError(id)
  }

  /** Sets the hash of a document. The document itself need not be stored. */
  setDocumentHash(id: string, hash: string): Promise<void> {
    checkGiven('setDocumentHash', { id, hash }, text)
    return this.writeHashes({ [id]: hash })
  }

  /** Sets the hashes of documents by id. The documents themselves need not be stored. */
  async setDocumentHashes(hashes: Readonly<Record<string, string>>): Promise<void> {
    checkGiven('setDocumentHashes', { hashes }, having('an object of hashes'))
    return this.writeHashes(hashes)
  }
}
