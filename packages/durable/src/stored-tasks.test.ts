import { FunctionCallingAgent, FunctionTool, MemoryTaskStore, ReActAgent, type ToolCallContext } from '@x/agents'
import {
  type BaseLLM,
  ChatMessage,
  ConfigurationError,
  LLMMetadata,
  SerializationError,
  SimpleChatStore,
  type TaskStore,
  ToolkitError,
} from '@x/core-model'
import { pause } from '@x/core-model/async'
import { ScriptedLLM } from '@x/llm/testing'
import { afterEach, expect, it } from 'vitest'
import type { TaskRun, TaskStatus } from './durable-tasks.ts'
import { findTask } from './list-tasks.ts'
import { settled } from './settled.ts'
import { StoredTasks } from './stored-tasks.ts'
import type { StoredTasksOptions } from './stored-tasks-options.ts'
import { MemoryEventLog, type TaskEventLog, type TaskEvents, validEvents } from './task-events.ts'
import { submittedTask } from './task-submission.ts'

const pay = FunctionTool.fromDefaults({ name: 'pay', schema: {}, needsApproval: true, fn: () => 'paid' })
const paying = ['Thought: pay\nAction: pay\nAction Input: {}', 'Thought: ok\nAnswer: Paid.']
const agentOf =
  (llm: BaseLLM) =>
  ({ taskStore }: TaskRun) =>
    ReActAgent.fromTools({ llm, tools: [pay], taskStore })
const started: StoredTasks[] = []
async function start(options: StoredTasksOptions): Promise<StoredTasks> {
  const tasks = new StoredTasks({ pollingIntervalMs: 10, ...options })
  started.push(tasks)
  await tasks.start()
  return tasks
}
const reaches = (tasks: StoredTasks, taskId: string, status: TaskStatus) =>
  expect.poll(() => tasks.status(taskId), { interval: 10 }).toBe(status)
afterEach(async () => {
  for (const tasks of started.splice(0)) await tasks.stop()
})

it('are submitted and decided by a process that does not run them', async () => {
  const store = new MemoryTaskStore()
  const events = new MemoryEventLog()
  const page = new StoredTasks({ store, events, pollingIntervalMs: 10 })
  await page.submit('Pay!', { taskId: 'rent' })
  expect(await page.status('rent')).toBe('queued')
  await start({ store, events, agent: agentOf(new ScriptedLLM({ answers: paying })) })
  const records = (async () => {
    const read: TaskEvents[] = []
    for await (const record of page.events('rent')) read.push(record)
    return read
  })()
  await reaches(page, 'rent', 'waiting')
  const rent = { taskId: 'rent', status: 'waiting', input: 'Pay!', at: expect.any(Number) }
  expect(await page.list({ status: 'waiting' })).toEqual([{ ...rent, calls: await page.waiting('rent') }])
  const [call] = await page.waiting('rent')
  await page.decide('rent', { callId: call!.id, type: 'approve' })
  expect((await page.answer('rent')).response).toBe('Paid.')
  expect(await page.list()).toEqual([])
  expect(validEvents(await records).at(-1)?.type).toBe('task_end')
  await expect(page.start()).rejects.toMatchObject({ code: 'configuration' })
})

it('are cancelled by a process that does not run them', async () => {
  const store = new MemoryTaskStore()
  const llm = new ScriptedLLM({ answers: [new Promise<never>(() => {}), 'Answer: Done.'] })
  await start({ store, agent: agentOf(llm) })
  const page = new StoredTasks({ store, pollingIntervalMs: 10 })
  const taskId = await page.submit('Go!')
  await expect.poll(() => llm.calls.length).toBe(1)
  await page.cancel(taskId)
  expect(await page.status(taskId)).toBe('cancelled')
  await page.retry(taskId)
  expect((await page.answer(taskId)).response).toBe('Done.')
})

it('begin no further call after another process has cancelled them', async () => {
  const store = new MemoryTaskStore()
  const page = new StoredTasks({ store })
  let calls = 0
  const fn = async () => {
    calls++
    await pause(120)
    await page.cancel('go')
  }
  const tools = [FunctionTool.fromDefaults({ name: 'pay', schema: {}, fn })]
  const llm = new ScriptedLLM({ answers: () => paying[0]! })
  const agent = ({ taskStore }: TaskRun) => ReActAgent.fromTools({ llm, tools, taskStore })
  const worker = await start({ store, agent, pollingIntervalMs: 60_000, leaseMs: 60_000 })
  await worker.submit('Pay!', { taskId: 'go' })
  await expect.poll(() => page.status('go')).toBe('cancelled')
  await worker.stop()
  expect([calls, llm.calls.length]).toEqual([1, 1])
})

it('run up to the limit at the same time', async () => {
  let running = 0
  let most = 0
  const fn = async () => {
    most = Math.max(most, ++running)
    await new Promise((resolve) => setTimeout(resolve, 5))
    running--
  }
  const tools = [FunctionTool.fromDefaults({ name: 'pay', schema: {}, fn })]
  const agent = ({ taskStore }: TaskRun) =>
    ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: paying }), tools, taskStore })
  const tasks = await start({ store: new MemoryTaskStore(), agent, maxRunning: 3 })
  const ids = await Promise.all(Array.from({ length: 12 }, (_, i) => tasks.submit('Go!', { taskId: `t${i}` })))
  await Promise.all(ids.map((id) => tasks.answer(id)))
  expect(most).toBe(3)
})

it('keep their place while a task waits whose id begins alike', async () => {
  const asked: string[] = []
  const agent = ({ taskStore, taskId }: TaskRun) => {
    asked.push(taskId)
    return agentOf(new ScriptedLLM({ answers: [new Promise<never>(() => {})] }))({ taskStore } as TaskRun)
  }
  const tasks = await start({ store: new MemoryTaskStore(), agent, maxRunning: 1 })
  for (const taskId of ['a', 'a/7/8', 'other']) await tasks.submit('Go!', { taskId })
  await expect.poll(() => asked).toEqual(['a'])
  const leaving = new AbortController()
  const waits = async (inPlaceOf: string) =>
    tasks.answer('other', { inPlaceOf, signal: leaving.signal }).catch(() => {})
  const one = waits('a/7/8')
  // Sufficient for ten looks.
  await pause(100)
  expect(asked).toEqual(['a'])
  // An agent behind a tool has no record of its own.
  const other = waits('a/2/0')
  await expect.poll(() => asked).toEqual(['a', 'other'])
  leaving.abort()
  await Promise.all([one, other])
})

it('read the store no more often for each task when many run at the same time', async () => {
  const look = FunctionTool.fromDefaults({ name: 'look', schema: {}, fn: () => 'It is there.' })
  const turn = 'Thought: look\nAction: look\nAction Input: {}'
  const agent = ({ taskStore }: TaskRun) => {
    const llm = new ScriptedLLM({ answers: [turn, turn, turn, 'Answer: Done.'] })
    return ReActAgent.fromTools({ llm, tools: [look], taskStore })
  }
  const readsPerTask = async (count: number) => {
    const store = new MemoryTaskStore()
    let reads = 0
    const load = store.load.bind(store)
    store.load = (taskId) => {
      reads++
      return load(taskId)
    }
    const tasks = await start({ store, agent, maxRunning: count, pollingIntervalMs: 60_000 })
    await Promise.all(Array.from({ length: count }, (_, i) => tasks.submit('Go!', { taskId: `t${i}` })))
    await Promise.all(Array.from({ length: count }, (_, i) => tasks.answer(`t${i}`)))
    return reads / count
  }
  const alone = await readsPerTask(1)
  expect(await readsPerTask(40)).toBeLessThan(2 * alone)
})

it('start although many others continue, and the others continue although many start', async () => {
  const store = new MemoryTaskStore()
  const order: string[] = []
  const agent = ({ taskStore, taskId }: TaskRun) => {
    order.push(taskId)
    const answers = taskId.startsWith('waits') ? paying : ['Answer: Done.']
    const llm = new ScriptedLLM({
      answers: order.filter((id) => id === taskId).length > 1 ? answers.slice(1) : answers,
    })
    return ReActAgent.fromTools({ llm, tools: [pay], taskStore })
  }
  // Longer than a machine that is busy stops a process: a task that is taken over starts twice.
  const leaseMs = 60_000
  const first = await start({ store, agent, leaseMs })
  const waiting = Array.from({ length: 20 }, (_, i) => `waits ${i}`)
  for (const taskId of waiting) await first.submit('Pay!', { taskId })
  for (const taskId of waiting) await reaches(first, taskId, 'waiting')
  await first.stop()
  const page = new StoredTasks({ store })
  for (const taskId of waiting)
    await page.decide(taskId, { callId: (await page.waiting(taskId))[0]!.id, type: 'approve' })
  const added = Array.from({ length: 20 }, (_, i) => `new ${i}`)
  for (const taskId of added) await page.submit('Go!', { taskId })
  const before = order.length
  const second = await start({ store, agent, leaseMs, maxRunning: 2 })
  await Promise.all([...waiting, ...added].map((taskId) => second.answer(taskId)))
  const place = (taskId: string) => order.indexOf(taskId, before) - before
  expect(place('new 0')).toBeLessThan(5)
  expect(place('waits 5')).toBeLessThan(20)
  expect(place('new 5')).toBeLessThan(20)
})

