/**
 * @module
 * Writes the state of a task as JSON data and reads it back: the classes whose instances it may contain, and the writer and the reader.
 * Values without a JSON form are marked with their kind.
 */
import { invalidOption } from '@x/core/options'
import { invalidRecord, issuesAt, plainData } from '@x/core/reading'
import { errorMessage, isPlainObject, kindOf, lazy, mapValues, type Path, pathText } from '@x/core/values'
import {
  ChatMessage,
  type ClassRegistry,
  type Dict,
  isInstance,
  isModel,
  isToolkitError,
  type ModelClass,
  ModelValidationError,
  NodeWithScore,
  nodeClasses,
  type ReadOptions,
  SerializationError,
  ToolOutput,
} from '@x/core-model'
import { fromBase64, toBase64 } from '@x/core-model/data'
import { ChatMemoryBuffer } from '@x/core-model/memory'
import { AgentChatResponse } from '../answer/agent-chat-response.ts'
import { isChatResponse } from '../answer/chat-answer.ts'
import { QueryResponse } from '../answer/query-response.ts'
import { Items, plain, type WrittenLists } from './versions.ts'

/** The end of messages about unknown classes. */
const ADVICE = 'pass its class in the option registry of the runner'

/** The classes of the `@x` packages. */
const builtIn = lazy((): ReadonlySet<unknown> => {
  const { classes } = nodeClasses()
  return new Set([ChatMessage, NodeWithScore, ...classes, AgentChatResponse, ChatMemoryBuffer, QueryResponse])
})

const byName = (classes: Iterable<unknown>): ReadonlyMap<string, SavableClass> =>
  new Map(Array.from(classes as Iterable<SavableClass>, (known) => [known.className(), known]))

const builtInByName = lazy(() => byName(builtIn()))

/** The classes whose instances a saved task may contain: those of the `@x` packages and those of the caller. */
export class SavedClasses {
  private readonly known: ReadonlyMap<string, SavableClass>
  private readonly registry: ClassRegistry | undefined

  constructor(registry: ClassRegistry | readonly SavableClass[] = []) {
    const isList = Array.isArray(registry)
    if (isList ? registry.some((known) => typeof known?.className !== 'function') : !(registry as ClassRegistry)?.get)
      throw invalidOption('journal', 'registry', 'a ClassRegistry or an array of classes', registry)
    this.known = isList && registry.length > 0 ? byName([...builtIn(), ...registry]) : builtInByName()
    this.registry = isList ? undefined : (registry as ClassRegistry)
  }

  find(name: unknown): SavableClass | undefined {
    return typeof name === 'string' ? (this.known.get(name) ?? this.registry?.get(name)) : undefined
  }

  /** Returns the model class with this name, for nested models. */
  get(name: unknown): ModelClass | undefined {
    const found = this.find(name)
    return found && isModelClass(found) ? found : undefined
  }

  /** Writes a model. @throws {SerializationError} if it contains models of unknown classes, which could not be read back. */
  dictOf(model: { toDict(): Dict }, path: string): Dict {
    const dict = model.toDict()
    const { node } = model as { node?: object }
    const isBuiltIn = builtIn().has(model.constructor) && (!node || builtIn().has(node.constructor))
    if (isBuiltIn) return dict
    try {
      this.find(this.nameOf(model))?.fromDict(dict, {}, { registry: this })
    } catch (error) {
      const { name } = (node ?? model).constructor
      throw new SerializationError(path, `a ${name} could not be read back (${errorMessage(error)}); ${ADVICE}`, {
        cause: error,
      })
    }
    return dict
  }

  /**
   * Returns the class name to write for an object; undefined if its class is unknown, or has only the name of the class that it extends
   * and would be read back as that.
   */
  nameOf(value: object): string | undefined {
    const valueClass = value.constructor as Partial<SavableClass> | undefined
    const name = valueClass?.className?.()
    const found = this.find(name)
    return found && !Object.prototype.isPrototypeOf.call(found, valueClass!) ? name : undefined
  }
}

