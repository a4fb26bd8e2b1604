/**
 * @module
 * The answers of an agent, complete or streaming.
 */

import { isPlainObject, mapValues } from '@x/core/values'
import { type Dict, NodeWithScore, type ReadOptions, ToolOutput } from '@x/core-model'
import { type LineOptions, modelReader, plainData, type RecordReader, readRecord } from '../record-reader.ts'
import { noUsage, type TaskUsage } from './task-usage.ts'

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

/**
 * A complete answer.
 * @example
 * String(new AgentChatResponse({ response: 'Four.' })) // => 'Four.'
 * new AgentChatResponse({ response: 'Four.' }).toDict() // => { response: 'Four.', sources: [], source_nodes: [] }
 */
export class AgentChatResponse<Output = unknown> {
  response: string
  sources: ToolOutput[]
  sourceNodes: NodeWithScore[]
  /** The usage of the task so far; null if its worker does not count it. Not part of the wire form. */
  usage: TaskUsage | null
  /** The structured answer of an agent with an output schema; otherwise null. Not part of the wire form. */
  output: Output

  constructor(options: AgentChatResponseOptions<Output> = {}) {
    this.response = options.response ?? ''
    this.sources = [...(options.sources ?? [])]
    this.sourceNodes = nodesOf(this.sources, options.sourceNodes)
    this.usage = options.usage ?? null
    this.output = options.output ?? (null as Output)
  }

  static className(): string {
    return 'AgentChatResponse'
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

  /**
   * Reads an answer from its wire form. Missing keys are empty.
   * @param options.registry - classes of nodes that are not built in.
   * @throws {ModelValidationError} with an issue for every invalid field.
   */
  static fromDict(data: unknown, options: ReadOptions = {}): AgentChatResponse {
    const read = (fields: RecordReader) => ({
      response: fields.string('response', ''),
      sources: fields.list('sources', modelReader(ToolOutput, options)),
      sourceNodes: fields.list('source_nodes', modelReader(NodeWithScore, options)),
      output: fields.data['output'],
      usage: fields.has('usage') ? fields.record('usage', readUsage) : null,
    })
    return new AgentChatResponse(readRecord('AgentChatResponse', data, read))
  }
}

function readUsage(data: unknown): TaskUsage {
  const read = (fields: RecordReader) =>
    mapValues(noUsage() as unknown as Dict, (_, key: string) => fields.integer(key, 0))
  return readRecord('TaskUsage', data, read) as unknown as TaskUsage
}

/** Whether data has the keys of an answer. */
export function isAnswerDict(data: unknown): data is AgentChatResponseDict {
  return isPlainObject(data) && ['response', 'sources', 'source_nodes'].every((key) => Object.hasOwn(data, key))
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
