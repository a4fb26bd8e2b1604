import { DBOS, DBOSClient } from '@dbos-inc/dbos-sdk'
import {
  AgentChatResponse,
  type AgentEvent,
  FunctionCallingAgent,
  type FunctionCallingAgentOptions,
  FunctionTool,
  type ToolCallContext,
} from '@x/agents'
import { ChatMessage, isToolkitError, LLMMetadata, SimpleChatStore } from '@x/core-model'
import { type TaskEvents, validEvents, type WaitingCall } from '@x/durable'
import { ModelCallError } from '@x/llm'
import { type ScriptedAnswer, ScriptedLLM } from '@x/llm/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch } from '../test/launch.ts'
import { type AgentRun, agentWorkflow } from './agent-workflow.ts'
import { DbosTasks } from './dbos-tasks.ts'
import type { DbosControl, DbosRuntime } from './dbos-types.ts'
import { storeDecision } from './stored-decisions.ts'

const metadata = new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true })
const calls = (...wanted: [name: string, what: string][]) => {
  const tool_calls = wanted.map(([name, what], i) => ({
    id: `${what}-${i}`,
    name,
    arguments: JSON.stringify({ what }),
  }))
  return new ChatMessage({ role: 'assistant', content: null, additionalKwargs: { tool_calls } })
}

/** The script of the model of a task, and the options of its agent. */
interface Play {
  answers: ScriptedAnswer[]
  options?: Partial<FunctionCallingAgentOptions>
}
interface Playing {
  llm: ScriptedLLM
  options: Play['options']
  runs: AgentRun[]
  effects: string[]
}
const plays = new Map<string, Playing>()

function agent(run: AgentRun) {
  const key = (run.context as { play?: string } | undefined)?.play ?? ''
  const { llm, options, runs, effects } = plays.get(key)!
  runs.push(run)
  const tool = (name: string, needsApproval: boolean) =>
    FunctionTool.fromDefaults({
      name,
      schema: { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] },
      needsApproval,
      fn: ({ what }: { what: string }, { idempotencyKey }: ToolCallContext<never>) => {
        effects.push(`${idempotencyKey} ${what}`)
        return `did ${what}`
      },
    })
  const { durable, newId } = run
  return FunctionCallingAgent.fromTools({
    llm,
    tools: [tool('act', false), tool('pay', true)],
    durable,
    newId,
    ...options,
  })
}

/** Replacements of the next constructions of an agent. */
const setups: (() => never)[] = []

/** What happens instead of the next steps when a task has published its calls, as in a worker that dies. */
const afterPublishing: (() => Promise<void>)[] = []
const stopping: DbosRuntime = Object.create(DBOS, {
  setEvent: {
    value: async (key: string, value: unknown) => {
      await DBOS.setEvent(key, value)
      await afterPublishing.shift()?.()
    },
  },
})

let database: Awaited<ReturnType<typeof launch>>
const tasksOf = (dbos: typeof DBOS | DBOSClient = DBOS, workflow = 'agent') =>
  new DbosTasks({ dbos, workflow, queue: 'agents', pollingIntervalMs: 50 })

const chatStore = new SimpleChatStore()
beforeAll(async () => {
  database = await launch(() => {
    const retry = { baseDelayMs: 1 }
    agentWorkflow({ dbos: DBOS, name: 'agent', agent, retry, chatStore })
    agentWorkflow({ dbos: stopping, name: 'stopping agent', agent, retry })
    agentWorkflow({ dbos: DBOS, name: 'streaming agent', agent, retry, streamEvents: true })
    agentWorkflow({ dbos: DBOS, name: 'failing agent', agent: (run) => setups.shift()?.() ?? agent(run), retry })
  })
  await DBOS.registerQueue('agents', { minPollingIntervalMs: 50 })
})
afterAll(() => database.stop())

/** Submits a task with a script. */
async function start(taskId: string, { answers, options }: Play, workflow?: string) {
  const llm = new ScriptedLLM({ answers, metadata })
  const play: Playing = { llm, options, runs: [], effects: [] }
  plays.set(taskId, play)
  const tasks = tasksOf(DBOS, workflow)
  await tasks.submit('Go!', { taskId, context: { play: taskId } })
  return { tasks, ...play }
}