/** Whether instances of a class are models. */
function isModelClass(known: SavableClass | ModelClass): known is ModelClass {
  return 'spec' in known
}

/** An object that writes itself into a saved task. */
export interface Savable {
  /** Returns the object as data. It may contain everything that a saved task may contain. */
  toDict(): object
  /** Like `toDict`, but without copying the parts. Optional; with it, arrays that grow from step to step are saved once. */
  toParts?(): object
}

/**
 * A class whose instances a saved task may contain: models, and other classes with these methods.
 * @example
 * class Counter {
 *   count: number
 *   constructor(count: number) { this.count = count }
 *   static className() { return 'Counter' }
 *   static fromDict({ count }: { count: number }) { return new Counter(count) }
 *   toDict() { return { count: this.count } }
 * }
 * const llm = new ScriptedLLM({ answers: ['Answer: one'] })
 * const agent = ReActAgent.fromTools({ llm, taskStore: journal(null, { registry: [Counter] }) })
 * const { taskId } = await agent.createTask('Count!', { extraState: { counter: new Counter(1) } })
 *
 * const again = ReActAgent.fromTools({ llm, taskStore: journal(null, { registry: [Counter] }) })
 * const task = await again.loadTask(agent.saveTask(taskId))
 * task.extraState.counter // => new Counter(1)
 */
export interface SavableClass {
  readonly prototype: Savable
  /** Returns the name in saved tasks. It must be a literal: minifiers rename classes. */
  className(): string
  /** Reads the result of `toDict` or `toParts`. Throws for invalid data. */
  fromDict(data: unknown, overrides?: Dict, options?: ReadOptions): object
}

/** The key that marks a value with its kind: `{ "$kind": "Date", "value": "2024-01-01T00:00:00.000Z" }`. */
const KIND = '$kind'

/** A kind of built-in JavaScript value: its class, and how it is written and read. */
interface ValueKind {
  readonly type: abstract new (...args: never[]) => object
  write(value: object): unknown
  read(data: unknown): object
}

const VALUE_KINDS: Readonly<Record<string, ValueKind>> = {
  Date: {
    type: Date,
    write: (date: Date) => date.toISOString(),
    read: (data) => new Date(new Date(string(data)).toISOString()),
  },
  Map: {
    type: Map,
    write: (map: Map<unknown, unknown>) => [...map],
    read: (data) => new Map(array(data) as [unknown, unknown][]),
  },
  Set: { type: Set, write: (set: Set<unknown>) => [...set], read: (data) => new Set(array(data)) },
  Uint8Array: {
    type: Uint8Array,
    write: toBase64,
    read: (data) => fromBase64(string(data)),
  },
}

/**
 * Writes values as JSON data. The states of a task before and after a step share most of their arrays: with {@link WrittenLists}, each
 * item is written once, and an array becomes `Items`.
 */
export class StateWriter {
  private readonly classes: SavedClasses
  private readonly lists: WrittenLists | undefined
  /** The objects being written, to find those that contain themselves. */
  private readonly writing: Set<object>

  /** @param lists - the arrays that were written. */
  constructor(classes: SavedClasses, lists?: WrittenLists, writing = new Set<object>()) {
    this.classes = classes
    this.lists = lists
    this.writing = writing
  }

  /** @throws {SerializationError} naming the place of a value that cannot be saved. */
  write(value: unknown, path: string): unknown {
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
    if (typeof value === 'bigint' || Number.isFinite(value)) return value
    if (typeof value !== 'object') throw unsavable(value, path)
    if (this.writing.has(value))
      throw new SerializationError(path, 'the value contains itself; JSON has no form for it')
    this.writing.add(value)
    try {
      return Array.isArray(value) ? this.list(value, path) : this.object(value, path)
    } catch (error) {
      throw isToolkitError(error) ? error : new SerializationError(path, errorMessage(error), { cause: error })
    } finally {
      this.writing.delete(value)
    }
  }

