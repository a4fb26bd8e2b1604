/**
 * @module
 * The answers that agents make, without the code that reads answers: it needs the classes of all nodes.
 */

import { checkGiven, checkOption, text } from '@x/core/options'
import { type LineOptions, plainData } from '@x/core/reading'
import type { Dict, NodeWithScore, ToolOutput } from '@x/core-model'
import type { TaskUsage } from '../task-usage.ts'

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
    // Every step makes one.
    if (Object(options) !== options) checkGiven('AgentChatResponse', { options }, 'an object of options')
    const { response } = options
    if (typeof (response ?? '') !== 'string') checkOption('AgentChatResponse', 'response', response, text)
    this.response = response ?? ''
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
export function nodesOf(sources: readonly ToolOutput[], given: readonly NodeWithScore[] | undefined): NodeWithScore[] {
  if (given && given.length > 0) return [...given]
  const found: NodeWithScore[] = []
  for (const { rawOutput } of sources) {
    const nodes = (rawOutput as { sourceNodes?: unknown } | null | undefined)?.sourceNodes
    if (Array.isArray(nodes)) for (const node of nodes) found.push(node)
  }
  return found
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
