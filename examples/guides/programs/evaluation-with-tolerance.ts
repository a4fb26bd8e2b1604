import { FunctionCallingAgent } from '@x/agents'
import type { BaseLLM, CallbackManager } from '@x/core-model'
import { evaluateAgent } from '@x/evaluate'
import { generateText, type LanguageModel } from 'ai'

/** Whether an answer is still like a recorded one, in words and tokens: for CI, with a real model. */
export async function evaluationWithTolerance(llm: BaseLLM, question: string) {
  const run = (text: string, callbackManager: CallbackManager) =>
    FunctionCallingAgent.fromTools({ llm, callbackManager }).once(text)
  const { results } = await evaluateAgent({ cases: [{ id: 'a', question }], run })
  const cases = results.map(({ trace }) => ({ id: 'a', question, recorded: trace }))
  return (await evaluateAgent({ cases, run, tolerance: { answer: 0.8, moreTokens: 0.2 } })).outcomes.same === 1
}

export async function withTheAiSdk(model: LanguageModel, prompt: string) {
  const recorded = await generateText({ model, prompt })
  const now = await generateText({ model, prompt })
  const words = (text: string) => new Set(text.split(/\W+/))
  const shared = [...words(now.text)].filter((word) => words(recorded.text).has(word)).length
  const isLike = shared / words(recorded.text).size >= 0.8
  return isLike && (now.totalUsage.totalTokens ?? 0) <= (recorded.totalUsage.totalTokens ?? 0) * 1.2
}
