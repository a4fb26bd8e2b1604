/// <reference types="node" />
/**
 * @module
 * A storage folder of LlamaIndex for Python: what `StorageContext.persist()` writes.
 */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { checkGiven, checkOption, checkOptions } from '@x/core/options'
import { errorMessage, isPlainObject } from '@x/core/values'
import { type Dict, type TextNode, writeJsonText } from '@x/core-model'
import { safeName } from '@x/core-model/data'
import { isPythonText, type PythonLineName, pythonText } from '@x/core-model/python'
import { notAStore, StoreReadError } from './errors.ts'
import { readJsonFile, readJsonFileVersion, type WrittenFile, writeBeside } from './json-file.ts'
import type { DocumentStoreOptions } from './kv-document-store.ts'
import { aPath, persistOptions, SimpleDocumentStore } from './simple-document-store-file.ts'
import {
  emptyVectors,
  indexRecord,
  readIndex,
  readVectors,
  type StoredVectors,
  vectorEntry,
  vectorPieces,
} from './storage-folder-records.ts'

/** A vector index of a storage folder. */
export interface StoredIndex {
  /** The id of the index. */
  readonly id: string
  /** The names of its vector stores: `default` for text, `image` for images. */
  readonly vectorStores: readonly string[]
  /** The ids of its nodes, in the order of the vector store. */
  readonly nodeIds: readonly string[]
}

/** Something in a storage folder that has no counterpart here. */
export interface LeftOut {
  /** The file and the keys in it, such as `index_store.json: words`. */
  readonly key: string
  readonly reason: string
}

/** The options of {@link StorageFolder.write}. */
interface WriteFolderOptions {
  /** The line of LlamaIndex for Python. @defaultValue the line of the document store */
  line?: PythonLineName | undefined
  /** Whether to replace a document store that this one was not read from. @defaultValue false */
  overwrite?: boolean | undefined
}

const vectorFile = '__vector_store.json'
const graphFile = 'graph_store.json'
const indexFile = 'index_store.json'
const indexKey = 'index_store/data'

/**
 * The document store, the vector indexes and their vectors in a storage folder of LlamaIndex for Python 0.10 to 0.14. What has no
 * counterpart here, such as keyword, tree and graph indexes, is named in `leftOut`, and written back unchanged.
 * @example
 * import { mkdtemp } from 'node:fs/promises'
 * import { tmpdir } from 'node:os'
 * import { StorageFolder } from '@x/storage/node'
 * const path = await mkdtemp(`${tmpdir()}/storage-`)
 * const folder = new StorageFolder()
 * await folder.addIndex('main', [new TextNode({ id: 'a', text: 'Hello', embedding: [1, 0] })])
 * await folder.write(path)
 * const again = await StorageFolder.read(path)
 * const [node] = await again.nodesOf('main')
 * node.embedding // => [1, 0]
 */
export class StorageFolder {
  /** The document store. */
  readonly documents: SimpleDocumentStore
  /** What has no counterpart here. */
  readonly leftOut: readonly LeftOut[]
  /** The ids of the nodes of each index, by the id of the vector. */
  private readonly found = new Map<string, ReadonlyMap<string, string>>()
  private readonly vectors = new Map<string, StoredVectors>()
  /** The records of the indexes that were read, by id: of those that were not replaced, and of those without counterpart. */
  private readonly records: Map<string, unknown>
  private readonly graph: unknown

  /**
   * Creates a folder without indexes.
   * @param documents - the nodes; default: an empty store
   * @throws {ModelValidationError} if it is something else.
   */
  constructor(
    documents = new SimpleDocumentStore(),
    read: { leftOut?: LeftOut[]; records?: Dict; graph?: unknown } = {},
  ) {
    checkGiven('StorageFolder', { documents }, 'a document store', 'persist', 'getNodes')
    this.documents = documents
    this.leftOut = read.leftOut ?? []
    this.records = new Map(Object.entries(read.records ?? {}))
    this.graph = read.graph ?? { graph_dict: {} }
  }

