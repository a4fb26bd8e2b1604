/**
 * A task of six turns whose model and tool take no time: what is measured is the cost of the engine and the agents.
 */
import { FunctionTool } from '@x/agents'
import { type BaseLLM, ChatMessage, ChatResponse, LLMMetadata } from '@x/core-model'

/** Calls the tool five times, then answers. */
function replyTo(messages: readonly ChatMessage[]): ChatMessage {
  const turn = messages.filter(({ additionalKwargs }) => additionalKwargs['tool_calls']).length
  if (turn === 5) return new ChatMessage({ role: 'assistant', content: 'Done.' })
  const call = { id: `call-${turn}`, name: 'look', arguments: '{"at": "it"}' }
  return new ChatMessage({ role: 'assistant', content: null, additionalKwargs: { tool_calls: [call] } })
}

const llm: Pick<BaseLLM, 'metadata' | 'chat'> = {
  metadata: new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true }),
  chat: async (messages) => new ChatResponse({ message: replyTo(messages as readonly ChatMessage[]) }),
}
const look = FunctionTool.fromDefaults({
  name: 'look',
  schema: { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] },
  fn: () => 'It is there.',
})

/** The model and the tools of the task. */
export const sixTurns = { llm: llm as BaseLLM, tools: [look] }

/** Results of the sizes that the agent records, in bytes: a turn of the model, an output of the tool. */
export const results = Array.from({ length: 11 }, (_, i) => ({ value: 'x'.repeat(i % 2 === 0 ? 150 : 100) }))

const source = {
  content: 'It is there.',
  tool_name: 'look',
  raw_input: { args: [], kwargs: { at: 'it' } },
  raw_output: 'It is there.',
  is_error: false,
}
const noTokens = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0, totalTokens: 0 }

/** The answer of the task, as callers receive it. */
export const answer = {
  response: 'Done.',
  sources: Array.from({ length: 5 }, () => structuredClone(source)),
  source_nodes: [],
  usage: { modelCalls: 6, toolCalls: 5, ...noTokens },
}
