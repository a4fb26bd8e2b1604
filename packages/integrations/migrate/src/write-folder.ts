/**
 * @module
 * Writes content as a storage folder of LlamaIndex for Python.
 */
import { existsSync, readdirSync } from 'node:fs'
import { type FileHandle, mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { docToJson, type TextNode, writeJsonText } from '@x/core-model'
import { newerLine, type PythonLineName, pythonLine, pythonText, pythonVector } from '@x/core-model/python'
import { indexRecord, vectorEntry } from '@x/storage/node'
import { type Content, hashIn, lineOfMessages, type Progress, type WriteOptions, withoutVector } from './content.ts'
import { MigrateError } from './errors.ts'
import { FolderContent } from './folder-content.ts'

/** The number of characters that are written at once. */
const PIECE = 1 << 20

/**
 * Writes a new folder. It appears under its name when it is complete and proved; what an interrupted run left is removed.
 * @param prove - rejects if what was written differs.
 * @throws {MigrateError} if the folder exists and is not empty.
 */
export async function writeFolder(
  content: Content,
  path: string,
  line: PythonLineName,
  { progress, prove, isOwnLine }: WriteOptions,
): Promise<void> {
  if (existsSync(path) && readdirSync(path).length > 0)
    throw new MigrateError(`${path}: expected a new or an empty folder, received a folder with files`)
  const temporary = `${join(path, '.').replace(/[\\/]$/, '')}.migrating`
  await rm(temporary, { recursive: true, force: true })
  await mkdir(temporary, { recursive: true })
  try {
    await writeDocuments(content, temporary, line, progress)
    await writeVectors(content, temporary)
    await writeIndexes(content, temporary)
    await writeChats(content, temporary, line, isOwnLine)
    const written = new FolderContent(temporary)
    await prove(written).finally(() => written.close())
    await rm(path, { recursive: true, force: true })
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { recursive: true, force: true })
    throw error
  }
}

async function writeDocuments(
  content: Content,
  folder: string,
  lineName: PythonLineName,
  progress: Progress,
): Promise<void> {
  const line = pythonLine(lineName)
  await writeObject(join(folder, 'docstore.json'), async (file) => {
    let count = 0
    await file.begin('docstore/data')
    for await (const node of content.nodes()) {
      await file.add(node.id, docToJson(withoutVector(node), line))
      progress(++count)
    }
    await file.begin('docstore/metadata')
    const written = new Set<string>()
    for await (const node of content.nodes()) {
      const { id, refDocId } = node
      const hash = await hashIn(content, withoutVector(node), line)
      await file.add(id, { doc_hash: hash, ...(refDocId !== null && { ref_doc_id: refDocId }) })
      written.add(id)
    }
    for await (const [id, hash] of content.hashes()) if (!written.has(id)) await file.add(id, { doc_hash: hash })
    await file.begin('docstore/ref_doc_info')
    for await (const [id, { nodeIds, metadata }] of content.sources())
      await file.add(id, { node_ids: nodeIds, metadata })
  })
}

async function writeVectors(content: Content, folder: string): Promise<void> {
  await writeObject(join(folder, 'default__vector_store.json'), async (file) => {
    const put = async (collection: string, valueOf: (node: TextNode) => unknown) => {
      await file.begin(collection)
      for await (const node of content.nodes()) if (node.embedding !== null) await file.add(node.id, valueOf(node))
    }
    await put('embedding_dict', ({ embedding }) => new VectorText(embedding!))
    await put('text_id_to_ref_doc_id', (node) => vectorEntry(node).source)
    await put('metadata_dict', (node) => vectorEntry(node).metadata)
  })
  await writeObject(join(folder, 'graph_store.json'), (file) => file.begin('graph_dict'))
  await writeObject(join(folder, 'image__vector_store.json'), async (file) => {
    for (const name of ['embedding_dict', 'text_id_to_ref_doc_id', 'metadata_dict']) await file.begin(name)
  })
}

/** Writes the indexes with their ids; one index of all vectors if the content has none. */
async function writeIndexes(content: Content, folder: string): Promise<void> {
  const indexes = await content.indexes()
  await writeObject(join(folder, 'index_store.json'), async (file) => {
    await file.begin('index_store/data')
    for (const { id, record } of indexes) await file.add(id, record)
    if (indexes.length > 0) return
    const indexed = new Map<string, string>()
    for await (const { id, embedding } of content.nodes()) if (embedding !== null) indexed.set(id, id)
    if (indexed.size > 0) await file.add(INDEX, indexRecord(INDEX, indexed, true))
  })
}

/** The id of the index that is written for a database that has none. */
const INDEX = 'vector_index'

/** @param isOwnLine - whether each conversation is written in its own line. */
async function writeChats(content: Content, folder: string, line: PythonLineName, isOwnLine: boolean): Promise<void> {
  const store: Record<string, unknown> = {}
  for await (const [key, messages] of content.chats()) {
    const own = (isOwnLine && lineOfMessages(messages)) || line
    store[key] = messages.map((message) => message.toDict({ line: pythonLine(own) }))
  }
  if (Object.keys(store).length === 0) return
  const text = pythonText(writeJsonText({ store, class_name: 'SimpleChatStore' }))
  // Until 0.11.2, Python reads only a string that contains JSON text.
  const isOld = newerLine(line, '0.11.3') !== line
  await writeFile(join(folder, 'chat_store.json'), isOld ? JSON.stringify(text) : text, { flush: true })
}

/** A vector, whose numbers Python writes as floats. */
class VectorText {
  readonly text: string

  constructor(vector: readonly number[]) {
    this.text = pythonVector(vector)
  }
}

/** Writes a file entry by entry. */
async function writeObject(path: string, fill: (file: JsonObjectFile) => Promise<void>): Promise<void> {
  const file = await open(path, 'w')
  try {
    const object = new JsonObjectFile(file)
    await fill(object)
    await object.end()
    await file.sync()
  } finally {
    await file.close()
  }
}

/** A file `{ collection: { key: value } }`, with at least one collection, that is written entry by entry. */
class JsonObjectFile {
  private readonly file: FileHandle
  private text = '{'
  /** What is between two collections, and two entries: nothing before the first one. */
  private between = ''
  private comma = ''

  constructor(file: FileHandle) {
    this.file = file
  }

  /** Begins a collection, and ends the one before. */
  async begin(name: string): Promise<void> {
    this.text += `${this.between}${pythonText(JSON.stringify(name))}: {`
    this.between = '}, '
    this.comma = ''
  }

  async add(key: string, value: unknown): Promise<void> {
    const text = value instanceof VectorText ? value.text : pythonText(writeJsonText(value))
    this.text += `${this.comma}${pythonText(JSON.stringify(key))}: ${text}`
    this.comma = ', '
    if (this.text.length < PIECE) return
    await this.file.writeFile(this.text)
    this.text = ''
  }

  async end(): Promise<void> {
    await this.file.writeFile(`${this.text}}}`)
  }
}
