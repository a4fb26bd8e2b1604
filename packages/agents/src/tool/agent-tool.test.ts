import { type ChatMessage, NodeWithScore, TextNode } from '@x/core-model'
import { ChatMemoryBuffer } from '@x/core-model/memory'
import { ModelCallError } from '@x/llm'
import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { functionCallingLlm, scriptedToolModel, toolCall, toolCalls } from '../../test/function-calling-llm.ts'
import { FunctionCallingAgent, type FunctionCallingAgentOptions } from '../agent/function-calling-agent.ts'
import { journal, journalPort } from '../journal.ts'
import type { AgentRunner } from '../runner/agent-runner.ts'
import type { AgentEvent, PendingToolCall } from '../task/agent-event.ts'
import type { Durable } from '../task/durable.ts'
import { MemoryTaskStore } from '../task/memory-task-store.ts'
import type { AgentToolOptions } from './agent-tool.ts'
import { AgentTool } from './agent-tool.ts'
import { FunctionTool } from './function-tool.ts'
import { QueryEngineTool } from './query-engine-tool.ts'
import { RetrieverTool } from './retriever-tool.ts'

type Turns = Parameters<typeof functionCallingLlm>[0]

const paid: string[] = []
const pay = FunctionTool.fromDefaults({
  name: 'pay',
  schema: { type: 'object', properties: { to: { type: 'string' }, n: { type: 'number' } }, required: ['to'] },
  needsApproval: true,
  fn: ({ to, n = 1 }) => {
    paid.push(`${to} ${n}`)
    return `paid ${n} to ${to}`
  },
})
const note = FunctionTool.fromDefaults({
  name: 'note',
  schema: { type: 'object', properties: { text: { type: 'string' } } },
  fn: ({ text }) => {
    paid.push(`note ${text}`)
    return 'noted'
  },
})

function agent(turns: Turns, options: Partial<FunctionCallingAgentOptions> = {}): FunctionCallingAgent {
  return FunctionCallingAgent.fromTools({ llm: functionCallingLlm(turns), ...options })
}

/** An agent that asks `inner`, once per entry of `questions`. */
function lead(
  inner: AgentRunner,
  questions: string[][],
  options: Partial<AgentToolOptions & FunctionCallingAgentOptions> = {},
) {
  const { conversation, ...rest } = options
  const ask = new AgentTool({ agent: inner, name: 'ask', conversation })
  const turns = questions.map((inputs, i) => inputs.map((input, j) => toolCall(`q${i}${j}`, 'ask', { input })))
  return agent([...turns, 'Done.'], { tools: [ask, note], ...rest })
}

const lastToolText = (runner: AgentRunner) => runner.chatHistory.findLast(({ role }) => role === 'tool')!.content

async function waiting(run: Promise<unknown>) {
  const error = await run.then(
    () => undefined,
    (thrown) => thrown,
  )
  expect(error).toMatchObject({ code: 'approval_required' })
  return error as { taskId: string; calls: { id: string; name: string }[] }
}

