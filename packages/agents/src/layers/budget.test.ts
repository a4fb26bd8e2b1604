import { type BaseLLM, ChatMessage, ChatResponse, LLMMetadata } from '@x/core-model'
import { ModelCallError } from '@x/llm'
import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { functionCallingLlm, scriptedToolModel, toolCall, toolCalls } from '../../test/function-calling-llm.ts'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { ReActAgent } from '../agent/react-agent.ts'
import { journal } from '../journal.ts'
import type { Layer } from '../loop/layer.ts'
import { BudgetExceededError } from '../loop/loop-errors.ts'
import type { TaskBudget } from '../loop/usage.ts'
import { decide } from '../small/decide.ts'
import { reactLoop } from '../small/react-loop.ts'
import { toolLoop } from '../small/tool-loop.ts'
import type { AgentEvent } from '../task/agent-event.ts'
import { MemoryTaskStore } from '../task/memory-task-store.ts'
import type { TaskUsage } from '../task-usage.ts'
import { AgentTool } from '../tool/agent-tool.ts'
import type { AsyncBaseTool } from '../tool/base-tool.ts'
import { FunctionTool } from '../tool/function-tool.ts'
import { ToolMetadata } from '../tool/tool-metadata.ts'
import { agentTools } from './agent-tools.ts'
import { approvals } from './approvals.ts'
import { budget, limits } from './budget.ts'
import { streaming } from './streaming.ts'

const lookTool = FunctionTool.fromDefaults({ name: 'look', schema: {}, fn: () => 'seen' })
const call = (name = 'look', args: object = {}) => [toolCall('', name, args)]
const down = new ModelCallError('m: no', { kind: 'bad_request' })

/** A model that reports 10 input and 5 output tokens per answer. */
const counting = (answers: (ChatMessage | Error)[]) =>
  ({
    metadata: new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true }),
    chat: async () => {
      const message = answers.shift()!
      if (message instanceof Error) throw message
      return new ChatResponse({
        message,
        raw: { usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } },
      })
    },
  }) as unknown as BaseLLM
const said = (content: string) => new ChatMessage({ role: 'assistant', content })

async function eventsOf(events: AsyncIterable<AgentEvent>) {
  const seen: AgentEvent[] = []
  const error = await (async () => {
    for await (const event of events) seen.push(event)
  })().catch((thrown) => thrown)
  return { seen, error }
}

