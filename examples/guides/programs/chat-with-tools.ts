import { FunctionCallingAgent } from '@x/agents'
import type { BaseLLM } from '@x/core-model'
import { generateText, type LanguageModel, stepCountIs } from 'ai'
import { weather, weatherOfAiSdk } from './shared.ts'

export async function chatWithTools(llm: BaseLLM, question: string) {
  const agent = FunctionCallingAgent.fromTools({ llm, tools: [weather] })
  const { response } = await agent.chat(question)
  return response
}

export async function withTheAiSdk(model: LanguageModel, question: string) {
  const tools = { weather: weatherOfAiSdk }
  const { text } = await generateText({ model, tools, stopWhen: stepCountIs(5), prompt: question })
  return text
}
