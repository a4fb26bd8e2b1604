import type { ObjectRetrieveOptions } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { scriptedToolModel, toolCall, toolCalls } from '../../test/function-calling-llm.ts'
import { agentFromLlm } from '../agent/agent-from-llm.ts'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { ReActAgent } from '../agent/react-agent.ts'
import { keepWithin } from '../layers/keep-within.ts'
import { FunctionTool } from '../tool/function-tool.ts'
import { RetrieverTool } from '../tool/retriever-tool.ts'
import type { Guards, PrepareStep, StepPlan } from './hooks.ts'
import type { SummaryRequest } from './summarize.ts'

const tool = (name: string) =>
  FunctionTool.fromDefaults({
    name,
    schema: { type: 'object', properties: { n: { type: 'integer' } } },
    fn: ({ n }) => `${name} ${n}`,
  })
const pay = tool('pay')
const PAY = toolCalls(toolCall('p', 'pay', { n: 1000 }))
const PAY_TEXT = 'Thought: x\nAction: pay\nAction Input: {"n": 1000}'

const kinds = {
  native: (guards: Guards, answer = 'done') => {
    const llm = scriptedToolModel([PAY, answer])
    return { llm, agent: FunctionCallingAgent.fromTools({ llm, tools: [pay], guards }) }
  },
  text: (guards: Guards, answer = 'done') => {
    const llm = new ScriptedLLM({ answers: [PAY_TEXT, `Answer: ${answer}`] })
    return { llm, agent: ReActAgent.fromTools({ llm, tools: [pay], guards }) }
  },
}

describe('the context of a run', () => {
  it('is there for the retriever of tools, and for retrievers behind tools', async () => {
    const seen: unknown[] = []
    const finding = <T>(found: T[]) => ({
      retrieve: (query: string, options?: ObjectRetrieveOptions) => {
        seen.push([query, options?.context])
        return found
      },
    })
    const find = new RetrieverTool({ name: 'find', retriever: finding([]) })
    const toolRetriever = finding([find])
    const llm = new ScriptedLLM({
      answers: ['Thought: x\nAction: find\nAction Input: {"input": "pears"}', 'Answer: none'],
    })
    await ReActAgent.fromTools({ llm, toolRetriever }).chat('Pears?', { context: 'ann' })
    expect(seen).toEqual([
      ['Pears?', 'ann'],
      ['pears', 'ann'],
      ['Pears?', 'ann'],
    ])
  })

  it('is there for summaries', async () => {
    const seen: unknown[] = []
    const summarize = ({ context }: SummaryRequest) => {
      seen.push(context)
      return 'short'
    }
    const chatHistory = [1, 2].flatMap(() => [
      { role: 'user' as const, content: 'word '.repeat(500) },
      { role: 'assistant' as const, content: 'word '.repeat(500) },
    ])
    const llm = new ScriptedLLM({ answers: ['Answer: yes'] })
    const agent = ReActAgent.fromTools({ llm, contextWindow: keepWithin({ maxTokens: 1500, summarize }) })
    await agent.chat('Go on.', { context: 'ann', chatHistory })
    expect(seen).toEqual(['ann'])
  })
})

