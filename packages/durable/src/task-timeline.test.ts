import { AgentTool, FunctionCallingAgent, FunctionTool, journal, MemoryTaskStore, ReActAgent } from '@x/agents'
import { ChatMessage, LLMMetadata } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import type { TaskRun } from './durable-tasks.ts'
import { settled } from './settled.ts'
import { StoredTasks } from './stored-tasks.ts'
import { taskTimeline } from './task-timeline.ts'

const euros = { type: 'object', properties: { euros: { type: 'number' } }, required: ['euros'] } as const
const pay = FunctionTool.fromDefaults({
  name: 'pay',
  schema: euros,
  needsApproval: true,
  fn: (args) => ({ paid: args.euros }),
})
const look = FunctionTool.fromDefaults({
  name: 'look',
  schema: {},
  fn: () => {
    throw new Error('broken')
  },
})
const say = (content: string, ...calls: [id: string, name: string, args: string][]) => {
  const tool_calls = calls.map(([id, name, args]) => ({ id, name, arguments: args }))
  return new ChatMessage({ role: 'assistant', content, additionalKwargs: calls.length > 0 ? { tool_calls } : {} })
}
const metadata = new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true })

function payments(store: MemoryTaskStore) {
  const answers = [say('I look.', ['a', 'look', '{}']), say('', ['b', 'pay', '{"euros":50}']), 'Done.', 'Again.']
  const llm = new ScriptedLLM({ answers, metadata, usage: true })
  return FunctionCallingAgent.fromTools({ llm, tools: [pay, look], taskStore: journal(store) })
}

async function waitingPayment() {
  const store = new MemoryTaskStore()
  const agent = payments(store)
  await agent.chat('Pay Ann.', { taskId: 't', chatHistory: [] }).catch(({ code }) => code)
  const rows = async (id = 't') => (await taskTimeline(store, id)) ?? []
  return { agent, store, rows }
}

