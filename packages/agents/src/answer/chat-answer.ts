/**
 * @module
 * The answers that agents make, without the code that reads answers: it needs the classes of all nodes.
 */

import { checkGiven } from '@x/core/options'
import { type LineOptions, plainData } from '@x/core/reading'
import type { Dict, NodeWithScore, TokenUsage, ToolOutput } from '@x/core-model'

/** Constructor options of `AgentChatResponse`. */
export interface AgentChatResponseOptions<Output = unknown> {
  /** The text of the answer. @defaultValue '' */
  response?: string | undefined
  /** The outputs of the called tools, in order. @defaultValue [] */
  sources?: readonly ToolOutput[] | undefined
  /** The nodes that the answer is based on. @defaultValue the nodes of all sources that are answers of a query engine */
  sourceNodes?: readonly NodeWithScore[] | undefined
  /** The usage of the task. @defaultValue null, unknown */
  usage?: TaskUsage | null | undefined
  /** The structured answer. @defaultValue null */
  output?: Output | undefined
}

/** An answer in JSON. */
export interface AgentChatResponseDict {
  response: string
  sources: Dict[]
  source_nodes: Dict[]
}

/** A complete answer, as agents make it; an {@link AgentChatResponse} without `fromDict`. */
export class ChatAnswer<Output = unknown> {
  response: string
  sources: ToolOutput[]
  sourceNodes: NodeWithScore[]
  /** The usage of the task so far; null if its worker does not count it. Not part of the wire form. */
  usage: TaskUsage | null
  /** The structured answer of an agent with an output schema; otherwise null. Not part of the wire form. */
  output: Output

  constructor(options: AgentChatResponseOptions<Output> = {}) {
    checkGiven('AgentChatResponse', { options }, 'an object of options')
    this.response = options.response ?? ''
    this.sources = [...(options.sources ?? [])]
    this.sourceNodes = nodesOf(this.sources, options.sourceNodes)
    this.usage = options.usage ?? null
    this.output = options.output ?? (null as Output)
  }

  static className(): string {
    return 'AgentChatResponse'
  }

  /** The text of the answer, as events and loops name it; the same as `response`. */
  get text(): string {
    return this.response
  }

  toString(): string {
    return this.response
  }

  /** Returns the wire form. Raw outputs of tools that are models or records are written as their dicts. */
  toDict(options?: LineOptions): AgentChatResponseDict {
    return {
      response: this.response,
      sources: this.sources.map((source) => plainData(source, options) as Dict),
      source_nodes: this.sourceNodes.map((node) => node.toDict(options)),
    }
  }

  /** Returns the parts of the answer for a saved task, unchanged. */
  toParts(): Dict {
    const { response, sources, sourceNodes, output, usage } = this
    return {
      response,
      sources,
      source_nodes: sourceNodes,
      ...(output !== null && { output }),
      ...(usage && { usage: { ...usage } }),
    }
  }

  /** Returns the wire form, for `JSON.stringify`. */
  toJSON(): AgentChatResponseDict {
    return this.toDict()
  }
}

/** Returns the passed nodes, or else the nodes of all sources that are answers with nodes, in order. */
function nodesOf(sources: readonly ToolOutput[], given: readonly NodeWithScore[] | undefined): NodeWithScore[] {
  if (given && given.length > 0) return [...given]
  const found: NodeWithScore[] = []
  for (const { rawOutput } of sources) {
    const nodes = (rawOutput as { sourceNodes?: unknown } | null | undefined)?.sourceNodes
    if (Array.isArray(nodes)) for (const node of nodes) found.push(node)
  }
  return found
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

/** Whether a value is a chat response. Responses of another copy of this package count too. */
export function isChatResponse(value: unknown): value is ChatAnswer {
  if (typeof value !== 'object' || value === null) return false
  const { response, sources, sourceNodes } = value as Partial<ChatAnswer>
  return typeof response === 'string' && Array.isArray(sources) && Array.isArray(sourceNodes)
}

/** What runners need of an answer that streams. */
export interface AnswerStream {
  readonly done: Promise<void>
  onPiece(listener: (piece: string) => void): void
  whenDone(
    finish: () => void | Promise<void>,
    fail?: (error: unknown) => void | Promise<void>,
    isRepeatable?: boolean,
  ): Promise<void>
  whenOver(callback: () => void): void
  mapError(toError: (error: unknown) => unknown): void
}

/** Whether a value is a response that streams, also one of another copy of this package. */
export function isStreamingResponse(value: unknown): value is ChatAnswer & AsyncIterable<string> & AnswerStream {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value && isChatResponse(value)
}

/** Returns the `done` promise of an answer that is still streaming, or undefined. */
export function streamEnd(answer: unknown): Promise<void> | undefined {
  return isStreamingResponse(answer) ? answer.done : undefined
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

/** The usage of a task. Token counts are those that the model reports. */
export interface TaskUsage extends TokenUsage {
  /** Calls of the model, except those to which it did not begin to reply because the provider refused them or failed. */
  modelCalls: number
  /** Tool calls that ran. */
  toolCalls: number
  /** Money, in the currency of the prices of the layer `cost` of `@x/layers`; missing without it. */
  cost?: number
}

/** Returns the usage of a new task. */
export function noUsage(): TaskUsage {
  return {
    modelCalls: 0,
    toolCalls: 0,
    inputTokens: 0,
    outputTokens: 0,
    cachedInputTokens: 0,
    reasoningTokens: 0,
    totalTokens: 0,
  }
}

/** Whether a value is made by a class or one that extends it, whatever `instanceof` says. */
export function isMadeBy(made: abstract new (...args: never[]) => object, value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.prototype.isPrototypeOf.call(made.prototype, value)
}
