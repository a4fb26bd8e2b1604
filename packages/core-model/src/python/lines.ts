/**
 * @module
 * The lines of LlamaIndex for Python: how each writes models, and which one wrote a file.
 */

import type { Dict, WireLine } from '@x/core'
import { isInstance } from '@x/core'
import type { AnyModel } from '@x/core/reading'
import { isPlainObject } from '@x/core/values'
import { ToolOutput } from '../contracts/tool-output.ts'
import { ChatMessage } from '../messages/chat-message.ts'
import { jsonToDoc } from '../nodes/index-node.ts'
import { isNode } from '../nodes/node-record.ts'
import type { TextNode } from '../nodes/text-node.ts'
import { messageInForm, outputInForm } from './message-line.ts'
import { hashInForm, nodeInForm } from './node-line.ts'
import { formOf, releaseNumber } from './releases.ts'

/** The lines of LlamaIndex for Python that are known. */
export const pythonLines = ['0.10', '0.11', '0.12', '0.13', '0.14'] as const
/** A line of LlamaIndex for Python, such as `0.12`, or one of its releases, such as `0.12.22`. */
export type PythonLineName = (typeof pythonLines)[number] | (string & {})

/** A line of LlamaIndex for Python: an option of `toDict` and `toJson`, and of stores. */
export interface PythonLine extends WireLine {
  readonly name: PythonLineName
  /** Returns the hash that this line computes for a node. */
  hashOf(node: TextNode): string
}

/**
 * Returns a line of LlamaIndex for Python as an option of `toDict`, `toJson` and stores. Nested models are written in the same line.
 * @param name - a release of `llama-index-core`, such as `0.12.22`, which has the form of the newest change that is not newer; or a line,
 *   such as `0.12`, which is its newest release. `0.10` is the form of this package.
 * @throws {ModelValidationError} if the name is not that of a release from 0.10 on.
 * @example
 * const message = new ChatMessage({ content: 'Hello' })
 * const dict = message.toDict({ line: pythonLine('0.12.22') })
 * dict.blocks // => [{ block_type: 'text', text: 'Hello' }]
 * ChatMessage.fromDict(dict).equals(message) // => true
 */
export function pythonLine(name: PythonLineName): PythonLine {
  const form = formOf(name)
  return {
    name,
    write(dict: Dict, model: AnyModel) {
      if (isNode(model)) return nodeInForm(dict, model, form)
      if (isInstance(model, ChatMessage)) return messageInForm(dict, model, form)
      return isInstance(model, ToolOutput) ? outputInForm(dict, model, form) : dict
    },
    hashOf: (node: TextNode) => hashInForm(node, form),
  }
}

/**
 * Returns the newer of two lines; of two that are the same, the first one.
 * @example
 * newerLine('0.12.9', '0.12.10') // => '0.12.10'
 */
export function newerLine<T extends PythonLineName | null>(one: T, other: T): T {
  if (one === null || other === null) return one ?? other
  return releaseNumber(other) > releaseNumber(one) ? other : one
}

/**
 * Returns the oldest release that writes the forms of the nodes, messages and tool outputs in data: every newer one reads what is written
 * for it. Returns null if the form of none of them differs between releases.
 * @param hash - the hash that is stored for the data of one node. The hashes of some releases differ where their forms do not.
 * @example
 * lineOf({ role: 'user', blocks: [{ block_type: 'text', text: 'Hello' }] }) // => '0.12.3'
 * lineOf({ role: 'user', content: 'Hello' }) // => '0.10'
 */
export function lineOf(data: unknown, hash?: string | null): PythonLineName | null {
  let found: PythonLineName | null = null
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if (Array.isArray(value)) {
      for (const item of value) visit(item)
      return
    }
    const record = value as Dict
    found = newerLine(found, lineOfRecord(record))
    for (const key in record) if (!skipped.includes(key)) visit(record[key])
  }
  visit(data)
  return typeof hash === 'string' && found !== null ? newerLine(found, lineOfHash(data, found, hash)) : found
}

/** The releases since which hashes are others, while the forms are the same. */
const hashing: readonly PythonLineName[] = ['0.11.10', '0.12.28']

/** Returns the first release that computes a hash for the data of a node, if it is newer than the one that its form shows. */
function lineOfHash(record: unknown, found: PythonLineName, hash: string): PythonLineName | null {
  try {
    const node = jsonToDoc(record)
    if (pythonLine(found).hashOf(node) === hash) return null
    const newer = hashing.filter((since) => newerLine(found, since) !== found)
    return newer.find((since) => pythonLine(since).hashOf(node) === hash) ?? null
  } catch {
    // The data needs classes of a registry.
    return null
  }
}

/** The keys of long data, and of data of users, which may look like anything. */
const skipped: readonly string[] = [
  'metadata',
  'additional_kwargs',
  'raw',
  'raw_input',
  'raw_output',
  'blocks',
  'embedding',
  'relationships',
]

function lineOfRecord(record: Dict): PythonLineName | null {
  const { blocks } = record
  if (Array.isArray(blocks) && 'tool_name' in record) return newerLine('0.12.45', lineOfBlocks(blocks))
  if (Array.isArray(blocks) && 'role' in record)
    return newerLine(record['role'] === 'developer' ? '0.12.27' : '0.12.2', lineOfBlocks(blocks))
  if ('role' in record && 'content' in record) return '0.10'
  if (!('id_' in record && 'relationships' in record)) return null
  if ('text_resource' in record) return lineOfResources(record)
  if ('metadata_separator' in record) return '0.12.1'
  return 'mimetype' in record ? '0.10.48' : '0.10'
}

/** The first releases of blocks. Only images have been in another form, in one release. */
const firstOf: Readonly<Record<string, PythonLineName>> = {
  audio: '0.12.17',
  document: '0.12.36',
  cache: '0.12.44',
  citable: '0.12.45',
  citation: '0.12.45',
  video: '0.14.1',
  thinking: '0.14.3',
  tool_call: '0.14.5',
}

function lineOfBlocks(blocks: readonly unknown[]): PythonLineName {
  return blocks.reduce((line: PythonLineName, block) => {
    if (!isPlainObject(block) || 'image_url' in block) return line
    const isNewer = block['block_type'] === 'citation' && !('cited_block_index' in block)
    return newerLine(line, isNewer ? '0.12.46' : (firstOf[String(block['block_type'])] ?? '0.12.3'))
  }, '0.12.2')
}

function lineOfResources(record: Dict): PythonLineName {
  if (!('text' in record)) return '0.12.6'
  const { text, text_resource: resource } = record
  if (!isPlainObject(resource)) return '0.12.32'
  const whole = String(resource['text'] ?? '')
  if (text === whole && whole !== whole.trim()) return '0.12.24'
  const keys = Object.keys(resource)
  return keys.indexOf('mimetype') < keys.indexOf('path') ? '0.12.7' : '0.12.10'
}
