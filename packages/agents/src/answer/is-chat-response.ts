/**
 * @module
 * Recognizes answers of agents.
 */
import type { AgentChatResponse } from './agent-chat-response.ts'

/** Whether a value is a chat response. Responses of another copy of this package count too. */
export function isChatResponse(value: unknown): value is AgentChatResponse {
  if (typeof value !== 'object' || value === null) return false
  const { response, sources, sourceNodes } = value as Partial<AgentChatResponse>
  return typeof response === 'string' && Array.isArray(sources) && Array.isArray(sourceNodes)
}
