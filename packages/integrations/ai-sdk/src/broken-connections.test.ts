import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createOpenAICompatible as createFor5 } from '@ai-sdk/openai-compatible-for-5'
import { createOpenAICompatible as createFor6 } from '@ai-sdk/openai-compatible-for-6'
import { ChatMessage } from '@x/core-model'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { chunk, eventText, LoopbackServer, pieces } from '../../../../tools/loopback-model-server.ts'
import { AiSdkLLM } from './ai-sdk-llm.ts'
import type { AiSdkLanguageModel } from './model-types.ts'

const question = [new ChatMessage({ content: 'Q' })]
const begun = eventText([{ id: 'x', created: 1, model: 'm', ...chunk({ role: 'assistant', content: 'Tea is' }) }], {
  done: false,
})

let server: LoopbackServer
let baseURL: string
beforeEach(async () => {
  server = new LoopbackServer()
  baseURL = await server.start()
})
afterEach(() => server.stop())

const models: Record<string, () => AiSdkLanguageModel> = {
  'AI SDK 5': () => createFor5({ name: 'local', baseURL })('m'),
  'AI SDK 6': () => createFor6({ name: 'local', baseURL })('m'),
  'AI SDK 7': () => createOpenAICompatible({ name: 'local', baseURL })('m'),
  'AI SDK 7, OpenAI': () => createOpenAI({ baseURL, apiKey: 'k' }).chat('m'),
}

async function readAll(model: AiSdkLanguageModel): Promise<void> {
  for await (const _ of new AiSdkLLM({ model }).streamChat(question));
}

const failure = { code: 'model_call', kind: 'connection', retryable: true }

describe.each(Object.entries(models))('with %s', (name, model) => {
  it('a connection that breaks in the middle of a stream or an answer is an error that may be repeated', async () => {
    server.willAnswer(pieces([begun], { end: 'destroy' }), pieces(['{'], { type: 'application/json', end: 'destroy' }))
    await expect(readAll(model())).rejects.toMatchObject(failure)
    await expect(new AiSdkLLM({ model: model() }).chat(question)).rejects.toMatchObject(failure)
  })

  it('so is a stream that ends before the model is done, if the model can tell', async () => {
    server.willAnswer(pieces([begun]))
    const reading = expect(readAll(model()))
    // Models of specification v2 do not say whether the provider reported a reason.
    await (name === 'AI SDK 5' ? reading.resolves.toBeUndefined() : reading.rejects.toMatchObject(failure))
  })
})