it('are not stopped when the worker receives their earlier state late', async () => {
  const store: TaskStore = new MemoryTaskStore()
  const load = store.load.bind(store)
  // The first look, the start of the run, the second look.
  const release: (() => void)[] = []
  const reads = [0, 1, 2].map((i) => new Promise<void>((resolve) => (release[i] = resolve)))
  let begun = 0
  store.load = async (taskId) => {
    const found = await load(taskId)
    if (taskId === 'submitted/t') await reads[begun++]
    return found
  }
  const llm = new ScriptedLLM({
    answers: async () => {
      await reads[2]
      await new Promise((resolve) => setTimeout(resolve, 20))
      return 'Answer: Done.'
    },
  })
  const tasks = await start({ store, agent: agentOf(llm) })
  await tasks.submit('Go!', { taskId: 't' })
  release[0]!()
  await expect.poll(() => begun).toBe(3)
  release[1]!()
  await expect.poll(() => llm.calls.length).toBe(1)
  release[2]!()
  await reaches(tasks, 't', 'finished')
})

it('end their events when they end, not at the next look at the store', async () => {
  const llm = new ScriptedLLM({ answers: ['Answer: Done.'] })
  const log = new MemoryEventLog()
  const events: TaskEventLog = {
    addEvents: (taskId, record) => log.addEvents(taskId, record),
    // The task ends while its events are read.
    readEvents: async (taskId, from) => {
      await tasks.answer('go')
      return log.readEvents(taskId, from)
    },
  }
  const tasks = await start({ store: new MemoryTaskStore(), events, agent: agentOf(llm), pollingIntervalMs: 60_000 })
  await tasks.submit('Go!', { taskId: 'go' })
  const records: TaskEvents[] = []
  for await (const record of tasks.events('go')) records.push(record)
  expect(validEvents(records).at(-1)?.type).toBe('task_end')
})

it('are forked before they have started', async () => {
  const store = new MemoryTaskStore()
  const page = new StoredTasks({ store })
  await page.submit('Go!', { taskId: 'go' })
  await page.cancel('go')
  await page.fork('go', { taskId: 'fork' })
  await page.fork('fork', { taskId: 'fork of fork', atStep: 0 })
  await expect(page.fork('go', { atStep: 1 })).rejects.toMatchObject({ code: 'invalid_step' })
  const tasks = await start({ store, agent: agentOf(new ScriptedLLM({ answers: ['Answer: A.', 'Answer: B.'] })) })
  const answers = [await tasks.answer('fork'), await tasks.answer('fork of fork')]
  expect(answers.map(({ response }) => response).sort()).toEqual(['A.', 'B.'])
  expect(await tasks.status('go')).toBe('cancelled')
})

it('leave their place when they are cancelled while their agent is made', async () => {
  const llm = new ScriptedLLM({ answers: ['Answer: ok'] })
  const agent = ({ taskId, taskStore }: TaskRun) =>
    taskId === 'stuck' ? new Promise<never>(() => {}) : ReActAgent.fromTools({ llm, taskStore })
  const tasks = await start({ store: new MemoryTaskStore(), agent, maxRunning: 1 })
  await tasks.submit('Go!', { taskId: 'stuck' })
  await expect.poll(() => tasks.status('stuck')).toBe('running')
  await tasks.cancel('stuck')
  await tasks.submit('Go!', { taskId: 'next' })
  expect((await tasks.answer('next')).response).toBe('ok')
})

it('have their events in order, also in a log on several connections', async () => {
  class SlowLog extends MemoryEventLog {
    private last = 0
    override async addEvents(taskId: string, record: TaskEvents): Promise<void> {
      // Each second call takes longer than the next one.
      await pause(++this.last % 2 === 0 ? 0 : 5)
      super.addEvents(taskId, record)
    }
  }
  const events = new SlowLog()
  const llm = new ScriptedLLM({ answers: paying, usage: true })
  const tasks = await start({ store: new MemoryTaskStore(), events, agent: agentOf(llm) })
  await tasks.submit('Pay!', { taskId: 'rent' })
  const typesOf = () => validEvents(events.readEvents('rent', 0)).map(({ type }) => type)
  expect(await settled(tasks, 'rent')).toBe('waiting')
  const asked = ['step_start', 'usage', 'reasoning', 'approval_required', 'step_end']
  expect(typesOf()).toEqual(asked)
  await tasks.decide('rent', { callId: (await tasks.waiting('rent'))[0]!.id, type: 'approve' })
  await tasks.answer('rent')
  const paid = ['step_start', 'tool_call', 'tool_result', 'step_end']
  const answered = ['step_start', 'reasoning', 'text_delta', 'usage', 'step_end', 'task_end']
  expect(typesOf()).toEqual([...asked, ...paid, ...answered])
})

it('fail, and report it, when an event has no form that can be stored', async () => {
  class StrictLog extends MemoryEventLog {
    override async addEvents(taskId: string, record: TaskEvents): Promise<void> {
      if (record.events[0]?.type === 'reasoning') throw new SerializationError('value', 'no form')
      super.addEvents(taskId, record)
    }
  }
  const events = new StrictLog()
  const tasks = await start({
    store: new MemoryTaskStore(),
    events,
    agent: agentOf(new ScriptedLLM({ answers: paying })),
  })
  await tasks.submit('Pay!', { taskId: 'rent' })
  await expect(tasks.answer('rent')).rejects.toMatchObject({ code: 'serialization' })
  expect(events.readEvents('rent', 0).at(-1)?.events[0]?.type).toBe('error')
})

it('leave no events in a slow log when they are deleted while they run', async () => {
  class SlowLog extends MemoryEventLog {
    override async addEvents(taskId: string, record: TaskEvents): Promise<void> {
      await pause(100)
      super.addEvents(taskId, record)
    }
  }
  const events = new SlowLog()
  const llm = new ScriptedLLM({ answers: [new Promise<never>(() => {})] })
  const tasks = await start({ store: new MemoryTaskStore(), events, agent: agentOf(llm) })
  await tasks.submit('Go!', { taskId: 'go' })
  await expect.poll(() => llm.calls.length).toBe(1)
  await tasks.cancel('go')
  await tasks.delete('go')
  await tasks.stop()
  await pause(150)
  expect(events.readEvents('go', 0)).toEqual([])
})

it('have an event of the calls that wait, if they are forked there, are retried, or an edit was refused', async () => {
  const schema = { type: 'object', properties: { euros: { type: 'number' } }, required: ['euros'] } as const
  const tool = FunctionTool.fromDefaults({ name: 'pay', schema, needsApproval: true, fn: () => 'paid' })
  const llm = new ScriptedLLM({ answers: ['Thought: pay\nAction: pay\nAction Input: {"euros": 5}', 'Answer: Paid.'] })
  const events = new MemoryEventLog()
  const agent = ({ taskStore }: TaskRun) => ReActAgent.fromTools({ llm, tools: [tool], taskStore })
  const tasks = await start({ store: new MemoryTaskStore(), events, agent })
  const asked = (taskId: string) =>
    validEvents(events.readEvents(taskId, 0)).flatMap((event) =>
      event.type === 'approval_required' ? [event.calls] : [],
    )
  const callId = async (taskId: string) => (await tasks.waiting(taskId))[0]!.id
  await tasks.submit('Pay!', { taskId: 'go' })
  await reaches(tasks, 'go', 'waiting')
  await tasks.decide('go', { callId: await callId('go'), type: 'edit', arguments: { euros: 'many' } })
  await expect.poll(() => asked('go').length).toBe(2)
  expect(asked('go')[1]).toMatchObject([{ name: 'pay', decision: null, problem: expect.stringContaining('euros') }])
  await tasks.cancel('go')
  await tasks.retry('go')
  await reaches(tasks, 'go', 'waiting')
  expect(asked('go')).toHaveLength(3)
  await tasks.decide('go', { callId: await callId('go'), type: 'approve' })
  await tasks.answer('go')
  expect(asked('go')).toHaveLength(3)
  await tasks.fork('go', { atStep: 1, taskId: 'fork' })
  await reaches(tasks, 'fork', 'waiting')
  expect(events.readEvents('fork', 0).flatMap((record) => record.events)).toMatchObject([
    { type: 'approval_required', taskId: 'fork', calls: [{ id: await callId('fork'), decision: null }] },
  ])
})

