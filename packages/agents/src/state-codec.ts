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
import { AgentChatResponse, type AgentChatResponseOptions, isChatResponse } from './agent-chat-response.ts'
import { SavedTaskError } from './errors.ts'
import { ChatMemoryBuffer } from './memory/chat-memory-buffer.ts'
import { QueryResponse } from './query-response.ts'

/** The key that marks a value that is more than JSON: `{ "$kind": "Date", "value": "2024-01-01T00:00:00.000Z" }`. */
const KIND = '$kind'

/**
 * Writes values as plain JSON.
 *
 * The states of a task before and after a step share most of their lists. With a table of lists, each list is written once:
 * `{ "$kind": "List", "value": [2, 5] }` stands for the first five items of the third list.
 */
export class StateWriter {
  private readonly lists: unknown[][] | undefined
  /** The longest list known for a first item. */
  private readonly known = new Map<unknown, { index: number; items: unknown[] }>()
  /** What is being written, to find values that hold themselves. */
  private readonly writing: Set<object>

  /** @param lists - where lists go; without it they stay where they are. */
  constructor(lists?: unknown[][], writing = new Set<object>()) {
    this.lists = lists
    this.writing = writing
  }

  /** @throws {SerializationError} naming the place of what has no form. */
  write(value: unknown, path: string): unknown {
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
    if (typeof value === 'bigint' || Number.isFinite(value)) return value
    if (typeof value !== 'object') throw new SerializationError(path, `a ${typeof value} has no JSON form`)
    if (this.writing.has(value)) throw new SerializationError(path, 'a value that holds itself has no JSON form')
    this.writing.add(value)
    try {
      return Array.isArray(value) ? this.list(value, path) : this.object(value, path)
    } finally {
      this.writing.delete(value)
    }
  }

  /** The raw output may be anything; what has no JSON form is kept as the text that the model saw. */
  output(output: ToolOutput, path: string): Record<string, unknown> {
    const { rawOutput } = output
    const { raw_output: _, ...rest } = output.copy({ update: { rawOutput: null } }).toDict()
    // Apart, so that nothing of a value that turns out to have no form stays behind.
    const writer = new StateWriter(undefined, this.writing)
    let raw: unknown
    try {
      raw = writer.raw(rawOutput, `${path}.rawOutput`)
    } catch {
      raw = output.content
    }
    return { ...rest, raw_output: raw }
  }

  private raw(raw: unknown, path: string): unknown {
    const nodes = (raw as { sourceNodes?: unknown } | null | undefined)?.sourceNodes
    if (Array.isArray(nodes) && !isModel(raw) && !isChatResponse(raw)) {
      return marked('Answer', { response: String(raw), source_nodes: this.write(nodes, `${path}.sourceNodes`) })
    }
    return this.write(raw ?? null, path)
  }

  private list(items: readonly unknown[], path: string): unknown {
    const { lists } = this
    if (!lists || items.length === 0) return this.items(items, 0, path)
    let known = this.known.get(items[0])
    if (!known || !startAlike(known.items, items)) {
      known = { index: lists.length, items: [] }
      lists.push([])
      this.known.set(items[0], known)
    }
    const { index } = known
    const start = known.items.length
    // Known before it is written, as lists within it may start alike.
    known.items = known.items.concat(items.slice(start))
    lists[index] = lists[index]!.concat(this.items(items, start, path))
    return marked('List', [index, items.length])
  }

  private items(items: readonly unknown[], start: number, path: string): unknown[] {
    return items.slice(start).map((item, i) => (item === undefined ? null : this.write(item, `${path}[${start + i}]`)))
  }

  private object(value: object, path: string): unknown {
    if (value instanceof ChatMemoryBuffer) return marked('ChatMemoryBuffer', this.memory(value, path))
    if (value instanceof ToolOutput) return marked('ToolOutput', this.output(value, path))
    if (isChatResponse(value)) {
      const { response, sources, sourceNodes } = value
      return marked('AgentChatResponse', {
        response,
        sources: this.write(sources, `${path}.sources`),
        source_nodes: this.write(sourceNodes, `${path}.sourceNodes`),
      })
    }
    if (isModel(value)) return marked((value.constructor as unknown as ModelClass).spec().name, value.toDict())
    if (value instanceof Date && !Number.isNaN(value.getTime())) return marked('Date', value.toISOString())
    if (value instanceof Map) return marked('Map', this.write([...value], path))
    if (value instanceof Set) return marked('Set', this.write([...value], path))
    const prototype = Object.getPrototypeOf(value)
    if (prototype !== Object.prototype && prototype !== null) {
      throw new SerializationError(path, `an instance of ${prototype.constructor?.name ?? 'a class'} has no JSON form`)
    }
    const entries = Object.entries(value).filter(([, item]) => item !== undefined)
    const plain = Object.fromEntries(entries.map(([key, item]) => [key, this.write(item, `${path}.${key}`)]))
    return Object.hasOwn(plain, KIND) ? marked('Object', Object.entries(plain)) : plain
  }

