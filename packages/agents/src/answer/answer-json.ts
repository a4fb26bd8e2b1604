import { checkGiven } from '@x/core/options'
import { type Json, type ToolOutput, writeJsonText } from '@x/core-model'
import type { TaskUsage } from '../task-usage.ts'
import type { AgentChatResponse } from './agent-chat-response.ts'
import type { AgentChatResponseDict } from './chat-answer.ts'

/** An answer in JSON; `AgentChatResponse.fromDict` reads it. */
export interface AnswerJson extends AgentChatResponseDict {
  /** The structured answer, if the agent has an output schema. */
  output?: Json
  /** The usage of the task, if its worker counts it. */
  usage?: TaskUsage
}

/**
 * Returns an answer in JSON, for callers in another process. A tool may return a value that JSON has no form for, such as a Map or an
 * object that contains itself: its raw output is replaced by the text that the model saw. Integers beyond 2^53 lose digits.
 * @example
 * answerToJson(new AgentChatResponse({ response: 'Four.' })) // => { response: 'Four.', sources: [], source_nodes: [] }
 */
export function answerToJson(answer: AgentChatResponse): AnswerJson {
  checkGiven('answerToJson', { answer }, 'an AgentChatResponse', 'sources', 'sourceNodes')
  const { response, sources, sourceNodes, output, usage } = answer
  return {
    response,
    sources: sources.map(sourceToJson),
    source_nodes: sourceNodes.map((node) => jsonCopy(node.toDict())),
    ...(output !== null && { output: jsonCopy<Json>(output) }),
    ...(usage && { usage: { ...usage } }),
  }
}

function sourceToJson(source: ToolOutput): AnswerJson['sources'][number] {
  try {
    return jsonCopy(source.toDict())
  } catch {
    return jsonCopy(source.copy({ update: { rawOutput: source.content } }).toDict())
  }
}

/**
 * Returns a copy as JSON. Integers beyond 2^53 stay numbers, unlike in events: `fromDict` and the schema of the output expect numbers.
 * @throws {SerializationError} naming a value that has no JSON form.
 */
function jsonCopy<T>(data: unknown): T {
  return JSON.parse(writeJsonText(data))
}
