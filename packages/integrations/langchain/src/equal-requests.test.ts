import { ChatAnthropic } from '@langchain/anthropic'
import { type AIMessage, type AIMessageChunk, type BaseMessageLike, ToolMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { ChatGoogleGenerativeAI } from '@langchain/google-genai'
import { ChatOllama } from '@langchain/ollama'
import { ChatOpenAI } from '@langchain/openai'
import { describe, it } from 'vitest'
import { converse, expectEqualRequests, modes, questions, schema } from '../../openai/test/wire/conversation.ts'
import { png, type Turns, turns } from '../../openai/test/wire/turns.ts'
import { LangChainLLM } from './langchain-llm.ts'
import type { LangChainChatModel } from './langchain-types.ts'

interface Provider {
  turns: Turns[]
  model: (baseURL: string, turns: Turns) => LangChainChatModel
}

const providers: Record<string, Provider> = {
  Anthropic: {
    turns: turns.anthropic,
    model: (anthropicApiUrl) =>
      new ChatAnthropic({ model: 'claude-sonnet-4-5', apiKey: 'k', anthropicApiUrl, maxRetries: 0 }),
  },
  'OpenAI chat': {
    turns: turns.chat,
    model: (baseURL) => new ChatOpenAI({ model: 'gpt-4.1', apiKey: 'k', maxRetries: 0, configuration: { baseURL } }),
  },
  'OpenAI responses': {
    turns: turns.responses,
    model: (baseURL, { stateless = false }) =>
      new ChatOpenAI({
        model: 'gpt-5',
        apiKey: 'k',
        maxRetries: 0,
        configuration: { baseURL },
        useResponsesApi: true,
        zdrEnabled: stateless,
      }),
  },
  Gemini: {
    turns: turns.google,
    model: (baseUrl) =>
      new ChatGoogleGenerativeAI({ model: 'gemini-3-pro-preview', apiKey: 'k', baseUrl, maxRetries: 0 }),
  },
  Ollama: { turns: turns.ollama, model: (baseUrl) => new ChatOllama({ model: 'qwen3', baseUrl, maxRetries: 0 }) },
}

const image = [
  { type: 'text' as const, text: 'See:' },
  { type: 'image_url' as const, image_url: { url: `data:image/png;base64,${png}` } },
]

/** The conversation with the models of LangChain themselves. */
async function theirs({ model }: Provider, given: Turns, baseURL: string, isStreamed: boolean): Promise<void> {
  const add = tool(({ a, b }: { a: number; b: number }) => String(a + b), {
    name: 'add',
    description: 'Adds.',
    schema: schema as never,
  })
  const bound = model(baseURL, given).bindTools!([add as never])
  const messages: BaseMessageLike[] = []
  for (const question of questions) {
    messages.push({ role: 'user', content: question })
    for (let isDone = false; !isDone; ) {
      let answer: AIMessage | undefined
      if (!isStreamed) answer = (await bound.invoke(messages)) as AIMessage
      else
        for await (const piece of await bound.stream(messages))
          answer = answer ? ((answer as AIMessageChunk).concat(piece as never) as AIMessage) : (piece as AIMessage)
      messages.push(answer!)
      const calls = answer!.tool_calls ?? []
      for (const { id, args } of calls) {
        const content = given.output ? image : String(args['a'] + args['b'])
        messages.push(new ToolMessage({ content, tool_call_id: id!, name: 'add' }))
      }
      isDone = calls.length === 0
    }
  }
}

/**
 * Left out: tools that the provider runs and marks for its cache, which belong to the model of LangChain; files of tools; and images that
 * Gemini makes, which LangChain itself cannot send back.
 */
const applies = ({ search, output, cached, name }: Turns): boolean =>
  !search && output !== 'file' && !cached && !name.startsWith('an image of the model')

for (const [name, provider] of Object.entries(providers))
  describe(`requests equal those of LangChain: ${name}`, () => {
    for (const given of provider.turns.filter(applies))
      it.each(modes)(`${given.name}: %s`, async (mode) => {
        await expectEqualRequests(
          given,
          (url) => theirs(provider, given, url, mode === 'streamed'),
          (url) => converse(new LangChainLLM({ model: provider.model(url, given) }), given, mode),
        )
      })
  })