describe('an agent as a tool', () => {
  it('pauses the calling task for approval, and continues after the decision', async () => {
    paid.length = 0
    const inner = agent([[toolCall('p', 'pay', { to: 'ann' })], 'Ann has it.'], { tools: [pay] })
    const outer = lead(inner, [['Pay Ann!']])
    const { taskId, calls } = await waiting(outer.chat('Go'))
    expect(calls).toMatchObject([{ id: 'q00/p', name: 'pay', arguments: '{"to":"ann"}', parent: 'q00' }])
    expect(outer.getPendingApprovals(taskId).map(({ id }) => id)).toEqual(['q00/p'])
    expect(paid).toEqual([])
    await outer.approve(taskId, 'q00/p')
    expect(String(await outer.runTask(taskId))).toBe('Done.')
    expect([paid, lastToolText(outer)]).toEqual([['ann 1'], 'Ann has it.'])
  })

  it('receives rejections and edits', async () => {
    paid.length = 0
    const turn = [toolCall('a', 'pay', { to: 'ann' }), toolCall('b', 'pay', { to: 'bob' })]
    const inner = agent([turn, 'Ready.'], { tools: [pay] })
    const outer = lead(inner, [['Pay!']])
    const { taskId } = await waiting(outer.chat('Go'))
    await outer.reject(taskId, 'q00/a', 'too expensive')
    expect(outer.getPendingApprovals(taskId).map(({ id }) => id)).toEqual(['q00/b'])
    await outer.edit(taskId, 'q00/b', { to: 'bob', n: 5 })
    await outer.runTask(taskId)
    expect(paid).toEqual(['bob 5'])
    const [child] = inner.listTasks()
    expect(inner.getCompletedSteps(child!.taskId).at(-1)!.output).toMatchObject({ response: 'Ready.' })
    expect(JSON.stringify(child!.memory.getAll())).toContain('too expensive')
  })

  it.each(['before an approval', 'before an edit', 'after an edit'])(
    'runs what the person has seen, when the saved call changes %s',
    async (when) => {
      paid.length = 0
      const inner = agent([[toolCall('p', 'pay', { to: 'ann' })], 'Paid.'], { tools: [pay] })
      const outer = lead(inner, [['Pay Ann!']])
      const { taskId } = await waiting(outer.chat('Go'))
      const change = () => {
        const { extraState } = outer.getTask(taskId)
        const [ask, call] = extraState['pending_calls'] as PendingToolCall[]
        extraState['pending_calls'] = [ask!, { ...call!, arguments: { to: 'eve' } }]
      }
      if (when.startsWith('before')) change()
      if (when === 'before an approval') await outer.approve(taskId, 'q00/p')
      else await outer.edit(taskId, 'q00/p', { to: 'bob' })
      if (when === 'after an edit') change()
      if (when !== 'before an edit') {
        await waiting(outer.runTask(taskId))
        expect([paid, outer.getPendingApprovals(taskId)]).toMatchObject([[], [{ arguments: '{"to":"ann"}' }]])
        await outer.edit(taskId, 'q00/p', { to: 'bob' })
      }
      await outer.runTask(taskId)
      expect(paid).toEqual(['bob 1'])
    },
  )

  it('may wait more than once, and through several agents', async () => {
    paid.length = 0
    const turns = [[toolCall('p1', 'pay', { to: 'ann' })], [toolCall('p2', 'pay', { to: 'bob' })], 'Both.']
    const middle = lead(agent(turns, { tools: [pay] }), [['Pay both!']])
    const outer = agent([[toolCall('m', 'middle', { input: 'Pay!' })], 'Done.'], {
      tools: [new AgentTool({ agent: middle, name: 'middle' })],
    })
    const { taskId, calls } = await waiting(outer.chat('Go'))
    expect(calls.map(({ id }) => id)).toEqual(['m/q00/p1'])
    await outer.approve(taskId, 'm/q00/p1')
    await waiting(outer.runTask(taskId))
    expect(paid).toEqual(['ann 1'])
    await outer.approve(taskId, 'm/q00/p2')
    expect(String(await outer.runTask(taskId))).toBe('Done.')
    expect(paid).toEqual(['ann 1', 'bob 1'])
  })

  it('does not repeat the other calls of the turn', async () => {
    paid.length = 0
    const inner = agent([[toolCall('p', 'pay', { to: 'ann' })], 'Paid.'], { tools: [pay] })
    const turn = [toolCall('n', 'note', { text: 'x' }), toolCall('q', 'ask', { input: 'Pay!' })]
    const outer = agent([turn, 'Done.'], { tools: [new AgentTool({ agent: inner, name: 'ask' }), note] })
    const { taskId } = await waiting(outer.chat('Go'))
    expect(paid).toEqual(['note x'])
    await outer.approve(taskId, 'q/p')
    const answer = await outer.runTask(taskId)
    expect(paid).toEqual(['note x', 'ann 1'])
    expect(answer.sources.map(String)).toEqual(['noted', 'Paid.'])
    expect(answer.usage!.toolCalls).toBe(3)
  })

  it('continues after a crash if both agents save their tasks', async () => {
    paid.length = 0
    const taskStore = new MemoryTaskStore()
    const start = [[toolCall('p', 'pay', { to: 'ann' })]]
    const first = lead(agent(start, { tools: [pay], taskStore: journal(taskStore) }), [['Pay Ann!']], {
      taskStore: journal(taskStore),
    })
    const { taskId } = await waiting(first.chat('Go'))
    await first.approve(taskId, 'q00/p')

    const inner = agent(['Ann has it.'], { tools: [pay], taskStore: journal(taskStore) })
    const outer = agent(['Done.'], {
      tools: [new AgentTool({ agent: inner, name: 'ask' })],
      taskStore: journal(taskStore),
    })
    await outer.resumeTask(taskId)
    expect(String(await outer.runTask(taskId))).toBe('Done.')
    expect([paid, lastToolText(outer)]).toEqual([['ann 1'], 'Ann has it.'])
  })

  it('starts a new task in a fork of the calling task', async () => {
    paid.length = 0
    const inner = agent([[toolCall('p', 'pay', { to: 'ann' })], [toolCall('p', 'pay', { to: 'eve' })], 'Paid Eve.'], {
      tools: [pay],
    })
    const outer = lead(inner, [['Pay!']])
    const { taskId } = await waiting(outer.chat('Go'))
    const fork = await outer.forkTask(taskId)
    await waiting(outer.runTask(fork.taskId))
    await outer.approve(fork.taskId, 'q00/p')
    await outer.runTask(fork.taskId)
    expect(paid).toEqual(['eve 1'])
    expect(outer.getPendingApprovals(taskId).map(({ id }) => id)).toEqual(['q00/p'])
  })

  it('reports its events as the progress of the tool', async () => {
    const inner = agent([[toolCall('n', 'note', { text: 'x' })], 'Fine.'], { tools: [note] })
    const events: AgentEvent[] = []
    for await (const event of lead(inner, [['How?']]).runEvents('Go')) events.push(event)
    const progress = events.flatMap((event) => (event.type === 'tool_progress' ? [event] : []))
    expect(progress.map(({ callId, toolName }) => `${toolName} ${callId}`)).toContain('ask q00')
    const types = progress.map((event) => (event.progress as AgentEvent).type)
    expect(types).toEqual(expect.arrayContaining(['step_start', 'tool_call', 'tool_result', 'step_end']))
  })

  it('adds its usage and its source nodes to the task', async () => {
    const usage = { input_tokens: 100, output_tokens: 10 }
    const reply = (message: ChatMessage) =>
      message.copy({ update: { additionalKwargs: { ...message.additionalKwargs } } })
    const nodes = [new NodeWithScore({ node: new TextNode({ text: 'One.' }), score: 1 })]
    const find = new RetrieverTool({ retriever: { retrieve: () => nodes }, name: 'find' })
    const inner = agent([[toolCall('f', 'find', { input: 'one' })], 'One.'], { tools: [find] })
    const llm = inner.agentWorker.llm as ScriptedLLM
    const chat = llm.chat.bind(llm)
    Object.defineProperty(llm, 'chat', {
      value: async (...args: Parameters<typeof chat>) => {
        const response = await chat(...args)
        return response.copy({ update: { message: reply(response.message), additionalKwargs: { usage } } })
      },
    })
    const answer = await lead(inner, [['Find!']]).chat('Go')
    expect(answer.sourceNodes).toEqual(nodes)
    expect(answer.usage).toMatchObject({ modelCalls: 4, toolCalls: 2, inputTokens: 200, outputTokens: 20 })
  })

  it('ends the calling task when it has used up the budget of that task', async () => {
    const inner = agent([[toolCall('n', 'note', {})], [toolCall('n', 'note', {})], 'Fine.'], { tools: [note] })
    const outer = lead(inner, [['Go']], { budget: { maxModelCalls: 4 } })
    await expect(outer.chat('Go')).rejects.toMatchObject({ code: 'budget_exceeded' })
  })

  describe.each(['ask', 'query engine'] as const)('in three levels (%s)', (kind) => {
    const toolFor = (inner: AgentRunner) =>
      kind === 'ask'
        ? new AgentTool({ agent: inner, name: 'ask' })
        : new QueryEngineTool({ queryEngine: inner, name: 'ask' })
    const asking = (inner: AgentRunner, options: Partial<FunctionCallingAgentOptions> = {}) =>
      agent([[toolCall('a', 'ask', { input: 'Go' })], 'Done.'], { tools: [toolFor(inner)], ...options })
    const busy = (times: number) =>
      agent([...Array.from({ length: times }, (_, i) => [toolCall(`n${i}`, 'note', { text: `${i}` })]), 'End.'], {
        tools: [note],
      })

    it.each([
      // The outermost and the middle agent have called their models once each.
      [{ maxModelCalls: 4 }, 2],
      [{ maxToolCalls: 4 }, 3],
    ])('is stopped while it runs by the budget %j of the outermost agent', async (budget, calls) => {
      const leaf = busy(9)
      const outer = asking(asking(leaf), { budget })
      const error = await outer.chat('Go').catch((thrown) => thrown)
      expect(error).toMatchObject({ code: 'budget_exceeded', taskId: outer.listTasks()[0]!.taskId })
      expect(((leaf.agentWorker as { llm?: unknown }).llm as ScriptedLLM).calls.length).toBe(calls)
    })

    it('is included in the usage events of the outermost agent while it runs', async () => {
      const outer = asking(asking(busy(2)))
      const totals: number[] = []
      for await (const event of outer.runEvents('Go')) if (event.type === 'usage') totals.push(event.total.modelCalls)
      expect(totals).toEqual([1, 2, 3, 4, 5, 6, 7])
    })
  })

  it('shares the budget with agents that run at the same time', async () => {
    const slow = (turns: Turns) => agent(turns, { tools: [note] })
    const tools = ['one', 'two'].map((name) => {
      const inner = slow([[toolCall('n', 'note', {})], [toolCall('m', 'note', {})], 'End.'])
      return new AgentTool({ agent: inner, name })
    })
    const both = ['one', 'two'].map((name) => toolCall(name, name, { input: 'Go' }))
    const outer = agent([both, 'Done.'], { tools, maxToolConcurrency: 2, budget: { maxModelCalls: 4 } })
    await expect(outer.chat('Go')).rejects.toMatchObject({ code: 'budget_exceeded' })
  })

  it('is stopped when the budget of the calling task is exceeded', async () => {
    const turn = [toolCall('n', 'note', {})]
    const inner = agent([turn, turn, turn, turn, 'Fine.'], { tools: [note] })
    const outer = lead(inner, [['Go']], { budget: { maxModelCalls: 2 } })
    await expect(outer.chat('Go')).rejects.toMatchObject({ code: 'budget_exceeded' })
    expect((inner.agentWorker.llm as ScriptedLLM).calls).toHaveLength(1)
  })

  it.each([1, 2, 3])('may use the last of %i model calls of the calling task', async (maxModelCalls) => {
    const inner = agent([[toolCall('n', 'note', {})], 'Fine.'], { tools: [note] })
    const outer = lead(inner, [['Go']], { budget: { maxModelCalls } })
    await expect(outer.chat('Go')).rejects.toMatchObject({ code: 'budget_exceeded' })
    expect((inner.agentWorker.llm as ScriptedLLM).calls).toHaveLength(maxModelCalls - 1)
  })

  it('runs no tool of a turn that requests more calls than the calling task has left', async () => {
    paid.length = 0
    const both = ['a', 'b'].map((text) => toolCall(text, 'note', { text }))
    for (const [maxToolCalls, notes] of [
      [2, []],
      [3, ['note a', 'note b']],
    ] as const) {
      const outer = lead(agent([both, 'Fine.'], { tools: [note] }), [['Go']], { budget: { maxToolCalls } })
      const ended = await outer.chat('Go').then(String, ({ code }) => code)
      expect([ended, paid]).toEqual([maxToolCalls === 3 ? 'Done.' : 'budget_exceeded', notes])
    }
  })

  it('is stopped before its next call also when its answers stream and an engine saves its calls', async () => {
    const inner = agent([[toolCall('n', 'note', {})], 'Fine.'], { tools: [note] })
    const names: string[] = []
    const durable: Durable = (name, fn) => {
      names.push(name)
      return fn()
    }
    const outer = lead(inner, [['Go']], { budget: { maxModelCalls: 2 }, durable: journalPort(durable) })
    const run = async () => {
      for await (const _ of outer.runEvents('Go'));
    }
    await expect(run()).rejects.toMatchObject({ code: 'budget_exceeded' })
    expect(names.filter((name) => name.endsWith('/model'))).toHaveLength(2)
  })

  it('has a budget of its own, and its error states whose budget is used up', async () => {
    const inner = agent([[toolCall('n', 'note', {})], 'Fine.'], { tools: [note], budget: { maxModelCalls: 1 } })
    const outer = lead(inner, [['Go']], { budget: { maxModelCalls: 9 } })
    const answer = await outer.chat('Go')
    expect(answer.sources[0]).toMatchObject({ isError: true, content: expect.stringContaining('1 model calls') })
  })

  it('adds its usage to the task even if it fails', async () => {
    const turn = [toolCall('n', 'note', {})]
    const inner = agent([turn, turn], { tools: [note], maxIterations: 2 })
    const answer = await lead(inner, [['Go']]).chat('Go')
    expect(answer.sources[0]).toMatchObject({ isError: true })
    expect(answer.usage).toMatchObject({ modelCalls: 4 })
  })

  it('receives the content parts that toQuestion returns', async () => {
    const llm = scriptedToolModel(['A cat.'])
    const look = new AgentTool({
      agent: FunctionCallingAgent.fromTools({ llm }),
      name: 'look',
      schema: { type: 'object', properties: { url: { type: 'string' } }, required: ['url'] },
      toQuestion: ({ url }) => [
        { type: 'text', text: 'What is it?' },
        { type: 'image_url', image_url: { url: String(url) } },
      ],
    })
    const output = await look.call({ url: 'https://example.org/cat.png' })
    expect(output).toMatchObject({ content: 'A cat.', rawInput: { input: 'What is it?' } })
    expect(llm.calls[0]!.messages!.at(-1)!['content']).toHaveLength(2)
    await expect(look.call({ url: '' })).rejects.toMatchObject({ code: 'tool_execution' })
  })

  it('describes a failure without the ids of tasks', async () => {
    const inner = agent([[toolCall('n', 'note', {})], [toolCall('n', 'note', {})]], { tools: [note], maxIterations: 1 })
    const outer = lead(inner, [['Go']])
    await outer.chat('Go')
    const text = String(lastToolText(outer))
    expect(text).toMatch(/^Error: The agent/)
    expect(text).not.toMatch(/[0-9a-f]{8}-/)
    expect(inner.listTasks()).toEqual([])
  })

  it.each(['observe', 'raise'] as const)(
    'keeps a failed task only if the call is repeated (%s)',
    async (onToolError) => {
      const busy = new ModelCallError('busy', { kind: 'overloaded' })
      const taskStore = new MemoryTaskStore()
      const llm = scriptedToolModel([toolCalls(toolCall('n', 'note', { text: 'a' })), busy, 'Noted.'])
      const inner = FunctionCallingAgent.fromTools({
        llm,
        tools: [note],
        taskStore: journal(taskStore),
        retries: false,
      })
      paid.length = 0
      const outer = agent([[toolCall('q', 'agent', { input: 'x' })], 'Done.'], {
        tools: [new AgentTool({ agent: inner })],
        onToolError,
        taskStore: journal(taskStore),
      })
      const { taskId } = await outer.createTask('x')
      const answer = await outer.runTask(taskId).catch(() => outer.runTask(taskId))
      expect(String(answer)).toBe('Done.')
      expect(answer.sources.map(String)).toEqual([onToolError === 'raise' ? 'Noted.' : expect.stringContaining('busy')])
      expect(paid).toEqual(['note a'])
      expect(await taskStore.list({ unfinished: true })).toEqual([])
      expect(inner.listTasks()).toHaveLength(onToolError === 'raise' ? 1 : 0)
    },
  )

  it('stops with the calling task, and continues with it', async () => {
    const controller = new AbortController()
    const stop = FunctionTool.fromDefaults({
      name: 'stop',
      schema: {},
      fn: () => {
        controller.abort(new Error('enough'))
        return 'stopped'
      },
    })
    const inner = agent([[toolCall('s', 'stop', {})], 'After.', 'After.'], { tools: [stop] })
    const outer = lead(inner, [['Go']])
    const task = await outer.createTask('Go')
    await expect(outer.runTask(task.taskId, { signal: controller.signal })).rejects.toMatchObject({ code: 'abort' })
  })
})