  /** The messages apart, as they are a list that grows. */
  private memory(memory: ChatMemoryBuffer, path: string): Record<string, unknown> {
    const dict = memory.toDict()
    const { store } = dict.chat_store
    if (Object.hasOwn(store, memory.chatStoreKey)) store[memory.chatStoreKey] = []
    return { ...dict, messages: this.write(memory.getAll(), path) }
  }
}

/** Whether one list begins with the whole of the other. */
function startAlike(one: readonly unknown[], other: readonly unknown[]): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return short.every((item, i) => item === long[i])
}

function marked(kind: string, value: unknown): Record<string, unknown> {
  return { [KIND]: kind, value }
}

/** Reads what a {@link StateWriter} wrote. */
export class StateReader {
  private readonly registry: ClassRegistry | undefined
  private readonly lists: readonly unknown[]
  private readonly known = new Map<number, unknown[]>()

  constructor(registry: ClassRegistry | undefined, lists: readonly unknown[] = []) {
    this.registry = registry
    this.lists = lists
  }

  /** @throws {SavedTaskError} for what was never written. */
  read(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map((item) => this.read(item))
    if (Object.hasOwn(value, KIND)) return this.marked(value as { [KIND]: unknown; value: unknown })
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.read(item)]))
  }

  output(data: Record<string, unknown>): ToolOutput {
    const { raw_output, ...rest } = data
    return ToolOutput.fromDict(rest, { rawOutput: this.read(raw_output) })
  }

  private marked(data: { [KIND]: unknown; value: unknown }): unknown {
    const { [KIND]: kind, value } = data
    switch (kind) {
      case 'List':
        return this.list(value)
      case 'ChatMemoryBuffer':
        return this.memory(value as Record<string, unknown>)
      case 'ToolOutput':
        return this.output(value as Record<string, unknown>)
      case 'AgentChatResponse':
        return new AgentChatResponse(this.answer(value, ['sources', 'source_nodes']))
      case 'Answer':
        return new QueryResponse(this.answer(value, ['source_nodes']))
      case 'Date':
        return date(value)
      case 'Map':
        return new Map(list(this.read(value), 'a map') as [unknown, unknown][])
      case 'Set':
        return new Set(list(this.read(value), 'a set'))
      case 'Object':
        return Object.fromEntries((value as [string, unknown][]).map(([key, item]) => [key, this.read(item)]))
      case 'ChatMessage':
        return ChatMessage.fromDict(value)
      case 'NodeWithScore':
        return this.model(NodeWithScore, value)
      default: {
        const found = typeof kind === 'string' ? this.registry?.get(kind) : undefined
        if (!found) {
          throw new SavedTaskError(
            `A saved value is of the unknown kind ${JSON.stringify(kind)}; give a registry that knows it.`,
          )
        }
        return this.model(found, value)
      }
    }
  }

  private model(modelClass: ModelClass, value: unknown): unknown {
    return modelClass.fromDict(value, {}, this.registry ? { registry: this.registry } : {})
  }

  /** The options of an answer whose `lists` are all given. */
  private answer(
    value: unknown,
    lists: readonly ('sources' | 'source_nodes')[],
  ): AgentChatResponseOptions & { response: string } {
    const answer = this.read(value) as Record<string, unknown>
    const { response } = answer
    if (typeof response !== 'string') throw wrong('an answer', 'a string')
    const [sources, sourceNodes] = (['sources', 'source_nodes'] as const).map((key) =>
      lists.includes(key) ? list(answer[key], `${key} of an answer`) : [],
    )
    return { response, sources: sources as ToolOutput[], sourceNodes: sourceNodes as NodeWithScore[] }
  }

  private list(value: unknown): unknown[] {
    const [index, length] = value as [number, number]
    const items = this.items(index)
    if (!items || !Number.isInteger(length) || length < 0 || length > items.length)
      throw wrong(JSON.stringify(value), 'the index and the length of a list')
    return items.slice(0, length)
  }

  /** The list at an index, read once. */
  private items(index: number): unknown[] | undefined {
    const list = Number.isInteger(index) ? this.lists[index] : undefined
    const known = this.known.get(index)
    if (known || !Array.isArray(list)) return known
    const items: unknown[] = []
    // Known before it is read: a list may stand within another, but never within itself.
    this.known.set(index, items)
    for (const item of list) items.push(this.read(item))
    return items
  }

  private memory({ messages, ...dict }: Record<string, unknown>): ChatMemoryBuffer {
    const memory = ChatMemoryBuffer.fromDict(dict)
    const own = this.read(messages) as ChatMessage[]
    if (own.length > 0) memory.set(own)
    return memory
  }
}

/** What is wrong at a place in a saved task. */
export function wrong(path: string, wanted: string): SavedTaskError {
  return new SavedTaskError(`Saved task: ${path}: expected ${wanted}.`)
}

export function list(value: unknown, path: string): unknown[] {
  if (!Array.isArray(value)) throw wrong(path, 'a list')
  return value
}

function date(value: unknown): Date {
  const read = new Date(typeof value === 'string' ? value : Number.NaN)
  if (Number.isNaN(read.getTime())) throw wrong(JSON.stringify(value), 'a date')
  return read
}