  /**
   * Reads a folder. Only `docstore.json` must exist.
   * @throws {StoreReadError} if a file is truncated or is not what its name says; no file is changed.
   */
  static async read(path: string, options?: DocumentStoreOptions): Promise<StorageFolder> {
    checkOption('StorageFolder.read', 'path', path, aPath)
    const files = (await filesIn(path)).filter((name) => name.endsWith('.json'))
    const has = (name: string) => files.includes(name)
    const documents = await SimpleDocumentStore.fromPersistDir(path, options)
    const leftOut: LeftOut[] = []
    const { data: graph, text } = has(graphFile)
      ? await readJsonFileVersion(join(path, graphFile))
      : { data: undefined, text: '' }
    // A document store without nodes does not show who wrote it.
    documents.isPython ||= isPythonText(text)
    if (Object.keys(Object(Object(graph)['graph_dict'])).length > 0)
      leftOut.push({ key: `${graphFile}: graph_dict`, reason: 'graphs have no counterpart' })
    const known = ['docstore.json', graphFile, indexFile, 'chat_store.json']
    for (const name of files)
      if (!known.includes(name) && !name.endsWith(vectorFile))
        leftOut.push({ key: name, reason: 'the file is not known' })
    const records = has(indexFile) ? await indexRecords(join(path, indexFile)) : {}
    const folder = new StorageFolder(documents, { leftOut, records, graph })
    for (const name of files.filter((file) => file.endsWith(vectorFile)))
      folder.vectors.set(name.slice(0, -vectorFile.length), await readVectors(join(path, name), leftOut))
    for (const [id, record] of Object.entries(records)) {
      const index = readIndex(id, record)
      if ('reason' in index) leftOut.push({ key: `${indexFile}: ${id}`, reason: index.reason })
      else await folder.take(id, index.nodesDict, leftOut)
    }
    return folder
  }

  /** The vector indexes, in the order of the file. */
  get indexes(): readonly StoredIndex[] {
    return [...this.found].map(([id, nodes]) => {
      const stores = [...this.vectors].filter(([, { embeddings }]) =>
        [...nodes.keys()].some((key) => embeddings.has(key)),
      )
      return { id, vectorStores: stores.map(([name]) => name), nodeIds: [...nodes.values()] }
    })
  }

  /**
   * Returns the nodes of an index with their vectors, in the order of the vector store: what `VectorRetriever.fromNodes` of `@x/retrieval`
   * needs.
   * @param id - default: the only index
   * @throws {StoreReadError} if the index does not exist, or there are several and no id.
   */
  async nodesOf(id?: string): Promise<TextNode[]> {
    const [only, ...others] = this.found.values()
    const index = id === undefined ? (others.length === 0 ? only : undefined) : this.found.get(id)
    if (!index)
      throw new StoreReadError(
        indexFile,
        `expected the id of one of the indexes ${[...this.found.keys()].join(', ') || '(none)'}, received ${id ?? 'none'}`,
      )
    const nodes = await this.documents.getNodes([...index.values()])
    const vectors = [...index.keys()].map((key) => this.vectorOf(key)!)
    return nodes.map((node, at) => node.copy({ update: { embedding: [...vectors[at]!] } }))
  }

  private vectorOf(key: string): readonly number[] | undefined {
    for (const { embeddings } of this.vectors.values()) if (embeddings.has(key)) return embeddings.get(key)
    return undefined
  }

  /**
   * Adds an index, or replaces the one with this id, and adds its nodes to the document store.
   * @param nodes - nodes with vectors.
   * @param vectorStore - the beginning of the name of a file in the folder.
   * @throws {EmbeddingNotSetError} if a node has no vector.
   * @throws {ModelValidationError} if the name of the vector store cannot be a part of a name of a file.
   */
  async addIndex(id: string, nodes: readonly TextNode[], vectorStore = 'default'): Promise<void> {
    safeName('StorageFolder.addIndex.vectorStore', vectorStore)
    const added = nodes.map((node) => [node, node.getEmbedding()] as const)
    await this.documents.addDocuments(nodes.map((node) => node.copy({ update: { embedding: null } })))
    const vectors = this.vectors.get(vectorStore) ?? emptyVectors()
    this.vectors.set(vectorStore, vectors)
    for (const [node, vector] of added) {
      vectors.embeddings.set(node.id, [...vector])
      vectors.entries.set(node.id, vectorEntry(node))
    }
    this.found.set(id, new Map(nodes.map((node) => [node.id, node.id])))
    this.records.delete(id)
  }

