/**
 * @module
 * What is migrated: nodes with their vectors, hashes, source documents and conversations, of a folder or a database.
 */
import type { ChatMessage, TextNode } from '@x/core-model'
import { asRead, lineOf, type PythonLine, type PythonLineName, pythonLine } from '@x/core-model/python'
import { type LeftOut, readIndex } from '@x/storage/node'

/** The metadata and the node ids of a source document. */
export interface SourceInfo {
  nodeIds: string[]
  metadata: Record<string, unknown>
}

/** A vector index: its record as `index_store.json` contains it. Its ids of vectors are those of nodes. */
export interface IndexInfo {
  id: string
  record: { __type__: string; __data__: unknown }
}

/** How many nodes, vectors, messages and indexes a source has, whether they can be migrated or not. */
export interface Found {
  nodes: number
  vectors: number
  messages: number
  indexes: number
}

/** The content of a folder or a database. Each method can be called several times, and has few values in memory. */
export interface Content {
  /** The name for messages, such as `sqlite:app.db`. */
  readonly name: string
  /** The line of LlamaIndex for Python in which nodes and hashes are. */
  readonly line: PythonLineName
  /** What the content consists of, one line each. */
  readonly facts: readonly string[]
  /** What has no counterpart, or cannot be read. Complete after `nodes` and `chats` were read to their ends. */
  readonly leftOut: readonly LeftOut[]
  /** What there is. Complete like `leftOut`. */
  readonly found: Found
  /** Yields the nodes in their order. A node with a vector contains it as its embedding. */
  nodes(): AsyncIterable<TextNode> | Iterable<TextNode>
  /** Yields the ids of all nodes and source documents with their hashes. */
  hashes(): AsyncIterable<[id: string, hash: string]> | Iterable<[id: string, hash: string]>
  /** Returns the hash of a node or source document; null if it has none. */
  hashOf(id: string): Promise<string | null>
  /** Returns where the vector of a node is, for messages. */
  vectorPlace(id: string): string
  /** Yields the source documents. */
  sources(): AsyncIterable<[id: string, info: SourceInfo]> | Iterable<[id: string, info: SourceInfo]>
  /** Yields the conversations. */
  chats(): AsyncIterable<[key: string, messages: ChatMessage[]]>
  /** Returns the vector indexes. */
  indexes(): Promise<readonly IndexInfo[]>
  close(): Promise<void>
}

/** Receives the number of nodes that were written so far. */
export type Progress = (nodes: number) => void

/** How content is written. */
export interface WriteOptions {
  progress: Progress
  /** Whether each conversation keeps its line, because no line was requested. */
  isOwnLine: boolean
  /** Rejects if what was written differs from the content. Then nothing is kept. */
  prove: (written: Content) => Promise<void>
}

/** Returns the ids of the nodes of an index in their order. */
export function nodesOfIndex({ id, record }: IndexInfo): string[] {
  const index = readIndex(id, record)
  return 'reason' in index ? [] : Object.values(index.nodesDict).map(String)
}

/** Returns the line in which messages were read; null if they were made here. */
export function lineOfMessages(messages: readonly ChatMessage[]): PythonLineName | null {
  return lineOf(messages.map((message) => message.toDict({ line: asRead })))
}

/** Returns a node as a document store contains it: vectors are stored beside it. */
export function withoutVector(node: TextNode): TextNode {
  return node.embedding === null ? node : node.copy({ update: { embedding: null } })
}

/** Returns the hash of a node in a line: a computed one if it has none. A hash that is not that of the stored node stays. */
export async function hashIn(content: Content, node: TextNode, line: PythonLine): Promise<string> {
  const hash = await content.hashOf(node.id)
  const isOwn = content.line !== line.name && hash === pythonLine(content.line).hashOf(node)
  return hash === null || isOwn ? line.hashOf(node) : hash
}