describe('the usage of a run that fails', () => {
  it('is on the error, on the event and on the task', async () => {
    const agent = FunctionCallingAgent.fromTools({
      llm: counting([toolCalls(...call()), down, down, said('done')]),
      tools: [lookTool],
    })
    const expected = { modelCalls: 1, toolCalls: 1, inputTokens: 10, outputTokens: 5, totalTokens: 15 }
    const { seen, error } = await eventsOf(agent.runEvents('x', { taskId: 't', stream: false }))
    expect(error).toMatchObject({ code: 'model_call', usage: expected })
    expect(seen.at(-1)).toMatchObject({ type: 'error', usage: expected })
    expect(agent.getTask('t').extraState['usage']).toMatchObject(expected)
    await expect(agent.runTask('t')).rejects.toMatchObject({ usage: expected })
    expect((await agent.runTask('t')).usage).toMatchObject({ modelCalls: 2, totalTokens: 30 })
  })

  it('is on the error of a streaming answer', async () => {
    const look = 'Thought: look\nAction: look\nAction Input: {}'
    const llm = new ScriptedLLM({ answers: [look, ['Thought: I know\nAnswer: It ', 'is', new Error('broken')]] })
    const agent = ReActAgent.fromTools({ llm, tools: [lookTool], retries: false })
    const answer = await agent.streamChat('x', { taskId: 't' })
    const error = await (async () => {
      for await (const _ of answer);
    })().catch((thrown) => thrown)
    expect(error).toMatchObject({ usage: { modelCalls: 2, toolCalls: 1 } })
    await expect(answer.done).rejects.toMatchObject({ usage: { modelCalls: 2 } })
  })

  it.each([false, true])('of a step whose results are kept is not counted twice (stored: %s)', async (isStored) => {
    let left = 2
    const flaky = FunctionTool.fromDefaults({
      name: 'flaky',
      schema: {},
      fn: () => {
        if (left-- > 0) throw Object.assign(new Error('power cut'), { fatal: true })
        return 'ok'
      },
    })
    const store = new MemoryTaskStore()
    const answers = [toolCalls(...call('look'), ...call('flaky')), said('done')]
    const make = () =>
      FunctionCallingAgent.fromTools({
        llm: counting(answers),
        tools: [lookTool, flaky],
        ...(isStored && { taskStore: journal(store) }),
      })
    let agent = make()
    const kept = { modelCalls: 1, totalTokens: 15 }
    await expect(agent.chat('x', { taskId: 't' })).rejects.toMatchObject({ usage: kept })
    // Later versions find it under the same name.
    expect(agent.getTask('t').extraState['counted']).toMatchObject({ '1/model-1': kept })
    await expect(agent.runTask('t')).rejects.toMatchObject({ usage: kept })
    if (isStored) {
      agent = make()
      await agent.resumeTask('t')
    }
    expect((await agent.runTask('t')).usage).toMatchObject({ modelCalls: 2, totalTokens: 30 })
    expect(agent.getTask('t').extraState['counted']).toBeUndefined()
  })

  it('includes a call that was running when the caller aborted', async () => {
    const agent = FunctionCallingAgent.fromTools({
      llm: scriptedToolModel([toolCalls(...call()), new Promise(() => {})]),
      tools: [lookTool],
    })
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 20)
    const error = await agent.chat('x', { taskId: 't', signal: controller.signal }).catch((thrown) => thrown)
    expect(error).toMatchObject({ code: 'abort', usage: { modelCalls: 2, toolCalls: 1 } })
    expect(agent.getTask('t').extraState['usage']).toMatchObject({ modelCalls: 2 })
  })

  it('includes the tokens of a call that was stopped, estimated by its request and what it has written', async () => {
    const text = 'Once upon a time there was a tree. '.repeat(20)
    const metadata = new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true })
    const answers = [[text, new Promise<string>(() => {})], 'The end.']
    const llm = new ScriptedLLM({ answers, usage: true, metadata })
    const agent = FunctionCallingAgent.fromTools({ llm })
    const controller = new AbortController()
    const read = async () => {
      for await (const event of agent.runEvents('Tell me a story.', { taskId: 't', signal: controller.signal }))
        if (event.type === 'text_delta') controller.abort()
    }
    await expect(read()).rejects.toMatchObject({ code: 'abort', usage: { modelCalls: 1 } })
    const used = agent.getTask('t').extraState['usage'] as TaskUsage
    expect(used.outputTokens).toBeGreaterThan(text.length / 8)
    expect(used.inputTokens).toBeGreaterThan(3)
    expect(used.totalTokens).toBe(used.inputTokens + used.outputTokens)
    const { usage } = await agent.runTask('t')
    expect(usage).toMatchObject({ modelCalls: 2 })
    expect(usage!.totalTokens).toBeGreaterThan(used.totalTokens)
    expect(agent.getTask('t').extraState['counted']).toBeUndefined()
  })

  it('has no estimate of a call that ends before a stop', async () => {
    const controller = new AbortController()
    const stop = FunctionTool.fromDefaults({ name: 'stop', schema: {}, fn: () => controller.abort() })
    const agent = FunctionCallingAgent.fromTools({ llm: functionCallingLlm([call('stop')]), tools: [stop] })
    const usage = { modelCalls: 1, totalTokens: 0 }
    await expect(agent.chat('x', { signal: controller.signal })).rejects.toMatchObject({ code: 'abort', usage })
  })

  it('of toolLoop is on the error', async () => {
    const loop = toolLoop({ llm: counting([toolCalls(...call()), down]), tools: [lookTool], layers: [budget()] })
    await expect(loop.run('x')).rejects.toMatchObject({ usage: { modelCalls: 1, toolCalls: 1, totalTokens: 15 } })
  })

  it('is not written on the reason of a signal', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    const loop = toolLoop({
      llm: scriptedToolModel([new Promise(() => {})]),
      layers: [budget()],
    })
    setTimeout(() => controller.abort(reason), 5)
    await expect(loop.run('x', { signal: controller.signal })).rejects.toBe(reason)
    expect(reason).not.toHaveProperty('usage')
  })
})