const refused = () => new ModelCallError('no', { kind: 'auth' })

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 20))
}

describe('an agent as a workflow', () => {
  it('answers, and records every call as a step', async () => {
    const { tasks, effects, llm } = await start('plain', { answers: [calls(['act', 'a']), 'Done.'] })
    const answer = await tasks.answer('plain')
    expect(answer).toMatchObject({ response: 'Done.', usage: { modelCalls: 2, toolCalls: 1 } })
    expect(AgentChatResponse.fromDict(answer).sources.map(String)).toEqual(['did a'])
    expect(effects).toEqual(['plain/1/0 a'])
    expect((await tasks.calls('plain')).map(({ name }) => name)).toEqual([
      'step-1/model',
      'step-1/tool-0',
      'step-2/model',
    ])
    expect(await tasks.status('plain')).toBe('finished')
    await tasks.submit('Something else', { taskId: 'plain' })
    expect((await tasks.answer('plain')).response).toBe('Done.')
    expect(llm.calls).toHaveLength(2)
  })

  it('answers with integers of any size that a tool returned', async () => {
    const schema = { type: 'object', properties: {} } as const
    const count = FunctionTool.fromDefaults({ name: 'count', schema, fn: () => ({ rows: 12n }) })
    const { tasks } = await start('integers', {
      answers: [calls(['count', 'a']), 'Twelve.'],
      options: { tools: [count] },
    })
    const answer = await tasks.answer('integers')
    expect(answer).toMatchObject({ response: 'Twelve.', sources: [{ raw_output: { rows: 12 } }] })
  })

  it('answers when a tool returns a value without a JSON form', async () => {
    const schema = { type: 'object', properties: {} } as const
    const circular: Record<string, unknown> = {}
    circular['self'] = circular
    const look = FunctionTool.fromDefaults({ name: 'look', schema, fn: () => circular })
    const { tasks } = await start('circular', { answers: [calls(['look', 'a']), 'Seen.'], options: { tools: [look] } })
    const { response, sources } = await tasks.answer('circular')
    expect(response).toBe('Seen.')
    expect(sources[0]?.['raw_output']).toBe(sources[0]?.['content'])
  })

  it('records results as JSON, which calls returns as values', async () => {
    const schema = { type: 'object', properties: {} } as const
    const count = FunctionTool.fromDefaults({ name: 'count', schema, fn: () => ({ rows: 2n ** 64n }) })
    const { tasks } = await start('recorded', {
      answers: [calls(['count', 'a']), refused(), 'Done.'],
      options: { tools: [count] },
    })
    await expect(tasks.answer('recorded')).rejects.toThrow('no')
    await tasks.retry('recorded')
    await tasks.answer('recorded')
    const recorded = (await DBOS.listWorkflowSteps('recorded'))?.map(({ output }) => typeof output)
    expect(recorded).toEqual(['string', 'string', 'string'])
    const [, counted, reply] = await tasks.calls('recorded')
    expect(counted?.output).toMatchObject({ tool_name: 'count', raw_output: { rows: 2n ** 64n } })
    expect(reply?.output).toMatchObject({ message: { content: 'Done.' } })
  })

  it('makes the same ids when it runs again', async () => {
    const { tasks, runs } = await start('ids', { answers: [new Error('power cut'), 'Done.'] })
    await expect(tasks.answer('ids')).rejects.toThrow('power cut')
    await tasks.retry('ids')
    await tasks.answer('ids')
    const [first, second] = runs.map(({ newId }) => [newId(), newId()])
    expect(first).toEqual(second)
    expect(new Set(first).size).toBe(2)
  })

  it('submits with a client, a conversation and a version', async () => {
    const dbos = await DBOSClient.create({ systemDatabaseUrl: database.url, applicationName: 'tests' })
    const llm = new ScriptedLLM({ answers: ['Ann.'], metadata })
    plays.set('', { llm, options: {}, runs: [], effects: [] })
    const tasks = tasksOf(dbos)
    const chatHistory = [
      new ChatMessage({ content: 'I am Ann.' }),
      new ChatMessage({ role: 'assistant', content: 'Hi.' }),
    ]
    const taskId = await tasks.submit('Who am I?', { chatHistory, version: 'one', priority: 1, delayMs: 10 })
    expect((await tasks.answer(taskId)).response).toBe('Ann.')
    expect(llm.calls[0]?.messages?.map(({ content }) => content)).toEqual(['I am Ann.', 'Hi.', 'Who am I?'])
    await dbos.destroy()
  })

  it('takes a conversation from a chat store, of which the request contains a reference, and adds its messages', async () => {
    const talk = ['I am Ann.', 'I am Bob.']
    chatStore.setMessages(
      'c',
      talk.map((content) => new ChatMessage({ content })),
    )
    const llm = new ScriptedLLM({ answers: ['Ann.'], metadata })
    plays.set('', { llm, options: {}, runs: [], effects: [] })
    const tasks = tasksOf(DBOS)
    const taskId = await tasks.submit('Who am I?', { conversation: { id: 'c', length: 1 } })
    expect((await tasks.answer(taskId)).response).toBe('Ann.')
    expect(llm.calls[0]?.messages?.map(({ content }) => content)).toEqual(['I am Ann.', 'Who am I?'])
    expect(chatStore.getMessages('c').map(({ content }) => content)).toEqual([...talk, 'Who am I?', 'Ann.'])
    const both = tasks.submit('Hm?', { conversation: { id: 'c', length: 1 }, chatHistory: [] })
    await expect(both).rejects.toMatchObject({ code: 'configuration' })
  })
})