  /**
   * Writes the output of a tool, without `is_error` if it is false, and without a raw output that is the content. A raw output of an
   * unknown class is replaced by its plain JSON, or by the text for the model.
   * @param isStrict - whether to throw instead if a node would be replaced, because the answer would lose it.
   * @throws {SerializationError} naming the unknown class of a node.
   */
  output(output: ToolOutput, path: string, isStrict = true): Dict {
    const known = WRITTEN.get(output)
    if (known) return known
    const dict = this.outputDict(output, path, isStrict)
    WRITTEN.set(output, dict)
    return dict
  }

  private outputDict(output: ToolOutput, path: string, isStrict: boolean): Dict {
    const { rawOutput } = output
    const { raw_output: _, is_error: isError, ...rest } = output.copy({ update: { rawOutput: null } }).toDict()
    const dict = isError === false ? rest : { ...rest, is_error: isError }
    if (rawOutput === output.content) return dict
    return { ...dict, raw_output: this.rawOutput(output, rawOutput, `${path}.rawOutput`, isStrict) }
  }

  private rawOutput({ content }: ToolOutput, raw: unknown, path: string, isStrict: boolean): unknown {
    // A separate writer, so that a value that cannot be saved leaves nothing in this one.
    const writer = () => new StateWriter(this.classes, undefined, this.writing)
    try {
      return writer().raw(raw, path)
    } catch (error) {
      if (isStrict && hasNodes(raw)) throw error
    }
    try {
      return writer().write(plainData(raw), path)
    } catch {
      return content
    }
  }

  /** Unknown answer objects with source nodes are saved as a `QueryResponse`. */
  private raw(raw: unknown, path: string): unknown {
    const isForeign = hasNodes(raw) && !isChatResponse(raw) && !this.classes.nameOf(raw)
    const { sourceNodes = [] } = isForeign ? raw : {}
    return this.write(isForeign ? new QueryResponse({ response: String(raw), sourceNodes }) : (raw ?? null), path)
  }

  private list(items: readonly unknown[], path: string): unknown {
    const write = (item: unknown, i: number) => (item === undefined ? null : this.write(item, `${path}[${i}]`))
    return this.lists ? this.lists.write(items, path, write) : items.map(write)
  }

  private object(value: object, path: string): unknown {
    if (isPlainObject(value)) return this.plain(value, path)
    if (isInstance(value, ToolOutput)) return marked('ToolOutput', this.output(value, path))
    const name = this.classes.nameOf(value)
    if (name !== undefined) {
      if (isModel(value)) return marked(name, this.classes.dictOf(value, path))
      const savable = value as Savable
      return marked(name, this.write(savable.toParts?.() ?? savable.toDict(), path))
    }
    for (const [kind, { type, write }] of Object.entries(VALUE_KINDS)) {
      if (value instanceof type) return marked(kind, this.write(write(value), path))
    }
    if (isChatResponse(value)) return this.object(new AgentChatResponse(value), path)
    throw unsavable(value, path)
  }

  private plain(value: Dict, path: string): Dict {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined)
    const plain = Object.fromEntries(entries.map(([key, item]) => [key, this.write(item, `${path}.${key}`)]))
    return Object.hasOwn(plain, KIND) ? marked('Object', Object.entries(plain)) : plain
  }
}

/** The JSON of outputs that were written: an output never changes, and a journal refers to the same object. */
const WRITTEN = new WeakMap<ToolOutput, Dict>()

/** Whether a value is an answer with nodes, which become nodes of the agent's answer. */
function hasNodes(value: unknown): value is { sourceNodes: NodeWithScore[] } {
  const nodes = (value as { sourceNodes?: unknown } | null | undefined)?.sourceNodes
  return Array.isArray(nodes) && nodes.length > 0
}

function unsavable(value: unknown, path: string): SerializationError {
  const advice = typeof value === 'object' ? `; ${ADVICE}` : ''
  return new SerializationError(path, `expected a value that can be saved, received ${kindOf(value)}${advice}`)
}

function marked(kind: string, value: unknown): Dict {
  return { [KIND]: kind, value }
}

