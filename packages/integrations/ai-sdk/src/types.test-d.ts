import type { EmbeddingModelV4, LanguageModelV4, RerankingModelV4 } from '@ai-sdk/provider'
import type { EmbeddingModelV2, LanguageModelV2 } from '@ai-sdk/provider-v2'
import type { EmbeddingModelV3, LanguageModelV3, RerankingModelV3 } from '@ai-sdk/provider-v3'
import { FunctionTool, ReActAgent, type ToolCallContext } from '@x/agents'
import type { BaseMemory, ChatStore, CrossEncoder, NodesPostprocessor } from '@x/core-model'
import type { ScriptedLLM, TableEmbedding } from '@x/llm/testing'
import type { UIMessage } from 'ai'
import type { UIMessage as UIMessage5 } from 'ai-5-lowest'
import type { UIMessage as UIMessage6Lowest } from 'ai-6-lowest'
import type { UIMessage as UIMessage7Lowest } from 'ai-7-lowest'
import type { UIMessage as UIMessage6 } from 'ai-v6'
import { expectTypeOf, it } from 'vitest'
import { toAiSdkEmbeddingModel, toAiSdkModel } from './ai-sdk-model-of-llm.ts'
import { toAiSdkRerankingModel } from './ai-sdk-model-of-reranker.ts'
import { type ChatHandlerOptions, chatHandler } from './chat-handler.ts'
import { loadUIMessages } from './load-ui-messages.ts'
import type { AiSdkEmbeddingModel, AiSdkLanguageModel, AiSdkRerankingModel } from './model-types.ts'
import { runUIMessages } from './run-ui-messages.ts'
import type { UIMetadata } from './ui-chunk.ts'

it('models of all specification versions are accepted without a cast', () => {
  expectTypeOf<LanguageModelV2>().toExtend<AiSdkLanguageModel>()
  expectTypeOf<LanguageModelV3>().toExtend<AiSdkLanguageModel>()
  expectTypeOf<LanguageModelV4>().toExtend<AiSdkLanguageModel>()
  expectTypeOf<EmbeddingModelV2<string>>().toExtend<AiSdkEmbeddingModel>()
  expectTypeOf<EmbeddingModelV3>().toExtend<AiSdkEmbeddingModel>()
  expectTypeOf<EmbeddingModelV4>().toExtend<AiSdkEmbeddingModel>()
  expectTypeOf<RerankingModelV3>().toExtend<AiSdkRerankingModel>()
  expectTypeOf<RerankingModelV4>().toExtend<AiSdkRerankingModel>()
})

declare const llm: ScriptedLLM
declare const embedModel: TableEmbedding
declare const rerank: NodesPostprocessor
declare const crossEncoder: CrossEncoder

it('the AI SDK accepts models of @x without a cast', () => {
  const v4: LanguageModelV4 = toAiSdkModel(llm)
  const v3: LanguageModelV3 = toAiSdkModel(llm, { specificationVersion: 'v3' })
  const embedding4: EmbeddingModelV4 = toAiSdkEmbeddingModel(embedModel)
  const embedding3: EmbeddingModelV3 = toAiSdkEmbeddingModel(embedModel, { specificationVersion: 'v3' })
  const reranking4: RerankingModelV4 = toAiSdkRerankingModel(crossEncoder)
  const reranking3: RerankingModelV3 = toAiSdkRerankingModel(rerank, { specificationVersion: 'v3' })
  expectTypeOf([v4, v3, embedding4, embedding3, reranking4, reranking3]).toBeArray()
  const model = toAiSdkModel(llm)
  // @ts-expect-error a model of v4 is not one of v3
  const wrong: LanguageModelV3 = model
  expectTypeOf(wrong).toBeObject()
})

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

it('loadUIMessages returns messages of every version of the AI SDK, and of your own types of them', async () => {
  const messages = await loadUIMessages(chatStore, 'ann', 'c1')
  const v7: UIMessage[] = messages
  const v7Lowest: UIMessage7Lowest[] = messages
  const v6: UIMessage6[] = messages
  const v6Lowest: UIMessage6Lowest[] = messages
  const v5: UIMessage5[] = messages
  type Tools = { pay: { input: { euros: number }; output: string } }
  const own: UIMessage<UIMetadata, Record<string, never>, Tools>[] = messages
  const tokens: number | undefined = messages[0]?.metadata?.usage?.totalTokens
  // @ts-expect-error: a list of messages is no message
  const one: UIMessage = messages
  void [v7, v7Lowest, v6, v6Lowest, v5, own, tokens, one]
})

it('logError has the request always, the user and the chat maybe', () => {
  type Logged = Parameters<NonNullable<ChatHandlerOptions<object>['logError']>>[1]
  const { request }: Logged = { request: new Request('https://chat.example/api/chat') }
  // @ts-expect-error: a request may fail before its user is known
  const nameOf = ({ user }: Logged): string => user
  void [request.url, nameOf]
})

const mayContinue = () => true

it('runUIMessages requires the context of the agent', () => {
  const agent = ReActAgent.fromTools({ llm, tools: [greet] })
  runUIMessages(agent, [], { run: { context: { user: 'Ann' } }, mayContinue })
  // @ts-expect-error: the context is missing
  runUIMessages(agent, [], { mayContinue })
  // @ts-expect-error: the user is a string
  runUIMessages(agent, [], { run: { context: { user: 5 } }, mayContinue })
  // @ts-expect-error: the messages of the client are the history
  runUIMessages(agent, [], { run: { context: { user: 'Ann' }, chatHistory: [] }, mayContinue })
})

it('runUIMessages requires a decision about who may continue a task', () => {
  const agent = ReActAgent.fromTools({ llm })
  runUIMessages(agent, [], { mayContinue: false })
  runUIMessages(agent, [], { mayContinue, run: { memory, taskId: 'ann:1' } })
  // @ts-expect-error: any client could continue any task
  runUIMessages(agent, [])
  // @ts-expect-error: any client could continue any task
  runUIMessages(agent, [], { run: { memory } })
  // @ts-expect-error: true is not a decision
  runUIMessages(agent, [], { mayContinue: true })
})