describe('calls at the same time', () => {
  it('deliver their results in the order in which the calls began', async () => {
    // The guard of the last call is the fastest: its tool would be called first.
    const tool = async ({ arguments: { what } }: { arguments: Record<string, unknown> }) => {
      await new Promise((resolve) => setTimeout(resolve, Number(what)))
      return undefined
    }
    const { tasks, effects } = await start('parallel', {
      answers: [calls(['act', '60'], ['act', '30'], ['act', '1']), new Error('power cut'), 'Done.'],
      options: { maxToolConcurrency: 3, guards: { tool } },
    })
    await expect(tasks.answer('parallel')).rejects.toThrow('power cut')
    // All calls are replayed in this order.
    await tasks.retry('parallel')
    await tasks.answer('parallel')
    expect((await tasks.calls('parallel')).map(({ name }) => name)).toEqual([
      'step-1/model',
      ...[0, 1, 2].map((i) => `step-1/guard-tool-${i}`),
      ...[0, 1, 2].map((i) => `step-1/tool-${i}`),
      'step-2/model',
    ])
    expect(effects).toHaveLength(3)
  })
})

describe('decisions', () => {
  it('come from outside, and refused decisions are reported', async () => {
    const answers = [calls(['pay', 'rent'], ['pay', 'fine'], ['pay', 'tax'], ['pay', 'bill']), 'Done.']
    const { tasks, effects } = await start('decide', { answers })
    await until(async () => (await tasks.status('decide')) === 'waiting')
    const waiting = await tasks.waiting('decide')
    expect(waiting.map(({ id }) => id)).toEqual(['rent-0', 'fine-1', 'tax-2', 'bill-3'])
    await expect(tasks.decide('decide', { callId: 'none', type: 'approve' })).rejects.toMatchObject({
      code: 'approval',
    })
    await expect(tasks.decide('decide', { callId: 'rent-0' } as never)).rejects.toMatchObject({ code: 'configuration' })

    await tasks.decide('decide', { callId: 'rent-0', type: 'edit', arguments: { what: 5 } as never })
    await until(async () => (await tasks.waiting('decide'))[0]?.refused !== undefined)
    expect((await tasks.waiting('decide'))[0]).toMatchObject({ id: 'rent-0', refused: { code: 'tool_input' } })

    await tasks.decide('decide', { callId: 'rent-0', type: 'edit', arguments: { what: 'half the rent' } })
    await tasks.decide('decide', { callId: 'fine-1', type: 'reject', reason: 'not mine' })
    await tasks.decide('decide', { callId: 'tax-2', type: 'result', result: 'paid by Ann' })
    await tasks.decide('decide', { callId: 'bill-3', type: 'approve', by: 'Ann' })
    const { sources } = await tasks.answer('decide')
    expect(sources.map(({ content }) => content)).toEqual([
      'did half the rent',
      expect.stringContaining('not mine'),
      'paid by Ann',
      'did bill',
    ])
    expect(effects).toEqual(['decide/1/0 half the rent', 'decide/1/3 bill'])
    expect(await tasks.waiting('decide')).toEqual([])
  })

  const approves = { callId: 'rent-0', type: 'approve' } as const
  const rent = { answers: [calls(['pay', 'rent']), 'Paid.'] }
  /** Stores a decision, as a client that ends before it continues the task. */
  const store = async (taskId: string) => {
    const [call] = (await DBOS.getEvent<{ calls: WaitingCall[] }>(taskId, 'waiting'))!.calls
    await storeDecision(DBOS, (await DBOS.retrieveWorkflow(taskId).getStatus())!, call!, approves)
  }
  const stepsOf = async (taskId: string) => (await DBOS.listWorkflowSteps(taskId))!.map(({ name }) => name)

  it('do not wait for a worker that died before its task could wait', async () => {
    afterPublishing.push(() => new Promise(() => {}))
    const { tasks, effects } = await start('died', rent, 'stopping agent')
    await until(async () => (await tasks.status('died')) === 'waiting')
    await tasks.decide('died', approves)
    expect(await tasks.status('died')).toBe('running')
    // As a `WorkerReaper` does.
    await DBOS.resumeWorkflow('died', { queueName: 'agents' })
    expect((await tasks.answer('died')).response).toBe('Paid.')
    expect(effects).toEqual(['died/1/0 rent'])
  })

  it('that come before a task waits are read at once', async () => {
    afterPublishing.push(() => store('early'))
    const { tasks, runs } = await start('early', rent, 'stopping agent')
    expect((await tasks.answer('early')).response).toBe('Paid.')
    expect(runs).toHaveLength(1)
    expect((await stepsOf('early')).filter((name) => name === 'decisions')).toHaveLength(1)
  })

  it('of a client that has ended continue the task for those who wait for its answer', async () => {
    const { tasks, runs } = await start('left', rent)
    await until(async () => (await DBOS.retrieveWorkflow('left').getStatus())?.status === 'SUCCESS')
    await store('left')
    expect((await tasks.answer('left')).response).toBe('Paid.')
    expect(runs).toHaveLength(2)
  })
})

