/**
 * @module
 * A storage folder of LlamaIndex for Python as content. Only the places of records and vectors are in memory.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorMessage } from '@x/core/values'
import { ChatMessage, jsonToDoc, readJsonText, type TextNode, writeJsonText } from '@x/core-model'
import { lineOf, newerLine, type PythonLineName } from '@x/core-model/python'
import { type LeftOut, readIndex } from '@x/storage/node'
import type { Content, Found, IndexInfo, SourceInfo } from './content.ts'
import { MigrateError } from './errors.ts'
import { JsonFile, jsonEntries, type Place } from './json-entries.ts'

const vectorFile = '__vector_store.json'
/** The files of a folder other than the vector stores. */
const known = ['docstore.json', 'index_store.json', 'graph_store.json', 'chat_store.json']
type Dict = Record<string, unknown>

/** Where the vector of a node is. */
interface VectorPlace {
  file: JsonFile
  place: Place
  /** The length of the first vector of the file. */
  dimension: number | null
}

/** The content of a folder that `StorageContext.persist()` wrote. */
export class FolderContent implements Content {
  readonly name: string
  readonly line: PythonLineName
  readonly facts: string[] = []
  readonly found: Found = { nodes: 0, vectors: 0, messages: 0, indexes: 0 }
  private readonly left = new Map<string, string>()
  private readonly path: string
  private readonly documents: JsonFile
  private readonly places = {
    data: [] as Place[],
    metadata: new Map<string, Place>(),
    ref_doc_info: new Map<string, Place>(),
  }
  private readonly vectors = new Map<string, VectorPlace>()
  private readonly files: JsonFile[] = []
  /** The vector indexes. */
  private readonly read: IndexInfo[] = []
  /** The conversations as the file contains them. */
  private readonly stored: [key: string, messages: unknown[]][] = []
  /** The ids of the nodes by the ids of their vectors, where they differ. */
  private readonly renamed = new Map<string, string>()

  /** @throws {MigrateError} if the folder contains no document store, or a file is not what its name says. */
  constructor(path: string) {
    this.path = path
    this.name = path
    const files = filesIn(path)
    this.documents = this.opened('docstore.json')
    try {
      const documents = this.readDocuments()
      this.readIndexes(files)
      for (const name of files.filter((file) => file.endsWith(vectorFile))) this.readVectors(name)
      this.line = newerLine(documents, this.readChats(files))
    } catch (error) {
      void this.close()
      throw error
    }
    for (const name of files)
      if (!known.includes(name) && !name.endsWith(vectorFile)) this.leave(name, 'the file is not known')
  }

  get leftOut(): readonly LeftOut[] {
    return [...this.left].map(([key, reason]) => ({ key, reason }))
  }

  *nodes(): Generator<TextNode> {
    for (const place of this.places.data) {
      const record = this.documents.read(place)
      let node: TextNode
      try {
        node = jsonToDoc(record)
        // NaN and infinities, which Python writes, have no JSON form.
        writeJsonText(record, {}, ['data'])
      } catch (error) {
        const id = String(Object(Object(record)['__data__'])['id_'])
        this.leave(`docstore.json: docstore/data.${id}`, errorMessage(error))
        continue
      }
      const vector = this.vectorOf(node.id)
      yield vector ? node.copy({ update: { embedding: vector } }) : node
    }
  }

  *hashes(): Generator<[string, string]> {
    for (const [id, place] of this.places.metadata) {
      const hash = Object(this.documents.read(place))['doc_hash']
      if (typeof hash === 'string') yield [id, hash]
    }
  }

  async hashOf(id: string): Promise<string | null> {
    return this.hashAt(id)
  }

  *sources(): Generator<[string, SourceInfo]> {
    for (const [id, place] of this.places.ref_doc_info) {
      const { node_ids, doc_ids, metadata, extra_info } = Object(this.documents.read(place)) as Record<string, never>
      yield [id, { nodeIds: [...new Set<string>(node_ids ?? doc_ids ?? [])], metadata: metadata ?? extra_info ?? {} }]
    }
  }

  async *chats(): AsyncGenerator<[string, ChatMessage[]]> {
    for (const [key, messages] of this.stored) {
      const read: ChatMessage[] = []
      for (const [at, message] of messages.entries()) {
        try {
          writeJsonText(message, {}, ['message'])
          read.push(ChatMessage.fromDict(message))
        } catch (error) {
          this.leave(`chat_store.json: store.${key}[${at}]`, errorMessage(error))
        }
      }
      yield [key, read]
    }
  }

  async indexes(): Promise<readonly IndexInfo[]> {
    const nodes = new Set<string>()
    for (const { id } of this.nodes()) nodes.add(id)
    return this.read.map(({ id, record }) => {
      const { nodesDict = {} } = readIndex(id, record) as { nodesDict?: Dict }
      const ids = Object.values(nodesDict).map(String)
      const isSame = ids.every((node) => nodes.has(node)) && Object.keys(nodesDict).every((key, at) => key === ids[at])
      if (isSame) return { id, record }
      const data = Object(typeof record.__data__ === 'string' ? readJsonText(record.__data__) : record.__data__)
      const kept = Object.fromEntries(ids.filter((node) => nodes.has(node)).map((node) => [node, node]))
      return { id, record: { ...record, __data__: writeJsonText({ ...data, nodes_dict: kept }) } }
    })
  }

