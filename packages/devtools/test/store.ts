/** A store with tasks of an agent that pays. */
import { FunctionCallingAgent, FunctionTool, journal, MemoryTaskStore } from '@x/agents'
import { ChatMessage, LLMMetadata, messageText } from '@x/core-model'
import { durableAgent, StoredTasks, type TaskRun } from '@x/durable'
import { ScriptedLLM } from '@x/llm/testing'

export const paid: number[] = []
const euros = {
  type: 'object',
  properties: { person: { type: 'string' }, euros: { type: 'number' } },
  required: ['euros'],
} as const
const pay = FunctionTool.fromDefaults({
  name: 'pay_person',
  schema: euros,
  needsApproval: true,
  fn: (args) => {
    paid.push(args.euros)
    return { paid: args.euros }
  },
})

const metadata = new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true })

/** Asks to pay 12, then says what was paid. Fails if the question says so. */
function answerTo(messages: readonly ChatMessage[]): ChatMessage | string | Error {
  const last = messages.at(-1)!
  if (messageText(last).includes('fail')) return new Error('The model is down.')
  if (last.role === 'tool') return `It is **done**: ${messageText(last)}`
  const args = JSON.stringify({ person: '<img src=x onerror=alert(1)>', euros: 12 })
  const tool_calls = [{ id: `call-${messages.length}`, name: 'pay_person', arguments: args }]
  return new ChatMessage({ role: 'assistant', content: 'Please check it.', additionalKwargs: { tool_calls } })
}

export const agentOf = durableAgent(
  (_: Partial<TaskRun>) => ({ llm: new ScriptedLLM({ answers: answerTo, metadata, usage: true }), tools: [pay] }),
  FunctionCallingAgent,
)

/** A store with a task that waits, which no engine knows. */
export async function storeWithTask(taskId = 'rent'): Promise<MemoryTaskStore> {
  const store = new MemoryTaskStore()
  await agentOf({ taskStore: journal(store) })
    .chat('Pay Ann 12 euros.', { taskId, chatHistory: [] })
    .catch(({ code }) => code)
  return store
}

/** Submits a task to a worker, and waits until it waits. */
export async function submitted(store: MemoryTaskStore, question: string, taskId: string): Promise<StoredTasks> {
  const tasks = new StoredTasks({ store, agent: agentOf, pollingIntervalMs: 20, onError: () => {} })
  await tasks.start()
  await tasks.submit(question, { taskId })
  while (['queued', 'running'].includes(await tasks.status(taskId))) await tasks.changed()
  return tasks
}