it('are forked at their beginning although they were cancelled while their run began', async () => {
  const store = new MemoryTaskStore()
  const llm = new ScriptedLLM({ answers: ['Answer: A.', 'Answer: B.'] })
  const first = await start({ store, agent: agentOf(llm) })
  await first.submit('Go!', { taskId: 'go' })
  await first.answer('go')
  await first.stop()
  await new StoredTasks({ store }).fork('go', { taskId: 'fork', atStep: 0 })
  // As a worker does that notices the cancellation.
  store.delete('go')
  const second = await start({ store, agent: agentOf(llm) })
  expect((await second.answer('fork')).response).toBe('B.')
})

it('are not forked from another task under the id of the one that was deleted', async () => {
  const store = new MemoryTaskStore()
  const llm = new ScriptedLLM({ answers: ['Answer: A.', 'Answer: B.'] })
  const first = await start({ store, agent: agentOf(llm) })
  await first.submit('Go!', { taskId: 'go' })
  await first.answer('go')
  await first.fork('go', { taskId: 'begun' })
  await first.answer('begun')
  await first.stop()
  const page = new StoredTasks({ store })
  await page.fork('go', { taskId: 'fork' })
  await page.cancel('fork')
  await page.delete('go')
  // Another millisecond.
  await pause(2)
  await page.submit('A secret', { taskId: 'go' })
  const second = await start({ store, agent: agentOf(llm) })
  expect((await second.answer('go')).response).toBe('B.')
  await second.retry('fork')
  await expect(second.answer('fork')).rejects.toMatchObject({ code: 'task_not_found' })
  expect(JSON.stringify((await findTask(store, 'begun'))?.rows)).not.toContain('secret')
})

it('are not deleted before their forks have begun', async () => {
  const store = new MemoryTaskStore()
  const llm = new ScriptedLLM({ answers: ['Answer: A.', 'Answer: B.'] })
  const first = await start({ store, agent: agentOf(llm) })
  await first.submit('Go!', { taskId: 'go' })
  await first.answer('go')
  await first.stop()
  const page = new StoredTasks({ store })
  await page.fork('go', { taskId: 'cancelled', atStep: 0 })
  await page.cancel('cancelled')
  await page.fork('go', { taskId: 'fork', atStep: 0 })
  const later = new Date(Date.now() + 1000)
  await expect(page.delete('go')).rejects.toMatchObject({
    code: 'task_busy',
    message: expect.stringContaining('"fork"'),
  })
  expect(await page.deleteEndedBefore(later)).toBe(1)
  const second = await start({ store, agent: agentOf(llm) })
  expect((await second.answer('fork')).response).toBe('B.')
  await second.delete('go')
  expect((await findTask(store, 'fork'))?.rows.at(-1)).toMatchObject({ kind: 'answer', text: 'B.' })
})

it('do not continue one that was deleted with their id while its run began', async () => {
  const store: TaskStore = new MemoryTaskStore()
  const append = store.append.bind(store)
  const held: (() => void)[] = []
  store.append = async (taskId, ...args) => {
    if (taskId === 'go' && held.length === 0) await new Promise<void>((resolve) => held.push(resolve))
    return append(taskId, ...args)
  }
  const llm = new ScriptedLLM({ answers: (messages) => `Answer: ${messages.at(-1)?.['content']}` })
  const tasks = await start({ store, agent: agentOf(llm) })
  await tasks.submit('Old.', { taskId: 'go' })
  await expect.poll(() => held.length).toBe(1)
  await tasks.cancel('go')
  await tasks.delete('go')
  await tasks.submit('New.', { taskId: 'go' })
  held[0]!()
  expect((await tasks.answer('go')).response).toBe('New.')
})

it('leave nothing when they are deleted before their run has noticed that they were cancelled', async () => {
  const [store, events] = [new MemoryTaskStore(), new MemoryEventLog()]
  let added = 0
  const addEvents = events.addEvents.bind(events)
  events.addEvents = (...args) => {
    added++
    return addEvents(...args)
  }
  let end = () => {}
  const ended = new Promise<string>((resolve) => {
    end = () => resolve('Answer: Done.')
  })
  const llm = new ScriptedLLM({ answers: [ended] })
  const worker = await start({ store, events, agent: agentOf(llm), pollingIntervalMs: 60_000 })
  await worker.submit('Go!', { taskId: 'go' })
  await expect.poll(() => llm.calls.length).toBe(1)
  const page = new StoredTasks({ store, events })
  await page.cancel('go')
  await page.delete('go')
  const before = added
  end()
  await expect.poll(() => added).toBeGreaterThan(before)
  await worker.stop()
  expect(await events.readEvents('go', 0)).toEqual([])
  expect(store.list()).toEqual([])
})

it('report nothing when another one has their id before their run has noticed that they were deleted', async () => {
  const store: TaskStore = new MemoryTaskStore()
  const errors: unknown[] = []
  let end = () => {}
  const ended = new Promise<string>((resolve) => {
    end = () => resolve('Answer: Old.')
  })
  const llm = new ScriptedLLM({ answers: [ended, 'Answer: New.'] })
  const onError = (error: unknown) => void errors.push(error)
  const worker = await start({ store, agent: agentOf(llm), pollingIntervalMs: 60_000, onError })
  await worker.submit('Old.', { taskId: 'go' })
  await expect.poll(() => llm.calls.length).toBe(1)
  const page = new StoredTasks({ store })
  await page.cancel('go')
  await page.delete('go')
  const load = store.load.bind(store)
  let isMissed = false
  store.load = (taskId) => {
    const found = load(taskId)
    if (taskId === 'submitted/go' && !isMissed) {
      isMissed = true
      void page.submit('New.', { taskId: 'go' })
    }
    return found
  }
  end()
  await expect.poll(() => isMissed).toBe(true)
  expect((await worker.answer('go')).response).toBe('New.')
  expect(errors).toEqual([])
})

it.each(['journal', 'events'])(
  'leave no %s to the next one with their id when the process of their run was killed after they were deleted',
  async (what) => {
    const [store, events] = [new MemoryTaskStore(), new MemoryEventLog()]
    const { store: own, kill } = mortal(store)
    const held: (() => void)[] = []
    let isKilled = false
    const dying =
      <Args extends readonly [string, ...unknown[]], T>(
        write: (...args: Args) => T,
        isLast: (taskId: string) => boolean,
      ) =>
      async (...args: Args): Promise<Awaited<T>> => {
        if (!isLast(args[0])) return await write(...args)
        if (!isKilled) await new Promise<void>((resolve) => held.push(resolve))
        if (!isKilled) await write(...args)
        kill()
        isKilled = true
        throw new Error('this process was killed')
      }
    const append = dying(own.append, (taskId) => what === 'journal' && taskId === 'go')
    const addEvents = dying(events.addEvents.bind(events), () => what === 'events')
    const agent = agentOf(new ScriptedLLM({ answers: (messages) => `Answer: ${messages.at(-1)?.['content']}` }))
    const dead = await start({
      store: { ...own, append },
      events: Object.assign(Object.create(events), { addEvents }),
      agent,
    })
    await dead.submit('Old.', { taskId: 'go' })
    await expect.poll(() => held.length).toBeGreaterThan(0)
    const page = new StoredTasks({ store, events })
    await page.cancel('go')
    await page.delete('go')
    for (const release of held) release()
    await expect.poll(() => isKilled).toBe(true)
    await page.submit('New.', { taskId: 'go' })
    const next = await start({ store, events, agent })
    expect((await next.answer('go')).response).toBe('New.')
    expect(new Set(events.readEvents('go', 0).map(({ attempt }) => attempt)).size).toBe(1)
  },
)

