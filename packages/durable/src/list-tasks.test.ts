import { FunctionTool, journal, MemoryTaskStore, ReActAgent } from '@x/agents'
import { ToolkitError } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { durableAgent } from './durable-agent.ts'
import type { TaskRun } from './durable-tasks.ts'
import { findTask, listTasks } from './list-tasks.ts'
import { ownedId } from './owned-by.ts'
import { settled } from './settled.ts'
import { StoredTasks } from './stored-tasks.ts'
import { taskTimeline } from './task-timeline.ts'

const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 }

it('lists tasks with their questions, states, turns and origins, whoever runs them', async () => {
  const store = new MemoryTaskStore()
  const pay = FunctionTool.fromDefaults({ name: 'pay', schema: {}, needsApproval: true, fn: () => 'paid' })
  const llm = new ScriptedLLM({ answers: ['Answer: four', 'Thought: pay\nAction: pay\nAction Input: {}'] })
  const agent = ReActAgent.fromTools({ llm, tools: [pay], taskStore: journal(store) })
  const before = Date.now()
  await agent.chat('2 + 2?', { taskId: 'sum' })
  await agent.chat('Pay!', { taskId: 'rent' }).catch(() => {})
  await agent.forkTask('rent', { taskId: 'copy', atStep: 1 })
  await new StoredTasks({ store }).submit([{ type: 'text', text: 'Later.' }], { taskId: 'later' })
  const tasks = await listTasks(store)
  const at = expect.any(Number)
  expect(tasks.toSorted((a, b) => a.taskId.localeCompare(b.taskId))).toEqual([
    { taskId: 'copy', input: 'Pay!', status: 'waiting', turns: 1, usage, forkedFrom: 'rent', isSubmitted: false, at },
    { taskId: 'later', input: 'Later.', status: 'queued', turns: 0, usage, forkedFrom: null, isSubmitted: true, at },
    { taskId: 'rent', input: 'Pay!', status: 'waiting', turns: 1, usage, forkedFrom: null, isSubmitted: false, at },
    { taskId: 'sum', input: '2 + 2?', status: 'finished', turns: 1, usage, forkedFrom: null, isSubmitted: false, at },
  ])
  for (const task of tasks) expect(task.at).toBeGreaterThanOrEqual(before)
  expect(await findTask(store, 'rent')).toMatchObject({
    rows: [{ kind: 'input' }, {}, {}, {}],
    waiting: [{ name: 'pay' }],
  })
  expect(await findTask(store, 'none')).toBe(null)
  await expect(listTasks({} as never)).rejects.toThrow('listTasks.store: expected a task store')
  await agent.approve('rent', (await findTask(store, 'rent'))!.waiting[0]!.id)
  expect((await findTask(store, 'rent'))!.waiting).toEqual([])
})

it('lists submitted tasks that ended before an agent had begun them, with the reason', async () => {
  const store = new MemoryTaskStore()
  const failing = () => Promise.reject(new Error('OPENAI_API_KEY is not set'))
  const tasks = new StoredTasks({ store, agent: failing, maxInterruptions: 0 })
  await tasks.submit('Later.', { taskId: ownedId('ann', 'later') })
  await tasks.cancel(ownedId('ann', 'later'))
  await tasks.start()
  await tasks.submit('Now.', { taskId: ownedId('ann', 'now') })
  await settled(tasks, ownedId('ann', 'now'))
  await tasks.stop()
  const problem = { code: 'agent_setup', causes: 'OPENAI_API_KEY is not set' }
  const listed = [
    { input: 'Later.', status: 'cancelled', isSubmitted: true },
    { input: 'Now.', status: 'failed', isSubmitted: true, problem },
  ]
  expect(await listTasks(store, { user: 'ann' })).toMatchObject(listed)
  expect(await listTasks(store, { user: 'ann', status: 'cancelled' })).toMatchObject([listed[0]])
  expect(await tasks.list({ status: 'failed' })).toMatchObject([{ input: 'Now.', problem }])
  await tasks.retry(ownedId('ann', 'now'))
  expect((await tasks.list({ status: 'queued' }))[0]).not.toHaveProperty('problem')
})

/** A store with damaged journals. */
class DamagedStore extends MemoryTaskStore {
  readonly damaged = new Set<string>()
  override load(taskId: string): readonly unknown[] | null {
    if (!this.damaged.has(taskId)) return super.load(taskId)
    throw Object.assign(new ToolkitError('StoreReadError', 'store_read', `${taskId} is damaged.`), { taskId })
  }
}