describe('errors', () => {
  const busy = () => new ModelCallError('busy', { kind: 'rate_limit', retryAfterMs: 5 })

  it('that are retryable are repeated within the step', async () => {
    const { tasks, llm } = await start('busy', { answers: [busy(), busy(), 'Done.'] })
    expect((await tasks.answer('busy')).response).toBe('Done.')
    expect(llm.calls).toHaveLength(3)
    expect(await tasks.calls('busy')).toHaveLength(1)
  })

  it('that are not retryable are thrown with their code, and retry continues the task', async () => {
    const { tasks, effects } = await start('refused', { answers: [calls(['act', 'a']), refused(), 'Done.'] })
    const error = await tasks.answer('refused').catch((thrown: unknown) => thrown)
    expect(isToolkitError(error, 'model_call')).toBe(true)
    expect(error).toMatchObject({ message: 'no', kind: 'auth', name: 'ModelCallError' })
    expect(await tasks.status('refused')).toBe('failed')
    await tasks.retry('refused')
    expect((await tasks.answer('refused')).response).toBe('Done.')
    expect(effects).toEqual(['refused/1/0 a'])
  })

  it('of the loop have their code, and a higher limit lets the task continue', async () => {
    const play = { answers: [calls(['act', 'a']), 'Done.'], options: { maxIterations: 1 } }
    const { tasks, effects } = await start('limited', play, 'streaming agent')
    await expect(tasks.answer('limited')).rejects.toMatchObject({ code: 'max_iterations', taskId: 'limited' })
    plays.get('limited')!.options = { maxIterations: 5 }
    await tasks.retry('limited')
    expect((await tasks.answer('limited')).response).toBe('Done.')
    expect(effects).toHaveLength(1)
  })

  it.each<[string, (tasks: DbosTasks) => unknown]>([
    ['DbosTasks.submit.options: expected an object, received null', (tasks) => tasks.submit('Hi', null as never)],
    ['DbosTasks.answer.signl: unknown option', (tasks) => tasks.answer('t', { signl: 1 } as never)],
    ['DbosTasks.answer: expected an object of options', (tasks) => tasks.answer('t', null as never)],
    ['DbosTasks.events.from: expected an integer', (tasks) => tasks.events('t', { from: -1 }).next()],
    ['DbosTasks.events.signal: expected an AbortSignal', (tasks) => tasks.events('t', { signal: {} as never }).next()],
  ])('of wrong options have a code: %s', async (message, call) => {
    const tasks = new DbosTasks({ dbos: DBOS, workflow: 'agent', queue: 'agents' })
    await expect(async () => call(tasks)).rejects.toMatchObject({
      code: 'model_validation',
      message: expect.stringContaining(message),
    })
  })

  it('of DBOS have different codes', async () => {
    const failing = (dbosErrorCode: number) => {
      const error = Object.assign(new Error('by DBOS'), { dbosErrorCode })
      const handle = {
        workflowID: 't',
        getStatus: async () => ({ workflowID: 't', status: 'ERROR' }),
        getResult: () => Promise.reject(error),
      }
      const dbos = { ...DBOS, enqueue: async () => handle, retrieveWorkflow: () => handle } as unknown as DbosControl
      return new DbosTasks({ dbos, workflow: 'agent', queue: 'agents' }).answer('t')
    }
    await expect(failing(27)).rejects.toMatchObject({ code: 'task_cancelled' })
    await expect(failing(30)).rejects.toMatchObject({ code: 'task_abandoned' })
    await expect(failing(37)).rejects.toMatchObject({ code: 'journal_mismatch' })
    await expect(failing(1)).rejects.toMatchObject({ message: 'by DBOS', dbosErrorCode: 1 })
  })

  it('name a task that does not exist', async () => {
    const tasks = tasksOf()
    const missing = { code: 'task_not_found', taskId: 'none' }
    await expect(tasks.answer('none')).rejects.toMatchObject(missing)
    await expect(tasks.cancel('none')).rejects.toMatchObject(missing)
    await expect(tasks.retry('none')).rejects.toMatchObject(missing)
    await expect(tasks.fork('none')).rejects.toMatchObject(missing)
    await expect(tasks.decide('none', { callId: 'a', type: 'approve' })).rejects.toMatchObject(missing)
    await expect(tasks.events('none').next()).rejects.toMatchObject(missing)
  })
})