it('add their messages to a conversation', async () => {
  const store = new MemoryTaskStore()
  const chatStore = new SimpleChatStore()
  await chatStore.setMessages('ann', [
    new ChatMessage({ role: 'user', content: 'Hello.' }),
    new ChatMessage({ content: 'left out' }),
  ])
  const llm = new ScriptedLLM({ answers: paying })
  const tasks = await start({ store, chatStore, agent: agentOf(llm) })
  await tasks.submit('Pay!', { taskId: 'rent', conversation: { id: 'ann', length: 1 } })
  await reaches(tasks, 'rent', 'waiting')
  await tasks.stop()
  const later = await start({ store, chatStore, agent: agentOf(llm) })
  await later.decide('rent', { callId: (await later.waiting('rent'))[0]!.id, type: 'approve' })
  await later.answer('rent')
  const texts = (await chatStore.getMessages('ann')).map(({ content }) => content)
  expect(texts).toEqual(['Hello.', 'left out', 'Pay!', 'Paid.'])
  const seen = llm.calls.map(({ messages }) => messages!.map(({ content }) => content))
  expect(seen.flat()).not.toContain('left out')
  expect(seen.map((contents) => contents.includes('Hello.'))).toEqual([true, true])
  const both = { conversation: { id: 'ann', length: 1 }, chatHistory: [] }
  await expect(tasks.submit('x', both)).rejects.toMatchObject({ code: 'configuration' })
})

it('keep a decision that comes while an earlier one is applied', async () => {
  const store = new MemoryTaskStore()
  const tool_calls = ['a', 'b', 'c'].map((id) => ({ id, name: 'pay', arguments: '{}' }))
  const asks = new ChatMessage({ role: 'assistant', content: null, additionalKwargs: { tool_calls } })
  const metadata = new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true })
  const llm = new ScriptedLLM({ answers: [asks, 'Paid.'], metadata })
  const agent = ({ taskStore }: TaskRun) => FunctionCallingAgent.fromTools({ llm, tools: [pay], taskStore })
  let second = () => page.decide('rent', { callId: 'b', type: 'approve' })
  const slow = Object.assign(Object.create(store) as TaskStore, {
    append: async (id: string, entries: readonly { type?: string; applied?: number }[], revision: number) => {
      const decide = second
      if (entries[0]?.applied === 1) {
        second = async () => {}
        await decide()
      }
      return store.append(id, entries, revision)
    },
  })
  const page = new StoredTasks({ store, pollingIntervalMs: 10 })
  await start({ store: slow, agent })
  await page.submit('Pay!', { taskId: 'rent' })
  await reaches(page, 'rent', 'waiting')
  await page.decide('rent', { callId: 'a', type: 'approve' })
  await expect.poll(async () => (await page.waiting('rent')).map(({ id }) => id)).toEqual(['c'])
  await page.decide('rent', { callId: 'c', type: 'approve' })
  expect((await page.answer('rent')).response).toBe('Paid.')
})

/** The store of a process that can be killed: nothing that it writes or reads after that succeeds. */
function mortal(store: TaskStore) {
  let isDead = false
  const alive = <T>(work: () => T): T => {
    if (isDead) throw new Error('this process was killed')
    return work()
  }
  const own: TaskStore = {
    append: (...args) => alive(() => store.append(...args)),
    load: (taskId) => alive(() => store.load(taskId)),
    list: (filter) => alive(() => store.list(filter)),
    delete: (taskId) => alive(() => store.delete(taskId)),
  }
  const kill = () => {
    isDead = true
  }
  return { store: own, kill }
}

it('fail when the processes that run them end again and again', async () => {
  const store = new MemoryTaskStore()
  const never = () => new Promise<never>(() => {})
  const llm = new ScriptedLLM({ answers: [never(), never(), never(), 'Answer: Done.'] })
  const options = { maxInterruptions: 2, leaseMs: 60, agent: agentOf(llm) }
  await new StoredTasks({ store }).submit('Go!', { taskId: 'poison' })
  for (let i = 1; i <= 3; i++) {
    const { store: own, kill } = mortal(store)
    await start({ ...options, store: own })
    await expect.poll(() => llm.calls.length).toBe(i)
    kill()
  }
  const last = await start({ ...options, store })
  await expect(last.answer('poison')).rejects.toMatchObject({ code: 'task_abandoned' })
  await last.retry('poison')
  expect((await last.answer('poison')).response).toBe('Done.')
})

it('are not interrupted by a process that stops', async () => {
  const store = new MemoryTaskStore()
  const never = () => new Promise<never>(() => {})
  const llm = new ScriptedLLM({ answers: [never(), never(), never(), 'Answer: Done.'] })
  await new StoredTasks({ store }).submit('Go!', { taskId: 't' })
  for (let i = 1; i <= 3; i++) {
    const tasks = await start({ store, maxInterruptions: 0, agent: agentOf(llm) })
    await expect.poll(() => llm.calls.length).toBe(i)
    await tasks.stop()
    expect(await tasks.status('t')).toBe('queued')
  }
  const last = await start({ store, maxInterruptions: 0, agent: agentOf(llm) })
  expect((await last.answer('t')).response).toBe('Done.')
})

it('call a store that hangs no more when the process has stopped', async () => {
  const called: string[] = []
  let hangs = false
  const store = new Proxy(new MemoryTaskStore(), {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        called.push(String(name))
        return hangs ? new Promise(() => {}) : value.apply(target, args)
      }
    },
  })
  const errors: unknown[] = []
  const begun: (() => void)[] = []
  const slow = FunctionTool.fromDefaults({
    name: 'pay',
    schema: {},
    fn: () => new Promise<string>((resolve) => begun.push(() => resolve('ok'))),
  })
  const agent = ({ taskStore }: TaskRun) =>
    ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: paying }), tools: [slow], taskStore })
  const tasks = await start({ store, agent, leaseMs: 250, onError: (error) => errors.push(error) })
  await tasks.submit('Go!', { taskId: 't' })
  await expect.poll(() => begun.length).toBe(1)
  hangs = true
  const stopped = tasks.stop({ drainMs: 900 })
  begun[0]!()
  await stopped
  const before = called.length
  await pause(1500)
  expect(called.slice(before)).toEqual([])
  for (const error of errors) expect(error).toMatchObject({ code: 'deadline_exceeded' })
})

it('let a call end that a process has begun before it stops', async () => {
  const store = new MemoryTaskStore()
  const effects: string[] = []
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const mail = FunctionTool.fromDefaults({
    name: 'mail',
    schema: {},
    fn: async () => {
      effects.push('begun')
      await gate
      return 'sent'
    },
  })
  const answers = ['Thought: mail\nAction: mail\nAction Input: {}', 'Thought: ok\nAnswer: Sent.']
  const llm = new ScriptedLLM({ answers })
  const agent = ({ taskStore }: TaskRun) => ReActAgent.fromTools({ llm, tools: [mail], taskStore })
  const first = await start({ store, agent })
  await first.submit('Mail!', { taskId: 't' })
  await expect.poll(() => effects.length).toBe(1)
  const stopped = first.stop({ drainMs: 60_000 })
  open()
  await stopped
  expect(llm.calls).toHaveLength(1)
  const second = await start({ store, agent })
  expect((await second.answer('t')).response).toBe('Sent.')
  expect(effects).toEqual(['begun'])
  await expect(second.stop({ drainMs: -1 })).rejects.toMatchObject({ code: 'model_validation' })
})

it('end before they are drained only if none of their calls is open while they wait for other tasks', async () => {
  const store = new MemoryTaskStore()
  const effects: string[] = []
  /** Which part of a parent waits for its child. */
  const waits = async (taskId: string, signal: AbortSignal | undefined) => {
    effects.push(taskId)
    await tasks.answer(`child of ${taskId}`, { inPlaceOf: taskId, signal })
  }
  const thinking: { signal: AbortSignal; answered: () => void }[] = []
  const thinks = (signal: AbortSignal) => new Promise<void>((answered) => thinking.push({ signal, answered }))
  const ask = FunctionTool.fromDefaults({
    name: 'ask',
    schema: {},
    fn: async (_args, { task, signal }) => waits(task!.taskId, signal),
  })
  const agent = ({ taskStore, taskId, signal }: TaskRun) => {
    const [tool, answer] = taskId.startsWith('child') ? ['pay', 'Paid.'] : ['ask', 'Asked.']
    const llm = new ScriptedLLM({
      answers: async ({ length }) => {
        if (taskId === 'idle') await waits(taskId, signal)
        if (taskId === 'thinks') await thinks(signal)
        return length > 2 ? `Answer: ${answer}` : `Thought: go\nAction: ${tool}\nAction Input: {}`
      },
    })
    return ReActAgent.fromTools({ llm, tools: [ask, pay], taskStore })
  }
  const tasks = await start({ store, agent })
  for (const taskId of ['calls', 'idle']) {
    await tasks.submit('Go!', { taskId: `child of ${taskId}` })
    await reaches(tasks, `child of ${taskId}`, 'waiting')
    await tasks.submit('Go!', { taskId })
  }
  await expect.poll(() => effects).toEqual(['calls', 'idle'])
  await tasks.submit('Go!', { taskId: 'thinks' })
  await expect.poll(() => thinking).toHaveLength(1)
  const stopped = tasks.stop({ drainMs: 60_000 })
  await reaches(tasks, 'idle', 'queued')
  expect(await tasks.status('calls')).toBe('running')
  expect(thinking[0]!.signal.aborted).toBe(false)
  thinking[0]!.answered()
  const other = await start({ store, agent })
  const [call] = await other.waiting('child of calls')
  await other.decide('child of calls', { callId: call!.id, type: 'approve' })
  await stopped
  expect((await other.answer('calls')).response).toBe('Asked.')
  expect(effects.filter((taskId) => taskId === 'calls')).toEqual(['calls'])
})

