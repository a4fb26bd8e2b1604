import { type AgentEvent, FunctionTool, MemoryTaskStore, ReActAgent, StoredChatMemory } from '@x/agents'
import { type ChatMessage, type Json, LLMMetadata, SimpleChatStore } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { afterEach, describe, expect, it } from 'vitest'
import type { DurableTasks, TaskRun, WaitingCall } from './durable-tasks.ts'
import { StoredTasks } from './stored-tasks.ts'
import type { StoredTasksOptions } from './stored-tasks-options.ts'
import { MemoryEventLog, type TaskEvents } from './task-events.ts'
import { TasksAgent, type TasksAgentRunOptions } from './tasks-agent.ts'

const pay = FunctionTool.fromDefaults({ name: 'pay', schema: {}, needsApproval: true, fn: () => 'paid' })
const paying = 'Thought: pay\nAction: pay\nAction Input: {}'
const metadata = new LLMMetadata({ isChatModel: true })
const agentOf =
  (llm: ScriptedLLM) =>
  ({ taskStore }: TaskRun) =>
    ReActAgent.fromTools({ llm, tools: [pay], taskStore })
const started: StoredTasks[] = []
async function start(options: Partial<StoredTasksOptions> & Pick<StoredTasksOptions, 'agent'>): Promise<StoredTasks> {
  const tasks = new StoredTasks({ store: new MemoryTaskStore(), pollingIntervalMs: 10, ...options })
  started.push(tasks)
  await tasks.start()
  return tasks
}
afterEach(async () => {
  for (const tasks of started.splice(0)) await tasks.stop()
})

async function typesOf(agent: TasksAgent, input: string, options?: TasksAgentRunOptions): Promise<string[]> {
  const types: string[] = []
  for await (const { type } of agent.runEvents(input, options)) if (!type.endsWith('_delta')) types.push(type)
  return types.filter((type) => type !== 'usage')
}

/** Reads a task as a page does that comes later. */
async function shown(agent: TasksAgent, taskId: string): Promise<AgentEvent[]> {
  const events: AgentEvent[] = []
  for await (const event of agent.open(taskId).events()) events.push(event)
  return events
}