describe('a damaged task', () => {
  const waiting = async () => {
    const store = new DamagedStore()
    const pay = FunctionTool.fromDefaults({ name: 'pay', schema: {}, needsApproval: true, fn: () => 'paid' })
    const llm = new ScriptedLLM({ answers: () => 'Thought: pay\nAction: pay\nAction Input: {}' })
    const tasks = new StoredTasks({ store, agent: durableAgent(() => ({ llm, tools: [pay] })), pollingIntervalMs: 20 })
    await tasks.start()
    for (const taskId of ['a', 'b', 'c']) {
      await tasks.submit(`Pay ${taskId}!`, { taskId })
      await settled(tasks, taskId)
    }
    await tasks.stop()
    return { store, tasks }
  }
  const problem = (id: string) => ({ name: 'StoreReadError', code: 'store_read', message: `${id} is damaged.` })

  it('is listed with its error, and deleted, if its record cannot be read', async () => {
    const { store, tasks } = await waiting()
    store.damaged.add('submitted/b')
    const listed = (await tasks.list()).map(({ taskId, status, problem }) => ({ taskId, status, problem }))
    const expected = [
      { taskId: 'a', status: 'waiting', problem: undefined },
      { taskId: 'b', status: 'damaged', problem: problem('submitted/b') },
      { taskId: 'c', status: 'waiting', problem: undefined },
    ]
    expect(listed).toEqual(expected)
    expect(await listTasks(store)).toMatchObject(expected.map(({ problem: _, ...task }) => task))
    expect((await tasks.list({ status: 'waiting' })).map(({ taskId }) => taskId)).toEqual(['a', 'c'])
    expect(await findTask(store, 'b')).toMatchObject({
      ...expected[1],
      isSubmitted: true,
      rows: [{ kind: 'error', code: 'store_read', text: 'submitted/b is damaged.' }],
    })
    for (const operation of ['status', 'answer', 'cancel', 'retry', 'waiting', 'fork'] as const)
      await expect(tasks[operation]('b')).rejects.toMatchObject({ code: 'store_read' })
    store.damaged.add('b')
    await tasks.delete('b')
    expect(store.list().map(({ taskId }) => taskId)).toEqual(['submitted/a', 'a', 'submitted/c', 'c'])
  })

  it('is listed, cancelled and deleted, if its journal cannot be read', async () => {
    const { store, tasks } = await waiting()
    store.damaged.add('b')
    expect(await listTasks(store)).toMatchObject([
      { taskId: 'a', status: 'waiting' },
      { taskId: 'b', status: 'damaged', input: 'Pay b!', problem: problem('b') },
      { taskId: 'c', status: 'waiting' },
    ])
    await tasks.cancel('b')
    await tasks.delete('b')
    expect((await listTasks(store)).length).toBe(2)
  })

  it('hides nothing of its forks', async () => {
    const { store, tasks } = await waiting()
    await tasks.cancel('a')
    const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: [] }), tools: [], taskStore: journal(store) })
    await agent.resumeTask('a')
    await agent.forkTask('a', { taskId: 'copy', atStep: 0 })
    store.damaged.add('a').add('submitted/a')
    expect(await findTask(store, 'copy')).toMatchObject({ status: 'stopped', forkedFrom: 'a' })
  })

  it.each([
    [[]],
    [[{ type: 'task' }]],
    [[{ type: 'submitted', task: { task: { task_id: 'submitted/other' } } }]],
    [[null]],
  ])('is one whose record is %j', async (entries) => {
    const { store, tasks } = await waiting()
    const load = store.load.bind(store)
    store.load = (taskId) => (taskId === 'submitted/b' ? entries : load(taskId))
    const found = (await tasks.list()).find(({ taskId }) => taskId === 'b')
    expect(found).toMatchObject({
      status: 'damaged',
      problem: { code: 'saved_task', message: expect.stringContaining('The record of task "b" cannot be read: ') },
    })
    await tasks.delete('b')
    expect((await tasks.list()).length).toBe(2)
  })
})

it('counts what a call of the model has used that was stopped, also after a restart and with the next attempt', async () => {
  const store = new MemoryTaskStore()
  const answers = [['Answer: It is four', new Promise<string>(() => {})], 'Answer: It is four.']
  const llm = new ScriptedLLM({ answers, usage: true })
  const agent = ({ taskStore }: TaskRun) => ReActAgent.fromTools({ llm, taskStore })
  const tasks = new StoredTasks({ store, agent })
  await tasks.start()
  await tasks.submit('How much is 2 + 2?', { taskId: 'sum' })
  for await (const { events } of tasks.events('sum')) if (events.some(({ type }) => type === 'text_delta')) break
  await tasks.cancel('sum')
  const used = async () => (await listTasks(store))[0]!.usage
  await expect.poll(used).toMatchObject({ inputTokens: expect.any(Number), outputTokens: expect.any(Number) })
  await expect.poll(async () => (await used()).outputTokens).toBeGreaterThan(0)
  const stopped = await used()
  expect(stopped.totalTokens).toBe(stopped.inputTokens + stopped.outputTokens)
  await tasks.stop()
  const next = new StoredTasks({ store, agent })
  await next.start()
  await next.retry('sum')
  const { usage } = await next.answer('sum')
  await next.stop()
  expect(usage).toMatchObject(await used())
  expect(usage!.inputTokens).toBeGreaterThan(1.5 * stopped.inputTokens)
  expect(usage!.modelCalls).toBe(2)
})

