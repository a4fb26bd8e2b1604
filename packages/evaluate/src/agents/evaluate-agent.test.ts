import { FunctionCallingAgent, FunctionTool } from '@x/agents'
import { type CallbackManager, ChatMessage, LLMMetadata } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { type AgentTrace, noUsage, traceAgent } from './agent-trace.ts'
import { type AgentTolerance, compareTraces } from './compare-traces.ts'
import { type AgentCase, evaluateAgent } from './evaluate-agent.ts'

const usage = { prompt_tokens: 10, completion_tokens: 5 }
const callOf = (name: string, args: object) =>
  new ChatMessage({
    role: 'assistant',
    content: '',
    additionalKwargs: {
      tool_calls: [{ id: 'c1', type: 'function', function: { name, arguments: JSON.stringify(args) } }],
    },
  })
const add = FunctionTool.fromDefaults({
  name: 'add',
  description: 'Adds.',
  schema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
  fn: ({ a, b }) => a + b,
})
const metadata = new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true, modelName: 'scripted' })
const ask = (callbackManager: CallbackManager, ...answers: (string | ChatMessage)[]) => {
  const llm = new ScriptedLLM({ answers, callbackManager, metadata })
  return FunctionCallingAgent.fromTools({ llm, tools: [add], callbackManager }).chat('2 + 2?')
}

const base: AgentTrace = {
  answer: 'The sum is 4.',
  calls: [
    { name: 'add', arguments: { a: 2, b: 2 }, isError: false },
    { name: 'log', arguments: { time: 'now', entries: [{ time: 1, text: 'x' }] }, isError: false },
  ],
  modelCalls: 3,
  usage: { ...noUsage, totalTokens: 100 },
}

describe('traceAgent', () => {
  it('collects the answer, the calls of tools with their arguments, the calls of models and their tokens', async () => {
    const trace = await traceAgent((callbackManager) => ask(callbackManager, callOf('add', { a: 2, b: 2 }), 'It is 4.'))
    expect(trace).toEqual({
      answer: 'It is 4.',
      calls: [{ name: 'add', arguments: { a: 2, b: 2 }, isError: false }],
      modelCalls: 2,
      usage: noUsage,
    })
  })

  it('sums the tokens that providers report', async () => {
    const trace = await traceAgent(async (callbackManager) => {
      for (let i = 0; i < 2; i++)
        await callbackManager.event(
          'llm',
          { additional_kwargs: {}, serialized: { model: 'm', provider: null } },
          async (event) => {
            event.end({ response: { raw: { usage }, additionalKwargs: {} } as never })
          },
        )
      return 'done'
    })
    expect(trace.usage).toEqual({ ...noUsage, inputTokens: 20, outputTokens: 10, totalTokens: 30 })
  })

  it('marks a call of a tool that fails', async () => {
    const trace = await traceAgent((callbackManager) => ask(callbackManager, callOf('add', { a: 'two' }), 'I cannot.'))
    expect(trace.calls).toMatchObject([{ name: 'add', isError: true }])
  })
})

describe('compareTraces', () => {
  const differences = async (change: Partial<AgentTrace>, tolerance?: AgentTolerance) =>
    (await compareTraces(base, { ...base, ...change }, tolerance)).map(({ what }) => what)
  const [sum, log] = base.calls as [AgentTrace['calls'][number], AgentTrace['calls'][number]]

  it.each<[Partial<AgentTrace>, AgentTolerance | undefined, string[]]>([
    [{}, undefined, []],
    [{ answer: 'The sum is four.' }, undefined, ['answer']],
    [{ answer: 'The sum is four.' }, { answer: 0.75 }, []],
    [{ answer: 'The sum is four.' }, { answer: 0.8 }, ['answer']],
    [{ answer: 'No idea' }, { isSameAnswer: () => true }, []],
    [{ calls: [log, sum] }, undefined, ['missing_call', 'further_calls']],
    [{ calls: [log, sum] }, { anyOrder: true }, []],
    [{ calls: [sum, sum, log] }, undefined, ['further_calls']],
    [{ calls: [sum, sum, log] }, { moreCalls: 1 }, []],
    [{ calls: [sum] }, { moreCalls: 5 }, ['missing_call']],
    [
      { calls: [sum, { ...log, arguments: { time: 'later', entries: [{ time: 2, text: 'x' }] } }] },
      undefined,
      ['missing_call', 'further_calls'],
    ],
    [
      { calls: [sum, { ...log, arguments: { time: 'later', entries: [{ time: 2, text: 'x' }] } }] },
      { ignoredArguments: ['time'] },
      [],
    ],
    [{ calls: [sum, { ...log, isError: true }] }, { moreCalls: 1 }, ['missing_call']],
    [{ modelCalls: 4 }, undefined, ['model_calls']],
    [{ modelCalls: 4 }, { moreModelCalls: 1 }, []],
    [{ modelCalls: 1 }, undefined, []],
    [{ usage: { ...noUsage, totalTokens: 120 } }, undefined, []],
    [{ usage: { ...noUsage, totalTokens: 121 } }, undefined, ['tokens']],
    [{ usage: { ...noUsage, totalTokens: 121 } }, { moreTokens: 0.5 }, []],
  ])('%j with %j: %j', async (change, tolerance, expected) => {
    expect(await differences(change, tolerance)).toEqual(expected)
  })

  it('refuses an unknown tolerance', async () => {
    await expect(compareTraces(base, base, { moreTool: 1 } as never)).rejects.toThrow(/compareTraces\.moreTool/)
  })
})

describe('evaluateAgent', () => {
  const question = '2 + 2?'

  it('records new cases, compares known ones, and counts the cost', async () => {
    const run = async (text: string, callbackManager: CallbackManager) => {
      if (text === 'fail') throw new Error('down')
      return ask(callbackManager, callOf('add', { a: 2, b: 2 }), 'It is 4.')
    }
    const first = await evaluateAgent({ cases: [{ id: 'a', question }], run })
    expect(first.outcomes).toEqual({ same: 0, different: 0, new: 1, failed: 0 })
    const recorded = JSON.parse(JSON.stringify(first.results[0]!.trace)) as AgentTrace
    const cases: AgentCase[] = [
      { id: 'a', question, recorded },
      { id: 'b', question, recorded: { ...recorded, calls: [] } },
      { id: 'c', question: 'fail', recorded },
    ]
    const second = await evaluateAgent({ cases, run })
    expect(second.outcomes).toEqual({ same: 1, different: 1, new: 0, failed: 1 })
    expect(second.results[1]?.differences).toEqual([
      { what: 'further_calls', expected: 'at most 0 further calls', received: 'add({"a":2,"b":2})' },
    ])
    expect(second.results[2]?.error).toBe('Error: down')
    expect(second.cost).toMatchObject({ modelCalls: 4, toolCalls: 2 })
    expect(second.recordedCost).toMatchObject({ modelCalls: 6, toolCalls: 2 })
    expect((await evaluateAgent({ cases, run, tolerance: { moreCalls: 1 } })).outcomes.same).toBe(2)
  })

  it('refuses two cases with one id, and a tolerance that is not valid', async () => {
    const cases = [
      { id: 'a', question },
      { id: 'a', question },
    ]
    const run = async () => 'x'
    await expect(evaluateAgent({ cases, run })).rejects.toThrow('two cases have the id "a"')
    await expect(evaluateAgent({ cases: [null as never], run })).rejects.toThrow(
      'cases[0]: expected an item, received null',
    )
    await expect(evaluateAgent({ cases: [], run, tolerance: { moreCalls: -1 } })).rejects.toThrow(
      /tolerance\.moreCalls/,
    )
  })
})
