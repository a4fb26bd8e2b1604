/**
 * @module
 * The lines of LlamaIndex for Python as data: the form of each class, and which line wrote a file.
 */

import type { Dict, WireLine } from '@x/core'
import { isInstance } from '@x/core'
import { invalidOption } from '@x/core/options'
import type { AnyModel } from '@x/core/reading'
import { isPlainObject } from '@x/core/values'
import { ToolOutput } from '../contracts/tool-output.ts'
import { ChatMessage } from '../messages/chat-message.ts'
import { isNode } from '../nodes/node-record.ts'
import type { TextNode } from '../nodes/text-node.ts'
import { type BlockShapes, blockMessage, blockOutput, newerBlocks, olderBlocks } from './message-line.ts'
import { hashOfResources, type NodeShape, nodeInShape, nodeShapes } from './node-line.ts'

/** The lines of LlamaIndex for Python whose forms differ. 0.13 has the form of 0.14. */
export const pythonLines = ['0.10', '0.11', '0.12', '0.14'] as const
/** A line of LlamaIndex for Python. */
export type PythonLineName = (typeof pythonLines)[number]

/** How a line writes nodes, messages and tool outputs. All other classes have the same form in every line. */
interface Shape {
  node: NodeShape
  /** The blocks of messages; null if messages have content. */
  message: BlockShapes | null
  /** Whether tool outputs consist of blocks. */
  output: boolean
}

const shapes: Readonly<Record<PythonLineName, Shape>> = {
  '0.10': { node: nodeShapes['0.10'], message: null, output: false },
  '0.11': { node: nodeShapes['0.11'], message: null, output: false },
  '0.12': { node: nodeShapes['0.12'], message: olderBlocks, output: false },
  '0.14': { node: nodeShapes['0.14'], message: newerBlocks, output: true },
}

/** A line of LlamaIndex for Python: an option of `toDict` and `toJson`, and of stores. */
export interface PythonLine extends WireLine {
  readonly name: PythonLineName
  /** Returns the hash that this line computes for a node. */
  hashOf(node: TextNode): string
}

/**
 * Returns a line of LlamaIndex for Python as an option of `toDict`, `toJson` and stores. Nested models are written in the same line.
 * @throws {ModelValidationError} if the line is not known.
 * @example
 * const message = new ChatMessage({ content: 'Hello' })
 * const dict = message.toDict({ line: pythonLine('0.12') })
 * dict.blocks // => [{ block_type: 'text', text: 'Hello' }]
 * ChatMessage.fromDict(dict).equals(message) // => true
 */
export function pythonLine(name: PythonLineName): PythonLine {
  if (!pythonLines.includes(name))
    throw invalidOption('pythonLine', 'name', `one of ${pythonLines.map((line) => `"${line}"`).join(', ')}`, name)
  const { node: nodeShape, message, output } = shapes[name]
  return {
    name,
    write(dict: Dict, model: AnyModel) {
      if (isNode(model)) return nodeInShape(dict, model, nodeShape)
      if (isInstance(model, ChatMessage)) {
        // The role is a name of `system` that older lines do not know.
        if (!message) return dict['role'] === 'developer' ? { ...dict, role: 'system' } : dict
        return blockMessage(dict, message)
      }
      return output && isInstance(model, ToolOutput) ? blockOutput(dict) : dict
    },
    hashOf: (node: TextNode) => ('document' in nodeShape ? hashOfResources(node) : node.hash),
  }
}

/** Blocks that 0.12 does not have. */
const since14: readonly unknown[] = ['thinking', 'tool_call', 'cache', 'citable', 'citation', 'video']

/**
 * Returns the line that wrote data, by the form of the nodes, messages and tool outputs in it; null if the form of none of them differs
 * between lines. Looks at all of the data until the newest line is certain.
 * @example
 * lineOf({ role: 'user', blocks: [] }) // => '0.12'
 * lineOf({ role: 'user', content: 'Hello' }) // => '0.10'
 */
export function lineOf(data: unknown): PythonLineName | null {
  let found = -1
  const see = (line: PythonLineName): void => {
    found = Math.max(found, pythonLines.indexOf(line))
  }
  const visit = (value: unknown): void => {
    if (found === pythonLines.length - 1 || typeof value !== 'object' || value === null) return
    if (Array.isArray(value)) {
      for (const item of value) visit(item)
      return
    }
    const record = value as Dict
    const line = lineOfRecord(record)
    if (line) see(line)
    for (const key in record) if (!skipped.includes(key)) visit(record[key])
  }
  visit(data)
  return pythonLines[found] ?? null
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
  if (Array.isArray(blocks) && 'tool_name' in record) return '0.14'
  if (Array.isArray(blocks) && 'role' in record)
    return blocks.some((block) => isPlainObject(block) && since14.includes(block['block_type'])) ? '0.14' : '0.12'
  if ('role' in record && 'content' in record) return '0.10'
  if (!('id_' in record && 'relationships' in record)) return null
  if ('metadata_separator' in record)
    return 'text_resource' in record || 'metadata_seperator' in record ? '0.12' : '0.14'
  return 'mimetype' in record ? '0.11' : '0.10'
}
