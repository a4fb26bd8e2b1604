/**
 * @module
 * Writes content as a storage folder of LlamaIndex for Python.
 */
import { existsSync, readdirSync } from 'node:fs'
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { docToJson, type TextNode, writeJsonText } from '@x/core-model'
import { type PythonLineName, pythonLine } from '@x/core-model/python'
import { FileChatStore, indexRecord, vectorEntry } from '@x/storage/node'
import { type Content, hashIn, type Progress, type WriteOptions, withoutVector } from './content.ts'
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
  { progress, prove }: WriteOptions,
): Promise<void> {
  if (existsSync(path) && readdirSync(path).length > 0)
    throw new MigrateError(`${path}: expected a new or an empty folder, received a folder with files`)
  const temporary = `${join(path, '.').replace(/[\\/]$/, '')}.migrating`
  await rm(temporary, { recursive: true, force: true })
  await mkdir(temporary, { recursive: true })
  try {
    await writeDocuments(content, temporary, line, progress)
    await writeVectors(content, temporary)
    await writeChats(content, temporary, line)
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
  const indexed = new Map<string, string>()
  await writeObject(join(folder, 'default__vector_store.json'), async (file) => {
    const put = async (collection: string, valueOf: (node: TextNode) => unknown) => {
      await file.begin(collection)
      for await (const node of content.nodes()) if (node.embedding !== null) await file.add(node.id, valueOf(node))
    }
    await put('embedding_dict', ({ id, embedding }) => {
      indexed.set(id, id)
      return embedding
    })
    await put('text_id_to_ref_doc_id', (node) => vectorEntry(node).source)
    await put('metadata_dict', (node) => vectorEntry(node).metadata)
  })
  await writeObject(join(folder, 'index_store.json'), async (file) => {
    await file.begin('index_store/data')
    if (indexed.size > 0) await file.add(INDEX, indexRecord(INDEX, indexed))
  })
  await writeObject(join(folder, 'graph_store.json'), (file) => file.begin('graph_dict'))
  await writeObject(join(folder, 'image__vector_store.json'), async (file) => {
    for (const name of ['embedding_dict', 'text_id_to_ref_doc_id', 'metadata_dict']) await file.begin(name)
  })
}

/** The id of the index that is written. */
const INDEX = 'vector_index'

async function writeChats(content: Content, folder: string, line: PythonLineName): Promise<void> {
  const chats = new FileChatStore()
  for await (const [key, messages] of content.chats()) chats.setMessages(key, messages)
  if (chats.getKeys().length > 0) await chats.persist(join(folder, 'chat_store.json'), { format: 'python', line })
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
    this.text += `${this.between}${JSON.stringify(name)}:{`
    this.between = '},'
    this.comma = ''
  }

  async add(key: string, value: unknown): Promise<void> {
    this.text += `${this.comma}${JSON.stringify(key)}:${writeJsonText(value)}`
    this.comma = ','
    if (this.text.length < PIECE) return
    await this.file.writeFile(this.text)
    this.text = ''
  }

  async end(): Promise<void> {
    await this.file.writeFile(`${this.text}}}`)
  }
}
