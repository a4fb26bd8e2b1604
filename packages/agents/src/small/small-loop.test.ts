import { readFile } from 'node:fs/promises'
import { type BaseLLM, ChatMessage, ChatResponse, LLMMetadata } from '@x/core-model'
import { type ScriptedAnswer, ScriptedLLM } from '@x/llm/testing'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { scriptedToolModel, toolCall, toolCalls } from '../../test/function-calling-llm.ts'
import { ReActAgent } from '../agent/react-agent.ts'
import type { Layer, Layers } from '../loop/layer.ts'
import {
  agentTools,
  approvals,
  budget,
  clipOutputs,
  cutAnswers,
  decide,
  eventsOf,
  failures,
  guards,
  keepWithin,
  lenientArguments,
  limits,
  prepareStep,
  reactLoop,
  readLoopTask,
  repairs,
  repeatedFailures,
  type StepEvent,
  stopWhen,
  streaming,
  structured,
  timeLimit,
  toolLoop,
  writeLoopTask,
} from '../loop.ts'
import { AgentTool } from '../tool/agent-tool.ts'
import { FunctionTool } from '../tool/function-tool.ts'

const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } as const
let ran = 0
const fn = ({ city }: { city: string }) => {
  ran++
  return `${city}: dry`
}
const weather = FunctionTool.fromDefaults({ name: 'weather', description: 'Says the weather.', schema, fn })
const careful = FunctionTool.fromDefaults({ name: 'weather', schema, needsApproval: true, fn })

const metadata = new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true })
const native = (...answers: ScriptedAnswer[]) => new ScriptedLLM({ metadata, answers })
const call = (args: string | object = { city: 'Lima' }, id = 'a', name = 'weather') =>
  toolCalls(toolCall(id, name, args as never))
const lima = () => native(call(), 'No.')
const REACT = ['Thought: ask\nAction: weather\nAction Input: {"city": "Lima"}', 'Thought: dry\nAnswer: No.']
const kinds = [
  ['toolLoop', toolLoop, lima],
  ['reactLoop', reactLoop, () => new ScriptedLLM({ answers: REACT })],
] as const

it('eventsOf lets the model run 256 deltas ahead of its reader, and stops it by leaving', async () => {
  let made = 0
  let isClosed = false
  async function* stream() {
    const message = new ChatMessage({ role: 'assistant', content: '' })
    try {
      for (;;) {
        made++
        yield new ChatResponse({ message, delta: 'word ' })
      }
    } finally {
      isClosed = true
    }
  }
  const llm = { metadata, streamChat: async () => stream() } as unknown as BaseLLM
  const settle = async () => {
    for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve))
  }
  const events = eventsOf(toolLoop({ llm, layers: [streaming()] }), 'x')
  await events.next()
  await settle()
  expect(made).toBeLessThan(260)
  for (let i = 0; i < 300; i++) await events.next()
  await settle()
  expect(made).toBeGreaterThan(500)
  expect(made).toBeLessThan(560)
  await events.return(undefined as never)
  expect(isClosed).toBe(true)
})