describe('an agent of durable tasks', () => {
  it('passes the conversation and the context on', async () => {
    const llm = new ScriptedLLM({ answers: ['Thought: ok\nAnswer: Ann.'], metadata })
    const seen: (Json | undefined)[] = []
    const make = (run: TaskRun) => {
      seen.push(run.context)
      return agentOf(llm)(run)
    }
    const tasks = await start({ agent: make })
    const agent = new TasksAgent(tasks)
    const { memory } = agent.conversation()
    await memory.put({ role: 'user', content: 'I am Ann.' } as ChatMessage)
    expect(await typesOf(agent, 'Who am I?', { memory, context: { user: 'ann' } })).toContain('task_end')
    expect(llm.calls[0]?.messages?.slice(-2).map(({ content }) => content)).toEqual(['I am Ann.', 'Who am I?'])
    expect(seen).toEqual([{ user: 'ann' }])
  })

  it('throws the error of a task that fails, after its event', async () => {
    const tasks = await start({ agent: agentOf(new ScriptedLLM({ answers: [new Error('no key')], metadata })) })
    const types: string[] = []
    const run = async () => {
      for await (const { type } of new TasksAgent(tasks).runEvents('Hi')) types.push(type)
    }
    await expect(run()).rejects.toThrow('no key')
    expect(types.at(-1)).toBe('error')
  })

  it('cancels the task by its signal, and not by leaving', async () => {
    const llm = new ScriptedLLM({ answers: [paying, 'Thought: ok\nAnswer: Paid.', paying], metadata })
    const tasks = await start({ agent: agentOf(llm) })
    const agent = new TasksAgent(tasks)
    for await (const { type } of agent.runEvents('Pay!', { taskId: 'left' })) if (type === 'step_start') break
    await expect.poll(() => tasks.status('left')).toBe('waiting')
    await agent.resumeTask('left')
    await agent.approve('left', agent.getPendingApprovals('left')[0]!.id)
    const controller = new AbortController()
    const run = async () => {
      for await (const { type } of agent.runEvents('', { taskId: 'left', signal: controller.signal }))
        if (type === 'step_start') controller.abort(new Error('enough'))
    }
    await expect(run()).rejects.toThrow('enough')
    await expect.poll(() => tasks.status('left')).toBe('cancelled')
    await expect(typesOf(agent, 'Hi', { signal: AbortSignal.abort(new Error('early')) })).rejects.toThrow('early')
  })

  it('reports what happens after a decision when the log of events was lost', async () => {
    const llm = new ScriptedLLM({ answers: [paying, paying, 'Thought: ok\nAnswer: Paid.'], metadata })
    const store = new MemoryTaskStore()
    const [first, second] = [new MemoryEventLog(), new MemoryEventLog()]
    const before = await start({ store, agent: agentOf(llm), events: first })
    expect((await typesOf(new TasksAgent(before), 'Pay!', { taskId: 't' })).at(-1)).toBe('approval_required')
    await before.stop()
    const agent = new TasksAgent(await start({ store, agent: agentOf(llm), events: second }))
    for (const end of ['approval_required', 'task_end']) {
      await agent.resumeTask('t')
      await agent.approve('t', agent.getPendingApprovals('t')[0]!.id)
      const types = await typesOf(agent, '', { taskId: 't' })
      expect([types.filter((type) => type === 'tool_result').length, types.at(-1)]).toEqual([1, end])
    }
  })

  it('ends where a fork waits that was made at the step whose call waits', async () => {
    const llm = new ScriptedLLM({
      answers: [paying, 'Thought: ok\nAnswer: Paid.', 'Thought: ok\nAnswer: Again.'],
      metadata,
    })
    const tasks = await start({ agent: agentOf(llm) })
    const agent = new TasksAgent(tasks)
    await typesOf(agent, 'Pay!', { taskId: 't' })
    await tasks.decide('t', { callId: (await tasks.waiting('t'))[0]!.id, type: 'approve' })
    await tasks.answer('t')
    await tasks.fork('t', { atStep: 1, taskId: 'fork' })
    const [call] = await expect
      .poll(() => tasks.waiting('fork'))
      .toHaveLength(1)
      .then(() => tasks.waiting('fork'))
    const asked = { name: 'pay', needsApproval: true, decision: null, approval: { id: call!.approvalId } }
    expect(await shown(agent, 'fork')).toMatchObject([
      { type: 'approval_required', taskId: 'fork', calls: [{ id: call!.id, ...asked }] },
    ])
    await tasks.decide('fork', { callId: call!.id, type: 'approve' })
    expect((await shown(agent, 'fork')).map(({ type }) => type)).toEqual(
      expect.arrayContaining(['tool_call', 'tool_result', 'task_end']),
    )
  })

  it('ends where a task waits whose events were lost', async () => {
    const [store, llm] = [new MemoryTaskStore(), new ScriptedLLM({ answers: [paying], metadata })]
    const tasks = await start({ store, agent: agentOf(llm) })
    await typesOf(new TasksAgent(tasks), 'Pay!', { taskId: 't' })
    const page = new StoredTasks({ store, pollingIntervalMs: 10 })
    expect(await shown(new TasksAgent(page), 't')).toMatchObject([
      { type: 'approval_required', taskId: 't', calls: [{ name: 'pay', decision: null }] },
    ])
  })

  it('ends no earlier than the events of a log that is read seldom', async () => {
    const [store, events] = [new MemoryTaskStore(), new MemoryEventLog()]
    let answer = (_: string) => {}
    const asked = new Promise<string>((resolve) => {
      answer = resolve
    })
    const worker = await start({
      store,
      events,
      agent: agentOf(new ScriptedLLM({ answers: [asked as never], metadata })),
    })
    await worker.submit('Pay!', { taskId: 't' })
    await expect.poll(() => events.readEvents('t', 0).length).toBe(1)
    const page = new StoredTasks({ store, events, pollingIntervalMs: 2500 })
    const reading = shown(new TasksAgent(page), 't')
    await expect.poll(() => worker.status('t')).toBe('running')
    setTimeout(() => answer(paying), 500)
    expect((await reading).map(({ type, ...event }) => [type, 'stepId' in event && event.stepId !== ''])).toEqual([
      ['step_start', true],
      ['usage', true],
      ['reasoning', true],
      ['approval_required', true],
    ])
  })

  it('shows a page that comes later why an edit was refused', async () => {
    const metadata = new LLMMetadata({ isChatModel: true })
    const schema = { type: 'object', properties: { euros: { type: 'number' } }, required: ['euros'] } as const
    const tool = FunctionTool.fromDefaults({ name: 'pay', schema, needsApproval: true, fn: () => 'paid' })
    const llm = new ScriptedLLM({ answers: ['Thought: pay\nAction: pay\nAction Input: {"euros": 5}'], metadata })
    const tasks = await start({ agent: ({ taskStore }) => ReActAgent.fromTools({ llm, tools: [tool], taskStore }) })
    await typesOf(new TasksAgent(tasks), 'Pay!', { taskId: 't' })
    const callId = (await tasks.waiting('t'))[0]!.id
    await tasks.decide('t', { callId, type: 'edit', arguments: { euros: 'many' } })
    await expect.poll(async () => (await tasks.waiting('t'))[0]?.refused?.count).toBe(1)
    const problem = expect.stringContaining('euros')
    expect((await shown(new TasksAgent(tasks), 't')).at(-1)).toMatchObject({
      type: 'approval_required',
      calls: [{ id: callId, problem }],
    })
  })

  it('continues a task once when two requests decide at the same time', async () => {
    const llm = new ScriptedLLM({ answers: [paying, 'Thought: ok\nAnswer: Paid.'], metadata })
    const agent = new TasksAgent(await start({ agent: agentOf(llm) }))
    await typesOf(agent, 'Pay!', { taskId: 't' })
    await agent.resumeTask('t')
    await agent.resumeTask('t')
    const callId = agent.getPendingApprovals('t')[0]!.id
    await agent.approve('t', callId)
    await expect(agent.approve('t', callId)).rejects.toMatchObject({ code: 'approval' })
    const types = await typesOf(agent, '', { taskId: 't' })
    expect(types).not.toContain('approval_required')
    expect(types).toEqual(expect.arrayContaining(['tool_result', 'task_end']))
    expect(agent.getPendingApprovals('t')).toEqual([])
  })

  it('repeats no events after a decision whose reader left before the first event', async () => {
    const llm = new ScriptedLLM({ answers: [paying, paying, 'Thought: ok\nAnswer: Paid.'], metadata })
    const tasks = await start({ agent: agentOf(llm) })
    const agent = new TasksAgent(tasks)
    await typesOf(agent, 'Pay!', { taskId: 't' })
    const decide = async () => {
      await agent.resumeTask('t')
      await agent.approve('t', agent.getPendingApprovals('t')[0]!.id)
      return agent.runEvents('', { taskId: 't' })
    }
    await (await decide()).return(undefined)
    await expect.poll(() => tasks.status('t')).toBe('waiting')
    const types: string[] = []
    for await (const { type } of await decide()) types.push(type)
    expect(types.filter((type) => type === 'tool_result' || type === 'approval_required')).toEqual(['tool_result'])
  })

  it('submits the turn of a conversation, which is there before the task', async () => {
    const chatStore = new SimpleChatStore()
    const memory = new StoredChatMemory({ chatStore, conversationId: 'ann/1' })
    const seen: unknown[] = []
    const engine = engineOf([])
    Object.assign(engine, {
      submit: async (_: unknown, options: { conversation: unknown }) => {
        seen.push(options.conversation, chatStore.getMessages('ann/1').map(String))
        return 't'
      },
    })
    for await (const _ of new TasksAgent(engine).runEvents('Hi', { taskId: 't', memory }));
    const held = 'user: A message of the user is left out here: it was not accepted.'
    expect(seen).toEqual([{ id: 'ann/1', length: 0, turn: 't' }, [held]])
  })

  it('passes no model the message of a task that was cancelled before a worker began it', async () => {
    const [chatStore, store] = [new SimpleChatStore(), new MemoryTaskStore()]
    const memory = () => new StoredChatMemory({ chatStore, conversationId: 'ann/1' })
    const page = new StoredTasks({ store, pollingIntervalMs: 10 })
    const signal = AbortSignal.abort(new Error('left'))
    await expect(typesOf(new TasksAgent(page), 'SECRET', { memory: memory(), signal })).rejects.toThrow('left')
    const llm = new ScriptedLLM({ answers: ['Answer: Hello.'], metadata })
    const guards = { input: (text: string) => (text.includes('SECRET') ? { block: 'no' } : undefined) }
    const agent = ({ taskStore }: TaskRun) => ReActAgent.fromTools({ llm, taskStore, guards })
    const tasks = await start({ store, chatStore, agent })
    expect(await typesOf(new TasksAgent(tasks), 'Go on.', { memory: memory() })).toContain('task_end')
    expect(JSON.stringify(llm.calls[0]?.messages)).not.toContain('SECRET')
    expect(chatStore.getMessages('ann/1').map(String).slice(1)).toEqual(['user: Go on.', 'assistant: Hello.'])
  })

  it('passes models the message of such a task if no guard of the worker can refuse it', async () => {
    const [chatStore, store] = [new SimpleChatStore(), new MemoryTaskStore()]
    const memory = () => new StoredChatMemory({ chatStore, conversationId: 'ann/1' })
    const page = new TasksAgent(new StoredTasks({ store, pollingIntervalMs: 10 }), { holdsInput: false })
    const signal = AbortSignal.abort(new Error('left'))
    await expect(typesOf(page, 'I am Ann.', { memory: memory(), signal })).rejects.toThrow('left')
    const llm = new ScriptedLLM({ answers: ['Answer: Ann.'], metadata })
    const agent = ({ taskStore }: TaskRun) => ReActAgent.fromTools({ llm, taskStore })
    const tasks = await start({ store, chatStore, agent })
    await typesOf(new TasksAgent(tasks), 'Who am I?', { memory: memory() })
    expect(JSON.stringify(llm.calls[0]?.messages)).toContain('I am Ann.')
    expect(() => new TasksAgent(tasks, { holdInput: false } as never)).toThrow('did you mean holdsInput?')
  })

  it('has no status for a task that was not submitted', async () => {
    const agent = new TasksAgent(await start({ agent: agentOf(new ScriptedLLM({ answers: [], metadata })) }))
    expect(await agent.statusOf('none')).toBeUndefined()
  })

  it('forgets a task whose decision fails', async () => {
    const llm = new ScriptedLLM({ answers: [paying], metadata })
    const agent = new TasksAgent(await start({ agent: agentOf(llm) }))
    await typesOf(agent, 'Pay!', { taskId: 't' })
    await agent.resumeTask('t')
    await expect(agent.approve('t', 'none')).rejects.toMatchObject({ code: 'approval' })
    expect(agent.getPendingApprovals('t')).toEqual([])
    await expect(agent.resumeTask('none')).rejects.toMatchObject({ code: 'task_not_found' })
  })
})