describe('the conversation of an agent that is a tool', () => {
  const seen = (inner: AgentRunner) =>
    (inner as FunctionCallingAgent).agentWorker.llm instanceof ScriptedLLM
      ? ((inner as FunctionCallingAgent).agentWorker.llm as ScriptedLLM).calls.map(({ messages }) => messages!.length)
      : []

  it('is new for each call by default', async () => {
    const inner = agent(['One.', 'Two.'])
    await lead(inner, [['First?'], ['Second?']]).chat('Go')
    expect(seen(inner)).toEqual([1, 1])
  })

  it('is kept for the conversation of the calling agent with `lasting`, also for parallel calls', async () => {
    const inner = agent(['One.', 'Two.', 'Three.'])
    const outer = lead(inner, [['First?', 'Second?'], ['Third?']], { conversation: 'lasting', maxToolConcurrency: 2 })
    await outer.chat('Go')
    expect(seen(inner)).toEqual([1, 3, 5])
  })

  it('can be chosen by a function', async () => {
    const inner = agent(['One.', 'Two.'])
    const memory = ChatMemoryBuffer.fromDefaults()
    const outer = lead(inner, [['First?'], ['Second?']], { conversation: () => memory })
    await outer.chat('Go')
    expect(memory.getAll().map(String)).toEqual(['user: First?', 'assistant: One.', 'user: Second?', 'assistant: Two.'])
  })
})

it('a QueryEngineTool over an agent waits in the same way', async () => {
  paid.length = 0
  const inner = agent([[toolCall('p', 'pay', { to: 'ann' })], 'Paid.'], { tools: [pay] })
  const ask = new QueryEngineTool({ queryEngine: inner, name: 'ask' })
  const outer = agent([[toolCall('q', 'ask', { input: 'Pay!' })], 'Done.'], { tools: [ask] })
  const { taskId } = await waiting(outer.chat('Go'))
  await outer.approve(taskId, 'q/p')
  await outer.runTask(taskId)
  expect(paid).toEqual(['ann 1'])
})
