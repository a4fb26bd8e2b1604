import { ChatMessage, LLMMetadata } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { functionCallingLlm, toolCall } from '../../test/function-calling-llm.ts'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { journal } from '../journal.ts'
import { MemoryTaskStore } from '../task/memory-task-store.ts'
import { FunctionTool } from '../tool/function-tool.ts'
import { applyToolDecision, readToolDecision, type ToolDecision } from './tool-decision.ts'

const call = (id: string, name: string) => ({ id, name, arguments: '{"to": "Ann"}' })

/** An agent whose model pays twice and asks once, in one turn. */
function waitingAgent(paid: unknown[]) {
  const schema = { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] } as const
  const pay = FunctionTool.fromDefaults({
    name: 'pay',
    schema,
    needsApproval: true,
    fn: ({ to }) => {
      paid.push(to)
      return `paid ${to}`
    },
  })
  const calls = [call('a', 'pay'), call('b', 'pay'), call('c', 'ask')]
  const llm = new ScriptedLLM({
    answers: [new ChatMessage({ role: 'assistant', content: null, additionalKwargs: { tool_calls: calls } }), 'Done.'],
    metadata: new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true }),
  })
  return FunctionCallingAgent.fromTools({ llm, tools: [pay, FunctionTool.external({ name: 'ask', schema })] })
}

describe('applyToolDecision', () => {
  it('approves with other arguments, rejects, and provides results', async () => {
    const paid: unknown[] = []
    const agent = waitingAgent(paid)
    const { taskId } = await agent.createTask('Pay!')
    await expect(agent.runTask(taskId)).rejects.toMatchObject({ code: 'approval_required' })
    const decisions: ToolDecision[] = [
      { callId: 'a', type: 'edit', arguments: { to: 'Bob' }, by: 'me' },
      { callId: 'b', type: 'reject', reason: 'once is enough' },
      { callId: 'c', type: 'result', result: { answer: 42 } },
    ]
    for (const decision of decisions) await applyToolDecision(agent, taskId, decision)
    const { sources } = await agent.runTask(taskId)
    expect(paid).toEqual(['Bob'])
    expect(sources.map(String)).toEqual([
      'paid Bob',
      'Error: the user has rejected this call: once is enough',
      '{"answer":42}',
    ])
  })

  it('approves all calls of a tool, and reports a failure as the result', async () => {
    const paid: unknown[] = []
    const agent = waitingAgent(paid)
    const { taskId } = await agent.createTask('Pay!')
    await expect(agent.runTask(taskId)).rejects.toMatchObject({ code: 'approval_required' })
    await applyToolDecision(agent, taskId, { callId: 'a', type: 'approve', always: true })
    await applyToolDecision(agent, taskId, { callId: 'b', type: 'approve' })
    await applyToolDecision(agent, taskId, { callId: 'c', type: 'result', result: 'nobody there', isError: true })
    const { sources } = await agent.runTask(taskId)
    expect(paid).toEqual(['Ann', 'Ann'])
    expect(sources.at(-1)).toMatchObject({ isError: true, content: 'Error: nobody there' })
    expect(agent.getTask(taskId).extraState['allowed_tools']).toMatchObject([{ name: 'pay' }])
  })

  it('throws the error of the agent', async () => {
    const agent = waitingAgent([])
    const { taskId } = await agent.createTask('Pay!')
    await expect(applyToolDecision(agent, taskId, { callId: 'a', type: 'approve' })).rejects.toMatchObject({
      code: 'approval',
    })
  })
})

describe('readToolDecision', () => {
  it.each([
    [null, 'callId: expected the id of a call, received nothing'],
    [{ callId: 1, type: 'approve' }, 'callId: expected the id of a call, received 1'],
    [{ callId: 'a', type: 'accept' }, 'type: expected one of approve, reject, edit, result, received "accept"'],
    [{ callId: 'a', type: 'approve', always: 'yes' }, 'always: expected a boolean'],
    [{ callId: 'a', type: 'approve', by: 1 }, 'by: expected a string'],
    [{ callId: 'a', type: 'reject', reason: 1 }, 'reason: expected a string'],
    [{ callId: 'a', type: 'edit' }, 'arguments: expected an object, received nothing'],
    [
      { callId: 'a', type: 'approve', arguments: { to: 'Bob' } },
      'arguments: expected the type edit for other arguments',
    ],
    [{ callId: 'a', type: 'edit', arguments: [] }, 'arguments: expected an object, received []'],
    [{ callId: 'a', type: 'result' }, 'result: expected a JSON value'],
    [{ callId: 'a', type: 'result', result: 1, isError: 0 }, 'isError: expected a boolean'],
    [
      { callId: 'a', type: 'approve', aprovalId: 'x' },
      'ToolDecision.aprovalId: unknown option; did you mean approvalId?',
    ],
    [{ callId: 'a', type: 'approve', reason: 'ok' }, 'ToolDecision.reason: unknown option'],
  ])('refuses %j', (data, message) => {
    expect(() => readToolDecision(data)).toThrow(message)
  })
})

