import { FunctionCallingAgent } from '@x/agents'
import type { BaseLLM } from '@x/core-model'
import { longTermMemory } from '@x/layers'
import { InMemoryKeyValueStore } from '@x/storage'
import { generateText, type LanguageModel, stepCountIs, tool } from 'ai'
import { factOfAiSdk } from './shared.ts'

/** What is known about a user, in later conversations. */
export async function memoryAcrossConversations(llm: BaseLLM, user: string, questions: readonly [string, string]) {
  const agent = FunctionCallingAgent.fromTools({ llm, layers: [longTermMemory(new InMemoryKeyValueStore())] })
  await agent.once(questions[0], { context: { user } })
  return (await agent.once(questions[1], { context: { user } })).response
}

export async function withTheAiSdk(model: LanguageModel, user: string, questions: readonly [string, string]) {
  const facts = new Map<string, string[]>()
  const learn = ({ fact }: { fact: string }) => facts.set(user, [...(facts.get(user) ?? []), fact]).size
  const tools = { remember: tool({ inputSchema: factOfAiSdk, execute: learn }) }
  const ask = (prompt: string) =>
    generateText({ model, tools, stopWhen: stepCountIs(5), prompt, system: `Known: ${facts.get(user)?.join() ?? ''}` })
  await ask(questions[0])
  return (await ask(questions[1])).text
}
