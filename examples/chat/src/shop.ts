/** The chat of a shop: an agent that asks before it buys. Everything that the hosts of this example share. */
import { FunctionCallingAgent, FunctionTool, journal, MemoryTaskStore } from '@x/agents'
import { chatHandler } from '@x/ai-sdk'
import { agUiHandler } from '@x/ai-sdk/ag-ui'
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
 * Returns the route of the chat, for `useChat`.
 * @param streams - where running answers are, so that a client can reconnect to them; Workers need a Durable Object for that.
 */
export function shopRoute(settings: ModelSettings, streams: ChatStreams | null = memoryChatStreams()) {
  return chatHandler(shopChat(settings, streams))
}

/** Returns the same chat as a route for clients of AG-UI, such as CopilotKit. */
export function shopAgUiRoute(settings: ModelSettings) {
  return agUiHandler(shopChat(settings, memoryChatStreams()))
}

function shopChat({ MODEL_URL: baseUrl, MODEL: model, MODEL_KEY: apiKey }: ModelSettings, streams: ChatStreams | null) {
  const buy = FunctionTool.fromDefaults({
    name: 'buy',
    description: 'Buys a fruit.',
    schema: { type: 'object', properties: { fruit: { type: 'string' } }, required: ['fruit'] },
    needsApproval: true,
    fn: ({ fruit }) => ({ bought: fruit }),
  })
  return {
    agent: FunctionCallingAgent.fromTools({
      llm: new OpenAI({ baseUrl, model, apiKey }),
      tools: [buy],
      // An application takes the stores of `@x/postgres` instead of these three.
      taskStore: journal(new MemoryTaskStore()),
    }),
    chatStore: new SimpleChatStore(),
    ...(streams && { streams }),
    // An application reads its session here.
    user: (request: Request) => request.headers.get('x-user'),
    onError: ({ code }: { code: string | null }) => `Something went wrong (${code ?? 'unknown'}).`,
  }
}
