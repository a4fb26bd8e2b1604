import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { type ChatMessage, messageParts } from '@x/core-model'
import { generateText, isStepCount, jsonSchema, type LanguageModel, type ModelMessage, streamText, tool } from 'ai'
import { describe, expect, it } from 'vitest'
import {
  bodies,
  converse,
  expectEqualRequests,
  modes,
  questions,
  schema,
  systemPrompt,
} from '../../openai/test/wire/conversation.ts'
import { pdf, png, type Turns, turns } from '../../openai/test/wire/turns.ts'
import { AiSdkLLM, type AiSdkLLMOptions } from './ai-sdk-llm.ts'

interface Provider {
  turns: Turns[]
  model: (baseURL: string) => Exclude<LanguageModel, string>
  search?: (baseURL: string) => NonNullable<AiSdkLLMOptions['providerTools']>
}

const keyed = (baseURL: string) => ({ baseURL, apiKey: 'k' })
const compatible = (baseURL: string) => createOpenAICompatible({ name: 'local', baseURL })('m')
const providers: Record<string, Provider> = {
  Anthropic: {
    turns: turns.anthropic,
    model: (url) => createAnthropic(keyed(url))('claude-sonnet-4-5'),
    search: (url) => ({ web_search: createAnthropic(keyed(url)).tools.webSearch_20250305({ maxUses: 2 }) }),
  },
  'OpenAI responses': {
    turns: turns.responses,
    model: (url) => createOpenAI(keyed(url)).responses('gpt-5'),
    search: (url) => ({ web_search: createOpenAI(keyed(url)).tools.webSearch({}) }),
  },
  'OpenAI chat': { turns: turns.chat, model: (url) => createOpenAI(keyed(url)).chat('gpt-4.1') },
  Gemini: { turns: turns.google, model: (url) => createGoogle(keyed(url))('gemini-3-pro-preview') },
  'DeepSeek and others like OpenAI': { turns: turns.deepSeek, model: compatible },
}

const optionsOf = ({ stateless }: Turns): Record<string, never> =>
  (stateless ? { openai: { store: false, include: ['reasoning.encrypted_content'] } } : {}) as Record<string, never>

/** The conversation with the AI SDK itself. */
async function theirs({ model, search }: Provider, given: Turns, baseURL: string, isStreamed: boolean) {
  const { output, cached } = given
  const file = { data: { type: 'data' as const, data: output === 'image' ? png : pdf } }
  const value = [
    { type: 'text' as const, text: 'See:' },
    output === 'image'
      ? { type: 'file' as const, ...file, mediaType: 'image/png' }
      : { type: 'file' as const, ...file, mediaType: 'application/pdf', filename: 'sum.pdf' },
  ]
  const add = tool({
    description: 'Adds.',
    inputSchema: jsonSchema<{ a: number; b: number }>(schema),
    execute: ({ a, b }) => String(a + b),
    ...(output && { toModelOutput: () => ({ type: 'content' as const, value }) }),
  })
  const providerOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } }
  const messages: ModelMessage[] = cached ? [{ role: 'system', content: systemPrompt, providerOptions }] : []
  for (const question of questions) {
    messages.push({ role: 'user', content: question })
    const options = {
      model: model(baseURL),
      messages,
      allowSystemInMessages: true,
      providerOptions: optionsOf(given),
      tools: { add, ...(given.search && (search?.(baseURL) as object)) },
      stopWhen: isStepCount(5),
      maxRetries: 0,
    }
    const result = isStreamed ? streamText(options) : await generateText(options)
    if ('consumeStream' in result) await result.consumeStream()
    messages.push(...(await result.responseMessages))
  }
}

const ours = ({ model, search }: Provider, given: Turns, baseURL: string): AiSdkLLM =>
  new AiSdkLLM({
    model: model(baseURL),
    modelOptions: { providerOptions: optionsOf(given) },
    providerTools: given.search ? search?.(baseURL) : undefined,
  })

for (const [name, provider] of Object.entries(providers))
  describe(`requests equal those of the AI SDK: ${name}`, () => {
    for (const given of provider.turns)
      it.each(modes)(`${given.name}: %s`, async (mode) => {
        await expectEqualRequests(
          given,
          (url) => theirs(provider, given, url, mode === 'streamed'),
          (url) => converse(ours(provider, given, url), given, mode),
        )
      })
  })

describe('the message of an answer', () => {
  it('contains sources and files of the model', async () => {
    let history: readonly ChatMessage[] = []
    const given = turns.google.find(({ name }) => name === 'an image of the model and sources')!
    await bodies(given.answers, async (url) => {
      history = await converse(ours(providers['Gemini']!, given, url), given, 'streamed')
    })
    expect(history[1]?.content).toBe('Look: Done.')
    expect(messageParts(history[1]!)).toEqual([
      { type: 'text', text: 'Look: ' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
      { type: 'text', text: 'Done.' },
      { type: 'source', source: { id: expect.any(String), url: 'https://a.example', title: 'A' } },
    ])
  })
})
