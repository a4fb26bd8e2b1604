import { FunctionCallingAgent } from '@x/agents'
import type { BaseLLM } from '@x/core-model'
import { generateText, type LanguageModel, stepCountIs } from 'ai'
import { weather, weatherOfAiSdk } from './shared.ts'

export async function fortySteps(llm: BaseLLM, question: string) {
  const agent = FunctionCallingAgent.fromTools({ llm, tools: [weather], maxIterations: 50 })
  const { response, sources } = await agent.chat(question)
  return { response, calls: sources.length }
}

export async function withTheAiSdk(model: LanguageModel, question: string) {
  const tools = { weather: weatherOfAiSdk }
  const { text, steps } = await generateText({ model, tools, stopWhen: stepCountIs(50), prompt: question })
  return { response: text, calls: steps.flatMap(({ toolCalls }) => toolCalls).length }
}