it.each([
  ['a step', [{ type: 'step' }], 'runs'],
  ['a result', [{ type: 'result' }], 'runs'],
  ['a result of an agent behind a tool', [{ type: 'inner', entries: [{ type: 'result' }] }], 'runs'],
  ['nothing', [{ type: 'usage' }], 'task_abandoned'],
])('have made progress before their process ended: %s', async (_, entries, outcome) => {
  const store = new MemoryTaskStore()
  const submitted = { type: 'submitted', request: { input: 'Go!' }, task: { task: { task_id: 'submitted/t' } }, at: 0 }
  store.append('submitted/t', [submitted, { type: 'started', run: 'gone', leaseMs: 10, at: 0 }], 0)
  store.append('t', entries, 0)
  const agent = () => {
    throw new ConfigurationError('runs')
  }
  const tasks = await start({ store, maxInterruptions: 0, agent })
  await expect(tasks.answer('t')).rejects.toMatchObject({ code: outcome === 'runs' ? 'agent_setup' : outcome })
})

it('that end their process again and again take no others with them', async () => {
  const store = new MemoryTaskStore()
  let kill = () => {}
  const poison = FunctionTool.fromDefaults({
    name: 'poison',
    schema: {},
    fn: () => {
      kill()
      return new Promise<never>(() => {})
    },
  })
  /** Longer than the life of a process, unless the poison is elsewhere. */
  const long = FunctionTool.fromDefaults({ name: 'long', schema: {}, fn: () => pause(150).then(() => 'done') })
  const agent = ({ taskStore, taskId }: TaskRun) => {
    const name = taskId.startsWith('long') ? 'long' : 'poison'
    const answers = [`Thought: go\nAction: ${name}\nAction Input: {}`, 'Thought: ok\nAnswer: Done.']
    const llm = new ScriptedLLM({
      answers: (messages) =>
        answers[messages.some(({ content }) => /Observation: done/.test(String(content))) ? 1 : 0]!,
    })
    return ReActAgent.fromTools({ llm, tools: [poison, long], taskStore })
  }
  const page = new StoredTasks({ store, pollingIntervalMs: 10 })
  const innocents = [1, 2, 3, 4, 5].map((n) => `long-${n}`)
  for (const taskId of [...innocents, 'guilty']) await page.submit('Go!', { taskId })
  const statuses = () => Promise.all([...innocents, 'guilty'].map((taskId) => page.status(taskId)))
  for (
    let round = 0;
    round < 30 && !(await statuses()).every((status) => status === 'finished' || status === 'failed');
    round++
  ) {
    const process = mortal(store)
    const dead = new Promise<void>((resolve) => {
      kill = () => {
        process.kill()
        resolve()
      }
    })
    const tasks = await start({ store: process.store, maxInterruptions: 5, leaseMs: 40, agent })
    await Promise.race([dead, pause(2000)])
    await tasks.stop()
  }
  expect(await statuses()).toEqual([...innocents.map(() => 'finished'), 'failed'])
})

it('are run by the other workers when the function of one throws, which reports it', async () => {
  const store = new MemoryTaskStore()
  const errors: [unknown, string | undefined][] = []
  const broken = {
    agent: () => {
      throw new ConfigurationError('no key')
    },
    onError: (error: unknown, taskId?: string) => void errors.push([error, taskId]),
  }
  const bad = await start({ store, ...broken })
  const ids = Array.from({ length: 20 }, (_, i) => `t${i}`)
  for (const taskId of ids) await bad.submit('Go!', { taskId })
  await expect.poll(async () => (await bad.list()).filter(({ problem }) => problem).length).toBe(20)
  const { taskId, status, problem } = (await bad.list())[0]!
  const failure = { code: 'agent_setup', causes: 'no key' }
  expect({ taskId, status, problem }).toEqual({
    taskId: 't0',
    status: 'queued',
    problem: expect.objectContaining(failure),
  })
  expect((await findTask(store, 't0'))?.problem).toMatchObject(failure)
  const good = await start({
    store,
    agent: agentOf(new ScriptedLLM({ answers: () => 'Answer: Done.' })),
    maxRunning: 2,
  })
  const answers = await Promise.all(ids.map((id) => good.answer(id)))
  expect(new Set(answers.map(({ response }) => response))).toEqual(new Set(['Done.']))
  expect(errors[0]).toMatchObject([{ code: 'agent_setup', cause: { message: 'no key' } }, 't0'])
})

it('fail with the error of the function that makes the agent when it throws again and again', async () => {
  let made = 0
  const agent = () => {
    made++
    throw new ConfigurationError('no key')
  }
  const tasks = await start({ store: new MemoryTaskStore(), agent, maxInterruptions: 2 })
  await tasks.submit('Go!', { taskId: 't' })
  const error = { code: 'agent_setup', cause: { message: 'no key' } }
  await expect(tasks.answer('t')).rejects.toMatchObject(error)
  expect(made).toBe(3)
  // Its interruptions are counted anew.
  await tasks.retry('t')
  await expect(tasks.answer('t')).rejects.toMatchObject(error)
  expect(made).toBe(6)
})

it('wait for a worker that has the tool of an approved call', async () => {
  const store = new MemoryTaskStore()
  const llm = new ScriptedLLM({ answers: paying })
  const errors: unknown[] = []
  const agent = ({ taskStore }: TaskRun) => ReActAgent.fromTools({ llm, tools: [], taskStore })
  const old = await start({ store, agent: agentOf(llm) })
  await old.submit('Pay!', { taskId: 'rent' })
  await reaches(old, 'rent', 'waiting')
  await old.stop()
  const late = await start({ store, agent, onError: (error) => errors.push(error) })
  await late.decide('rent', { callId: (await late.waiting('rent'))[0]!.id, type: 'approve' })
  await expect.poll(async () => (await late.list())[0]?.problem?.message).toContain('its tool "pay" does not exist')
  // Sufficient for ten looks.
  await pause(100)
  expect(errors).toMatchObject([{ code: 'approval' }])
  expect(await late.status('rent')).toBe('queued')
  const other = await start({ store, agent: agentOf(llm) })
  expect((await late.answer('rent')).response).toBe('Paid.')
  expect((await findTask(store, 'rent'))?.problem).toBeUndefined()
  await other.stop()
})

it('report why they fail', async () => {
  const errors: unknown[] = []
  const cause = new Error('connect ECONNREFUSED 10.0.0.1:443')
  const thrown = new TypeError('fetch failed', { cause })
  const agent = agentOf(new ScriptedLLM({ answers: [thrown] }))
  const store = new MemoryTaskStore()
  const tasks = await start({ store, agent, onError: (...args) => errors.push(args) })
  await tasks.submit('Go!', { taskId: 't' })
  const failure = { name: 'TypeError', code: 'error', message: 'fetch failed', cause: { message: cause.message } }
  await expect(tasks.answer('t')).rejects.toMatchObject(failure)
  const text = 'fetch failed: connect ECONNREFUSED 10.0.0.1:443'
  expect((await findTask(store, 't'))?.rows.at(-1)).toMatchObject({ kind: 'error', text })
  expect(errors).toEqual([[thrown, 't']])
})

