import { FunctionCallingAgent } from '@x/agents'
import type { BaseLLM } from '@x/core-model'
import { generateText, type LanguageModel } from 'ai'
import { picture } from './shared.ts'

export async function image(llm: BaseLLM, text: string) {
  const parts = [
    { type: 'text' as const, text },
    { type: 'image_url' as const, image_url: { url: picture } },
  ]
  return (await FunctionCallingAgent.fromTools({ llm }).chat(parts)).response
}

export async function withTheAiSdk(model: LanguageModel, text: string) {
  const content = [
    { type: 'text' as const, text },
    { type: 'file' as const, mediaType: 'image/png', data: picture },
  ]
  return (await generateText({ model, messages: [{ role: 'user', content }] })).text
}