it('names the task that each one was forked from, also before it runs', async () => {
  const store = new MemoryTaskStore()
  const llm = new ScriptedLLM({ answers: Array(5).fill('Answer: four') })
  const tasks = new StoredTasks({ store, agent: ({ taskStore }) => ReActAgent.fromTools({ llm, taskStore }) })
  await tasks.start()
  await tasks.submit('2 + 2?', { taskId: 'o' })
  await tasks.answer('o')
  const forks = [
    ['o', 1, 'f'],
    ['f', 1, 'end'],
    ['f', 0, 'begin'],
  ] as const
  for (const [from, atStep, taskId] of forks) await tasks.answer(await tasks.fork(from, { atStep, taskId }))
  await tasks.stop()
  await new StoredTasks({ store }).fork('f', { atStep: 1, taskId: 'later' })
  const found = (await listTasks(store)).map(({ taskId, forkedFrom }) => [taskId, forkedFrom])
  expect(Object.fromEntries(found)).toEqual({ o: null, f: 'o', end: 'f', begin: 'f', later: 'f' })
})

it('names the task that a fork is of which has not started, before and after the fork runs', async () => {
  const store = new MemoryTaskStore()
  const page = new StoredTasks({ store })
  await page.fork(await page.submit('2 + 2?', { taskId: 'o' }), { taskId: 'f' })
  await page.cancel('o')
  expect(await findTask(store, 'f')).toMatchObject({ forkedFrom: 'o', status: 'queued' })
  const llm = new ScriptedLLM({ answers: ['Answer: four'] })
  const tasks = new StoredTasks({ store, agent: ({ taskStore }) => ReActAgent.fromTools({ llm, taskStore }) })
  await tasks.start()
  await tasks.answer('f')
  await tasks.stop()
  expect(await findTask(store, 'f')).toMatchObject({ forkedFrom: 'o', status: 'finished' })
})

describe('a list of tasks', () => {
  const submitted = async () => {
    const store = new MemoryTaskStore()
    const read: string[] = []
    const load = store.load.bind(store)
    store.load = (id) => {
      read.push(id)
      return load(id)
    }
    const tasks = new StoredTasks({ store })
    for (const user of ['ann', 'ann-2']) {
      for (const name of ['a', 'b']) await tasks.submit(name, { taskId: ownedId(user, name) })
      await tasks.cancel(ownedId(user, 'b'))
    }
    await tasks.submit('c', { taskId: 'ann' })
    read.length = 0
    return { store, tasks, read }
  }
  const ids = (found: readonly { taskId: string }[]) => found.map(({ taskId }) => taskId)

  it('has those of one user and of one state, and reads no others', async () => {
    const { store, tasks, read } = await submitted()
    const [a, b] = [ownedId('ann', 'a'), ownedId('ann', 'b')]
    expect(ids(await tasks.list({ user: 'ann' }))).toEqual([a])
    expect(ids(await tasks.list({ user: 'ann', status: 'cancelled' }))).toEqual([b])
    expect(await tasks.list({ user: 'an' })).toEqual([])
    expect(read.filter((id) => id !== `submitted/${a}` && id !== `submitted/${b}`)).toEqual([])
    expect(ids(await listTasks(store, { user: 'ann', status: 'queued' }))).toEqual([a])
    expect(await listTasks(store, { user: 'ann', status: 'waiting' })).toEqual([])
    expect(read.filter((id) => !id.endsWith(a) && id !== `submitted/${b}`)).toEqual([])
    expect(await tasks.list()).toHaveLength(3)
    expect(await listTasks(store, { status: 'queued' })).toHaveLength(3)
  })

  it.each([undefined, null, '', ' ', 'undefined', 5])('of the user %j is refused', async (user) => {
    const { store, tasks } = await submitted()
    const refusal = { code: 'model_validation', message: expect.stringContaining('the id of a user, not blank') }
    await expect(tasks.list({ user: user as string })).rejects.toMatchObject(refusal)
    await expect(listTasks(store, { user: user as string })).rejects.toMatchObject(refusal)
    await expect(tasks.list({ status: 'open' as never })).rejects.toMatchObject({ code: 'model_validation' })
  })

  it('leaves out a task that is deleted meanwhile', async () => {
    const { store, tasks } = await submitted()
    const list = store.list.bind(store)
    store.list = (filter) => {
      const found = list(filter)
      store.delete('submitted/ann')
      return found
    }
    expect(ids(await tasks.list())).toEqual([ownedId('ann', 'a'), ownedId('ann-2', 'a')])
  })
})

