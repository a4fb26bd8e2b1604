/**
 * @module
 * A storage folder of LlamaIndex for Python as content. Only the places of records and vectors are in memory.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorMessage } from '@x/core/values'
import { type ChatMessage, jsonToDoc, readJsonText, type TextNode } from '@x/core-model'
import { lineOf, type PythonLineName, pythonLines } from '@x/core-model/python'
import { FileChatStore, type LeftOut, readIndex } from '@x/storage/node'
import type { Content, SourceInfo } from './content.ts'
import { MigrateError } from './errors.ts'
import { JsonFile, jsonEntries, type Place } from './json-entries.ts'

const vectorFile = '__vector_store.json'
/** The files of a folder other than the vector stores. */
const known = ['docstore.json', 'index_store.json', 'graph_store.json', 'chat_store.json']
/** The number of records whose form is looked at to recognize the line. */
const LOOKED_AT = 1000

type Dict = Record<string, unknown>

/** Where the vector of a node is. */
interface VectorPlace {
  file: JsonFile
  place: Place
}

/** The content of a folder that `StorageContext.persist()` wrote. */
export class FolderContent implements Content {
  readonly name: string
  readonly line: PythonLineName
  readonly facts: string[] = []
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
  /** The ids of the nodes by the ids of their vectors, where they differ. */
  private readonly renamed = new Map<string, string>()

  /** @throws {MigrateError} if the folder contains no document store, or a file is not what its name says. */
  constructor(path: string) {
    this.path = path
    this.name = path
    const files = filesIn(path)
    this.documents = this.opened('docstore.json')
    try {
      this.line = this.readDocuments()
      this.readIndexes(files)
      for (const name of files.filter((file) => file.endsWith(vectorFile))) this.readVectors(name)
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
    const place = this.places.metadata.get(id)
    return place ? ((Object(this.documents.read(place))['doc_hash'] as string | undefined) ?? null) : null
  }

  *sources(): Generator<[string, SourceInfo]> {
    for (const [id, place] of this.places.ref_doc_info) {
      const { node_ids, doc_ids, metadata, extra_info } = Object(this.documents.read(place)) as Record<string, never>
      yield [id, { nodeIds: [...new Set<string>(node_ids ?? doc_ids ?? [])], metadata: metadata ?? extra_info ?? {} }]
    }
  }

  async *chats(): AsyncGenerator<[string, ChatMessage[]]> {
    const path = join(this.path, 'chat_store.json')
    if (!existsSync(path)) return
    const store = await FileChatStore.fromPersistPath(path)
    for (const key of store.getKeys()) yield [key, store.getMessages(key)]
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

  /** Finds the records of the document store. Returns the line that wrote them. */
  private readDocuments(): PythonLineName {
    let newest = 0
    for (const { collection, key, place } of jsonEntries(this.documents.path)) {
      const [, part] = collection.split('/')
      if (part === 'data') {
        this.places.data.push(place)
        if (this.places.data.length > LOOKED_AT) continue
        const line = lineOf(this.documents.read(place))
        if (line) newest = Math.max(newest, pythonLines.indexOf(line))
      } else if (part === 'metadata' || part === 'ref_doc_info') this.places[part].set(key, place)
      else this.leave(`docstore.json: ${collection}`, 'the collection is not known')
    }
    const { data, ref_doc_info } = this.places
    this.facts.push(
      `docstore.json: line ${pythonLines[newest]}, ${data.length} nodes, ${ref_doc_info.size} source documents`,
    )
    return pythonLines[newest]!
  }

  private readIndexes(files: readonly string[]): void {
    const read = (name: string): Dict => (files.includes(name) ? Object(readJsonFile(join(this.path, name))) : {})
    const graph = Object(read('graph_store.json')['graph_dict'])
    if (Object.keys(graph).length > 0) this.leave('graph_store.json: graph_dict', 'graphs have no counterpart')
    for (const [id, record] of Object.entries(Object(read('index_store.json')['index_store/data']))) {
      const index = readIndex(id, record)
      if ('reason' in index) {
        this.leave(`index_store.json: ${id}`, index.reason)
        continue
      }
      const nodes = Object.entries(index.nodesDict)
      for (const [vector, node] of nodes) if (vector !== node) this.renamed.set(vector, String(node))
      this.facts.push(`index_store.json: index ${id}, type vector_store, ${nodes.length} nodes`)
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
      this.vectors.set(this.renamed.get(key) ?? key, { file, place })
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
    if (Array.isArray(vector) && vector.every(Number.isFinite)) return vector
    this.leave(this.vectorPlace(id), 'the vector is not a list of finite numbers')
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
