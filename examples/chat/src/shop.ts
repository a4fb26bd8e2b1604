/** The chat of a shop: an agent that asks before it buys. Everything that the hosts of this example share. */
import { FunctionCallingAgent, FunctionTool, journal, MemoryTaskStore } from '@x/agents'
import { chatHandler } from '@x/ai-sdk'
import { type ChatStreams, memoryChatStreams } from '@x/chats'
import { SimpleChatStore } from '@x/core-model'
import { OpenAI } from '@x/openai'

/** Where the model is. */
export interface ModelSettings {
  MODEL_URL: string
  MODEL: string
  MODEL_KEY?: string
}

/**
 * Returns the route of the chat.
 * @param streams - where running answers are, so that a client can reconnect to them; Workers need a Durable Object for that.
 */
export function shopRoute(
  { MODEL_URL: baseUrl, MODEL: model, MODEL_KEY: apiKey }: ModelSettings,
  streams: ChatStreams | null = memoryChatStreams(),
) {
  const buy = FunctionTool.fromDefaults({
    name: 'buy',
    description: 'Buys a fruit.',
    schema: { type: 'object', properties: { fruit: { type: 'string' } }, required: ['fruit'] },
    needsApproval: true,
    fn: ({ fruit }) => ({ bought: fruit }),
  })
  return chatHandler({
    agent: FunctionCallingAgent.fromTools({
      llm: new OpenAI({ baseUrl, model, apiKey }),
      tools: [buy],
      // An application takes the stores of `@x/postgres` instead of these three.
      taskStore: journal(new MemoryTaskStore()),
    }),
    chatStore: new SimpleChatStore(),
    ...(streams && { streams }),
    // An application reads its session here.
    user: (request) => request.headers.get('x-user'),
    onError: ({ code }) => `Something went wrong (${code ?? 'unknown'}).`,
  })
}