describe('a task', () => {
  it('is cancelled with the task that has started it, whatever its id is', async () => {
    const answers = () => [calls(['pay', 'a']), 'Done.']
    const waits = async (taskId: string, startedBy?: string) => {
      plays.set(taskId, { llm: new ScriptedLLM({ answers: answers(), metadata }), options: {}, runs: [], effects: [] })
      await tasks.submit('Go!', { taskId, context: { play: taskId }, startedBy })
      await until(async () => (await tasks.status(taskId)) === 'waiting')
    }
    const tasks = tasksOf()
    const started = { 'its child': 'starter', grandchild: 'its child', helped: 'starter/2/0' }
    const others = { 'starter/7/8': undefined, 'starter/7/8/1/0/background': 'starter/7/8' }
    await waits('starter')
    for (const [taskId, startedBy] of Object.entries({ ...others, ...started })) await waits(taskId, startedBy)
    await tasks.cancel('starter')
    for (const taskId of Object.keys(started)) expect(await tasks.status(taskId)).toBe('cancelled')
    for (const taskId of Object.keys(others)) expect(await tasks.status(taskId)).toBe('waiting')
    await tasks.submit('Go!', { taskId: 'late child', startedBy: 'starter' })
    expect(await tasks.status('late child')).toBe('cancelled')
  })

  it('stops when it is cancelled, and continues when it is retried', async () => {
    const never = new Promise<never>(() => {})
    const { tasks, runs, llm } = await start('cancelled', { answers: [calls(['act', 'a']), never, 'Done.'] })
    await until(() => llm.calls.length === 2)
    await expect(tasks.retry('cancelled')).rejects.toMatchObject({ code: 'task_busy' })
    await tasks.cancel('cancelled')
    await expect(tasks.answer('cancelled')).rejects.toMatchObject({ code: 'task_cancelled', taskId: 'cancelled' })
    await until(() => runs[0]!.signal.aborted)
    expect(await tasks.status('cancelled')).toBe('cancelled')
    await tasks.retry('cancelled')
    expect((await tasks.answer('cancelled')).response).toBe('Done.')
    await expect(tasks.retry('cancelled')).rejects.toMatchObject({ code: 'task_finalized' })
    expect(llm.calls).toHaveLength(3)
  })

  it('is forked at a step with the results of the steps before', async () => {
    const first = await start('origin', { answers: [calls(['act', 'a']), calls(['act', 'b']), 'Done.'] })
    await first.tasks.answer('origin')
    await expect(first.tasks.fork('origin', { atStep: 4 })).rejects.toMatchObject({ code: 'invalid_step' })
    plays.get('origin')!.llm = new ScriptedLLM({ answers: [calls(['act', 'c']), 'Differently.'], metadata })
    const fork = await first.tasks.fork('origin', { atStep: 1, taskId: 'fork' })
    const answer = await first.tasks.answer(fork)
    expect([answer.response, answer.sources.map(({ content }) => content)]).toEqual([
      'Differently.',
      ['did a', 'did c'],
    ])
    expect(first.effects).toEqual(['origin/1/0 a', 'origin/2/0 b', 'fork/2/0 c'])
    const whole = await first.tasks.fork('origin')
    expect((await first.tasks.answer(whole)).response).toBe('Done.')
  })
})

