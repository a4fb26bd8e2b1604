/**
 * @module
 * A database of `@x/sqlite` or `@x/postgres` as content. Nodes contain their vectors.
 */
import { type ChatMessage, Document, isToolkitError, type TextNode } from '@x/core-model'
import { type PythonLine, type PythonLineName, pythonLine } from '@x/core-model/python'
import type { LeftOut } from '@x/storage/node'
import {
  type Content,
  type Found,
  hashIn,
  type IndexInfo,
  type SourceInfo,
  type WriteOptions,
  withoutVector,
} from './content.ts'
import { MigrateError } from './errors.ts'

/** The stores of a database, those of SQLite or of Postgres. */
export interface DatabaseStores {
  documents: {
    nodes(): AsyncIterable<TextNode>
    addDocuments(nodes: readonly TextNode[]): Promise<void>
    setDocumentHashes(hashes: Readonly<Record<string, string>>): Promise<void>
    getDocumentHash(id: string): Promise<string | null>
    getAllRefDocInfo(): Promise<Record<string, SourceInfo>>
    /** The ids of documents by hash. */
    getAllDocumentHashes(): Promise<Record<string, string>>
  }
  chats: {
    setMessages(key: string, messages: readonly ChatMessage[]): void | Promise<void>
    getMessages(key: string): ChatMessage[] | Promise<ChatMessage[]>
    getKeys(): string[] | Promise<string[]>
  }
  /** Adds nodes with vectors to the vector index, if the database has one. */
  index(nodes: readonly TextNode[]): Promise<void>
  /** The line of LlamaIndex for Python that the database was migrated from. */
  readLine(): Promise<string | null>
  writeLine(name: PythonLineName): Promise<void>
  /** The records of the indexes of the folder that the database was migrated from. */
  readIndexes(): Promise<readonly IndexInfo[]>
  writeIndexes(indexes: readonly IndexInfo[]): Promise<void>
  close(): Promise<void>
}

const BATCH = 500

/** The content of a database. */
export class DatabaseContent implements Content {
  readonly name: string
  readonly line: PythonLineName
  readonly facts: readonly string[]
  readonly leftOut: readonly LeftOut[] = []
  readonly found: Found
  private readonly stores: DatabaseStores

  /** Reads what the database contains. */
  static async of(name: string, stores: DatabaseStores): Promise<DatabaseContent> {
    let [nodes, vectors] = [0, 0]
    let dimension: number | undefined
    for await (const { embedding } of stores.documents.nodes()) {
      nodes++
      if (embedding === null) continue
      vectors++
      dimension ??= embedding.length
    }
    const sources = Object.keys(await stores.documents.getAllRefDocInfo()).length
    const line = await lineOfStores(stores)
    const of = dimension === undefined ? '' : ` of dimension ${dimension}`
    const facts = [`${name}: line ${line}, ${nodes} nodes, ${sources} source documents, ${vectors} vectors${of}`]
    let messages = 0
    for (const key of await stores.chats.getKeys()) messages += (await stores.chats.getMessages(key)).length
    const indexes = (await stores.readIndexes()).length
    return new DatabaseContent(name, line, facts, stores, { nodes, vectors, messages, indexes })
  }

  private constructor(name: string, line: PythonLineName, facts: string[], stores: DatabaseStores, found: Found) {
    this.name = name
    this.line = line
    this.facts = facts
    this.stores = stores
    this.found = found
  }

  indexes(): Promise<readonly IndexInfo[]> {
    return this.stores.readIndexes()
  }

  nodes(): AsyncIterable<TextNode> {
    return this.stores.documents.nodes()
  }

  async *hashes(): AsyncGenerator<[string, string]> {
    const seen = new Set<string>()
    for await (const { id } of this.nodes()) seen.add(id)
    for (const id of Object.keys(await this.stores.documents.getAllRefDocInfo())) seen.add(id)
    for (const id of Object.values(await this.stores.documents.getAllDocumentHashes())) seen.add(id)
    for (const id of seen) {
      const hash = await this.hashOf(id)
      if (hash !== null) yield [id, hash]
    }
  }

  hashOf(id: string): Promise<string | null> {
    return this.stores.documents.getDocumentHash(id)
  }

  vectorPlace(id: string): string {
    return `${this.name}: node ${id}`
  }

  async *sources(): AsyncGenerator<[string, SourceInfo]> {
    yield* Object.entries(await this.stores.documents.getAllRefDocInfo())
  }

  async *chats(): AsyncGenerator<[string, ChatMessage[]]> {
    for (const key of await this.stores.chats.getKeys()) yield [key, await this.stores.chats.getMessages(key)]
  }

  close(): Promise<void> {
    return this.stores.close()
  }
}

/** The releases whose hashes of documents differ, newest first. */
const hashing: readonly PythonLineName[] = ['0.12.28', '0.12.6']

/** Returns the stored line, else the line whose hashes the documents have. */
async function lineOfStores(stores: DatabaseStores): Promise<PythonLineName> {
  const { documents } = stores
  const stored = await stores.readLine()
  if (stored) return stored
  for await (const node of documents.nodes()) {
    if (!(node instanceof Document)) continue
    const hash = await documents.getDocumentHash(node.id)
    return hashing.find((line) => pythonLine(line).hashOf(node) === hash) ?? '0.10'
  }
  return '0.10'
}

/** Throws the error of an index; that of a vector with another length names the file and the vector. */
function explain(error: unknown, nodes: readonly TextNode[], content: Content): never {
  if (!isToolkitError(error, 'embedding_dimension')) throw error
  const { expected, received } = error
  const { id } = nodes.find(({ embedding }) => embedding!.length === received)!
  throw new MigrateError(
    `${content.vectorPlace(id)}: expected ${expected} numbers like the vectors before, received ${received}`,
    { cause: error },
  )
}

/** Writes content into an empty database, and proves it. @param line - that of the records and hashes of the stores. */
export async function writeDatabase(
  content: Content,
  line: PythonLine,
  stores: DatabaseStores,
  name: string,
  { progress, prove }: WriteOptions,
): Promise<void> {
  let count = 0
  const flush = async (nodes: readonly TextNode[]) => {
    await stores.documents.addDocuments(nodes)
    const embedded = nodes.filter(({ embedding }) => embedding !== null)
    if (embedded.length > 0) await stores.index(embedded).catch((error) => explain(error, embedded, content))
    const hashes: [id: string, hash: string][] = []
    for (const node of nodes) hashes.push([node.id, await hashIn(content, withoutVector(node), line)])
    await stores.documents.setDocumentHashes(Object.fromEntries(hashes))
    count += nodes.length
    progress(count)
  }
  const written = new Set<string>()
  let batch: TextNode[] = []
  for await (const node of content.nodes()) {
    batch.push(node)
    written.add(node.id)
    if (batch.length < BATCH) continue
    await flush(batch)
    batch = []
  }
  await flush(batch)
  for await (const [id, hash] of content.hashes())
    if (!written.has(id)) await stores.documents.setDocumentHashes({ [id]: hash })
  for await (const [key, messages] of content.chats()) await stores.chats.setMessages(key, messages)
  await stores.writeLine(line.name)
  await stores.writeIndexes(await content.indexes())
  await prove(await DatabaseContent.of(name, stores))
}