describe.each(kinds)('%s', (_name, make, llmOf) => {
  it('answers, and returns the conversation for the next run', async () => {
    const messages = [
      new ChatMessage({ role: 'user', content: 'Hi' }),
      new ChatMessage({ role: 'assistant', content: 'Yes?' }),
    ]
    const llm = llmOf()
    const result = await make({ llm, tools: [weather] }).run('Umbrella?', { messages })
    expect(result).toMatchObject({ status: 'done', text: 'No.', usage: undefined, output: undefined })
    expect(result.sources.map(String)).toEqual(['Lima: dry'])
    expect(result.messages.slice(0, 3).map(({ content }) => content)).toEqual(['Hi', 'Yes?', 'Umbrella?'])
    expect(messages).toHaveLength(2)
    expect(llm.calls).toHaveLength(2)
  })

  it('runs any number of tasks at the same time', async () => {
    const loop = make({ llm: native(...Array(9).fill('Answer: yes')) })
    const results = await Promise.all(['1', '2', '3'].map((input) => loop.run(input)))
    expect(results.map(({ messages }) => messages[0]!.content)).toEqual(['1', '2', '3'])
  })

  it('waits for approval as a status, and continues after a decision', async () => {
    ran = 0
    const loop = make({ llm: llmOf(), tools: [careful], layers: [approvals()] })
    const events: StepEvent[] = []
    const { status, pending, task } = await loop.run('Umbrella?', { onEvent: (event) => events.push(event) })
    expect([status, pending.length, ran]).toEqual(['waiting', 1, 0])
    expect(events.map(({ type }) => type)).toContain('approval_required')
    expect((await loop.resume(task)).status).toBe('waiting')
    await expect(
      decide(loop, task, pending[0]!.id, { decision: 'approve', arguments: { town: 1 } }),
    ).rejects.toMatchObject({
      code: 'tool_input',
    })
    await decide(loop, task, pending[0]!.id, { decision: 'approve', arguments: { city: 'Cusco' } })
    await expect(decide(loop, task, pending[0]!.id, { decision: 'approve' })).rejects.toMatchObject({
      code: 'approval',
    })
    const done = await loop.resume(task)
    expect([done.text, String(done.sources[0]), ran]).toEqual(['No.', 'Cusco: dry', 1])
  })

  it('continues a task that waited from its JSON, in another loop', async () => {
    ran = 0
    const llm = llmOf()
    const newLoop = () => make({ llm, tools: [careful], layers: [approvals(), budget()] })
    const messages = [new ChatMessage({ role: 'user', content: 'Hi' })]
    const { task, pending } = await newLoop().run('Umbrella?', { messages, taskId: 't' })
    const text = JSON.stringify(writeLoopTask(task))
    const loop = newLoop()
    const again = readLoopTask(loop, JSON.parse(text))
    expect(JSON.stringify(writeLoopTask(again))).toBe(text)
    await decide(loop, again, pending[0]!.id, { decision: 'approve', arguments: { city: 'Cusco' } })
    const done = await loop.resume(again)
    expect([done.text, done.task.taskId, done.usage!.modelCalls, ran]).toEqual(['No.', 't', 2, 1])
    expect(done.messages[0]!.content).toBe('Hi')
    const resumed = readLoopTask(loop, JSON.parse(JSON.stringify(writeLoopTask(done.task))))
    expect((resumed.extraState['sources'] as unknown[]).map(String)).toEqual(['Cusco: dry'])
  })

  it('refuses JSON that is no task of the loop, and says what was expected', async () => {
    const loop = make({ llm: llmOf(), tools: [careful], layers: [approvals()] })
    const { task } = await loop.run('Umbrella?')
    const dict = writeLoopTask(task)
    for (const [data, words] of [
      [null, 'expected an object'],
      [{ ...dict, version: 2 }, 'version: expected one of 1'],
      [{ ...dict, messages: [{ role: 5 }] }, 'messages[0]'],
      [{ ...dict, state: { ...dict.state, protocol: 'other' } }, 'protocol: expected'],
      [{ ...dict, state: { ...dict.state, sources: 'none' } }, 'state.sources: expected'],
    ] as const) {
      expect(() => readLoopTask(loop, data)).toThrow(words)
      expect(() => readLoopTask(loop, data)).toThrow(expect.objectContaining({ code: 'saved_task' }))
    }
  })

  it('yields events, streams answers, and stops when the reader leaves', async () => {
    const loop = make({ llm: llmOf(), tools: [weather], layers: [streaming()] })
    const events = eventsOf(loop, 'Umbrella?')
    const types: string[] = []
    for (;;) {
      const { done, value } = await events.next()
      if (done) {
        expect(value.text).toBe('No.')
        break
      }
      types.push(value.type)
    }
    expect(types).toContain('tool_result')
    expect(types.at(-1)).toBe('text_delta')
    const before = ran
    const llm = native(...Array.from({ length: 9 }, () => (make === toolLoop ? call() : REACT[0]!)))
    for await (const event of eventsOf(make({ llm, tools: [weather] }), 'Umbrella?'))
      if (event.type === 'tool_result') break
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(ran - before).toBe(1)
    // The next call of the model may begin while the reader leaves; it is aborted.
    expect(llm.calls.length).toBeLessThanOrEqual(2)
  })

  it('stops at maxSteps', async () => {
    await expect(make({ llm: llmOf(), tools: [weather] }).run('x', { maxSteps: 1 })).rejects.toMatchObject({
      code: 'max_iterations',
    })
  })

  it('refuses tools that need a layer that is missing, and two tools of one name', () => {
    const slow = FunctionTool.fromDefaults({ name: 'slow', schema, timeoutMs: 5, fn })
    const expert = new AgentTool({ agent: ReActAgent.fromTools({ llm: llmOf() }) })
    for (const [tool, layer] of [
      [careful, 'approvals()'],
      [FunctionTool.external({ name: 'door', schema }), 'approvals()'],
      [slow, 'timeLimit()'],
      [expert, 'agentTools()'],
    ] as const)
      expect(() => make({ llm: llmOf(), tools: [tool] })).toThrow(`needs the layer ${layer}`)
    expect(() => make({ llm: llmOf(), tools: [weather, careful] })).toThrow('two tools have the name')
  })
})