  async close(): Promise<void> {
    for (const file of this.files) file.close()
  }

  private opened(name: string): JsonFile {
    const file = new JsonFile(join(this.path, name))
    this.files.push(file)
    return file
  }

  private leave(key: string, reason: string): void {
    this.left.set(key, reason)
  }

  /** Finds the records of the document store. Returns the newest line that one of them shows, by its form or by its hash. */
  private readDocuments(): PythonLineName {
    let line: PythonLineName = '0.10'
    for (const { collection, key, place } of jsonEntries(this.documents.path)) {
      const [, part] = collection.split('/')
      if (part === 'data') this.places.data.push(place)
      else if (part === 'metadata' || part === 'ref_doc_info') this.places[part].set(key, place)
      else this.leave(`docstore.json: ${collection}`, 'the collection is not known')
    }
    const { data, ref_doc_info } = this.places
    for (const place of data) {
      const record = this.documents.read(place)
      line = newerLine(line, lineOf(record, this.hashAt(String(Object(Object(record)['__data__'])['id_']))) ?? line)
    }
    this.found.nodes = data.length
    this.facts.push(`docstore.json: line ${line}, ${data.length} nodes, ${ref_doc_info.size} source documents`)
    return line
  }

  private hashAt(id: string): string | null {
    const place = this.places.metadata.get(id)
    return place ? ((Object(this.documents.read(place))['doc_hash'] as string | undefined) ?? null) : null
  }

  /** Reads the conversations. Returns the newest line that one of them shows. */
  private readChats(files: readonly string[]): PythonLineName {
    if (!files.includes('chat_store.json')) return '0.10'
    const path = join(this.path, 'chat_store.json')
    const read = readJsonFile(path)
    const file = typeof read === 'string' ? readJsonText(read, { nonFinite: true }) : read
    const store = Object(file)['store']
    if (typeof store !== 'object' || store === null) throw new MigrateError(`${path}: expected an object "store"`)
    for (const [key, messages] of Object.entries(store as Dict)) {
      if (!Array.isArray(messages)) throw new MigrateError(`${path}: store.${key}: expected an array of messages`)
      this.stored.push([key, messages])
      this.found.messages += messages.length
    }
    const line = lineOf(store) ?? '0.10'
    this.facts.push(`chat_store.json: line ${line}, ${this.stored.length} conversations`)
    return line
  }

  private readIndexes(files: readonly string[]): void {
    const read = (name: string): Dict => (files.includes(name) ? Object(readJsonFile(join(this.path, name))) : {})
    const graph = Object(read('graph_store.json')['graph_dict'])
    if (Object.keys(graph).length > 0) this.leave('graph_store.json: graph_dict', 'graphs have no counterpart')
    for (const [id, record] of Object.entries(Object(read('index_store.json')['index_store/data']))) {
      const index = readIndex(id, record)
      this.found.indexes++
      if ('reason' in index) {
        this.leave(`index_store.json: ${id}`, index.reason)
        continue
      }
      this.read.push({ id, record: record as IndexInfo['record'] })
      const nodes = Object.entries(index.nodesDict)
      for (const [vector, node] of nodes) if (vector !== node) this.renamed.set(vector, String(node))
      this.facts.push(`index_store.json: index ${id}, type ${(record as Dict)['__type__']}, ${nodes.length} nodes`)
    }
  }

  private readVectors(name: string): void {
    const file = this.opened(name)
    let count = 0
    let dimension: number | null = null
    for (const { collection, key, place } of jsonEntries(file.path)) {
      if (collection !== 'embedding_dict') continue
      count++
      dimension ??= Object(file.read(place)).length ?? null
      this.vectors.set(this.renamed.get(key) ?? key, { file, place, dimension })
      this.found.vectors++
    }
    this.facts.push(`${name}: ${count} vectors${dimension === null ? '' : ` of dimension ${dimension}`}`)
  }

  vectorPlace(id: string): string {
    const name = this.vectors
      .get(id)!
      .file.path.slice(this.path.length)
      .replace(/^[\\/]/, '')
    return `${name}: embedding_dict.${id}`
  }

  private vectorOf(id: string): number[] | null {
    const found = this.vectors.get(id)
    if (!found) return null
    const vector = found.file.read(found.place)
    const { dimension } = found
    if (!Array.isArray(vector) || !vector.every(Number.isFinite))
      this.leave(this.vectorPlace(id), 'the vector is not a list of finite numbers')
    else if (dimension !== null && vector.length !== dimension)
      this.leave(
        this.vectorPlace(id),
        `expected ${dimension} numbers like the vectors before, received ${vector.length}`,
      )
    else return vector
    return null
  }
}

function filesIn(path: string): string[] {
  try {
    return readdirSync(path)
      .filter((name) => name.endsWith('.json'))
      .sort()
  } catch (cause) {
    throw new MigrateError(`${path}: the folder cannot be read`, { cause })
  }
}

function readJsonFile(path: string): unknown {
  try {
    return readJsonText(readFileSync(path, 'utf8'), { nonFinite: true })
  } catch (cause) {
    throw new MigrateError(`${path}: ${errorMessage(cause).replace(/\.$/, '')}`, { cause })
  }
}
