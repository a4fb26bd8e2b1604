import { rateLimit, retries, toolLoop } from '@x/agents/loop'
import type { BaseLLM } from '@x/core-model'
import { generateText, type LanguageModel } from 'ai'

/** At most 10 requests at the same time, and 60,000 per minute. */
export async function batch(llm: BaseLLM, questions: readonly string[]) {
  const limit = rateLimit({ concurrentRequests: 10, requestsPerMinute: 60_000 })
  const loop = toolLoop({ llm, layers: [limit, retries()] })
  return Promise.all(questions.map(async (question) => (await loop.run(question)).text))
}

/** At most 10 requests at the same time. */
export async function withTheAiSdk(model: LanguageModel, questions: readonly string[]) {
  const left = questions.entries()
  const answers: string[] = []
  const work = async () => {
    for (const [i, prompt] of left) answers[i] = (await generateText({ model, prompt })).text
  }
  await Promise.all(Array.from({ length: 10 }, work))
  return answers
}