describe('layers', () => {
  it('report no chunk of a model that goes on after the signal', async () => {
    const left = new AbortController()
    let goOn = () => {}
    const open = new Promise<void>((resolve) => {
      goOn = resolve
    })
    async function* chunks() {
      for (const delta of ['Rain', ' or', ' not']) {
        yield new ChatResponse({ message: { role: 'assistant', content: delta }, delta })
        await open
      }
    }
    const llm = {
      metadata: new LLMMetadata({ isFunctionCallingModel: true }),
      streamChat: async () => chunks(),
    } as unknown as BaseLLM
    const seen: StepEvent[] = []
    const onEvent = (event: StepEvent) => {
      if (event.type !== 'text_delta') return
      seen.push(event)
      left.abort(new Error('enough'))
    }
    const run = toolLoop({ llm, layers: [streaming()] }).run('Umbrella?', { signal: left.signal, onEvent })
    await expect(run).rejects.toThrow('enough')
    goOn()
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(seen).toMatchObject([{ delta: 'Rain' }])
  })

  it('decide calls by rejections and by results from outside', async () => {
    const decisions = [
      [{ decision: 'reject', reason: 'no' }, 'Error: the user has rejected this call: no'],
      [{ decision: 'result', result: 'wet' }, 'wet'],
    ] as const
    for (const [decision, expected] of decisions) {
      const loop = toolLoop({ llm: lima(), tools: [careful], layers: [approvals()] })
      const { task } = await loop.run('x')
      await decide(loop, task, 'a', decision)
      expect(String((await loop.resume(task)).sources[0])).toBe(expected)
    }
  })

  it('count, limit and guard', async () => {
    const run = (...layers: Layers) => toolLoop({ llm: lima(), tools: [weather], layers }).run('x')
    expect((await run(budget())).usage).toMatchObject({ modelCalls: 2, toolCalls: 1 })
    await expect(run(budget({ maxModelCalls: 1 }))).rejects.toMatchObject({ code: 'budget_exceeded' })
    await expect(run(guards({ input: () => ({ block: 'x' }) }))).rejects.toMatchObject({ code: 'guard_blocked' })
    expect((await run(guards({ tool: () => ({ blocc: 'x' }) as never }))).sources[0]!.isError).toBe(true)
    expect((await run(guards({ answer: () => ({ replace: 'Yes.' }) }))).text).toBe('Yes.')
    expect((await run(stopWhen(() => true))).text).toBe('Lima: dry')
    expect((await run(prepareStep(() => ({ tools: [] })))).sources[0]!.content).toContain('no tools are available')
  })

  it('limit the calls of a task, and ask for the best answer', async () => {
    const layers = [limits({ maxIterations: 1, onMaxIterations: 'answer' })]
    const loop = toolLoop({ llm: native(call(), 'Best guess.'), tools: [weather], layers })
    expect((await loop.run('x')).text).toBe('Best guess.')
  })

  it('return structured answers, which the model may correct, with their type', async () => {
    const answer = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } as const
    const llm = native(call({ n: 'x' }, 'a', 'final_answer'), call({ n: 3 }, 'b', 'final_answer'))
    const { output } = await toolLoop({ llm, tools: [weather], layers: [budget(), structured(answer)] }).run('x')
    expect(output).toEqual({ n: 3 })
    expectTypeOf(output?.n).toEqualTypeOf<number | undefined>()
    const plain = await toolLoop({ llm: lima(), tools: [weather] }).run('x')
    expectTypeOf(plain.output).toEqualTypeOf<undefined>()
  })

  it('derive the type of the context from the tools', async () => {
    const whose = FunctionTool.fromDefaults({
      name: 'whose',
      schema: {},
      fn: (_, { context }: { context: { user: string } }) => context.user,
    })
    const loop = toolLoop({ llm: native(call({}, 'a', 'whose'), 'Done.'), tools: [whose] })
    expect(String((await loop.run('x', { context: { user: 'Ann' } })).sources[0])).toBe('Ann')
    // @ts-expect-error the tool needs a user
    void (() => loop.run('x', { context: { name: 'Ann' } }))
  })

  it('keep requests within the window, and repair arguments', async () => {
    const llm = lima()
    const messages = Array.from(
      { length: 40 },
      (_, i) => new ChatMessage({ role: i % 2 ? 'assistant' : 'user', content: `message ${i} of a long talk` }),
    )
    await toolLoop({ llm, tools: [weather], layers: [keepWithin({ maxTokens: 100 })] }).run('x', { messages })
    expect(llm.calls[0]!.messages!.length).toBeLessThan(20)
    const loose = () => native(call("{city: 'Lima',}"), 'No.')
    const source = async (...layers: Layers) =>
      String((await toolLoop({ llm: loose(), tools: [weather], layers }).run('x')).sources[0])
    expect(await source()).toContain('expected a JSON object')
    expect(await source(lenientArguments())).toBe('Lima: dry')
    expect(await source(repairs(({ call: failed }) => ({ ...failed, arguments: { city: 'Cusco' } })))).toBe(
      'Cusco: dry',
    )
  })

  it('limit the time of tools, and end runs with failures', async () => {
    const slow = FunctionTool.fromDefaults({ name: 'weather', schema, timeoutMs: 5, fn: () => new Promise(() => {}) })
    const { sources } = await toolLoop({ llm: lima(), tools: [slow], layers: [timeLimit()] }).run('x')
    expect(String(sources[0])).toContain('5 ms')
    const broken = FunctionTool.fromDefaults({
      name: 'weather',
      schema,
      fn: () => Promise.reject(new Error('out of order')),
    })
    await expect(
      toolLoop({ llm: lima(), tools: [broken], layers: [failures({ onToolError: 'raise' })] }).run('x'),
    ).rejects.toMatchObject({ code: 'tool_execution' })
    const observed = await toolLoop({
      llm: lima(),
      tools: [broken],
      layers: [failures({ onUnknownTool: 'raise' })],
    }).run('x')
    expect(observed.sources).toMatchObject([{ isError: true }])
    await expect(
      toolLoop({ llm: native(call(), call()), tools: [broken], layers: [repeatedFailures(2)] }).run('x'),
    ).rejects.toMatchObject({ code: 'repeated_failure' })
  })

  it('shorten outputs, continue cut answers, and run agents as tools', async () => {
    const long = FunctionTool.fromDefaults({ name: 'weather', schema, fn: () => 'word '.repeat(1000) })
    const llm = lima()
    const { sources } = await toolLoop({ llm, tools: [long], layers: [clipOutputs(50)] }).run('x')
    expect(sources[0]!.content).toHaveLength(5000)
    expect(String(llm.calls[1]!.messages!.at(-1)!.content).length).toBeLessThan(1000)

    const ask = careful
    const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: REACT }), tools: [ask] })
    const expert = new AgentTool({ agent, name: 'weather' })
    const layers = [agentTools(), approvals(), budget(), cutAnswers('continue')]
    const loop = toolLoop({ llm: native(call({ input: 'Lima?' }), 'Asked.'), tools: [expert], layers })
    const { status, pending, task } = await loop.run('x')
    expect([status, pending.filter(({ decision }) => decision === null).length]).toEqual(['waiting', 1])
    await decide(loop, task, pending.find(({ decision }) => decision === null)!.id, { decision: 'approve' })
    const done = await loop.resume(task)
    expect([done.text, String(done.sources[0]), done.usage!.modelCalls]).toEqual(['Asked.', 'No.', 4])
  })

  it('of users wrap each function of the loop', async () => {
    const order: string[] = []
    const outer: Layer = {
      rank: 1,
      step: (next) => (input, scope) => {
        order.push('step')
        return next(input, scope)
      },
      model: (next) => async (request, scope) => {
        order.push(`asks with ${request.tools.length} tools`)
        return next(request, scope)
      },
      tool: (next) => async (one, scope) => {
        const output = await next(one, scope)
        order.push(`${one.name}: ${output}`)
        return output
      },
    }
    const shout: Layer = {
      record: (next) => (turn, outputs, scope) =>
        next(turn.kind === 'answer' ? { ...turn, text: turn.text.toUpperCase() } : turn, outputs, scope),
    }
    const { text } = await toolLoop({ llm: lima(), tools: [weather], layers: [shout, outer] }).run('x')
    expect(text).toBe('NO.')
    expect(order).toEqual(['step', 'asks with 1 tools', 'weather: Lima: dry', 'step', 'asks with 1 tools'])
  })
})