it.each([
  ['missing', 'its journal is missing'],
  ['that of another task', 'is that of "b"'],
])('that have waited fail when their journal is %s', async (kind, message) => {
  const store = new MemoryTaskStore()
  const agent = agentOf(new ScriptedLLM({ answers: [...paying.slice(0, 1), ...paying.slice(0, 1)] }))
  const tasks = await start({ store, agent })
  for (const taskId of ['a', 'b']) {
    await tasks.submit('Go!', { taskId })
    await settled(tasks, taskId)
  }
  await store.delete('a')
  const problem = { code: 'saved_task', message: expect.stringContaining(message) }
  if (kind !== 'missing') {
    await store.append('a', (await store.load('b')) as object[], 0)
    expect(await findTask(store, 'a')).toMatchObject({ status: 'damaged', problem })
  }
  await tasks.decide('a', { callId: (await tasks.waiting('a'))[0]!.id, type: 'approve' })
  await expect(tasks.answer('a')).rejects.toMatchObject(problem)
  await tasks.retry('a')
  await expect(tasks.answer('a')).rejects.toMatchObject(problem)
})

it('are not begun anew by a retry when the journal of a run that failed is missing', async () => {
  const store = new MemoryTaskStore()
  const llm = new ScriptedLLM({ answers: [new Error('offline'), 'Answer: Done.'] })
  const tasks = await start({ store, agent: agentOf(llm) })
  await tasks.submit('Go!', { taskId: 't' })
  await expect(tasks.answer('t')).rejects.toThrow('offline')
  await store.delete('t')
  await tasks.retry('t')
  await expect(tasks.answer('t')).rejects.toMatchObject({ code: 'saved_task' })
})

it('stay queued while the store fails, and nothing else does', async () => {
  const store = new MemoryTaskStore()
  let isBroken = false
  const failing = Object.assign(Object.create(store) as TaskStore, {
    list: (filter: object) => {
      if (isBroken) throw new Error('disk full')
      return store.list(filter)
    },
  })
  const errors: unknown[] = []
  const agent = agentOf(new ScriptedLLM({ answers: ['Answer: Done.'] }))
  const tasks = await start({ store: failing, agent, onError: (error) => errors.push(error) })
  isBroken = true
  await tasks.submit('Go!', { taskId: 't' })
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(await tasks.status('t')).toBe('queued')
  expect(String(errors[0])).toBe('Error: disk full')
  isBroken = false
  expect((await tasks.answer('t')).response).toBe('Done.')
})

it.each(['submitted/b', 'b'])('run beside one whose %s is damaged, which is reported once', async (damaged) => {
  const store: TaskStore = new MemoryTaskStore()
  const load = store.load.bind(store)
  const damage = Object.assign(new ToolkitError('StoreReadError', 'store_read', 'It is damaged.'), { taskId: damaged })
  const errors: unknown[] = []
  const llm = new ScriptedLLM({ answers: () => 'Answer: Done.' })
  const page = new StoredTasks({ store })
  for (const taskId of ['a', 'b', 'c']) await page.submit('Go!', { taskId })
  store.load = (taskId) => {
    if (taskId === damaged) throw damage
    return load(taskId)
  }
  const tasks = await start({ store, agent: agentOf(llm), leaseMs: 40, onError: (...args) => errors.push(args) })
  for (const taskId of ['a', 'c']) expect((await tasks.answer(taskId)).response).toBe('Done.')
  // Sufficient for ten looks.
  await pause(100)
  if (damaged === 'submitted/b') expect(errors).toEqual([[damage, 'b']])
  else expect((await tasks.answer('b')).response).toBe('Done.')
})

it('fail when their journal is damaged', async () => {
  const store: TaskStore = new MemoryTaskStore()
  const errors: unknown[] = []
  const first = await start({ store, agent: agentOf(new ScriptedLLM({ answers: paying })) })
  await first.submit('Pay!', { taskId: 'rent' })
  await reaches(first, 'rent', 'waiting')
  await first.stop()
  await first.decide('rent', { callId: (await first.waiting('rent'))[0]!.id, type: 'approve' })
  const load = store.load.bind(store)
  const damage = Object.assign(new ToolkitError('StoreReadError', 'store_read', 'It is damaged.'), { taskId: 'rent' })
  store.load = (taskId) => {
    if (taskId === 'rent') throw damage
    return load(taskId)
  }
  const tasks = await start({
    store,
    agent: agentOf(new ScriptedLLM({ answers: [] })),
    onError: (...args) => errors.push(args),
  })
  await expect(tasks.answer('rent')).rejects.toMatchObject({ code: 'store_read', message: 'It is damaged.' })
  expect(errors).toEqual([[damage, 'rent']])
})

it.each(['append', 'load', 'list', 'addEvents'] as const)(
  'continue when %s has not ended for a time',
  async (operation) => {
    let hangs = false
    const hanging = <T extends object>(target: T): T =>
      new Proxy(target, {
        get: (_, key) => {
          const method = Reflect.get(target, key, target) as (...args: unknown[]) => unknown
          if (key !== operation) return typeof method === 'function' ? method.bind(target) : method
          return async (...args: unknown[]) => (hangs ? new Promise(() => {}) : method.apply(target, args))
        },
      })
    const errors: unknown[] = []
    const agent = agentOf(new ScriptedLLM({ answers: () => 'Answer: Done.' }))
    const stores = { store: hanging<TaskStore>(new MemoryTaskStore()), events: hanging(new MemoryEventLog()) }
    const tasks = await start({ ...stores, agent, leaseMs: 100, onError: (error) => errors.push(error) })
    await tasks.submit('Go!', { taskId: 'a' })
    hangs = true
    await expect.poll(() => errors, { timeout: 10_000 }).not.toEqual([])
    expect(errors[0]).toMatchObject({ code: 'deadline_exceeded', message: expect.stringContaining(operation) })
    hangs = false
    await tasks.submit('Go!', { taskId: 'b' })
    for (const taskId of ['a', 'b']) expect((await tasks.answer(taskId)).response).toBe('Done.')
    hangs = true
    await tasks.stop()
  },
)

it('continue when their end could not be stored', async () => {
  const store = new MemoryTaskStore()
  let failures = 0
  const failing = Object.assign(Object.create(store) as TaskStore, {
    append: async (id: string, entries: readonly { type?: string }[], revision: number) => {
      if (failures === 0 && entries.some(({ type }) => type === 'answered')) {
        failures++
        throw new Error('disk full')
      }
      return store.append(id, entries, revision)
    },
  })
  const errors: unknown[] = []
  const agent = agentOf(new ScriptedLLM({ answers: ['Answer: Done.'] }))
  const tasks = await start({ store: failing, agent, onError: (error) => errors.push(error) })
  await tasks.submit('Go!', { taskId: 't' })
  expect((await tasks.answer('t')).response).toBe('Done.')
  expect(errors.map(String)).toEqual(['Error: disk full'])
})

it.each(['result', 'step', 'task'])('continue when an entry of the type %s could not be stored', async (type) => {
  const store = new MemoryTaskStore()
  let failures = 0
  const failing = Object.assign(Object.create(store) as TaskStore, {
    append: async (id: string, entries: readonly { type?: string }[], revision: number) => {
      if (failures === 0 && entries.some((entry) => entry.type === type)) {
        failures++
        throw new Error('disk full')
      }
      return store.append(id, entries, revision)
    },
  })
  const errors: unknown[] = []
  const ran: unknown[] = []
  const fn = (_: object, { idempotencyKey }: ToolCallContext) => void ran.push(idempotencyKey)
  const look = FunctionTool.fromDefaults({ name: 'look', schema: {}, fn })
  const replies = ['Thought: look\nAction: look\nAction Input: {}', 'Thought: ok\nAnswer: Done.']
  // A reply that was not saved is asked for again.
  const llm = new ScriptedLLM({ answers: type === 'result' ? [replies[0]!, ...replies] : replies })
  const agent = ({ taskStore }: TaskRun) => ReActAgent.fromTools({ llm, tools: [look], taskStore })
  const tasks = await start({ store: failing, agent, onError: (error) => errors.push(error) })
  await tasks.submit('Go!', { taskId: 't' })
  expect((await tasks.answer('t')).response).toBe('Done.')
  expect(errors.map(String)).toEqual(['Error: disk full'])
  expect(ran).toEqual(['t/1/0'])
})

it('continue when an event could not be written', async () => {
  const log = new MemoryEventLog()
  let failures = 0
  const events: TaskEventLog = {
    addEvents: (taskId, record) => {
      if (failures++ === 1) throw new Error('no connection')
      return log.addEvents(taskId, record)
    },
    readEvents: (taskId, from) => log.readEvents(taskId, from),
  }
  const errors: unknown[] = []
  const agent = agentOf(new ScriptedLLM({ answers: ['Answer: Done.', 'Answer: Done.'] }))
  const tasks = await start({ store: new MemoryTaskStore(), events, agent, onError: (error) => errors.push(error) })
  await tasks.submit('Go!', { taskId: 't' })
  expect((await tasks.answer('t')).response).toBe('Done.')
  expect(errors.map(String)).toEqual(['Error: no connection'])
})

