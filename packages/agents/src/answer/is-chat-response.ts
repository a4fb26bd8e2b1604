/**
 * @module
 * Recognizes answers of agents.
 */
import type { AgentChatResponse } from './agent-chat-response.ts'
import type { StreamingAgentChatResponse } from './streaming-chat-response.ts'

/** Whether a value is a chat response. Responses of another copy of this package count too. */
export function isChatResponse(value: unknown): value is AgentChatResponse {
  if (typeof value !== 'object' || value === null) return false
  const { response, sources, sourceNodes } = value as Partial<AgentChatResponse>
  return typeof response === 'string' && Array.isArray(sources) && Array.isArray(sourceNodes)
}

/** Whether a value is a response that streams, also one of another copy of this package. */
export function isStreamingResponse(value: unknown): value is StreamingAgentChatResponse {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value && isChatResponse(value)
}

/** Returns the `done` promise of an answer that is still streaming, or undefined. */
export function streamEnd(answer: unknown): Promise<void> | undefined {
  return isStreamingResponse(answer) ? answer.done : undefined
}