it('toolLoop refuses a model without tool calls', () => {
  const llm = new ScriptedLLM({ metadata: new LLMMetadata({ isFunctionCallingModel: false }) })
  expect(() => toolLoop({ llm })).toThrow('use reactLoop')
})

it('the guide shows the loop as it is', async () => {
  const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8')
  const [guide, source] = await Promise.all([read('../../../../docs/guides/run-the-loop.md'), read('../loop/loop.ts')])
  for (const start of ['const runStep: RunStep', 'export async function finishCalls']) {
    const code = source.slice(source.indexOf(start))
    expect(guide).toContain(code.slice(0, code.indexOf('\n}\n') + 2))
  }
})

it('a tool choice is that of the first model call of a run, also of one that continues', async () => {
  const ask = [call(), 'No.']
  const llm = native(...ask, ...ask)
  const choices = () => llm.calls.splice(0).map(({ options }) => options?.['toolChoice'])
  await toolLoop({ llm, tools: [weather] }).run('Umbrella?', { toolChoice: 'required' })
  expect(choices()).toEqual(['required', 'auto'])

  const loop = toolLoop({ llm, tools: [careful], layers: [approvals()] })
  const { task } = await loop.run('Umbrella?')
  await decide(loop, task, 'a', { decision: 'approve' })
  await loop.resume(task, { toolChoice: 'none' })
  expect(choices()).toEqual(['auto', 'none'])
})

it('a loop without lenientArguments keeps the digits of long integers', async () => {
  const received: unknown[] = []
  const tool = (name: string, type: string) =>
    FunctionTool.fromDefaults({
      name,
      schema: { type: 'object', properties: { account: { type } } },
      fn: (args) => {
        received.push(args)
        return 'paid'
      },
    })
  const calls = toolCalls(
    toolCall('a', 'by_number', '{"account": 9007199254740993}'),
    toolCall('b', 'by_any', '{"others": [9007199254740993]}'),
  )
  const tools = [tool('by_number', 'integer'), tool('by_any', 'string')]
  const { sources } = await toolLoop({ llm: scriptedToolModel([calls, 'Done.']), tools }).run('Pay.')
  // A number would be another account.
  expect(received).toEqual([{ others: [9007199254740993n] }])
  expect(String(sources[0])).toContain('9007199254740993, which is too large for a number')
})