it('fail when the store refuses a value in them', async () => {
  const store = new MemoryTaskStore()
  const append = (id: string, entries: readonly { type?: string }[], revision: number) => {
    if (entries.some(({ type }) => type === 'step')) throw new SerializationError('result', 'has no JSON form')
    return store.append(id, entries, revision)
  }
  const refusing = Object.assign(Object.create(store) as TaskStore, { append })
  const tasks = await start({ store: refusing, agent: agentOf(new ScriptedLLM({ answers: ['Answer: Done.'] })) })
  await tasks.submit('Go!', { taskId: 't' })
  await expect(tasks.answer('t')).rejects.toMatchObject({ code: 'serialization' })
})

it('are taken over by a second worker when the first one gives no sign of life', async () => {
  const store = new MemoryTaskStore()
  const never = new Promise<never>(() => {})
  const { store: own, kill } = mortal(store)
  const first = await start({ store: own, leaseMs: 500, agent: agentOf(new ScriptedLLM({ answers: [never] })) })
  await first.submit('Pay!', { taskId: 'rent' })
  await reaches(first, 'rent', 'running')
  const llm = new ScriptedLLM({ answers: ['Answer: Done.'] })
  const second = await start({ store, agent: agentOf(llm) })
  await pause(800)
  expect(llm.calls).toHaveLength(0)
  kill()
  expect((await second.answer('rent')).response).toBe('Done.')
  await first.stop()
  expect(await second.status('rent')).toBe('finished')
  await expect(second.start()).rejects.toMatchObject({ code: 'configuration' })
})

it('stay with their worker for its own lease, however short that of others is', async () => {
  const store = new MemoryTaskStore()
  let finish = (_: string) => {}
  const answer = new Promise<string>((resolve) => {
    finish = resolve
  })
  const first = await start({ store, leaseMs: 60_000, agent: agentOf(new ScriptedLLM({ answers: [answer] })) })
  await first.submit('Go!', { taskId: 't' })
  await reaches(first, 't', 'running')
  const llm = new ScriptedLLM({ answers: [] })
  const second = await start({ store, leaseMs: 20, agent: agentOf(llm) })
  await pause(200)
  expect(llm.calls).toHaveLength(0)
  finish('Answer: Done.')
  expect((await second.answer('t')).response).toBe('Done.')
})

it('stay with their worker while a large result blocks it, also those that run beside', async () => {
  const store = new MemoryTaskStore()
  let blocked: Promise<void> | undefined
  const whenFree = async <T>(work: () => T) => {
    await blocked
    return work()
  }
  const own: TaskStore = {
    append: (...args) => whenFree(() => store.append(...args)),
    load: (taskId) => whenFree(() => store.load(taskId)),
    list: (filter) => whenFree(() => store.list(filter)),
    delete: (taskId) => whenFree(() => store.delete(taskId)),
    blobs: {
      put: async (...args) => {
        blocked = pause(500)
        await blocked
        await store.blobs.put(...args)
      },
      get: (...args) => store.blobs.get(...args),
    },
  }
  const calls: string[] = []
  let release = () => {}
  const released = new Promise<string>((resolve) => {
    release = () => resolve('done')
  })
  const answers = (messages: readonly ChatMessage[]) =>
    String(messages.at(-1)?.content).startsWith('Go') ? 'Thought: go\nAction: go\nAction Input: {}' : 'Answer: Done.'
  const agent = ({ taskStore, taskId }: TaskRun) => {
    const fn = () => {
      calls.push(taskId)
      return taskId === 'large' ? 'x'.repeat(2_000_000) : released
    }
    const go = FunctionTool.fromDefaults({ name: 'go', schema: {}, fn })
    const llm = new ScriptedLLM({ answers: answers as never })
    return ReActAgent.fromTools({ llm, tools: [go], taskStore, maxToolOutputTokens: null })
  }
  const first = await start({ store: own, leaseMs: 150, agent })
  await first.submit('Go!', { taskId: 'beside' })
  await expect.poll(() => calls).toEqual(['beside'])
  const second = await start({ store, agent })
  await first.submit('Go!', { taskId: 'large' })
  await second.answer('large')
  release()
  await second.answer('beside')
  expect(calls).toEqual(['beside', 'large'])
})

it('continue at once where no other process runs tasks', async () => {
  const store = new MemoryTaskStore()
  const { store: own, kill } = mortal(store)
  const first = await start({
    store: own,
    agent: agentOf(new ScriptedLLM({ answers: [new Promise<never>(() => {})] })),
  })
  await first.submit('Go!', { taskId: 't' })
  await reaches(first, 't', 'running')
  kill()
  const llm = new ScriptedLLM({ answers: ['Answer: Done.'] })
  const second = new StoredTasks({ store, pollingIntervalMs: 10, leaseMs: 3_600_000, agent: agentOf(llm) })
  started.push(second)
  await second.start({ alone: true })
  expect((await second.answer('t')).response).toBe('Done.')
})

it('are finished by two workers at once, also when one of them is late', async () => {
  const store = new MemoryTaskStore()
  const effects = new Map<string, number>()
  const agent = ({ taskStore, taskId }: TaskRun) => {
    const work = FunctionTool.fromDefaults({
      name: 'work',
      schema: {},
      fn: async (_, { idempotencyKey }: ToolCallContext) => {
        effects.set(`${taskId} ${idempotencyKey}`, (effects.get(`${taskId} ${idempotencyKey}`) ?? 0) + 1)
        await pause(5)
        return 'done'
      },
    })
    const llm = new ScriptedLLM({
      answers: (messages) => {
        const done = messages.flatMap(({ content }) => String(content).match(/Observation: done/g) ?? []).length
        return done < 6 ? 'Thought: go\nAction: work\nAction Input: {}' : 'Thought: ok\nAnswer: Done.'
      },
    })
    return ReActAgent.fromTools({ llm, tools: [work], taskStore })
  }
  const append = (...[id, entries, revision]: Parameters<TaskStore['append']>) => {
    if (entries.some((entry) => (entry as { type?: string }).type === 'alive')) throw new Error('The disk is slow.')
    return store.append(id, entries, revision)
  }
  const late = Object.assign(Object.create(store) as TaskStore, { append })
  const first = await start({ store: late, agent, leaseMs: 20 })
  const ids = Array.from({ length: 30 }, (_, n) => `t${n}`)
  for (const taskId of ids) await first.submit('Go!', { taskId })
  await expect.poll(() => effects.size).toBeGreaterThan(20)
  // It believes soon that the first one has ended, and is wrong.
  const second = await start({ store, agent })
  await Promise.all(ids.map((taskId) => second.answer(taskId)))
  expect(effects.size).toBe(30 * 6)
  await first.stop()
})

it('that have ended are no work for anybody, until they are retried or deleted', async () => {
  const store = new MemoryTaskStore()
  const llm = new ScriptedLLM({ answers: [new ConfigurationError('no'), 'Answer: Done.'] })
  const tasks = await start({ store, agent: agentOf(llm) })
  await tasks.submit('Go!', { taskId: 't' })
  await expect(tasks.answer('t')).rejects.toMatchObject({ code: 'configuration' })
  expect(store.list({ active: true })).toEqual([])
  expect(await tasks.list()).toEqual([])
  expect(await tasks.list({ status: 'failed' })).toMatchObject([{ taskId: 't', status: 'failed', calls: [] }])
  expect(await tasks.deleteEndedBefore(new Date(0))).toBe(0)
  await tasks.retry('t')
  expect((await tasks.answer('t')).response).toBe('Done.')
  await tasks.submit('Go!', { taskId: 'open' })
  const page = new StoredTasks({ store })
  await tasks.stop()
  await page.submit('Later!', { taskId: 'later' })
  const busy = { code: 'task_busy', message: 'Task "later" has not ended; cancel it first.' }
  await expect(page.delete('later')).rejects.toMatchObject(busy)
  await page.cancel('later')
  expect(store.list({ active: true }).map(({ taskId }) => taskId)).not.toContain('submitted/later')
  await page.delete('later')
  await expect(page.status('later')).rejects.toMatchObject({ code: 'task_not_found' })
  expect(await page.deleteEndedBefore(new Date(Date.now() + 1000))).toBeGreaterThanOrEqual(1)
  await expect(page.status('t')).rejects.toMatchObject({ code: 'task_not_found' })
  expect(store.list().filter(({ taskId }) => taskId.endsWith('t'))).toEqual([])
  await expect(page.deleteEndedBefore('today' as never)).rejects.toMatchObject({ code: 'configuration' })
})

