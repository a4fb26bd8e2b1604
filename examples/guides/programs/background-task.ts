import { FunctionCallingAgent, MemoryTaskStore } from '@x/agents'
import type { BaseLLM } from '@x/core-model'
import { StoredTasks, type TaskRun } from '@x/durable'
import { background } from '@x/layers'
import { generateText, type LanguageModel, stepCountIs, tool } from 'ai'
import { questionOfAiSdk, weather, weatherOfAiSdk } from './shared.ts'

/** A tool returns at once; the end of its work joins the conversation. With a store in a database, also after a restart. */
export async function backgroundTask(llm: BaseLLM, helper: BaseLLM, question: string) {
  const agent = ({ taskStore }: TaskRun) => FunctionCallingAgent.fromTools({ llm: helper, tools: [weather], taskStore })
  const tasks = new StoredTasks({ store: new MemoryTaskStore(), agent })
  await tasks.start()
  const lead = FunctionCallingAgent.fromTools({ llm, layers: [background(tasks, { wait: true })] })
  const { response } = await lead.chat(question)
  await tasks.stop()
  return response
}

export async function withTheAiSdk(model: LanguageModel, helper: LanguageModel, prompt: string) {
  const jobs: Promise<string>[] = []
  const tools = { weather: weatherOfAiSdk }
  const work = async (task: string) =>
    (await generateText({ model: helper, tools, stopWhen: stepCountIs(5), prompt: task })).text
  const start_background_task = tool({
    inputSchema: questionOfAiSdk,
    execute: ({ input }) => `Started: ${jobs.push(work(input))}.`,
  })
  const first = await generateText({ model, tools: { start_background_task }, stopWhen: stepCountIs(5), prompt })
  const ends = (await Promise.all(jobs)).map((text) => ({ role: 'user' as const, content: `It has ended: ${text}` }))
  const messages = [{ role: 'user' as const, content: prompt }, ...first.response.messages, ...ends]
  return (await generateText({ model, messages })).text
}
