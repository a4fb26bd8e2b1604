import { ChatMessage, LLMMetadata } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { journal } from '../journal.ts'
import { MemoryTaskStore } from '../task/memory-task-store.ts'
import { FunctionTool } from '../tool/function-tool.ts'

const metadata = new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true })
const message = (content: string) => new ChatMessage({ role: 'assistant', content })
const paying = new ChatMessage({
  role: 'assistant',
  content: null,
  additionalKwargs: { tool_calls: [{ id: '1', type: 'function', function: { name: 'pay', arguments: '{}' } }] },
})

function setup(answer: () => ChatMessage, options: object = {}) {
  const pay = FunctionTool.fromDefaults({ name: 'pay', schema: {}, needsApproval: true, fn: () => 'paid' })
  const llm = new ScriptedLLM({ metadata, answers: answer })
  return FunctionCallingAgent.fromTools({ llm, tools: [pay], maxFinishedTasks: 3, retries: false, ...options })
}

const down = (): never => {
  throw new Error('down')
}
type Agent = ReturnType<typeof setup>
const chat = async (agent: Agent) => agent.chat('Hi.', { chatHistory: [] })
const stream = async (agent: Agent) => {
  for await (const _ of await agent.streamChat('Hi.', { chatHistory: [] }));
}
const leave = async (agent: Agent) => {
  for await (const { type } of agent.runEvents('Hi.', { chatHistory: [] })) if (type === 'step_start') break
}
const abort = async (agent: Agent) => {
  const controller = new AbortController()
  const run = agent.chat('Hi.', { chatHistory: [], signal: controller.signal })
  controller.abort()
  await run
}

describe.each([
  ['in memory', () => ({})],
  ['in a task store', () => ({ taskStore: journal(new MemoryTaskStore()) })],
])('tasks %s', (_, saving) => {
  it.each([
    ['failed', setup(down, saving()), chat],
    ['failed while they streamed', setup(down, saving()), stream],
    ['were blocked', setup(() => message('Hi.'), { ...saving(), guards: { input: () => ({ block: 'no' }) } }), chat],
    ['were stopped', setup(() => message('Hi.'), saving()), abort],
    ['were left by their reader', setup(() => message('Hi.'), saving()), leave],
  ])('that %s are kept up to maxFinishedTasks', async (_name, agent, run) => {
    for (let i = 0; i < 10; i++) await run(agent).catch(() => {})
    expect(agent.listTasks().length).toBeLessThanOrEqual(4)
  })

  it('that wait for an approval are all kept', async () => {
    const agent = setup(() => paying, saving())
    for (let i = 0; i < 10; i++) await chat(agent).catch(() => {})
    expect(agent.listTasks().length).toBe(10)
  })

  it('that failed continue, and count as answered then', async () => {
    let isDown = true
    const agent = setup(() => (isDown ? down() : message('Hello.')), saving())
    for (let i = 0; i < 3; i++) await chat(agent).catch(() => {})
    isDown = false
    const [first] = agent.listTasks()
    expect(String(await agent.runTask(first!.taskId))).toBe('Hello.')
    isDown = true
    for (let i = 0; i < 3; i++) await chat(agent).catch(() => {})
    expect(agent.listTasks().map(({ taskId }) => taskId)).toContain(first!.taskId)
    expect(agent.listTasks().length).toBe(4)
  })
})

it('a task that failed and is not kept continues from its store', async () => {
  let isDown = true
  const agent = setup(() => (isDown ? down() : message('Hello.')), { taskStore: journal(new MemoryTaskStore()) })
  for (const taskId of ['a', 'b', 'c', 'd']) await agent.chat('Hi.', { chatHistory: [], taskId }).catch(() => {})
  expect(agent.listTasks().map(({ taskId }) => taskId)).toEqual(['b', 'c', 'd'])
  isDown = false
  await agent.resumeTask('a')
  expect(String(await agent.runTask('a'))).toBe('Hello.')
})