/** An engine with these records, whose call waits. */
function engineOf(records: readonly TaskEvents[], error?: { code: string; message: string }): DurableTasks {
  const call: WaitingCall = { id: 'c', name: 'pay', arguments: {}, awaits: 'approval' }
  let count = 0
  return {
    waiting: async () => [count > 0 && error ? { ...call, refused: { ...error, count } } : call],
    decide: async () => void count++,
    async *events() {
      yield* records
      if (count > 0) await new Promise(() => {})
    },
    submit: async () => 't',
    answer: async () => ({}),
  } as unknown as DurableTasks
}

describe('an engine', () => {
  it('that refuses a decision, and the next one, asks again with the reason', async () => {
    const agent = new TasksAgent(engineOf([], { code: 'tool_input', message: 'It does not fit.' }))
    for (const result of ['green', 'blue']) {
      await agent.resumeTask('t')
      await agent.provideResult('t', 'c', result)
      const events: AgentEvent[] = []
      for await (const event of agent.runEvents('', { taskId: 't' })) events.push(event)
      const call = { id: 'c', name: 'pay', needsApproval: true, decision: null, problem: 'It does not fit.' }
      expect(events).toMatchObject([{ type: 'approval_required', taskId: 't', calls: [call] }])
    }
  })

  it('that reports a new pause before it waits, without the earlier events', async () => {
    const place = { taskId: 't', stepId: 's2' }
    const calls = [{ id: 'd', name: 'pay', arguments: {}, needsApproval: true, decision: null }]
    const events = [
      { type: 'step_start' as const, ...place, input: null },
      { type: 'approval_required' as const, ...place, calls },
    ]
    const engine = engineOf([{ call: 'step/s2', attempt: 'b', events: events as AgentEvent[] }])
    const [waiting] = await engine.waiting('t')
    let looks = 0
    Object.assign(engine, {
      status: async () => (++looks < 3 ? 'running' : 'waiting'),
      waiting: async () => (looks === 0 ? [waiting] : looks < 3 ? [] : [{ ...waiting, id: 'd' }]),
    })
    const agent = new TasksAgent(engine)
    await agent.resumeTask('t')
    await agent.approve('t', 'c')
    expect(await typesOf(agent, '', { taskId: 't' })).toEqual(['step_start', 'approval_required'])
  })

  it('that reports a message behind the decision about an edited call shows the call as it was edited', async () => {
    const place = { taskId: 't', stepId: 's2' }
    const call = { id: 'c', name: 'pay', arguments: { euros: 5 }, needsApproval: true, decision: null }
    const events: AgentEvent[] = [
      { type: 'approval_required', taskId: 't', stepId: 's1', calls: [call] },
      { type: 'step_start', ...place, input: null },
      { type: 'message', ...place, text: 'Not today.' },
      { type: 'tool_call', ...place, callId: 'c', toolName: 'pay', arguments: { euros: 7 } },
      { type: 'error', taskId: 't', error: { name: 'E', code: null, message: 'no', retryable: false }, usage: null },
    ]
    const engine = engineOf([{ call: 'step/s1', attempt: 'a', events }])
    Object.assign(engine, { status: async () => 'failed', waiting: async () => [] })
    expect((await shown(new TasksAgent(engine), 't')).slice(0, 3)).toMatchObject([
      { type: 'tool_call', arguments: { euros: 7 } },
      { type: 'step_start' },
      { type: 'message', text: 'Not today.' },
    ])
  })

  it('that repeats an interrupted part says that what it wrote is void', async () => {
    const place = { taskId: 't', stepId: 's' }
    const delta = (text: string) => ({ type: 'text_delta' as const, ...place, delta: text })
    const record = (attempt: string, text: string) => ({ call: 'step/s', attempt, events: [delta(text)] })
    const records = [record('a', 'Goo'), record('b', 'Hel'), record('b', 'lo')]
    const events: unknown[] = []
    for await (const event of new TasksAgent(engineOf(records)).runEvents('Hi')) events.push(event)
    expect(events).toMatchObject([
      delta('Goo'),
      { type: 'turn_restarted', ...place, error: { name: 'InterruptedError', code: null } },
      delta('Hel'),
      delta('lo'),
    ])
  })
})

it('ends its reading when the reader leaves while the task is silent', async () => {
  let signal: AbortSignal | undefined
  let cancels = 0
  const silent = {
    events: async function* (_: string, options: { signal: AbortSignal }) {
      signal = options.signal
      yield await new Promise<never>(() => {})
    },
    cancel: async () => void cancels++,
  }
  const events = new TasksAgent(silent as never).open('t').events()[Symbol.asyncIterator]()
  const next = expect(events.next()).rejects.toMatchObject({ name: 'AbortError' })
  await events.return?.(undefined)
  await next
  expect(signal?.aborted).toBe(true)
  expect(cancels).toBe(0)
})
