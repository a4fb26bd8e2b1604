/**
 * @module
 * Loads a storage folder in a Python program with its own LlamaIndex, and compares what Python reads with what was written.
 */
import { spawn } from 'node:child_process'
import { similarity, type TextNode } from '@x/core-model'
import { newerLine, type PythonLineName, pythonLine } from '@x/core-model/python'
import type { Content } from './content.ts'
import { MigrateError } from './errors.ts'

/** What Python reads of a node. Contents are by mode; of documents, whose contents releases show differently, they are null. */
interface PythonNode {
  id: string
  text: string
  metadata: string
  contents: string[] | null
  hash: string
}

/** What the script prints. */
interface PythonRead {
  version: string
  nodes: PythonNode[]
  /** The number of messages of each conversation, and their text. */
  chats: Record<string, string[]>
  /** The neighbors of the first vector, best first. */
  answer: [id: string, score: number][]
}

const modes = ['all', 'embed', 'llm', 'none'] as const
const TOP = 3
/** Scores are computed in another order. */
const CLOSE = 1e-9

/**
 * Returns what was compared, one line each.
 * @param command - a Python program.
 * @throws {MigrateError} if the program does not exist, has no LlamaIndex, cannot load the folder, or reads something else.
 */
export async function proveWith(command: string, written: Content, line: PythonLineName): Promise<string[]> {
  const read = parsed(command, await run(command, ['-c', script, written.name, String(TOP)]))
  // A checkout that was not installed has no version.
  const version = /^0\.0|^(?!\d+\.\d+)/.test(read.version) ? line : read.version
  const differences: string[] = []
  const nodes = new Map(read.nodes.map((node) => [node.id, node]))
  const vectors: [TextNode, number[]][] = []
  let count = 0
  for await (const node of written.nodes()) {
    count++
    if (node.embedding !== null) vectors.push([node, node.embedding])
    const other = nodes.get(node.id)
    differences.push(
      ...(other ? differencesOf(node, other, version) : ['it is missing']).map((text) => `node ${node.id}: ${text}`),
    )
  }
  if (count !== read.nodes.length) differences.push(`${read.nodes.length} nodes instead of ${count}`)
  let messages = 0
  for await (const [key, list] of written.chats()) {
    messages += list.length
    if (list.length !== (read.chats[key]?.length ?? 0)) differences.push(`conversation ${key}: the number of messages`)
    else if (
      list.some((message, at) => typeof message.content === 'string' && message.content !== read.chats[key]![at])
    )
      differences.push(`conversation ${key}: the text of a message`)
  }
  const query = queryOf(vectors)
  if (!isSame(query, read.answer)) differences.push('the answer of the query')
  if (differences.length > 0)
    throw new MigrateError(
      `${command} with llama-index-core ${read.version} reads something else: ${differences.slice(0, 5).join('; ')}`,
    )
  const target = line !== read.version ? `, written for ${line}` : ''
  return [
    `${command} with llama-index-core ${read.version}${target}: ${count} nodes, ${messages} messages and the ${query.length} answers of a query are the same`,
  ]
}

function differencesOf(node: TextNode, { text, metadata, contents, hash }: PythonNode, version: string): string[] {
  const differences: string[] = []
  if (text !== node.text) differences.push('the text')
  if (metadata !== node.getMetadataStr('all')) differences.push('the metadata')
  for (const [at, mode] of modes.entries())
    if (contents && contents[at] !== node.getContent(mode)) differences.push(`the content in the mode ${mode}`)
  // Until 0.11.10, hashes of Python leave out images; here they do not.
  const hasImage = 'imagePath' in node && newerLine(version, '0.11.10') !== version
  if (!hasImage && hash !== pythonLine(version).hashOf(node)) differences.push('the hash')
  return differences
}

/** Returns the neighbors of the first vector, as Python's vector store does. */
function queryOf(vectors: readonly (readonly [TextNode, number[]])[]): [string, number][] {
  const first = vectors[0]?.[1]
  if (!first) return []
  const scored = vectors.map(([{ id }, vector]): [string, number] => [id, similarity(first, vector)])
  return scored.sort((one, other) => other[1] - one[1]).slice(0, TOP)
}

