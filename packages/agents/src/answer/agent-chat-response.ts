/**
 * @module
 * The answers of an agent, with the code that reads them.
 */

import { modelReader, type RecordReader, readRecord } from '@x/core/reading'
import { isPlainObject } from '@x/core/values'
import { NodeWithScore, type ReadOptions, ToolOutput } from '@x/core-model'
import { readUsage } from '../task-usage.ts'
import { type AgentChatResponseDict, ChatAnswer } from './chat-answer.ts'

/**
 * A complete answer.
 * @example
 * String(new AgentChatResponse({ response: 'Four.' })) // => 'Four.'
 * new AgentChatResponse({ response: 'Four.' }).toDict() // => { response: 'Four.', sources: [], source_nodes: [] }
 */
export class AgentChatResponse<Output = unknown> extends ChatAnswer<Output> {
  /** Whether a value is an answer, also one that an agent has made. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return this === AgentChatResponse ? value instanceof ChatAnswer : super[Symbol.hasInstance](value)
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

/** Whether data has the keys of an answer. */
export function isAnswerDict(data: unknown): data is AgentChatResponseDict {
  return isPlainObject(data) && ['response', 'sources', 'source_nodes'].every((key) => Object.hasOwn(data, key))
}
