/**
 * @module
 * The conversation of a request.
 */
import { StoredChatMemory } from '@x/agents'
import { type BaseMemory, ChatMessage, type ChatStore, ConfigurationError } from '@x/core-model'
import type { DurableAgent } from './agent-run.ts'
import type { AgentRequest } from './run-protocol.ts'

/**
 * Returns the memory with the messages of a request; undefined if it has none.
 * @throws {ConfigurationError} if the request has a conversation in a chat store, and there is none.
 */
export async function conversationOf(
  where: string,
  { chatHistory, conversation }: AgentRequest,
  agent: DurableAgent,
  chatStore?: ChatStore,
): Promise<BaseMemory | undefined> {
  if (conversation && !chatStore)
    throw new ConfigurationError(`${where}.chatStore: a request with a conversation needs it.`)
  if (conversation) return StoredChatMemory.fromRef(conversation, chatStore!, agent.memory)
  if (!chatHistory) return undefined
  const memory = agent.memory.fresh?.() ?? agent.memory
  await memory.set(chatHistory.map((message) => ChatMessage.fromDict(message)))
  return memory
}