/** Whether two answers have the same scores, and the same nodes where no two scores are alike. */
function isSame(one: readonly [string, number][], other: readonly [string, number][]): boolean {
  return (
    one.length === other.length &&
    one.every(([id, score], at) => {
      const [otherId, otherScore] = other[at]!
      const isClear = one.every(([, another], place) => place === at || Math.abs(another - score) > CLOSE)
      // The last one may have an equal neighbor that was cut off.
      return Math.abs(score - otherScore) <= CLOSE && (id === otherId || !isClear || at === one.length - 1)
    })
  )
}

function parsed(command: string, text: string): PythonRead {
  try {
    return JSON.parse(text.trim().split('\n').at(-1)!)
  } catch (cause) {
    throw new MigrateError(`${command}: expected the result of the script, received other output`, { cause })
  }
}

/** Runs a program, and returns its output. */
function run(command: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const program = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let [output, errors] = ['', '']
    program.stdout.setEncoding('utf8').on('data', (text) => {
      output += text
    })
    program.stderr.setEncoding('utf8').on('data', (text) => {
      errors = (errors + text).slice(-10_000)
    })
    program.on('error', (cause) => {
      const isMissing = (cause as { code?: string }).code === 'ENOENT'
      reject(new MigrateError(`--prove-with: ${command} ${isMissing ? 'does not exist' : 'cannot be run'}`, { cause }))
    })
    program.on('close', (code) => {
      if (code === 0) return resolve(output)
      const last = errors.trim().split('\n').at(-1) ?? ''
      const reason = /No module named '?llama_index/.test(last)
        ? 'it has no package llama-index-core; install it, or name the Python of your application'
        : `it cannot load what was written: ${last}`
      reject(new MigrateError(`--prove-with: ${command}: ${reason}`))
    })
  })
}

/**
 * @module
 * The Python program of `--prove-with`.
 */

/**
 * Loads a storage folder, and prints what it contains as one line of JSON. Its arguments are the folder and the number of neighbors. It
 * uses only what all releases from 0.10 to 0.14 have.
 */
export const script = `
import json, os, sys
from llama_index.core import __version__
from llama_index.core.schema import MetadataMode
from llama_index.core.storage.chat_store import SimpleChatStore
from llama_index.core.storage.docstore import SimpleDocumentStore
from llama_index.core.vector_stores import SimpleVectorStore
from llama_index.core.vector_stores.types import VectorStoreQuery

folder, top = sys.argv[1], int(sys.argv[2])

def text_of(node):
    resource = getattr(node, "text_resource", None)
    if hasattr(node, "text_resource"):
        return (resource.text if resource else None) or ""
    return node.text

def read(node):
    modes = [MetadataMode.ALL, MetadataMode.EMBED, MetadataMode.LLM, MetadataMode.NONE]
    is_shown = hasattr(node, "text_resource")
    return {
        "id": node.node_id,
        "text": text_of(node),
        "metadata": node.get_metadata_str(MetadataMode.ALL),
        "contents": None if is_shown else [node.get_content(mode) for mode in modes],
        "hash": node.hash,
    }

store = SimpleDocumentStore.from_persist_path(os.path.join(folder, "docstore.json"))
nodes = [read(node) for node in store.docs.values()]

chats = {}
path = os.path.join(folder, "chat_store.json")
if os.path.exists(path):
    chat_store = SimpleChatStore.from_persist_path(path)
    for key in chat_store.get_keys():
        chats[key] = [message.content or "" for message in chat_store.get_messages(key)]

vectors = SimpleVectorStore.from_persist_path(os.path.join(folder, "default__vector_store.json"))
answer = []
embeddings = vectors.data.embedding_dict
if embeddings:
    query = VectorStoreQuery(query_embedding=next(iter(embeddings.values())), similarity_top_k=top)
    result = vectors.query(query)
    answer = list(zip(result.ids, [float(score) for score in result.similarities]))

print(json.dumps({"version": __version__, "nodes": nodes, "chats": chats, "answer": answer}))
`
