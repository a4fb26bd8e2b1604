/**
 * @module
 * A task as plain JSON, its versions, and what changed from one to the next. A journal, an undo and a saved task are made of these changes.
 */
import { isPlainObject } from '@x/core/values'
import type { Dict, NodeWithScore, ToolOutput } from '@x/core-model'
import { ChatAnswer, nodesOf } from '../answer/chat-answer.ts'
import type { TaskUsage } from '../task-usage.ts'
import type { Json } from './durable.ts'
import type { TaskStepDict } from './task-step.ts'

/** The version of the form. Data of other versions is refused. */
export const SAVED_TASK_VERSION = 1

/** A task in JSON. It is plain data and may contain bigints, which `writeJsonText` writes and `readJsonText` reads. */
export interface SavedTask {
  version: typeof SAVED_TASK_VERSION
  /** `input_message` exists only if the input is more than a string. */
  task: { task_id: string; input: string; input_message?: Dict; extra_state: unknown }
  step_queue: SavedStep[]
  completed_steps: SavedStepOutput[]
  /** The changes that undo each operation, the oldest first. */
  undo: Change[]
  /** The number of steps that were started, those that were undone included. */
  steps_started: number
  /**
   * Steps that were started and are not completed, with the results of their calls so far. Keys are `step-<number>`: integers would make an
   * object with as many slots.
   */
  open_steps: Record<string, SavedOpenStep>
  finalized: boolean
  /** The number of messages in the conversation before those of this task; null until the finalization begins. */
  memory_length: number | null
  /** The id of the conversation if its messages are stored elsewhere; otherwise null. */
  conversation_id: string | null
  /** The number of messages of a conversation with an id when the task began; missing if it is not known. */
  conversation_length?: number
  /** The messages of the conversation; empty if it has an id. */
  conversation: unknown[]
  /** Whether the conversation belongs to this task, not to the agent. */
  owns_conversation: boolean
}

/** A step in a saved task. Keys that have their default are left out. */
export type SavedStep = Pick<TaskStepDict, 'step_id'> & Partial<TaskStepDict>

/** An answer in a document: its text, the number of its sources, which are the first ones of the state, and its usage. */
export type SavedTurn = [text: string, sources: number, usage: readonly unknown[]]

/** The output of a step in a saved task. Keys that have their default are left out. */
interface SavedStepOutput {
  /** The output, unless it is the answer so far. */
  output?: unknown
  /** The answer so far. */
  turn?: SavedTurn
  task_step: SavedStep
  /** By default, their state is that of `task_step`. */
  next_steps?: SavedStep[]
  is_last?: true
  status?: string
}

/** A step that was started. */
interface SavedOpenStep {
  step_id: string
  /** The results of its calls, by name. */
  results: Record<string, Json>
}

/**
 * What changed in a part of a document: `[value]` replaces it, `[length, items]` cuts an array to a length and adds items to it, `[]`
 * removes it, and an object contains the changes of its parts by key.
 * @example
 * // { usage: { calls: [2] }, sources: [1, ['second']], note: [] }
 */
export type Change =
  | readonly []
  | readonly [value: unknown]
  | readonly [length: number, items: readonly unknown[]]
  | Changes

/** The changes of the parts of an object or an array, by key. */
export interface Changes {
  readonly [key: string]: Change
}

/** An array that several versions share: each has the first `length` of its items. */
export class Items<T = unknown> {
  readonly all: T[]
  readonly length: number

  constructor(all: T[], length = all.length) {
    this.all = all
    this.length = length
  }

  toArray(): T[] {
    return this.all.slice(0, this.length)
  }

  /** Returns the first items with others after them. They are copied only if others came after them before. */
  with(length: number, added: readonly T[]): Items<T> {
    if (added.length === 0) return new Items(this.all, length)
    const all = length === this.all.length ? this.all : this.all.slice(0, length)
    for (const item of added) all.push(item)
    return new Items(all)
  }

  /** Returns the items of an array, shared with these if it begins with them. */
  continuedBy(items: readonly T[]): Items<T> {
    const { length } = this
    return this.sameStart(items) === length ? this.with(length, items.slice(length)) : new Items([...items])
  }

  /** Returns how many items at the start are equal. */
  sameStart(items: readonly T[]): number {
    const length = Math.min(this.length, items.length)
    if (this.all === items) return length
    let same = 0
    while (same < length && this.all[same] === items[same]) same++
    return same
  }
}