describe('agents behind tools', () => {
  /** An agent with `count` inner agents that never end. */
  const world = (count: number, isStored: boolean) => {
    let asked = 0
    const inner = () =>
      FunctionCallingAgent.fromTools({
        llm: functionCallingLlm(Array.from({ length: 50 }, () => call())),
        tools: [
          FunctionTool.fromDefaults({
            name: 'look',
            schema: {},
            fn: async () => {
              asked++
              await new Promise((resolve) => setTimeout(resolve, asked % 3))
              return 'seen'
            },
          }),
        ],
        maxIterations: 1000,
      })
    const turns = Array.from({ length: count }, (_, i) => call(`sub${i}`, { input: 'x' })).flat()
    return FunctionCallingAgent.fromTools({
      llm: functionCallingLlm([turns]),
      tools: Array.from(
        { length: count },
        (_, i) => new AgentTool({ agent: inner(), name: `sub${i}`, description: '' }),
      ),
      budget: { maxModelCalls: 10 },
      ...(isStored && { taskStore: journal(new MemoryTaskStore()) }),
    })
  }

  it.each([
    [1, false],
    [3, false],
    [3, true],
    [9, false],
  ])('never exceed the budget, however often the task is run (%i, stored: %s)', async (count, isStored) => {
    const agent = world(count, isStored)
    const expected = { code: 'budget_exceeded', usage: { modelCalls: 10 } }
    await expect(agent.chat('x', { taskId: 't' })).rejects.toMatchObject(expected)
    for (let i = 0; i < 3; i++) await expect(agent.runTask('t')).rejects.toMatchObject(expected)
    expect(agent.getTask('t').extraState['usage']).toMatchObject({ modelCalls: 10 })
  })

  it('that exceed its tokens make none of the calls that they want, nor those beyond its calls of tools', async () => {
    for (const limits of [{ maxTokens: 20 }, { maxToolCalls: 1 }]) {
      let looked = 0
      const look = FunctionTool.fromDefaults({ name: 'look', schema: {}, fn: () => looked++ })
      const inner = FunctionCallingAgent.fromTools({ llm: counting([toolCalls(...call())]), tools: [look] })
      const sub = new AgentTool({ agent: inner, name: 'sub', description: '' })
      const llm = counting([toolCalls(...call('sub', { input: 'x' }))])
      const agent = FunctionCallingAgent.fromTools({ llm, tools: [sub], budget: limits })
      await expect(agent.chat('x')).rejects.toMatchObject({ code: 'budget_exceeded', usage: { totalTokens: 30 } })
      expect(looked).toBe(0)
    }
  })

  it('that wait count as used, and so do those that are continued', async () => {
    const pay = FunctionTool.fromDefaults({ name: 'pay', schema: {}, needsApproval: true, fn: () => 'paid' })
    const inner = () =>
      FunctionCallingAgent.fromTools({ llm: functionCallingLlm([call('pay'), call('pay'), 'done']), tools: [pay] })
    const agent = FunctionCallingAgent.fromTools({
      llm: functionCallingLlm([[...call('a', { input: 'x' }), ...call('b', { input: 'x' })], 'done']),
      tools: ['a', 'b'].map((name) => new AgentTool({ agent: inner(), name, description: '' })),
    })
    const usages: number[] = []
    let waiting = await agent.chat('x', { taskId: 't' }).catch((error) => error)
    for (let i = 0; i < 2; i++) {
      usages.push(waiting.usage.modelCalls)
      for (const { id, decision } of agent.getPendingApprovals('t')) if (decision === null) await agent.approve('t', id)
      waiting = await agent.runTask('t').catch((error) => error)
    }
    expect(usages).toEqual([3, 5])
    expect(waiting.usage).toMatchObject({ modelCalls: 8, toolCalls: 6 })
  })

  it('end the run if they wait and no layer asks for approval, unlike other tools that throw such an error', async () => {
    const pay = FunctionTool.fromDefaults({ name: 'pay', schema: {}, needsApproval: true, fn: () => 'paid' })
    const inner = FunctionCallingAgent.fromTools({ llm: functionCallingLlm([call('pay'), call('pay')]), tools: [pay] })
    const sub = new AgentTool({ agent: inner, name: 'sub', description: '' })
    const layers = [budget(), agentTools()]
    const asking = toolLoop({ llm: functionCallingLlm([call('sub', { input: 'x' })]), tools: [sub], layers })
    await expect(asking.run('x')).rejects.toMatchObject({ code: 'approval_required' })
    const waiting = await inner.chat('x').catch((error) => error)
    for (const error of [waiting, new BudgetExceededError('another task', 'used up'), null]) {
      const metadata = new ToolMetadata({ name: 'relay', description: '' })
      const relay: AsyncBaseTool = { takesArguments: true, metadata, call: () => Promise.reject(error) }
      const llm = functionCallingLlm([call('relay'), 'done'])
      const { text, sources } = await toolLoop({ llm, tools: [relay], layers }).run('x')
      expect([text, sources]).toMatchObject(['done', [{ isError: true }]])
    }
  })

  it('leave it to layers outside which errors end the run', async () => {
    const fn = () => {
      throw new Error('out of paper')
    }
    const broken = FunctionTool.fromDefaults({ name: 'broken', schema: {}, fn })
    const strict: Layer = { rank: 10, tool: (next) => (made, scope) => next(made, { ...scope, raises: () => true }) }
    const run = (...more: Layer[]) =>
      toolLoop({
        llm: functionCallingLlm([call('broken'), 'done']),
        tools: [broken],
        layers: [agentTools(), more],
      }).run('x')
    await expect(run(strict)).rejects.toThrow('out of paper')
    expect((await run()).text).toBe('done')
  })

  it('are answers with their usage also if they fail', async () => {
    const inner = FunctionCallingAgent.fromTools({
      llm: counting([toolCalls(...call()), down]),
      tools: [lookTool],
      retries: false,
    })
    const sub = new AgentTool({ agent: inner, name: 'sub', description: '' })
    const llm = functionCallingLlm([[...call('sub', { input: 'x' }), ...call('look')], 'done'])
    const { sources } = await toolLoop({ llm, tools: [sub, lookTool], layers: [budget(), agentTools()] }).run('x')
    const usage = { modelCalls: 1, toolCalls: 1, totalTokens: 15 }
    expect(sources[0]).toMatchObject({
      isError: true,
      rawOutput: { response: '', sources: [], sourceNodes: [], usage },
    })
  })
})