describe.each(['native', 'text'] as const)('guards of a %s agent', (kind) => {
  it('receive the task and the run context, and change nothing if they return undefined', async () => {
    const seen: unknown[] = []
    const { agent } = kinds[kind]({
      input: async (input, { task, context }) => void seen.push(['input', input, task.input, context]) as undefined,
      tool: ({ toolName, arguments: args }) => void seen.push(['tool', toolName, args]) as undefined,
      answer: (answer) => {
        seen.push(['answer', answer])
        return null
      },
    })
    expect((await agent.chat('Pay!', { context: 'ann' })).response).toBe('done')
    expect(seen).toEqual([
      ['input', 'Pay!', 'Pay!', 'ann'],
      ['tool', 'pay', { n: 1000 }],
      ['answer', 'done'],
    ])
  })

  it('block an input before the model is called', async () => {
    const { llm, agent } = kinds[kind]({ input: () => ({ block: 'no payments' }) })
    await expect(agent.chat('Pay!')).rejects.toMatchObject({
      code: 'guard_blocked',
      stage: 'input',
      reason: 'no payments',
    })
    expect(llm.calls).toEqual([])
    expect(agent.chatHistory).toEqual([])
  })

  it('replace an input', async () => {
    const { agent } = kinds[kind]({ input: (input) => ({ replace: input.replace(/\d+/g, '#') }) })
    await agent.chat('Pay 12345!')
    expect(String(agent.chatHistory[0])).toBe('user: Pay #!')
  })

  it('block a tool call, and report the reason to the model', async () => {
    const { llm, agent } = kinds[kind]({
      tool: ({ arguments: { n } }) => (Number(n) > 10 ? { block: 'too much' } : undefined),
    })
    const { sources } = await agent.chat('Pay!')
    expect(sources).toMatchObject([{ isError: true, content: 'Error: this call was blocked: too much' }])
    expect(JSON.stringify(llm.calls[1]!.messages)).toContain('too much')
  })

  it('replace the arguments of a call, also in the conversation', async () => {
    const { llm, agent } = kinds[kind]({ tool: () => ({ replace: { n: 5 } }) })
    expect((await agent.chat('Pay!')).sources.map(String)).toEqual(['pay 5'])
    expect(JSON.stringify(llm.calls[1]!.messages)).not.toContain('1000')
  })

  it.each([
    false,
    true,
    'blocked',
    0,
    [['x']],
    {},
    { blocc: 'x' },
    { block: true },
    { block: null },
    { block: false, replace: 'x' },
    { replace: 5 },
    { replace: undefined },
    { replace: null },
    { replace: 'x', blocc: 'x' },
    new Map(),
    () => null,
  ])('block if the verdict has an unknown form: %o', async (verdict) => {
    for (const guard of ['input', 'answer'] as const) {
      const { agent, llm } = kinds[kind]({ [guard]: () => verdict as never })
      const error = await agent.chat('Pay!').catch((thrown) => thrown)
      expect(error).toMatchObject({ code: 'guard_blocked', stage: guard })
      expect(error.message).toContain('the guard must return nothing, { block: string } or { replace }')
      if (guard === 'input') expect(llm.calls).toEqual([])
    }
    const { agent } = kinds[kind]({ tool: () => verdict as never })
    const answer = await agent.chat('Pay!')
    expect(answer.sources).toMatchObject([{ isError: true, content: expect.stringContaining('this call was blocked') }])
  })

  it('block if the replacement is not one for the place', async () => {
    const text = kinds[kind]({ tool: () => ({ replace: 'x' }) as never }).agent
    expect((await text.chat('Pay!')).sources).toMatchObject([{ isError: true }])
    for (const replace of [{ n: 1 }, [{ type: 'text', text: 'x' }]]) {
      const { agent } = kinds[kind]({ answer: () => ({ replace }) as never })
      await expect(agent.chat('Pay!')).rejects.toMatchObject({ code: 'guard_blocked', stage: 'answer' })
    }
    const { agent } = kinds[kind]({ input: () => ({ replace: [5] }) as never })
    await expect(agent.chat('Pay!')).rejects.toMatchObject({ code: 'guard_blocked', stage: 'input' })
  })

  it.each([false, true])('show no part of an answer before the guard allows it, with stream: %s', async (stream) => {
    const guards: Guards = { answer: (answer) => ({ replace: answer.replace('secret', '…') }) }
    const { agent } = kinds[kind](guards, 'the secret word')
    const shown: string[] = []
    for await (const event of agent.runEvents('x', { stream })) if (event.type === 'text_delta') shown.push(event.delta)
    expect(shown.join('')).toBe('the … word')
    expect(String(agent.chatHistory.at(-1))).toBe('assistant: the … word')
  })

  it.each([false, true])('block an answer, with stream: %s', async (stream) => {
    const { agent } = kinds[kind]({ answer: () => ({ block: 'a secret' }) }, 'the secret word')
    const types: string[] = []
    const run = async () => {
      for await (const event of agent.runEvents('x', { stream })) types.push(event.type)
    }
    await expect(run()).rejects.toMatchObject({ code: 'guard_blocked', stage: 'answer' })
    expect(types).not.toContain('text_delta')
    expect(agent.chatHistory).toEqual([])
  })
})