const SO_FAR = Symbol('answer so far')

/** An answer so far. Its sources are the first ones of those that the next answers have. */
export interface AnswerSoFar extends ChatAnswer {
  [SO_FAR]: Items<ToolOutput>
}

/** What answers so far have in common. Properties that are defined on each answer cost more than all else about it. */
const soFar = /* @__PURE__ */ Object.create(ChatAnswer.prototype, {
  sources: {
    get(this: AnswerSoFar) {
      return this[SO_FAR].toArray()
    },
    set(this: AnswerSoFar, sources: readonly ToolOutput[]) {
      this[SO_FAR] = new Items([...sources])
    },
  },
  sourceNodes: {
    get(this: AnswerSoFar) {
      return nodesOf(this.sources, undefined)
    },
    set(this: AnswerSoFar, value: NodeWithScore[]) {
      Object.defineProperty(this, 'sourceNodes', { value, writable: true, enumerable: true })
    },
  },
}) as ChatAnswer

/**
 * Returns the answer so far, for the output of a step that is not the last one: in a journal it is only its text. Each read of its sources
 * returns a new array: a task of many steps would otherwise keep as many arrays that grow.
 */
export function answerSoFar(
  response: string,
  { sources, usage }: { sources: Items<ToolOutput>; usage: TaskUsage },
): ChatAnswer {
  return Object.assign(Object.create(soFar) as ChatAnswer, {
    response,
    usage: { ...usage },
    output: null,
    [SO_FAR]: sources,
  })
}

/** Returns the sources of an answer so far; undefined for other outputs. */
export function sourcesSoFar(output: unknown): Items<ToolOutput> | undefined {
  return output instanceof ChatAnswer ? (output as Partial<AnswerSoFar>)[SO_FAR] : undefined
}

/** Lets an answer so far share its sources with the one before. */
export function shareSources(before: unknown, output: unknown): void {
  const [earlier, sources] = [sourcesSoFar(before), sourcesSoFar(output)]
  if (earlier && sources) (output as AnswerSoFar)[SO_FAR] = earlier.continuedBy(sources.toArray())
}

/** Returns what changed from one version to the next; undefined if nothing did. Parts that are the same object are not looked at. */
export function diff(before: unknown, after: unknown): Change | undefined {
  if (before === after) return undefined
  const [one, other] = [itemsOf(before), itemsOf(after)]
  if (one && other) return diffItems(one, other)
  if (!isPlainObject(before) || !isPlainObject(after)) return [plain(after)]
  const changes: Record<string, Change> = {}
  for (const key in before) if (!Object.hasOwn(after, key)) put(changes, key, [])
  for (const key in after) {
    const change = Object.hasOwn(before, key) ? diff(before[key], after[key]) : [plain(after[key])]
    if (change) put(changes, key, change)
  }
  return isEmpty(changes) ? undefined : changes
}

function diffItems(before: Items, after: Items): Change | undefined {
  const shared = Math.min(before.length, after.length)
  let same = before.all === after.all ? shared : 0
  while (same < shared && !diff(before.all[same], after.all[same])) same++
  if (before.length !== after.length) return [same, after.all.slice(same, after.length).map(plain)]
  const changes: Record<string, Change> = {}
  for (let i = same; i < shared; i++) {
    const change = diff(before.all[i], after.all[i])
    if (change) changes[i] = change
  }
  return isEmpty(changes) ? undefined : changes
}

/**
 * Returns the next version. What did not change is shared.
 * @throws {RangeError} if there is no such part, or the change is not valid.
 */
export function patched(before: unknown, change: unknown, path = 'changes'): unknown {
  if (Array.isArray(change)) return replaced(before, change, path)
  if (typeof change !== 'object' || change === null) throw invalid(path, 'a change')
  const changes = change as Dict
  const items = itemsOf(before)?.toArray()
  if (!items) {
    if (typeof before !== 'object' || before === null) throw invalid(path, 'the change of a part of the task')
    const next: Dict = { ...before }
    for (const key in changes) {
      const one = changes[key]
      const isNew = Array.isArray(one) && one.length === 1
      if (!isNew && !Object.hasOwn(next, key)) throw invalid(`${path}.${key}`, 'the change of a part of the task')
      if (Array.isArray(one) && one.length === 0) delete next[key]
      else put(next, key, patched(next[key], one, `${path}.${key}`))
    }
    return next
  }
  for (const key in changes) {
    const i = Number(key)
    if (!(Number.isInteger(i) && i >= 0 && i < items.length)) throw invalid(`${path}.${key}`, 'the change of an item')
    items[i] = patched(items[i], changes[key], `${path}.${key}`)
  }
  return new Items(items)
}

