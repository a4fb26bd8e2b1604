/**
 * @module
 * A scripted model with native tool calls, for tests.
 */
import { ChatMessage, LLMMetadata } from '@x/core-model'
import { type ScriptedAnswer, ScriptedLLM } from '@x/llm/testing'

/** A tool call as a model writes it. */
export function toolCall(id: string, name: string, args: unknown) {
  return { id, name, arguments: typeof args === 'string' ? args : JSON.stringify(args) }
}

/** The message of a model that calls tools. */
export function toolCalls(...calls: readonly ReturnType<typeof toolCall>[]): ChatMessage {
  return new ChatMessage({ role: 'assistant', content: null, additionalKwargs: { tool_calls: calls } })
}

/**
 * A model with native tool calls that answers from a script.
 * @param wire - whether requests that providers refuse fail.
 */
export function scriptedToolModel(answers: readonly ScriptedAnswer[], wire = true): ScriptedLLM {
  return new ScriptedLLM({
    answers,
    wire,
    metadata: new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true }),
  })
}

/** A model that answers with strings and lists of tool calls, in order. */
export function functionCallingLlm(
  turns: readonly (string | readonly ReturnType<typeof toolCall>[])[],
  wire = true,
): ScriptedLLM {
  return scriptedToolModel(
    turns.map((turn) => (typeof turn === 'string' ? turn : toolCalls(...turn))),
    wire,
  )
}

/** Returns the items of an async iterable. */
export async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}