describe('taskTimeline', () => {
  it('is null without a journal', async () => {
    const store = new MemoryTaskStore()
    expect(await taskTimeline(store, 'none')).toBe(null)
    await store.append('record', [{ type: 'submitted' }], 0)
    expect(await taskTimeline(store, 'record')).toBe(null)
  })

  it('has the question, texts, calls with arguments, failures, what waits, what was decided, results, and the answer', async () => {
    const { agent, rows } = await waitingPayment()
    expect((await rows()).at(-1)).toEqual({
      turn: 2,
      kind: 'waiting',
      toolName: 'pay',
      callId: 'b',
      data: { euros: 50 },
      at: expect.any(Number),
    })
    await agent.edit('t', 'b', { euros: 5 }, { by: 'ann' })
    await agent.runTask('t')
    expect((await rows()).map(({ usage: _, at: _at, ...row }) => row)).toEqual([
      { turn: 0, kind: 'input', text: 'Pay Ann.' },
      { turn: 1, kind: 'thought', text: 'I look.' },
      { turn: 1, kind: 'call', toolName: 'look', callId: 'a', data: {} },
      { turn: 1, kind: 'error', toolName: 'look', callId: 'a', text: 'Error: broken' },
      { turn: 2, kind: 'call', toolName: 'pay', callId: 'b', data: { euros: 50 } },
      { turn: 2, kind: 'waiting', toolName: 'pay', callId: 'b', data: { euros: 50 } },
      { turn: 2, kind: 'decision', toolName: 'pay', callId: 'b', text: 'approve', data: { euros: 5 }, by: 'ann' },
      { turn: 3, kind: 'result', toolName: 'pay', callId: 'b', text: '{"paid":5}', data: { paid: 5 } },
      { turn: 4, kind: 'answer', text: 'Done.' },
    ])
    const tokens = (await rows()).flatMap(({ turn, usage }) => (usage ? [[turn, usage.totalTokens]] : []))
    expect(tokens).toEqual([
      [1, expect.any(Number)],
      [2, expect.any(Number)],
      [4, expect.any(Number)],
    ])
  })

  it('begins a fork with the steps of its origin, and marks steps that were undone', async () => {
    const { agent, rows } = await waitingPayment()
    const { taskId } = await agent.forkTask('t', { atStep: 1 })
    expect((await rows(taskId)).map(({ turn, kind, forkedFrom }) => [turn, kind, forkedFrom])).toEqual([
      [0, 'input', 't'],
      [1, 'thought', 't'],
      [1, 'call', 't'],
      [1, 'error', 't'],
    ])
    await agent.undoStep(taskId)
    expect((await rows(taskId)).filter(({ isUndone }) => isUndone).map(({ turn }) => turn)).toEqual([1, 1, 1])
    await agent.undoStep('t')
    expect((await rows()).filter(({ isUndone }) => isUndone).map(({ turn, kind }) => [turn, kind])).toEqual([
      [2, 'call'],
      [2, 'waiting'],
    ])
    await agent.runTask('t')
    expect((await rows()).at(-1)).toMatchObject({ turn: 2, kind: 'answer', text: 'Done.' })
  })

  it('has of the steps of a deleted origin the answer', async () => {
    const store = new MemoryTaskStore()
    const llm = new ScriptedLLM({ answers: ['Answer: Four.'] })
    const agent = ReActAgent.fromTools({ llm, taskStore: journal(store) })
    await agent.chat('2 + 2?', { taskId: 't' })
    await agent.forkTask('t', { taskId: 'fork' })
    const answers = async () =>
      ((await taskTimeline(store, 'fork')) ?? []).map(({ turn, kind, text }) => [turn, kind, text])
    const expected = [
      [0, 'input', '2 + 2?'],
      [1, 'answer', 'Four.'],
    ]
    expect(await answers()).toEqual(expected)
    await store.delete('t')
    expect(await answers()).toEqual(expected)
  })

  it('has each decision that was refused, with what was decided and why, also in another run', async () => {
    const store = new MemoryTaskStore()
    const answers = [say('', ['b', 'pay', '{"euros":50}']), 'Done.']
    const llm = new ScriptedLLM({ answers, metadata })
    const agent = ({ taskStore }: TaskRun) => FunctionCallingAgent.fromTools({ llm, tools: [pay], taskStore })
    const tasks = new StoredTasks({ store, agent })
    await tasks.start()
    await tasks.submit('Pay Ann.', { taskId: 's' })
    await settled(tasks, 's')
    for (const [count, wrong] of [{ euros: 'all' }, { pounds: 5 }].entries()) {
      await tasks.decide('s', { callId: 'b', type: 'edit', arguments: wrong, by: 'ann' })
      await expect.poll(async () => (await tasks.waiting('s'))[0]?.refused?.count).toBe(count + 1)
    }
    const rows = async (id: string) => {
      const found = (await taskTimeline(store, id)) ?? []
      return found.map(({ at: _, usage: _u, ...row }) => row).filter(({ kind }) => !['input', 'call'].includes(kind))
    }
    const one = { turn: 1, toolName: 'pay', callId: 'b' }
    const refused = { ...one, kind: 'refused', by: 'ann', code: 'tool_input', text: expect.stringContaining('euros') }
    const waiting = { ...one, kind: 'waiting', data: { euros: 50 } }
    expect(await rows('s')).toEqual([
      waiting,
      { ...refused, data: { euros: 'all' } },
      { ...refused, data: { pounds: 5 } },
    ])
    await tasks.fork('s', { taskId: 'fork' })
    await settled(tasks, 'fork')
    expect(await rows('fork')).toEqual([{ ...waiting, forkedFrom: 's' }])
    await tasks.decide('s', { callId: 'b', type: 'edit', arguments: { euros: 5 } })
    await tasks.answer('s')
    await tasks.stop()
    expect((await rows('s')).map(({ kind }) => kind)).toEqual([
      'waiting',
      'refused',
      'refused',
      'decision',
      'result',
      'answer',
    ])
  })

  it('reads the thoughts, actions and rejections of a ReAct agent', async () => {
    const store = new MemoryTaskStore()
    const answers = ['Thought: it is due\nAction: pay\nAction Input: {"euros": 3}', 'Thought: done\nAnswer: Not paid.']
    const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers }), tools: [pay], taskStore: journal(store) })
    await agent.chat('Pay.', { taskId: 'r', chatHistory: [] }).catch(({ code }) => code)
    const [call] = agent.getPendingApprovals('r')
    await agent.reject('r', call!.id, 'too dear')
    await agent.runTask('r')
    const rows = (await taskTimeline(store, 'r')) ?? []
    expect(rows.map(({ kind, text, data, reason }) => [kind, text, data, reason])).toEqual([
      ['input', 'Pay.', undefined, undefined],
      ['thought', 'it is due', undefined, undefined],
      ['call', undefined, { euros: 3 }, undefined],
      ['waiting', undefined, { euros: 3 }, undefined],
      ['decision', 'reject', { euros: 3 }, 'too dear'],
      ['answer', 'Not paid.', undefined, undefined],
    ])
  })

  it('has one id of each call in all of its rows, also if the model repeats ids', async () => {
    const store = new MemoryTaskStore()
    const dear = FunctionTool.fromDefaults({
      name: 'pay',
      schema: euros,
      needsApproval: (args) => args.euros > 10,
      fn: () => 'paid',
    })
    const turn = (first: number) =>
      say('', ['same', 'pay', `{"euros":${first}}`], ['same', 'pay', 'oops'], ['same', 'pay', '{"euros":2}'])
    const llm = new ScriptedLLM({ answers: [turn(1), turn(50), 'Done.'], metadata })
    const agent = FunctionCallingAgent.fromTools({
      llm,
      tools: [dear],
      taskStore: journal(store),
      repairToolCall: ({ call }) => ({ ...call, arguments: { euros: 3 } }),
    })
    await agent.chat('Pay.', { taskId: 't', chatHistory: [] }).catch(({ code }) => code)
    await agent.approve('t', 'call_2_0')
    await agent.runTask('t')
    const rows = (await taskTimeline(store, 't')) ?? []
    const of = (id: string) => rows.flatMap(({ callId, turn: at, kind }) => (callId === id ? [[at, kind]] : []))
    const free = (at: number) => [
      [at, 'call'],
      [at, 'result'],
    ]
    for (const id of ['same', 'call_1_1', 'call_1_2']) expect([id, of(id)]).toEqual([id, free(1)])
    for (const id of ['call_2_1', 'call_2_2']) expect([id, of(id)]).toEqual([id, free(2)])
    expect(of('call_2_0')).toEqual([
      [2, 'call'],
      [2, 'waiting'],
      [2, 'decision'],
      [3, 'result'],
    ])
  })

  it('has the rows of an agent behind a tool', async () => {
    const store = new MemoryTaskStore()
    const helper = ReActAgent.fromTools({
      llm: new ScriptedLLM({ answers: ['Thought: easy\nAnswer: Four.'] }),
      tools: [],
    })
    const tool = new AgentTool({ name: 'helper', description: 'Helps.', agent: helper })
    const llm = new ScriptedLLM({ answers: [say('', ['a', 'helper', '{"input":"2 + 2?"}']), 'It is four.'], metadata })
    const agent = FunctionCallingAgent.fromTools({ llm, tools: [tool], taskStore: journal(store) })
    await agent.chat('Ask.', { taskId: 'n', chatHistory: [] })
    const rows = ((await taskTimeline(store, 'n')) ?? []).filter(({ inner }) => inner !== undefined)
    expect(rows.map(({ turn, kind, text, inner }) => [turn, kind, text, inner])).toEqual([
      [1, 'input', '2 + 2?', '1/0'],
      [1, 'answer', 'Four.', '1/0'],
    ])
  })

  it('has an approval behind a tool once', async () => {
    const store = new MemoryTaskStore()
    const llm = (...answers: (string | ChatMessage)[]) => new ScriptedLLM({ answers, metadata })
    const paying = llm(say('', ['b', 'pay', '{"euros":50}']), 'Paid.')
    const helper = FunctionCallingAgent.fromTools({ llm: paying, tools: [pay] })
    const tool = new AgentTool({ name: 'helper', description: 'Helps.', agent: helper })
    const lead = llm(say('', ['a', 'helper', '{"input":"Pay."}']), 'Done.')
    const agent = FunctionCallingAgent.fromTools({ llm: lead, tools: [tool], taskStore: journal(store) })
    await agent.chat('Go.', { taskId: 'n', chatHistory: [] }).catch(({ code }) => code)
    const rows = async () => {
      const found = (await taskTimeline(store, 'n')) ?? []
      return found.map(({ turn, kind, toolName, callId, inner }) => [turn, kind, toolName, callId, inner])
    }
    const [call] = agent.getPendingApprovals('n')
    const before = [
      [0, 'input', undefined, undefined, undefined],
      [1, 'call', 'helper', 'a', undefined],
      [1, 'input', undefined, undefined, '1/0'],
      [1, 'call', 'pay', 'b', '1/0'],
      [1, 'waiting', 'pay', 'a/b', undefined],
    ]
    expect(await rows()).toEqual(before)
    await agent.approve('n', call!.id, { by: 'ann' })
    await agent.runTask('n')
    expect(await rows()).toEqual([
      ...before,
      [1, 'decision', 'pay', 'a/b', undefined],
      [2, 'result', 'pay', 'b', '1/0'],
      [2, 'answer', undefined, undefined, '1/0'],
      [2, 'result', 'helper', 'a', undefined],
      [3, 'answer', undefined, undefined, undefined],
    ])
  })
})