describe('budget', () => {
  const make = (limits: TaskBudget, turns = 2) => {
    const answers = [...Array.from({ length: turns }, () => toolCalls(...call())), said('done')]
    return toolLoop({ llm: counting(answers), tools: [lookTool], layers: [budget(limits)] })
  }

  it.each<[TaskBudget, string]>([
    [{ maxModelCalls: 2 }, 'the budget of 2 model calls is used up (2 used)'],
    [{ maxTokens: 30 }, 'the budget of 30 tokens is used up (30 used)'],
    [{ maxTokens: 16 }, 'the budget of 16 tokens is used up (30 used)'],
    [{ maxInputTokens: 20 }, 'the budget of 20 input tokens is used up (20 used)'],
    [{ maxOutputTokens: 10 }, 'the budget of 10 output tokens is used up (10 used)'],
    [{ maxToolCalls: 1 }, 'the budget of 1 tool calls does not allow 1 more'],
  ])('%j ends a task before its third call of the model', async (limits, words) => {
    const expected = { code: 'budget_exceeded', message: expect.stringContaining(words), usage: { modelCalls: 2 } }
    await expect(make(limits).run('x')).rejects.toMatchObject(expected)
  })

  it.each<TaskBudget | null>([
    { maxModelCalls: 3, maxToolCalls: 2, maxTokens: 31, maxInputTokens: 21, maxOutputTokens: 11 },
    { maxModelCalls: null, maxToolCalls: null, maxTokens: null },
    null,
  ])('%j allows three calls', async (limits) => {
    const usage = { modelCalls: 3, toolCalls: 2, inputTokens: 30, outputTokens: 15, totalTokens: 45 }
    expect((await make(limits!).run('x')).usage).toMatchObject(usage)
  })

  it('of no calls refuses the first one', async () => {
    await expect(make({ maxModelCalls: 0 }).run('x')).rejects.toMatchObject({ usage: { modelCalls: 0 } })
    await expect(make({ maxToolCalls: 0 }).run('x')).rejects.toMatchObject({ usage: { modelCalls: 1, toolCalls: 0 } })
  })

  it.each(['maxTokens', 'maxInputTokens', 'maxOutputTokens'])('estimates tokens only for %s', async (name) => {
    const run = (limits: TaskBudget) =>
      toolLoop({ llm: functionCallingLlm([call(), 'done']), tools: [lookTool], layers: [budget(limits)] }).run('x')
    await expect(run({ [name]: 1 })).rejects.toMatchObject({ code: 'budget_exceeded', usage: { modelCalls: 1 } })
    const { usage } = await run({ [name]: 1000 })
    expect(usage!.totalTokens).toBeGreaterThan(2)
    expect(usage!.totalTokens).toBe(usage!.inputTokens + usage!.outputTokens)
    expect((await run({ maxModelCalls: 5 })).usage).toMatchObject({ totalTokens: 0 })
  })

  it('reports the usage after each call of the model', async () => {
    const seen: unknown[] = []
    await make({}, 1).run('x', {
      onEvent: (event) => {
        if (event.type === 'usage')
          seen.push([event.call?.totalTokens, event.total.modelCalls, event.total.totalTokens])
      },
    })
    expect(seen).toEqual([
      [15, 1, 15],
      [15, 2, 30],
    ])
  })

  it('does not count a call that the provider refused', async () => {
    const run = (answers: (ChatMessage | Error)[]) =>
      toolLoop({ llm: counting(answers), tools: [lookTool], layers: [budget()] })
        .run('x')
        .catch((error) => error)
    expect(await run([down])).toMatchObject({ code: 'model_call', usage: { modelCalls: 0 } })
    expect(await run([new Error('other')])).toMatchObject({ usage: { modelCalls: 1 } })
  })

  it('does not count calls that are refused', async () => {
    const loop = toolLoop({
      llm: functionCallingLlm([[...call(), ...call()], 'done']),
      tools: [lookTool],
      layers: [limits({ maxIterations: 9, maxFunctionCalls: 1 }), budget({ maxToolCalls: 1 })],
    })
    expect(await loop.run('x')).toMatchObject({ status: 'done', usage: { toolCalls: 1 } })
  })

  it('counts a call that waited once', async () => {
    const pay = FunctionTool.fromDefaults({ name: 'pay', schema: {}, needsApproval: true, fn: () => 'paid' })
    for (const [maxToolCalls, expected] of [
      [1, { status: 'done', usage: { toolCalls: 1 } }],
      [0, { code: 'budget_exceeded' }],
    ] as const) {
      const loop = toolLoop({
        llm: functionCallingLlm([[toolCall('a', 'pay', {})], 'done']),
        tools: [pay],
        layers: [budget({ maxToolCalls }), approvals()],
      })
      const run = async () => {
        const { task } = await loop.run('x')
        await decide(loop, task, 'a', { decision: 'approve' })
        return loop.resume(task)
      }
      expect(await run().catch((error) => error)).toMatchObject(expected)
    }
  })

  it('does not count calls again that ran beside one that waited', async () => {
    const pay = FunctionTool.fromDefaults({ name: 'pay', schema: {}, needsApproval: true, fn: () => 'paid' })
    const llm = functionCallingLlm([[toolCall('a', 'pay', {}), toolCall('b', 'look', {})], 'done'])
    const loop = toolLoop({ llm, tools: [pay, lookTool], layers: [budget({ maxToolCalls: 2 }), approvals()] })
    const { task } = await loop.run('x')
    await decide(loop, task, 'a', { decision: 'approve' })
    expect(await loop.resume(task)).toMatchObject({ status: 'done', usage: { toolCalls: 2 } })
  })

  it('counts a call whose stream broke', async () => {
    const agent = FunctionCallingAgent.fromTools({ llm: scriptedToolModel([['It ', down]]), retries: false })
    const { error } = await eventsOf(agent.runEvents('x'))
    expect(error).toMatchObject({ code: 'model_call', usage: { modelCalls: 1 } })
  })

  it('counts the agents behind tools once, with any number of layers for them', async () => {
    for (const layers of [
      [budget(), agentTools()],
      [budget(), agentTools(), agentTools()],
    ]) {
      const inner = FunctionCallingAgent.fromTools({ llm: functionCallingLlm([call(), 'seen']), tools: [lookTool] })
      const sub = new AgentTool({ agent: inner, name: 'sub', description: '' })
      const llm = functionCallingLlm([call('sub', { input: 'x' }), 'done'])
      const { usage } = await toolLoop({ llm, tools: [sub], layers }).run('x')
      expect(usage).toMatchObject({ modelCalls: 4, toolCalls: 2 })
    }
  })

  it('counts agents behind tools also where nothing else counts, and by their answer alone', async () => {
    const inner = () => FunctionCallingAgent.fromTools({ llm: functionCallingLlm([call(), 'seen']), tools: [lookTool] })
    const sub = new AgentTool({ agent: inner(), name: 'sub', description: '' })
    const ask = FunctionTool.fromDefaults({ name: 'ask', schema: {}, fn: () => inner().chat('x') })
    const run = async (tool: AsyncBaseTool, layers: (Layer | readonly Layer[])[]) => {
      const llm = functionCallingLlm([call(tool.metadata.name!, { input: 'x' }), 'done'])
      const loop = toolLoop({ llm, tools: [tool], layers })
      return (await loop.run('x')).usage
    }
    expect(await run(sub, [agentTools()])).toMatchObject({ modelCalls: 2 })
    expect(await run(lookTool, [agentTools()])).toBeUndefined()
    expect(await run(ask, [budget(), agentTools()])).toMatchObject({ modelCalls: 4 })
  })

  it('reports what agents behind tools use while they run', async () => {
    const inner = FunctionCallingAgent.fromTools({ llm: functionCallingLlm([call(), 'seen']), tools: [lookTool] })
    const sub = new AgentTool({ agent: inner, name: 'sub', description: '' })
    const llm = functionCallingLlm([call('sub', { input: 'x' }), 'done'])
    const { seen } = await eventsOf(FunctionCallingAgent.fromTools({ llm, tools: [sub] }).runEvents('x'))
    const totals = seen.flatMap((event) => (event.type === 'usage' ? event.total.modelCalls : []))
    expect(totals).toEqual([1, 2, 3, 4])
  })

  it('refuses unknown options and values out of range', () => {
    expect(() => budget({ maxModelCalls: -1 })).toThrow(
      'budget.maxModelCalls: expected an integer of at least 0 or null',
    )
    expect(() => budget({ maxCalls: 1 } as never)).toThrow('budget.maxCalls: unknown option')
  })
})

