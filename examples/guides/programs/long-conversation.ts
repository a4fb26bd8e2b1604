import { FunctionCallingAgent, keepWithin } from '@x/agents'
import type { BaseLLM } from '@x/core-model'
import { generateText, type LanguageModel, type ModelMessage } from 'ai'

/** Requests have at most 300 tokens; what does not fit is summarized. */
export async function longConversation(llm: BaseLLM, questions: readonly string[]) {
  const agent = FunctionCallingAgent.fromTools({ llm, contextWindow: keepWithin({ maxTokens: 300, summarize: true }) })
  for (const question of questions) await agent.chat(question)
  return agent.chatHistory.at(-1)?.content
}

export async function withTheAiSdk(model: LanguageModel, questions: readonly string[]) {
  let messages: ModelMessage[] = []
  for (const content of questions) {
    messages.push({ role: 'user', content })
    if (JSON.stringify(messages).length / 4 > 300) {
      const prompt = `Summarize this conversation:\n${JSON.stringify(messages.slice(0, -3))}`
      const { text } = await generateText({ model, prompt })
      messages = [{ role: 'user', content: `Summary: ${text}` }, ...messages.slice(-3)]
    }
    const { responseMessages } = await generateText({ model, messages })
    messages.push(...responseMessages)
  }
  return messages.at(-1)?.content
}