const store = new MemoryTaskStore()
it.each<[string, (agent: ReturnType<typeof waitingAgent>) => unknown]>([
  ['approve: expected an object of options', (agent) => agent.approve('t', 'a', null as never)],
  ['approve.alway: unknown option; did you mean always?', (agent) => agent.approve('t', 'a', { alway: true } as never)],
  ['approve.always: expected a boolean', (agent) => agent.approve('t', 'a', { always: 'yes' as never })],
  ['approve.by: expected a string, received 5', (agent) => agent.approve('t', 'a', { by: 5 as never })],
  ['reject.reason: expected a string, received an object', (agent) => agent.reject('t', 'a', { reason: 'x' } as never)],
  ['reject: expected an object of options', (agent) => agent.reject('t', 'a', 'No.', null as never)],
  ['edit: expected an object of options', (agent) => agent.edit('t', 'a', {}, null as never)],
  ['edit.exact: expected a boolean', (agent) => agent.edit('t', 'a', {}, { exact: 1 as never })],
  ['provideResult: expected an object of options', (agent) => agent.provideResult('t', 'c', 'x', null as never)],
  ['provideResult.iserror: unknown option', (agent) => agent.provideResult('t', 'c', 'x', { iserror: true } as never)],
  ['loadTask: expected an object of options', (agent) => agent.loadTask({}, null as never)],
  ['loadTask.taskStore: expected journal(store)', (agent) => agent.loadTask({}, { taskStore: store as never })],
  ['resumeTask.taskStore: expected journal(store)', (agent) => agent.resumeTask('t', { taskStore: store as never })],
  ['query: expected a string or a QueryBundle', (agent) => agent.query(5 as never)],
  ['conversation.memory: expected a memory', (agent) => agent.conversation({ memory: 5 as never })],
  ['journal.store: expected a task store', () => journal('data' as never)],
  [
    'journal.registry: expected a ClassRegistry or an array of classes',
    () => journal(store, { registry: [5 as never] }),
  ],
])('a wrong argument is refused: %s', async (message, call) => {
  const agent = waitingAgent([])
  await agent.createTask('Go!', { taskId: 't' })
  await expect(async () => call(agent)).rejects.toMatchObject({
    code: 'model_validation',
    message: expect.stringContaining(message),
  })
})

const note = FunctionTool.fromDefaults({ name: 'note', schema: {}, fn: () => 'noted' })
const turns = [[toolCall('a', 'note', {})], 'Done.'] as const

function world(defaultToolChoice?: 'required') {
  const llm = functionCallingLlm(turns)
  const store = new MemoryTaskStore()
  const agent = () =>
    FunctionCallingAgent.fromTools({ llm, tools: [note], defaultToolChoice, taskStore: journal(store) })
  return { agent, choices: () => llm.calls.map(({ options }) => options?.['toolChoice']) }
}

it('a task that continues after a restart does not force a tool again', async () => {
  for (const [own, given] of [
    ['required', {}],
    [undefined, { toolChoice: 'required' }],
  ] as const) {
    const { agent, choices } = world(own)
    const first = agent()
    await first.createTask('Go!', { taskId: 't' })
    await first.runStep('t', { toolChoice: 'required' })
    const answer = await agent().chat('Go!', { taskId: 't', ...given })
    expect(answer.response).toBe('Done.')
    expect(choices()).toEqual(['required', 'auto'])
  }
})

it('a task that has not begun has the choice of its message', async () => {
  const { agent, choices } = world()
  const first = agent()
  await first.createTask('Go!', { taskId: 't' })
  await agent().chat('Go!', { taskId: 't', toolChoice: 'required' })
  expect(choices()).toEqual(['required', 'auto'])
})

it('runTask forces the choice of its caller in its first step, whenever that is', async () => {
  const { agent, choices } = world()
  const own = agent()
  await own.createTask('Go!', { taskId: 't' })
  await own.runStep('t')
  await own.runTask('t', { toolChoice: 'none' })
  expect(choices()).toEqual(['auto', 'none'])
})