describe('limits', () => {
  type Turn = string | ReturnType<typeof call>
  const run = async (of: Parameters<typeof limits>[0], ...turns: Turn[]) => {
    const llm = functionCallingLlm(turns)
    const done = await toolLoop({ llm, tools: [lookTool], layers: [limits(of)] })
      .run('x')
      .catch((error) => error)
    return { llm, done }
  }
  const twice = [...call(), ...call()]

  it('end a task after the last allowed call of the model', async () => {
    const { llm, done } = await run({ maxIterations: 2 }, call(), call(), 'done')
    expect(done).toMatchObject({ code: 'max_iterations', message: expect.stringContaining('2 model calls') })
    expect(llm.calls).toHaveLength(2)
    expect((await run({ maxIterations: 2 }, call(), 'done')).done).toMatchObject({ text: 'done' })
  })

  it('end a task that wants more calls of tools', async () => {
    const { done } = await run({ maxIterations: 9, maxFunctionCalls: 1 }, call(), call(), 'done')
    expect(done).toMatchObject({ code: 'max_iterations', message: expect.stringContaining('1 tool calls') })
    expect((await run({ maxIterations: 9, maxFunctionCalls: 1 }, call(), 'done')).done).toMatchObject({ text: 'done' })
    expect((await run({ maxIterations: 9, maxFunctionCalls: null }, twice, 'done')).done.sources).toHaveLength(2)
  })

  it('refuse the calls of a turn beyond the limit, and no others', async () => {
    const { done, llm } = await run({ maxIterations: 9, maxFunctionCalls: 2 }, call(), twice, 'done')
    expect(done.sources.map(String)).toEqual([
      'seen',
      'seen',
      'Error: the limit of tool calls is reached; this call was not made.',
    ])
    expect(llm.calls.map(({ options }) => options?.['toolChoice'])).toEqual(['auto', 'auto', 'none'])
  })

  it('allow a task without calls of tools', async () => {
    const { done, llm } = await run({ maxIterations: 9, maxFunctionCalls: 0 }, 'done')
    expect([done.text, llm.calls[0]?.options?.['toolChoice']]).toEqual(['done', 'none'])
  })

  it('refuse a call that waited if the limit is lower by then', async () => {
    const pay = FunctionTool.fromDefaults({ name: 'pay', schema: {}, needsApproval: true, fn: () => 'paid' })
    const of = { maxIterations: 9, maxFunctionCalls: 2 }
    const llm = functionCallingLlm([call(), [toolCall('a', 'pay', {})], 'done'])
    const loop = toolLoop({ llm, tools: [lookTool, pay], layers: [limits(of), approvals()] })
    const { task } = await loop.run('x')
    of.maxFunctionCalls = 0
    await decide(loop, task, 'a', { decision: 'approve' })
    const done = await loop.resume(task)
    expect([done.text, ...done.sources.map(String)]).toEqual([
      'done',
      'seen',
      'Error: the limit of tool calls is reached; this call was not made.',
    ])
  })

  it('ask for the best answer in the last turn, without tools', async () => {
    for (const limits of [{ maxIterations: 1 }, { maxIterations: 9, maxFunctionCalls: 1 }]) {
      const { done, llm } = await run({ ...limits, onMaxIterations: 'answer' }, call(), 'about three')
      expect(done).toMatchObject({ text: 'about three' })
      expect(llm.calls.map(({ options }) => Object.hasOwn(options ?? {}, 'tools'))).toEqual([true, false])
      expect(llm.calls.map(({ messages }) => String(messages!.at(-1)!.content).includes('best answer'))).toEqual([
        false,
        true,
      ])
    }
  })

  it('take the text of a last turn that wants a call as the answer, or else its thought', async () => {
    const last = (content: string | null) => toolCalls(...call()).copy({ update: { content } })
    const of = { maxIterations: 1, onMaxIterations: 'answer' as const }
    for (const [content, text] of [
      ['About three.', 'About three.'],
      [null, ''],
    ] as const) {
      const llm = counting([toolCalls(...call()), last(content)])
      const done = await toolLoop({ llm, tools: [lookTool], layers: [limits(of)] }).run('x')
      expect([done.text, done.messages.at(-1)]).toMatchObject([text, { role: 'assistant', content: text }])
    }
    const thought = 'Thought: It is about three.\nAction: look\nAction Input: {}'
    const llm = new ScriptedLLM({ answers: [thought, thought] })
    const { text } = await reactLoop({ llm, tools: [lookTool], layers: [limits(of)] }).run('x')
    expect(text).toBe('It is about three.')
    const answer = new ScriptedLLM({ answers: [thought, 'Thought: I know.\nAnswer: three'] })
    const events: unknown[] = []
    const onEvent = (event: unknown) => events.push(event)
    await reactLoop({ llm: answer, tools: [lookTool], layers: [limits(of)] }).run('x', { onEvent })
    expect(events).toContainEqual(expect.objectContaining({ type: 'reasoning', text: 'I know.' }))
  })

  it('show the text of a last turn that wants a call once, also if it streams', async () => {
    const last = toolCalls(...call()).copy({ update: { content: 'About three.' } })
    const layers = [limits({ maxIterations: 1, onMaxIterations: 'answer' })]
    for (const more of [[], [streaming()]]) {
      const llm = scriptedToolModel([toolCalls(...call()), last])
      let text = ''
      await toolLoop({ llm, tools: [lookTool], layers: [...layers, ...more] }).run('x', {
        onEvent: (event) => {
          if (event.type === 'text_delta') text += event.delta
        },
      })
      expect(text).toBe('About three.')
    }
  })

  it('have the rank of the guide, as the other layers here do: users place their own between them', () => {
    const ranks = [agentTools(), limits({ maxIterations: 1 }), budget()].flat().flatMap(({ rank = [] }) => rank)
    expect(ranks).toEqual([26, 30, 30, 95, 42])
  })

  it('refuse options out of range', () => {
    expect(() => limits({ maxIterations: 0 })).toThrow('limits.maxIterations: expected an integer of at least 1')
    expect(() => limits({ maxIterations: 1, maxFunctionCalls: -1 })).toThrow('limits.maxFunctionCalls')
    expect(() => limits({ maxIterations: 1, onMaxIterations: 'stop' as never })).toThrow('limits.onMaxIterations')
  })
})