describe('the events of a task', () => {
  it('are read from outside, without those of failed attempts', async () => {
    const failing = ['Hel', new ModelCallError('gone', { kind: 'connection' })]
    const answers = [calls(['act', 'a']), failing, ['Hel', 'lo']]
    const { tasks } = await start('events', { answers }, 'streaming agent')
    const records: TaskEvents[] = []
    for await (const record of tasks.events('events')) records.push(record)
    expect((await tasks.answer('events')).response).toBe('Hello')
    expect(new Set(records.map(({ call, attempt }) => `${call} ${attempt}`)).size).toBe(5)
    const text = (events: readonly AgentEvent[]) =>
      events.map((event) => (event.type === 'text_delta' ? event.delta : '')).join('')
    expect(text(records.flatMap(({ events }) => events))).toBe('HelHello')
    const events = validEvents(records)
    expect(text(events)).toBe('Hello')
    const types = ['step_start', 'usage', 'tool_call', 'tool_result', 'step_end']
    expect(events.map(({ type }) => type)).toEqual([
      ...types,
      ...['step_start', 'text_delta', 'text_delta', 'usage', 'step_end', 'task_end'],
    ])
    expect((await tasks.calls('events')).map(({ name }) => name)).toEqual([
      'step-1/model',
      'step-1/tool-0',
      'step-2/model',
    ])
  })

  it('contain the wait for a decision before it comes', async () => {
    const { tasks } = await start('watched', { answers: [calls(['pay', 'rent']), 'Paid.'] }, 'streaming agent')
    const records: TaskEvents[] = []
    for await (const record of tasks.events('watched')) {
      records.push(record)
      if (record.events.some(({ type }) => type === 'approval_required'))
        await until(async () => {
          const [call] = await tasks.waiting('watched')
          if (call) await tasks.decide('watched', { callId: call.id, type: 'approve' })
          return call !== undefined
        })
    }
    const types = validEvents(records).map(({ type }) => type)
    expect(types.slice(types.indexOf('approval_required'))).toEqual([
      ...['approval_required', 'step_end'],
      ...['step_start', 'tool_call', 'tool_result', 'step_end'],
      ...['step_start', 'text_delta', 'usage', 'step_end', 'task_end'],
    ])
    expect((await tasks.answer('watched')).response).toBe('Paid.')
  })

  it('are not written without streamEvents', async () => {
    const { tasks } = await start('silent', { answers: ['Done.'] })
    for await (const record of tasks.events('silent')) expect(record).toBeUndefined()
  })
})