describe('prepareStep', () => {
  it('chooses the model, the tools, the tool choice, the messages and the options of each step', async () => {
    const first = scriptedToolModel([PAY])
    const second = scriptedToolModel(['done'])
    const plans: StepPlan[] = []
    const prepareStep: PrepareStep = (plan) => {
      plans.push(plan)
      if (plan.stepNumber === 1) return { tools: ['pay'], toolChoice: 'pay', modelOptions: { temperature: 1 } }
      return { llm: second, tools: [tool('other')], messages: plan.messages.slice(-2) }
    }
    const agent = FunctionCallingAgent.fromTools({
      llm: first,
      tools: [tool('ask'), pay],
      prepareStep,
      modelOptions: { temperature: 0, maxTokens: 10 },
    })
    expect((await agent.chat('x', { context: 'ann' })).response).toBe('done')
    expect(plans.map((plan) => [plan.stepNumber, plan.tools.map((t) => t.metadata.name), plan.context])).toEqual([
      [1, ['ask', 'pay'], 'ann'],
      [2, ['ask', 'pay'], 'ann'],
    ])
    expect(plans[1]!.sources.map(String)).toEqual(['pay 1000'])
    expect(plans[1]!.usage.toolCalls).toBe(1)
    const names = (options: object) =>
      (options as { tools: { function: { name: string } }[] }).tools.map((t) => t.function.name)
    const [asked] = first.calls
    expect(names(asked!.options)).toEqual(['pay'])
    expect(asked!.options).toMatchObject({ toolChoice: { function: { name: 'pay' } }, temperature: 1, maxTokens: 10 })
    expect(names(second.calls[0]!.options)).toEqual(['other'])
    expect(second.calls[0]!.options).toMatchObject({ toolChoice: 'auto', temperature: 0 })
    expect(second.calls[0]!.messages).toMatchObject([{ role: 'assistant' }, { role: 'tool', content: 'pay 1000' }])
    expect(agent.chatHistory).toHaveLength(4)
  })

  it('changes the tools in the prompt of a ReAct agent, and changes nothing if it returns undefined', async () => {
    const llm = new ScriptedLLM({ answers: [PAY_TEXT, 'Answer: done'] })
    const prepareStep: PrepareStep = async ({ stepNumber }) => (stepNumber === 2 ? { tools: [] } : undefined)
    await ReActAgent.fromTools({ llm, tools: [pay], prepareStep }).chat('x')
    const headers = llm.calls.map(({ messages }) => String(messages![0]!['content']).includes('Tool Name: pay'))
    expect(headers).toEqual([true, false])
  })

  it('throws for unknown tools and for two tools with the same name', async () => {
    const run = (tools: (string | FunctionTool)[]) =>
      FunctionCallingAgent.fromTools({ llm: scriptedToolModel([]), tools: [pay], prepareStep: () => ({ tools }) }).chat(
        'x',
      )
    await expect(run(['buy'])).rejects.toThrow('prepareStep: the agent has no tool "buy".')
    await expect(run(['pay', pay])).rejects.toThrow('prepareStep: two tools have the name "pay"')
  })
})

describe('agentFromLlm', () => {
  const options = { systemPrompt: 'Be brief.', context: 'It is Monday.', maxIterations: 1, maxFunctionCalls: 1 }

  it.each([
    ['native', scriptedToolModel([PAY])],
    ['text', new ScriptedLLM({ answers: [PAY_TEXT] })],
  ])('passes the limits and the prompt to %s agents', async (_, llm) => {
    await expect(agentFromLlm({ llm, tools: [pay], ...options }).chat('x')).rejects.toMatchObject({
      code: 'max_iterations',
    })
    expect(String(llm.calls[0]!.messages![0]!['content'])).toContain('Be brief.\n\nIt is Monday.')
  })

  it('refuses unknown options', () => {
    expect(() => agentFromLlm({ llm: new ScriptedLLM(), maxTurns: 5 } as never)).toThrow(
      'ReActAgent.maxTurns: unknown option',
    )
  })
})

describe('streamChat with the text of all turns', () => {
  const llm = () =>
    scriptedToolModel([
      ['Let me', ' pay.', PAY],
      ['It is', ' paid.'],
    ])

  it('streams the text, and has the sources and the usage at the end', async () => {
    const agent = FunctionCallingAgent.fromTools({ llm: llm(), tools: [pay] })
    const answer = await agent.streamChat('x', { text: 'all' })
    const pieces: string[] = []
    for await (const piece of answer) pieces.push(piece)
    expect(pieces).toEqual(['Let me', ' pay.', '\n\n', 'It is', ' paid.'])
    await answer.done
    expect(answer.sources.map(String)).toEqual(['pay 1000'])
    expect(answer.usage).toMatchObject({ modelCalls: 2 })
    expect(String(agent.chatHistory.at(-1))).toBe('assistant: It is paid.')
  })

  it('throws the error of the run, and stops the run when its readers stop', async () => {
    const failing = FunctionCallingAgent.fromTools({
      llm: scriptedToolModel([['Let me', PAY], new Error('down')]),
      tools: [pay],
    })
    const answer = await failing.streamChat('x', { text: 'all' })
    await expect(answer.done).rejects.toThrow('down')

    const stuck = scriptedToolModel([['one', new Promise<never>(() => {})]])
    const left = await FunctionCallingAgent.fromTools({ llm: stuck }).streamChat('x', { text: 'all' })
    for await (const _ of left) break
    await expect(left.done).rejects.toMatchObject({ code: 'abort' })

    const kept = scriptedToolModel([['one', ' two']])
    const kind = await FunctionCallingAgent.fromTools({ llm: kept }).streamChat('x', {
      text: 'all',
      keepsReading: true,
    })
    for await (const _ of kind) break
    await kind.done
    expect(kind.response).toBe('one two')
  })
})
