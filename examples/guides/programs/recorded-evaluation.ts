import { FunctionCallingAgent } from '@x/agents'
import type { BaseLLM } from '@x/core-model'
import { Recording, Replay } from '@x/testing/replay'
import { generateText, type LanguageModelMiddleware, stepCountIs, wrapLanguageModel } from 'ai'
import { weather, weatherOfAiSdk } from './shared.ts'

export async function recordedEvaluation(llm: BaseLLM, question: string) {
  const recording = new Recording()
  await FunctionCallingAgent.fromTools({ llm: recording.llm(llm), tools: recording.tools([weather]) }).chat(question)
  const replay = new Replay(JSON.parse(JSON.stringify(recording)))
  const agent = FunctionCallingAgent.fromTools({ llm: replay.llm(), tools: replay.tools() })
  const { response } = await agent.chat(question)
  replay.assertDone()
  return response
}

type Wrap = NonNullable<LanguageModelMiddleware['wrapGenerate']>

/** Records the answers of the model. The tools run again. */
export async function withTheAiSdk(model: Parameters<typeof wrapLanguageModel>[0]['model'], prompt: string) {
  const tools = { weather: weatherOfAiSdk }
  const recorded: Awaited<ReturnType<Wrap>>[] = []
  const wrapped = (wrapGenerate: Wrap) => wrapLanguageModel({ model, middleware: { wrapGenerate } })
  const record = wrapped(async ({ doGenerate }) => recorded[recorded.push(await doGenerate()) - 1]!)
  await generateText({ model: record, tools, stopWhen: stepCountIs(5), prompt })
  const replay = wrapped(async () => recorded.shift()!)
  return (await generateText({ model: replay, tools, stopWhen: stepCountIs(5), prompt })).text
}