describe('an agent that changes while a task runs', () => {
  it('continues if it makes the same calls, and is refused otherwise', async () => {
    const answers = [calls(['act', 'a']), new Error('power cut'), 'Done.']
    const { tasks, effects } = await start('changed', { answers })
    await expect(tasks.answer('changed')).rejects.toThrow('power cut')
    const play = plays.get('changed')!
    play.options = { guards: { input: () => undefined } }
    await tasks.retry('changed')
    const refused = await tasks.answer('changed').catch((thrown: unknown) => thrown)
    expect(refused).toMatchObject({ code: 'journal_mismatch', taskId: 'changed' })
    expect((refused as Error).message).toContain('step-1/guard-input')
    play.options = { systemPrompt: 'Be brief.' }
    await tasks.retry('changed')
    expect((await tasks.answer('changed')).response).toBe('Done.')
    expect(effects).toEqual(['changed/1/0 a'])
  })

  it('waits for a worker of its version', async () => {
    const { tasks } = await start('next', { answers: [new Error('power cut'), 'Done.'] })
    await expect(tasks.answer('next')).rejects.toThrow('power cut')
    await tasks.retry('next', { version: 'two' })
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(await tasks.status('next')).toBe('queued')
    await tasks.cancel('next')
    await tasks.retry('next', { version: 'one' })
    expect((await tasks.answer('next')).response).toBe('Done.')
  })
})

describe('a submission', () => {
  it('to a queue that is not registered is refused', async () => {
    const tasks = new DbosTasks({ dbos: DBOS, workflow: 'agent', queue: 'agent' })
    const refused = await tasks.submit('Go!', { taskId: 'nowhere' }).catch((error) => error)
    expect(refused).toMatchObject({ code: 'unknown_queue', retryable: true })
    expect(refused.message).toContain('The queue "agent" is not registered; correct the name')
    await expect(tasks.status('nowhere')).rejects.toMatchObject({ code: 'task_not_found' })
    const client = await DBOSClient.create({ systemDatabaseUrl: database.url })
    const outside = new DbosTasks({ dbos: client, workflow: 'agent', queue: 'other' })
    await expect(outside.submit('Go!')).rejects.toMatchObject({ code: 'unknown_queue' })
    plays.set('', { llm: new ScriptedLLM({ answers: ['Done.'], metadata }), options: {}, runs: [], effects: [] })
    const known = tasksOf(client)
    expect((await known.answer(await known.submit('Go!'))).response).toBe('Done.')
    await client.destroy()
  })

  it('with an id that the database cannot store is refused, and no task has such an id', async () => {
    const tasks = tasksOf()
    for (const taskId of ['a\u0000b', '', 5 as unknown as string])
      await expect(tasks.submit('Go!', { taskId })).rejects.toMatchObject({
        code: 'configuration',
        message: expect.stringMatching(/^DbosTasks\.submit: taskId: expected a string/),
      })
    for (const look of ['status', 'answer', 'waiting', 'calls', 'cancel', 'retry', 'fork'] as const)
      await expect(tasks[look]('a\u0000b')).rejects.toMatchObject({ code: 'task_not_found' })
    await start('forked', { answers: ['Done.'] })
    await tasks.answer('forked')
    await expect(tasks.fork('forked', { taskId: '\u0000' })).rejects.toMatchObject({ code: 'configuration' })
  })
})

describe('an agent that cannot be made', () => {
  it('ends the task with a code; it continues when it is retried', async () => {
    setups.push(() => {
      throw new Error('no key')
    })
    const { tasks } = await start('unmade', { answers: ['Done.'] }, 'failing agent')
    const error = await tasks.answer('unmade').catch((thrown) => thrown)
    expect([error.code, error.cause.message]).toEqual(['agent_setup', 'no key'])
    await tasks.retry('unmade')
    expect((await tasks.answer('unmade')).response).toBe('Done.')
  })

  it('is made again if its error is retryable', async () => {
    const busy = () => {
      throw new ModelCallError('busy', { kind: 'overloaded' })
    }
    setups.push(busy, busy)
    const { tasks } = await start('busy agent', { answers: ['Done.'] }, 'failing agent')
    expect((await tasks.answer('busy agent')).response).toBe('Done.')
    expect(setups).toEqual([])
  })
})

it('the context of a request is that of tools and hooks', async () => {
  const seen: unknown[] = []
  const prepareStep: FunctionCallingAgentOptions['prepareStep'] = ({ context }) => void seen.push(context) as undefined
  for (const workflow of ['agent', 'streaming agent']) {
    const { tasks } = await start(`context ${workflow}`, { answers: ['Done.'], options: { prepareStep } }, workflow)
    await tasks.answer(`context ${workflow}`)
  }
  expect(seen).toEqual([{ play: 'context agent' }, { play: 'context streaming agent' }])
})
