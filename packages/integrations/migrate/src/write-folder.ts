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
  const temporary = `${path.replace(/[\\/]+$/, '')}.migrating`
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
  const file = await JsonObjectFile.create(join(folder, 'docstore.json'))
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
  for await (const [id, { nodeIds, metadata }] of content.sources()) await file.add(id, { node_ids: nodeIds, metadata })
  await file.end()
}

async function writeVectors(content: Content, folder: string): Promise<void> {
  const file = await JsonObjectFile.create(join(folder, 'default__vector_store.json'))
  const indexed = new Map<string, string>()
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
  await file.end()
  const index = indexed.size === 0 ? {} : { [INDEX]: indexRecord(INDEX, indexed) }
  await writeSmall(join(folder, 'index_store.json'), { 'index_store/data': index })
  await writeSmall(join(folder, 'graph_store.json'), { graph_dict: {} })
  const image = { embedding_dict: {}, text_id_to_ref_doc_id: {}, metadata_dict: {} }
  await writeSmall(join(folder, 'image__vector_store.json'), image)
}

/** The id of the index that is written. */
const INDEX = 'vector_index'

async function writeChats(content: Content, folder: string, line: PythonLineName): Promise<void> {
  const chats = new FileChatStore()
  for await (const [key, messages] of content.chats()) chats.setMessages(key, messages)
  if (chats.getKeys().length > 0) await chats.persist(join(folder, 'chat_store.json'), { format: 'python', line })
}

async function writeSmall(path: string, data: unknown): Promise<void> {
  const file = await open(path, 'w')
  try {
    await file.writeFile(writeJsonText(data))
    await file.sync()
  } finally {
    await file.close()
  }
}

/** A file `{ collection: { key: value } }` that is written entry by entry. */
class JsonObjectFile {
  private readonly file: FileHandle
  private text = '{'
  private isOpen = false
  private hasEntries = false

  static async create(path: string): Promise<JsonObjectFile> {
    return new JsonObjectFile(await open(path, 'w'))
  }

  private constructor(file: FileHandle) {
    this.file = file
  }

  /** Begins a collection, and ends the one before. */
  async begin(name: string): Promise<void> {
    this.text += `${this.isOpen ? '},' : ''}${JSON.stringify(name)}:{`
    this.isOpen = true
    this.hasEntries = false
  }

  async add(key: string, value: unknown): Promise<void> {
    await this.write(`${JSON.stringify(key)}:${writeJsonText(value)}`)
  }

  async end(): Promise<void> {
    this.text += this.isOpen ? '}}' : '}'
    await this.file.writeFile(this.text)
    await this.file.sync()
    await this.file.close()
  }

  private async write(entry: string): Promise<void> {
    this.text += `${this.hasEntries ? ',' : ''}${entry}`
    this.hasEntries = true
    if (this.text.length < PIECE) return
    await this.file.writeFile(this.text)
    this.text = ''
  }
}