  /**
   * Writes all files of the folder, each one atomically. None is replaced before all are on the disk. Creates the folder if it does not
   * exist.
   * @throws {ModelValidationError} if an option is unknown or invalid.
   * @throws {StoreChangedError} if the folder contains a document store that this one was not read from.
   * @throws {StoreWriteError} if the system refuses to write, such as on a full disk.
   */
  async write(path: string, options: WriteFolderOptions = {}): Promise<void> {
    checkOption('StorageFolder.write', 'path', path, aPath)
    checkOptions('StorageFolder.write', options, persistOptions)
    const { line, overwrite } = options
    const written: WrittenFile[] = []
    try {
      for (const [name, pieces] of this.otherFiles()) written.push(await writeBeside(join(path, name), pieces))
      await this.documents.persist(join(path, 'docstore.json'), { line, overwrite: overwrite ?? false })
      for (const file of written) await file.replace()
    } catch (error) {
      await Promise.all(written.map((file) => file.discard()))
      throw error
    }
  }

  /** Yields the names and contents of all files but the document store. */
  private *otherFiles(): Generator<[name: string, pieces: string | Iterable<string>]> {
    const { isPython } = this.documents
    for (const name of new Set(['default', 'image', ...this.vectors.keys()]))
      yield [`${name}${vectorFile}`, vectorPieces(this.vectors.get(name) ?? emptyVectors(isPython))]
    const textOf = (data: unknown) => {
      const text = writeJsonText(data)
      return isPython ? pythonText(text) : text
    }
    const indexes = new Map(this.records)
    for (const [id, nodes] of this.found) if (!indexes.has(id)) indexes.set(id, indexRecord(id, nodes, isPython))
    yield [indexFile, textOf(indexes.size === 0 ? {} : { [indexKey]: Object.fromEntries(indexes) })]
    yield [graphFile, textOf(this.graph)]
  }

  /** Adds an index that was read. Its nodes have the order of the vectors. */
  private async take(id: string, nodesDict: Dict, leftOut: LeftOut[]): Promise<void> {
    const order = [...this.vectors.values()].flatMap(({ embeddings }) => [...embeddings.keys()])
    const nodes = new Map<string, string>()
    for (const vector of order) {
      const node = nodesDict[vector]
      if (typeof node !== 'string' || nodes.has(vector)) continue
      const reason = await this.faultOf(node)
      if (reason === null) nodes.set(vector, node)
      else leftOut.push({ key: `docstore.json: docstore/data.${node}`, reason })
    }
    const known = new Set(order)
    for (const vector of Object.keys(nodesDict))
      if (!known.has(vector))
        leftOut.push({ key: `${indexFile}: ${id}.nodes_dict.${vector}`, reason: 'the vector is missing' })
    this.found.set(id, nodes)
  }

  /** Returns why a node cannot be read; null if it can. */
  private async faultOf(id: string): Promise<string | null> {
    try {
      return (await this.documents.getNode(id, { raiseError: false })) ? null : 'the node does not exist'
    } catch (error) {
      return errorMessage(error)
    }
  }
}

async function filesIn(path: string): Promise<string[]> {
  try {
    return (await readdir(path)).sort()
  } catch (cause) {
    throw new StoreReadError(path, 'the folder cannot be read', { cause })
  }
}

/** Returns the records of the indexes by id. */
async function indexRecords(path: string): Promise<Dict> {
  const file = await readJsonFile(path)
  const records = isPlainObject(file) ? (file[indexKey] ?? {}) : null
  if (!isPlainObject(records)) throw notAStore(path, 'index store', new TypeError(`expected an object "${indexKey}"`))
  return records
}
