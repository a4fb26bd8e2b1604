import { FunctionTool, ReActAgent, type ToolCallContext } from '@x/agents'
import type { BaseLLM, BaseMemory, ChatStore } from '@x/core-model'
import { it } from 'vitest'
import { chatHandler } from './chat-handler.ts'

declare const llm: BaseLLM
declare const memory: BaseMemory
declare const chatStore: ChatStore
const user = () => 'ann'
const agent = ReActAgent.fromTools({ llm })

const greet = FunctionTool.fromDefaults({
  name: 'greet',
  schema: { type: 'object', properties: {} },
  fn: (_, { context }: ToolCallContext<{ user: string }>) => `Hello ${context.user}`,
})

it('chatHandler has no place for a memory that chats would share', () => {
  chatHandler({ agent, user, chatStore, run: () => ({ toolChoice: 'auto' }) })
  // @ts-expect-error: a memory would be shared
  chatHandler({ agent, user, chatStore, memory })
  // @ts-expect-error: a memory would be shared
  chatHandler({ agent, user, chatStore, run: () => ({ memory }) })
  // @ts-expect-error: the conversation is the one in the chat store
  chatHandler({ agent, user, chatStore, run: () => ({ chatHistory: [] }) })
  // @ts-expect-error: the handler chooses the task
  chatHandler({ agent, user, chatStore, run: () => ({ taskId: 'mine' }) })
})

it('chatHandler requires the user, the store, and the context of the agent', () => {
  // @ts-expect-error: everybody would be the same user
  chatHandler({ agent, chatStore })
  // @ts-expect-error: conversations need a store
  chatHandler({ agent, user })
  const greeter = ReActAgent.fromTools({ llm, tools: [greet] })
  chatHandler({ agent: greeter, user, chatStore, run: ({ user }) => ({ context: { user } }) })
  // @ts-expect-error: the context is missing
  chatHandler({ agent: greeter, user, chatStore })
})