it('every entry of the record of a submitted task has its time', async () => {
  const store = new MemoryTaskStore()
  const llm = new ScriptedLLM({ answers: ['Answer: four'] })
  const agent = ({ taskStore }: TaskRun) => ReActAgent.fromTools({ llm, taskStore })
  const tasks = new StoredTasks({ store, agent })
  await tasks.start()
  await tasks.submit('2 + 2?', { taskId: 'sum' })
  await tasks.answer('sum')
  await tasks.stop()
  const entries = (await store.load('submitted/sum')) as { type: string; at: number }[]
  expect(entries.map(({ type }) => type)).toEqual(['submitted', 'started', 'answered', 'finalized'])
  const times = entries.map(({ at }) => at)
  expect(times).toEqual(times.map(() => expect.any(Number)))
})

describe('the rows of a submitted task', () => {
  /** Rows without times. */
  async function rowsOf(store: MemoryTaskStore, taskId: string) {
    const { rows = [], turns, status } = (await findTask(store, taskId)) ?? {}
    const shown = rows.map(({ turn, kind, toolName, text, code }) =>
      [turn, kind, toolName, text, code].filter((part) => part !== undefined),
    )
    expect(rows.every(({ at }) => typeof at === 'number')).toBe(true)
    return { turns, status, rows: shown }
  }
  const call = 'Thought: pay\nAction: pay\nAction Input: {}'

  it('have its failures with their reasons, where they happened, and its continuations', async () => {
    const store = new MemoryTaskStore()
    let times = 0
    const fails = FunctionTool.fromDefaults({
      name: 'pay',
      schema: {},
      fn: () => {
        if (++times < 3) throw new Error(`503, ${times}`)
        return 'paid'
      },
    })
    const llm = new ScriptedLLM({ answers: [call, 'Thought: ok\nAnswer: Done.'] })
    const agent = durableAgent(() => ({ llm, tools: [fails], onToolError: 'raise' as const }))
    const tasks = new StoredTasks({ store, agent, pollingIntervalMs: 10 })
    await tasks.start()
    await tasks.submit('Pay!', { taskId: 't' })
    const begin = [
      [0, 'input', 'Pay!'],
      [1, 'thought', 'pay'],
      [1, 'call', 'pay'],
    ]
    const failed = (n: number) => [1, 'error', `Tool "pay" failed: 503, ${n}`, 'tool_execution']
    await expect(tasks.answer('t')).rejects.toMatchObject({ code: 'tool_execution' })
    expect(await rowsOf(store, 't')).toEqual({ turns: 0, status: 'failed', rows: [...begin, failed(1)] })
    await tasks.retry('t')
    await expect(tasks.answer('t')).rejects.toMatchObject({ code: 'tool_execution' })
    await tasks.retry('t')
    await tasks.answer('t')
    const whole = [
      ...begin,
      failed(1),
      [1, 'retry'],
      failed(2),
      [1, 'retry'],
      [1, 'result', 'pay', 'paid'],
      [2, 'answer', 'Done.'],
    ]
    expect(await rowsOf(store, 't')).toEqual({ turns: 2, status: 'finished', rows: whole })
    expect((await taskTimeline(store, 't'))?.length).toBe(whole.length)
    await tasks.stop()
  })

  it('have the failure of a task that could not begin, and of a cancelled one its end', async () => {
    const store = new MemoryTaskStore()
    const agent = () => {
      throw new Error('no key')
    }
    const tasks = new StoredTasks({ store, agent, maxInterruptions: 0, pollingIntervalMs: 10 })
    await tasks.start()
    await tasks.submit('Pay!', { taskId: 't' })
    await settled(tasks, 't')
    const reason = 'The agent cannot be created: no key'
    expect((await rowsOf(store, 't')).rows).toEqual([[1, 'error', reason, 'agent_setup']])
    await tasks.stop()
    const page = new StoredTasks({ store })
    await page.submit('Pay!', { taskId: 'c' })
    expect((await findTask(store, 'c'))?.rows).toEqual([])
    await page.cancel('c')
    await page.retry('c')
    expect(await rowsOf(store, 'c')).toEqual({
      turns: 0,
      status: 'queued',
      rows: [
        [1, 'cancel'],
        [1, 'retry'],
      ],
    })
  })
})