function replaced(before: unknown, change: readonly unknown[], path: string): unknown {
  if (change.length === 1) return change[0]
  const [length, added] = change as [number, unknown[]]
  // The array of an entry may belong to others.
  const items = Array.isArray(before) ? new Items([...before]) : itemsOf(before)
  const isValid = change.length === 2 && Number.isInteger(length) && length >= 0 && Array.isArray(added)
  if (!isValid || !items || length > items.length) throw invalid(path, 'items of an array')
  return items.with(length, added)
}

function invalid(path: string, words: string): RangeError {
  return new RangeError(`${path}: expected ${words}`)
}

function itemsOf(value: unknown): Items | undefined {
  if (value instanceof Items) return value
  return Array.isArray(value) ? new Items(value) : undefined
}

/** Returns a part of a version as JSON data: the same object if it contains no {@link Items}. */
export function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Items) return value.toArray().map(plain)
  let copy: Dict | undefined
  for (const key in value) {
    const item = (value as Dict)[key]
    const part = plain(item)
    if (part !== item) (copy ??= (Array.isArray(value) ? [...value] : { ...value }) as Dict)[key] = part
  }
  return copy ?? value
}

/** A version of a task. */
export interface TaskVersion {
  /** The number of its entry; negative for those before the first entry. */
  readonly n: number
  readonly task: SavedTask
  /** The version that an undo restores. */
  before: TaskVersion | undefined
}

/** Frees all but the last `count` versions that undo restores. */
export function keepBefore(version: TaskVersion, count: number): void {
  let last = version
  for (let i = 0; i < count && last.before; i++) last = last.before
  last.before = undefined
}

/** Returns the version that an undo of a saved task restores. */
export function restorableOf(task: SavedTask): TaskVersion | undefined {
  const versions = [task]
  for (const change of [...readArray(task.undo)].reverse())
    versions.push(patched(versions.at(-1), change, 'undo') as SavedTask)
  return versions
    .slice(1)
    .reduceRight<TaskVersion | undefined>((before, one, i) => ({ n: -i - 1, task: one, before }), undefined)
}

/** Returns the versions that can be restored, the oldest first. */
export function versionsOf(version: TaskVersion | undefined): SavedTask[] {
  const found: SavedTask[] = []
  for (let one = version; one; one = one.before) found.push(one.task)
  return found.reverse()
}

function readArray(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new RangeError('undo: expected an array of changes')
  return value
}

/**
 * Returns the task with the result of a call.
 * @throws {RangeError} if no step with this number was started.
 */
export function withResult(task: SavedTask, step: number, name: string, value: Json): SavedTask {
  return patched(task, { open_steps: { [`step-${step}`]: { results: { [name]: [value] } } } }) as SavedTask
}

/** The arrays of a task that were written. Each item is written once. */
export class WrittenLists {
  /** By the first object of an array, or by its path if it contains no objects. */
  private readonly written = new Map<unknown, { live: Items; json: Items }>()

  /** Records an array that was read or written. It may have more items later. */
  note(live: readonly unknown[], json: Items, path = ''): void {
    this.written.set(keyOf(live, path), { live: new Items(live as unknown[], json.length), json })
  }

  /** Returns the JSON of an array. Only items that were not written before are written. */
  write(live: readonly unknown[], path: string, write: (item: unknown, i: number) => unknown): Items {
    const found = this.written.get(keyOf(live, path))
    const same = found?.live.sameStart(live) ?? 0
    const added = live.slice(same).map((item, i) => write(item, same + i))
    const json = found ? found.json.with(same, added) : new Items(added)
    this.note(live, json, path)
    return json
  }
}

function keyOf([first]: readonly unknown[], path: string): unknown {
  return typeof first === 'object' && first !== null ? first : path
}

function put(object: Dict, key: string, value: unknown): void {
  if (key !== '__proto__') object[key] = value
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
}

function isEmpty(object: object): boolean {
  for (const _ in object) return false
  return true
}
