import { FunctionCallingAgent, structured } from '@x/agents'
import type { BaseLLM } from '@x/core-model'
import { generateText, type LanguageModel, Output } from 'ai'
import { order, orderOfAiSdk } from './shared.ts'

export async function extraction(llm: BaseLLM, mail: string) {
  const agent = FunctionCallingAgent.fromTools({ llm, output: structured(order) })
  return (await agent.chat(mail)).output
}

export async function withTheAiSdk(model: LanguageModel, mail: string) {
  const { output } = await generateText({ model, output: Output.object({ schema: orderOfAiSdk }), prompt: mail })
  return output
}