it('are deleted after the task that started them has ended', async () => {
  const page = new StoredTasks({ store: new MemoryTaskStore() })
  for (const taskId of ['p', 'p/1/0']) await page.submit('Go!', { taskId })
  // The agent behind a tool of a task has no record of its own.
  await page.submit('Go!', { taskId: 'child', startedBy: 'p/2/0/1/1' })
  await page.submit('Go!', { taskId: 'other', startedBy: 'elsewhere' })
  for (const taskId of ['child', 'p/1/0', 'other']) await page.cancel(taskId)
  const later = new Date(Date.now() + 1000)
  expect(await page.deleteEndedBefore(later)).toBe(2)
  expect(await page.status('child')).toBe('cancelled')
  await page.cancel('p')
  expect(await page.deleteEndedBefore(later)).toBe(2)
})

it('are cancelled with the task that started them, whatever their ids are', async () => {
  const page = new StoredTasks({ store: new MemoryTaskStore() })
  for (const taskId of ['p', 'p/7/8']) await page.submit('Go!', { taskId })
  const started = { a: 'p', b: 'a', helper: 'p/2/0' }
  const others = { 'p/1/0/background': undefined, 'p/7/8/1/0/background': 'p/7/8' }
  for (const [taskId, startedBy] of Object.entries({ ...started, ...others }))
    await page.submit('Go!', { taskId, startedBy })
  await page.fork('a', { taskId: 'fork' })
  // A task that exists does not change.
  await page.submit('Go!', { taskId: 'p', startedBy: 'b' })
  await page.cancel('p')
  for (const taskId of ['p', ...Object.keys(started)]) expect(await page.status(taskId)).toBe('cancelled')
  expect((await page.list()).map(({ taskId }) => taskId)).toEqual(['p/7/8', ...Object.keys(others), 'fork'])
  // The call of a run that has not noticed the cancellation yet.
  await page.submit('Go!', { taskId: 'late', startedBy: 'p' })
  expect(await page.status('late')).toBe('cancelled')
})

it('are deleted beside one that cannot be', async () => {
  const onDelete = (taskId: string) => {
    if (taskId === 'b') throw new Error('down')
  }
  const page = new StoredTasks({ store: new MemoryTaskStore(), onDelete })
  for (const taskId of ['a', 'b', 'c']) {
    await page.submit('Go!', { taskId })
    await page.cancel(taskId)
  }
  const deleting = page.deleteEndedBefore(new Date(Date.now() + 1000))
  await expect(deleting).rejects.toMatchObject({ name: 'AggregateError', errors: [{ message: 'down' }] })
  await expect(deleting).rejects.toThrow('2 were deleted, 1 could not be: "b" (down)')
  expect((await page.list({ status: 'cancelled' })).map(({ taskId }) => taskId)).toEqual(['b'])
})

it('are deleted by two processes at the same time', async () => {
  const store = new MemoryTaskStore()
  const first = new StoredTasks({ store })
  for (const taskId of ['a', 'b', 'c']) {
    await first.submit('Go!', { taskId })
    await first.cancel(taskId)
  }
  const later = new Date(Date.now() + 1000)
  let loads = 0
  const second: TaskStore = {
    append: (...args) => store.append(...args),
    list: (...args) => store.list(...args),
    delete: (taskId) => store.delete(taskId),
    load: async (taskId) => {
      // Once it has found the first task.
      if (taskId === 'submitted/a' && ++loads === 2) await first.deleteEndedBefore(later)
      return store.load(taskId)
    },
  }
  expect(await new StoredTasks({ store: second }).deleteEndedBefore(later)).toBe(0)
  expect(await first.list({ status: 'cancelled' })).toEqual([])
})

it('are not deleted if what is stored about them elsewhere cannot be', async () => {
  const deleted: string[] = []
  const onDelete = (taskId: string) => {
    if (deleted.push(taskId) === 1) throw new Error('down')
  }
  const llm = new ScriptedLLM({ answers: ['Answer: Done.'] })
  const tasks = await start({ store: new MemoryTaskStore(), agent: agentOf(llm), onDelete })
  await tasks.answer(await tasks.submit('Go!', { taskId: 't' }))
  await expect(tasks.delete('t')).rejects.toThrow('down')
  expect(await tasks.status('t')).toBe('finished')
  await tasks.delete('t')
  await expect(tasks.status('t')).rejects.toMatchObject({ code: 'task_not_found' })
  expect(deleted).toEqual(['t', 't'])
})

it('show waiting calls with all digits of their arguments', async () => {
  const args = '{"order": 12345678901234567890}'
  const llm = new ScriptedLLM({ answers: [`Thought: pay\nAction: pay\nAction Input: ${args}`] })
  const tasks = await start({ store: new MemoryTaskStore(), agent: agentOf(llm) })
  await tasks.submit('Pay!', { taskId: 'rent' })
  await reaches(tasks, 'rent', 'waiting')
  expect(await tasks.waiting('rent')).toMatchObject([{ arguments: { order: '12345678901234567890' } }])
})

it('keep the events of the latest tasks', () => {
  const log = new MemoryEventLog({ maxTasks: 2 })
  const record = { call: 'a', attempt: 'b', events: [] }
  for (const taskId of ['one', 'two', 'one', 'three']) log.addEvents(taskId, record)
  expect(['one', 'two', 'three'].map((taskId) => log.readEvents(taskId, 0).length)).toEqual([2, 0, 1])
})

it('refuse options that are unknown or missing', () => {
  const store = new MemoryTaskStore()
  expect(() => new StoredTasks({ stroe: store } as never)).toThrow(
    'StoredTasks.stroe: unknown option; did you mean store?',
  )
  expect(() => new StoredTasks({} as never)).toThrow('StoredTasks.store: expected a task store, received nothing')
  expect(() => new StoredTasks({ store, maxRunning: 0 })).toThrow('maxRunning')
})

it.each<[string, (tasks: StoredTasks) => unknown]>([
  [
    'StoredTasks.submit.taskID: unknown option; did you mean taskId?',
    (tasks) => tasks.submit('Hi', { taskID: 'a' } as never),
  ],
  ['StoredTasks.fork.atStpe: unknown option; did you mean atStep?', (tasks) => tasks.fork('t', { atStpe: 1 } as never)],
  [
    'StoredTasks.answer.signl: unknown option; did you mean signal?',
    (tasks) => tasks.answer('t', { signl: 1 } as never),
  ],
  ['StoredTasks.submit: expected an object of options', (tasks) => tasks.submit('Hi', null as never)],
  ['followEvents: expected an object of options', (tasks) => tasks.events('t', null as never).next()],
  ['signal: expected an AbortSignal', (tasks) => tasks.events('t', { signal: 5 as never }).next()],
  ['followEvents.form: unknown option', (tasks) => tasks.events('t', { form: 1 } as never).next()],
  ['settled.signal: expected an AbortSignal', (tasks) => settled(tasks, 't', { signal: {} as never })],
  [
    'StoredTasks.leaseMs: expected a number of milliseconds from 1 to 2147483647',
    () => new StoredTasks({ store: new MemoryTaskStore(), leaseMs: Number.POSITIVE_INFINITY }),
  ],
  [
    'StoredTasks.chatStore: expected a chat store',
    () => new StoredTasks({ store: new MemoryTaskStore(), chatStore: {} as never }),
  ],
  ['followEvents.from: expected an integer', (tasks) => tasks.events('t', { from: Number.NaN }).next()],
  ['MemoryEventLog.maxTask: unknown option; did you mean maxTasks?', () => new MemoryEventLog({ maxTask: 1 } as never)],
  ['submittedTask.isSubmitted: expected a function', () => submittedTask('t', undefined as never)],
  ['MemoryEventLog.maxTasks: expected an integer', () => new MemoryEventLog({ maxTasks: Number.NaN })],
])('refuse options: %s', async (message, call) => {
  const tasks = new StoredTasks({ store: new MemoryTaskStore() })
  await tasks.submit('Hi', { taskId: 't' })
  await expect(async () => call(tasks)).rejects.toMatchObject({
    code: 'model_validation',
    message: expect.stringContaining(message),
  })
})
