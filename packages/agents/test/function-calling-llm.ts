/**
 * @module
 * A scripted model with native tool calls, for tests.
 */
import { ChatMessage, LLMMetadata } from '@x/core-model'
import { ScriptedLLM } from '@x/core-model/testing'

/** A tool call as a model writes it. */
export function toolCall(id: string, name: string, args: unknown) {
  return { id, name, arguments: typeof args === 'string' ? args : JSON.stringify(args) }
}

/** A model that answers with texts and lists of tool calls, in order. */
export function functionCallingLlm(turns: readonly (string | readonly ReturnType<typeof toolCall>[])[]): ScriptedLLM {
  const answers = turns.map((turn) =>
    typeof turn === 'string'
      ? turn
      : new ChatMessage({ role: 'assistant', content: null, additionalKwargs: { tool_calls: turn } }),
  )
  return new ScriptedLLM({ answers, metadata: new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true }) })
}
