/**
 * @module
 * Writing the state of a task as plain JSON and reading it back: what JSON has no form for is marked by its kind.
 */
import {
  ChatMessage,
  type ClassRegistry,
  isModel,
  type ModelClass,
  NodeWithScore,
  SerializationError,
  ToolOutput,
} from '@x/core-model'
import { AgentChatResponse, isChatResponse } from '../agent-chat-response.ts'
import { SavedTaskError } from '../errors.ts'
import { ChatMemoryBuffer } from '../memory/chat-memory-buffer.ts'

/** The key that marks a value that is more than JSON: `{ "$kind": "Date", "value": "2024-01-01T00:00:00.000Z" }`. */
const KIND = '$kind'

/** Plain JSON for a value. @throws {SerializationError} naming the place of what has no form. */
export function encodeState(value: unknown, path: string): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (Array.isArray(value))
    return value.map((item, i) => (item === undefined ? null : encodeState(item, `${path}[${i}]`)))
  if (typeof value !== 'object') throw new SerializationError(path, `a ${typeof value} has no JSON form`)
  if (value instanceof ChatMemoryBuffer) return marked('ChatMemoryBuffer', value.toDict())
  if (value instanceof ToolOutput) return marked('ToolOutput', encodeOutput(value, path))
  if (isChatResponse(value)) {
    const { response, sources, sourceNodes } = value
    return marked('AgentChatResponse', {
      response,
      sources: encodeState(sources, `${path}.sources`),
      sourceNodes: encodeState(sourceNodes, `${path}.sourceNodes`),
    })
  }
  if (isModel(value)) return marked((value.constructor as unknown as ModelClass).spec().name, value.toDict())
  if (value instanceof Date) return marked('Date', value.toISOString())
  if (value instanceof Map) return marked('Map', encodeState([...value], path))
  if (value instanceof Set) return marked('Set', encodeState([...value], path))
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) {
    throw new SerializationError(path, `an instance of ${prototype.constructor?.name ?? 'a class'} has no JSON form`)
  }
  const entries = Object.entries(value).filter(([, item]) => item !== undefined)
  const plain = Object.fromEntries(entries.map(([key, item]) => [key, encodeState(item, `${path}.${key}`)]))
  return Object.hasOwn(plain, KIND) ? marked('Object', Object.entries(plain)) : plain
}

/** The value that {@link encodeState} wrote. */
export function decodeState(value: unknown, registry: ClassRegistry | undefined): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => decodeState(item, registry))
  if (Object.hasOwn(value, KIND)) return decodeMarked(value as { [KIND]: unknown; value: unknown }, registry)
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, decodeState(item, registry)]))
}

function marked(kind: string, value: unknown): Record<string, unknown> {
  return { [KIND]: kind, value }
}

function decodeMarked(data: { [KIND]: unknown; value: unknown }, registry: ClassRegistry | undefined): unknown {
  const { [KIND]: kind, value } = data
  switch (kind) {
    case 'ChatMemoryBuffer':
      return ChatMemoryBuffer.fromDict(value as Record<string, unknown>)
    case 'ToolOutput':
      return decodeOutput(value as Record<string, unknown>, registry)
    case 'AgentChatResponse':
      return new AgentChatResponse(decodeState(value, registry) as AgentChatResponse)
    case 'Answer':
      return new SavedAnswer(decodeState(value, registry) as SavedAnswer)
    case 'Date':
      return new Date(value as string)
    case 'Map':
      return new Map(decodeState(value, registry) as [unknown, unknown][])
    case 'Set':
      return new Set(decodeState(value, registry) as unknown[])
    case 'Object':
      return Object.fromEntries((value as [string, unknown][]).map(([key, item]) => [key, decodeState(item, registry)]))
    case 'ChatMessage':
      return ChatMessage.fromDict(value)
    case 'NodeWithScore':
      return NodeWithScore.fromDict(value, {}, registry ? { registry } : {})
    default: {
      const found = typeof kind === 'string' ? registry?.get(kind) : undefined
      if (!found) {
        throw new SavedTaskError(
          `A saved value is of the unknown kind ${JSON.stringify(kind)}; give a registry that knows it.`,
        )
      }
      return found.fromDict(value, {}, registry ? { registry } : {})
    }
  }
}

/** The raw output may be anything; what has no JSON form is kept as the text that the model saw. */
export function encodeOutput(output: ToolOutput, path: string): Record<string, unknown> {
  const { rawOutput } = output
  const { raw_output: _, ...rest } = output.copy({ update: { rawOutput: null } }).toDict()
  let raw: unknown
  try {
    raw = encodeRaw(rawOutput, `${path}.rawOutput`)
  } catch (error) {
    if (!(error instanceof SerializationError)) throw error
    raw = output.content
  }
  return { ...rest, raw_output: raw }
}

/** The output that {@link encodeOutput} wrote. */
export function decodeOutput(data: Record<string, unknown>, registry: ClassRegistry | undefined): ToolOutput {
  const { raw_output, ...rest } = data
  return ToolOutput.fromDict(rest, { rawOutput: decodeState(raw_output, registry) })
}

function encodeRaw(raw: unknown, path: string): unknown {
  const nodes = (raw as { sourceNodes?: unknown } | null | undefined)?.sourceNodes
  if (Array.isArray(nodes) && !isModel(raw) && !isChatResponse(raw)) {
    return marked('Answer', { response: String(raw), sourceNodes: encodeState(nodes, `${path}.sourceNodes`) })
  }
  return encodeState(raw ?? null, path)
}

/** The answer of a query engine, as far as it was saved. */
class SavedAnswer {
  readonly response: string
  readonly sourceNodes: NodeWithScore[]

  constructor({ response, sourceNodes }: { response: string; sourceNodes: NodeWithScore[] }) {
    this.response = response
    this.sourceNodes = sourceNodes
  }

  toString(): string {
    return this.response
  }
}
