import { FunctionCallingAgent } from '@x/agents'
import { runUIMessages, uiMessageResponse } from '@x/ai-sdk'
import type { BaseLLM } from '@x/core-model'
import { convertToModelMessages, type LanguageModel, stepCountIs, streamText } from 'ai'
import { weather, weatherOfAiSdk } from './shared.ts'

export async function streamingUi(llm: BaseLLM, request: Request) {
  const { messages } = await request.json()
  const agent = FunctionCallingAgent.fromTools({ llm, tools: [weather] })
  return uiMessageResponse(runUIMessages(agent, messages, { mayContinue: false }))
}

export async function withTheAiSdk(model: LanguageModel, request: Request) {
  const { messages } = await request.json()
  const tools = { weather: weatherOfAiSdk }
  const history = await convertToModelMessages(messages)
  return streamText({ model, tools, stopWhen: stepCountIs(5), messages: history }).toUIMessageStreamResponse()
}