/** Reads the data of a {@link StateWriter}. */
export class StateReader {
  private readonly classes: SavedClasses
  private readonly lists: WrittenLists | undefined
  /** What was read of arrays that versions share. */
  private readonly known = new Map<readonly unknown[], unknown[]>()
  private readonly readItems = new Map<object, unknown>()
  /** The steps to the value that is being read. */
  private path: Path = []

  /** @param lists - records the arrays of objects that are read, for the writer of the next version. */
  constructor(classes: SavedClasses, lists?: WrittenLists) {
    this.classes = classes
    this.lists = lists
  }

  /** @throws {ModelValidationError} naming the path of invalid data. */
  read(value: unknown): unknown {
    this.path = []
    return this.value(value)
  }

  /** Reads the output of a tool. @throws {ModelValidationError} naming the path of invalid data. */
  output(value: Dict): ToolOutput {
    this.path = []
    return this.toolOutput(value)
  }

  private value(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value
    if (value instanceof Items || Array.isArray(value)) return this.list(value)
    return Object.hasOwn(value, KIND) ? this.marked(value as Dict) : this.plain(value as Dict)
  }

  /** Reads a part of the value that is being read. */
  private at(key: string | number, part: unknown): unknown {
    if (typeof part !== 'object' || part === null) return part
    this.path.push(key)
    const read = this.value(part)
    this.path.pop()
    return read
  }

  private toolOutput({ raw_output, ...rest }: Dict): ToolOutput {
    const isContent = raw_output === undefined && typeof rest['content'] === 'string'
    const rawOutput = isContent ? rest['content'] : this.at('rawOutput', raw_output)
    return this.made(() => ToolOutput.fromDict(rest, { rawOutput }))
  }

  private plain(value: Dict): Dict {
    return mapValues(value, (item, key) => this.at(key, item))
  }

  private marked({ [KIND]: kind, value }: Dict): unknown {
    if (kind === 'Object')
      return this.plain(Object.fromEntries(this.made(() => array(plain(value)) as [string, unknown][])))
    if (kind === 'ToolOutput') return this.toolOutput(value as Dict)
    const { classes } = this
    const found = classes.find(kind)
    // A model's `fromDict` reads nested values itself, so its data is passed unread.
    const data = found && isModelClass(found) ? plain(value) : this.value(value)
    return this.made(() => {
      if (found) return found.fromDict(data, {}, { registry: classes })
      if (typeof kind === 'string' && Object.hasOwn(VALUE_KINDS, kind)) return VALUE_KINDS[kind]!.read(data)
      throw new Error(`expected a value of a known class, received ${JSON.stringify(kind)}; ${ADVICE}`)
    })
  }

  /** Calls `make`, and adds the path to its errors. */
  private made<T>(make: () => T): T {
    try {
      return make()
    } catch (error) {
      throw new ModelValidationError('SavedTask', issuesAt(pathText(this.path), error), { cause: error })
    }
  }

  /** Items of arrays never change, so that versions share them. */
  private item(value: unknown, i: number): unknown {
    if (typeof value !== 'object' || value === null) return value
    const known = this.readItems.get(value) ?? this.at(i, value)
    this.readItems.set(value, known)
    return known
  }

  private list(value: Items | unknown[]): unknown[] {
    const shared = value instanceof Items ? value : undefined
    const all = shared?.all ?? (value as unknown[])
    const known = (shared && this.known.get(all)) ?? []
    if (shared) this.known.set(all, known)
    for (let i = known.length; i < value.length; i++) known.push(this.item(all[i], i))
    const items = shared ? known.slice(0, value.length) : known
    // An array that is not shared may belong to others.
    if (typeof items[0] === 'object' && items[0] !== null) this.lists?.note(items, shared ?? new Items([...all]))
    return items
  }
}

function array(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw invalidRecord('SavedTask', '', 'an array', value)
  return value
}

function string(value: unknown): string {
  if (typeof value !== 'string') throw invalidRecord('SavedTask', '', 'a string', value)
  return value
}
