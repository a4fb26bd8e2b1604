import { FunctionCallingAgent } from '@x/agents'
import type { BaseLLM } from '@x/core-model'
import { files, StoredFiles, subagents, todo } from '@x/layers'
import { InMemoryKeyValueStore } from '@x/storage'
import { generateText, type LanguageModel, stepCountIs, tool } from 'ai'
import { fileOfAiSdk, questionOfAiSdk, todosOfAiSdk } from './shared.ts'

/** An agent with a plan, whose helper writes files. */
export async function deepAgent(llm: BaseLLM, helper: BaseLLM, question: string) {
  const store = new InMemoryKeyValueStore()
  const research = FunctionCallingAgent.fromTools({ llm: helper, layers: [files(store)] })
  const lead = FunctionCallingAgent.fromTools({ llm, layers: [todo(), subagents({ research })] })
  const { response } = await lead.chat(question)
  return { response, files: (await new StoredFiles(store).list()).map(({ path }) => path) }
}

export async function withTheAiSdk(model: LanguageModel, helper: LanguageModel, question: string) {
  const [plan, written] = [[] as object[], new Map<string, string>()]
  const write_todos = tool({ inputSchema: todosOfAiSdk, execute: ({ todos }) => plan.splice(0, plan.length, ...todos) })
  const write = ({ path, content }: { path: string; content: string }) => written.set(path, content).size
  const tools = { write_file: tool({ inputSchema: fileOfAiSdk, execute: write }) }
  const ask = (prompt: string) => generateText({ model: helper, tools, stopWhen: stepCountIs(5), prompt })
  const research = tool({ inputSchema: questionOfAiSdk, execute: async ({ input }) => (await ask(input)).text })
  const stopWhen = stepCountIs(9)
  const { text } = await generateText({ model, tools: { write_todos, research }, stopWhen, prompt: question })
  return { response: text, files: [...written.keys()] }
}
