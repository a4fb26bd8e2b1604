import { AgentTool, FunctionCallingAgent } from '@x/agents'
import type { BaseLLM } from '@x/core-model'
import { generateText, type LanguageModel, stepCountIs, tool } from 'ai'
import { questionOfAiSdk, weather, weatherOfAiSdk } from './shared.ts'

export async function researchWithSubagents(llm: BaseLLM, helper: BaseLLM, question: string) {
  const agent = FunctionCallingAgent.fromTools({ llm: helper, tools: [weather] })
  const research = new AgentTool({ agent, name: 'research' })
  const lead = FunctionCallingAgent.fromTools({ llm, tools: [research] })
  const { response, usage } = await lead.chat(question)
  return { response, modelCalls: usage?.modelCalls }
}

export async function withTheAiSdk(model: LanguageModel, helper: LanguageModel, question: string) {
  const ask = (prompt: string) =>
    generateText({ model: helper, tools: { weather: weatherOfAiSdk }, stopWhen: stepCountIs(5), prompt })
  const research = tool({ inputSchema: questionOfAiSdk, execute: async ({ input }) => (await ask(input)).text })
  const answer = await generateText({ model, tools: { research }, stopWhen: stepCountIs(5), prompt: question })
  return { response: answer.text, modelCalls: answer.steps.length }
}
