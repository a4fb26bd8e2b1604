/**
 * @module
 * Asks a model what is worth remembering about a user. Entry `@x/layers/learn`.
 */
import type { Scope } from '@x/agents/loop'
import { checkOption, required } from '@x/core/options'
import { jsonOr } from '@x/core/values'
import { addUsage, type BaseLLM, ChatMessage, messageText, usageOf } from '@x/core-model'

const ASK =
  'Which facts about the user in this conversation are worth remembering: names, preferences, circumstances, decisions? Leave out secrets, what is known already, and what others say. Reply with a JSON array of short sentences, [] if there are none.'

/**
 * Returns a function that asks a model what is worth remembering, for the option `learn` of `longTermMemory`. What it replies with instead
 * of an array of strings is nothing. Its tokens count for the task.
 * @example
 * import { longTermMemory } from '@x/layers'
 * import { learnWith } from '@x/layers/learn'
 * import { ScriptedLLM } from '@x/llm/testing'
 * import { InMemoryKeyValueStore } from '@x/storage'
 * const learn = learnWith(new ScriptedLLM({ answers: ['["Ann drinks tea."]'] }))
 * longTermMemory(new InMemoryKeyValueStore(), { learn }).name // => 'longTermMemory'
 */
export function learnWith(llm: BaseLLM): (scope: Scope, known: readonly string[]) => Promise<string[]> {
  checkOption('learnWith', 'llm', llm, required('a model', 'metadata'))
  return (scope, known) => lessons(llm, scope, known)
}

async function lessons(llm: BaseLLM, { state, signal }: Scope, memories: readonly string[]): Promise<string[]> {
  const said = state.new_memory.getAll().filter(({ role, content }) => /^(?:user|assistant)$/.test(role) && content)
  const talk = said.map((message) => `${message.role}: ${JSON.stringify(messageText(message))}`).join('\n')
  const known = JSON.stringify(memories)
  const content = `${ASK}\n\nKnown already: ${known}\n\nConversation:\n${talk}`
  const response = await llm.chat([new ChatMessage({ role: 'user', content })], { signal })
  const { usage } = state
  const used = usageOf(response)
  if (usage) Object.assign(usage, used && addUsage(usage, used), { modelCalls: usage.modelCalls + 1 })
  const reply = messageText(response.message)
  const found = jsonOr(reply.slice(reply.indexOf('['), reply.lastIndexOf(']') + 1), []) as unknown[]
  return found.filter((one): one is string => typeof one === 'string' && one.trim() !== '').slice(0, 20)
}
