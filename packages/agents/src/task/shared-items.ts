/**
 * @module
 * Arrays that the versions of a task share, and the answers so far, whose sources are one.
 */
import type { NodeWithScore, ToolOutput } from '@x/core-model'
import { ChatAnswer, nodesOf } from '../answer/chat-answer.ts'
import type { TaskUsage } from '../task-usage.ts'

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

const soFarProperties: PropertyDescriptorMap & ThisType<AnswerSoFar> = {
  sources: {
    enumerable: true,
    get() {
      return this[SO_FAR].toArray()
    },
    set(sources: readonly ToolOutput[]) {
      this[SO_FAR] = new Items([...sources])
    },
  },
  sourceNodes: {
    enumerable: true,
    configurable: true,
    get() {
      return nodesOf(this.sources, undefined)
    },
    set(value: NodeWithScore[]) {
      Object.defineProperty(this, 'sourceNodes', { value, writable: true, enumerable: true })
    },
  },
}

/**
 * Returns the answer so far, for the output of a step that is not the last one: in a journal it is only its text. Each read of its sources
 * returns a new array: a task of many steps would otherwise keep as many arrays that grow.
 */
export function answerSoFar(
  response: string,
  { sources, usage }: { sources: Items<ToolOutput>; usage: TaskUsage },
): ChatAnswer {
  const answer = new ChatAnswer({ response, usage: { ...usage } })
  Object.defineProperty(answer, SO_FAR, { value: sources, writable: true })
  return Object.defineProperties(answer, soFarProperties)
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
