/** The model of agents and pipelines: answers from a script and records its requests. */
import { ChatMessage, type Dict, LLMMetadata } from '@x/core-model'
import { type ScriptedAnswer, ScriptedLLM } from '@x/llm/testing'
import { isObject } from '../given.ts'
import { messageRecord } from './messages.ts'

type Response = string | null | { content?: string | null; tool_calls?: unknown; chunks?: string[]; error?: string }

export interface CaseModelRecord {
  responses?: Response[]
  context_window?: number
}

/** A model, and the text before a prompt. */
export function caseModel(
  { responses = [], context_window: contextWindow }: CaseModelRecord = {},
  { isChatModel = true, prefix }: { isChatModel?: boolean; prefix?: string | undefined } = {},
): ScriptedLLM {
  return new ScriptedLLM({
    wire: false,
    answers: responses.map(answerOf),
    metadata: new LLMMetadata({
      isChatModel,
      isFunctionCallingModel: true,
      ...(contextWindow !== undefined && { contextWindow }),
    }),
    ...(prefix !== undefined && { completionToPrompt: (text: string) => `${prefix}${text}` }),
  })
}

function answerOf(response: Response): ScriptedAnswer {
  if (!isObject(response)) return response
  const { content, tool_calls, chunks, error } = response
  if (chunks) return error === undefined ? chunks : [...chunks, new Error(error)]
  if (error !== undefined) return new Error(error)
  return new ChatMessage({ role: 'assistant', content, additionalKwargs: tool_calls ? { tool_calls } : {} })
}

/** The requests that a model received, in the form of the cases. */
export function callsOf({ calls }: ScriptedLLM): Dict[] {
  return calls.map(({ messages = [], prompt, options: { tools, toolChoice } }) => {
    if (prompt !== undefined) return { prompt }
    return {
      messages: messages.map((each) => messageRecord(ChatMessage.fromDict(each))),
      ...(toolChoice !== undefined && { tool_choice: toolChoice }),
      ...(tools !== undefined && { tools: (tools as Tool[]).map((tool) => tool.function.name) }),
    }
  })
}

interface Tool {
  function: { name: string }
}
