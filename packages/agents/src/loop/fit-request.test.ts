import { ChatMessage, chatTokens, LLMMetadata } from '@x/core-model'
import { ModelCallError } from '@x/llm'
import { type ScriptedAnswer, ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { toolCall, toolCalls } from '../../test/function-calling-llm.ts'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { ReActAgent } from '../agent/react-agent.ts'
import { journal } from '../journal.ts'
import { keepWithin } from '../layers/keep-within.ts'
import { FunctionTool } from '../tool/function-tool.ts'

const words = (count: number) => Array(count).fill('word').join(' ')
const read = FunctionTool.fromDefaults({ name: 'read', schema: {}, fn: () => words(200) })
const messagesOf = (llm: ScriptedLLM) =>
  llm.calls.map(({ messages }) => messages!.map((one) => ChatMessage.fromDict(one)))
const sizes = (llm: ScriptedLLM) => messagesOf(llm).map((messages) => chatTokens(messages))
const native = (contextWindow: number | null, answers: readonly ScriptedAnswer[]) =>
  new ScriptedLLM({
    answers,
    metadata: new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true, contextWindow, numOutput: 100 }),
  })
const call = (i: number) => toolCalls(toolCall(`c${i}`, 'read', { i }))
const tooLong = new ModelCallError('too long', { kind: 'context_length', status: 400 })

describe('a long task', () => {
  it('keeps its requests within the context window, with native tool calls', async () => {
    const llm = native(1100, [...Array.from({ length: 12 }, (_, i) => call(i)), 'Done.'])
    const agent = FunctionCallingAgent.fromTools({ llm, tools: [read], contextWindow: keepWithin() })
    const answer = await agent.chat('Read!')
    expect(Math.max(...sizes(llm))).toBeLessThanOrEqual(1000)
    expect(llm.calls).toHaveLength(13)
    expect(answer.sources.every(({ content }) => content === words(200))).toBe(true)
    expect(agent.chatHistory).toHaveLength(1 + 24 + 1)
  })

  it('keeps its requests within the context window, with tool calls as text', async () => {
    const action = 'Thought: more\nAction: read\nAction Input: {}'
    const llm = new ScriptedLLM({
      answers: [...Array(12).fill(action), 'Thought: ok\nAnswer: Done.'],
      metadata: new LLMMetadata({ isChatModel: true, contextWindow: 2100, numOutput: 100 }),
    })
    await ReActAgent.fromTools({ llm, tools: [read], contextWindow: keepWithin() }).chat('Read!')
    expect(Math.max(...sizes(llm))).toBeLessThanOrEqual(2000)
  })

  it('sends requests unchanged with contextWindow: false, or if the window is unknown', async () => {
    for (const [window, option] of [
      [1100, false],
      [null, keepWithin()],
    ] as const) {
      const llm = native(window, [...Array.from({ length: 6 }, (_, i) => call(i)), 'Done.'])
      await FunctionCallingAgent.fromTools({ llm, tools: [read], contextWindow: option }).chat('Read!')
      expect(sizes(llm).at(-1)).toBeGreaterThan(1200)
    }
  })

  it('leaves out the same messages after it was saved and loaded', async () => {
    const answers = Array.from({ length: 8 }, (_, i) => call(i))
    const first = FunctionCallingAgent.fromTools({
      llm: native(1100, answers),
      tools: [read],
      contextWindow: keepWithin(),
      taskStore: journal(),
    })
    const { taskId } = await first.createTask('Read!')
    for (let i = 0; i < 8; i++) await first.runStep(taskId)
    const llm = native(1100, ['Done.'])
    const second = FunctionCallingAgent.fromTools({
      llm,
      tools: [read],
      contextWindow: keepWithin(),
      taskStore: journal(),
    })
    await second.loadTask(JSON.parse(JSON.stringify(first.saveTask(taskId))))
    expect(second.getTask(taskId).extraState['left_out']).toEqual(first.getTask(taskId).extraState['left_out'])
    await second.runTask(taskId)
    expect(sizes(llm)[0]).toBeLessThanOrEqual(1000)
  })
})

describe('a request that the provider refuses as too long', () => {
  /** A server whose tokenizer counts three times as many tokens as we estimate. */
  const server = (
    window: number,
    refusal: (real: number) => string,
    calls = 0,
    contextWindow: number | null = null,
  ) => {
    let made = 0
    const answers = (messages: readonly ChatMessage[]) => {
      const real = 3 * chatTokens(messages)
      if (real > window) return new ModelCallError(refusal(real), { kind: 'context_length', status: 400 })
      return made++ < calls ? call(made) : 'Done.'
    }
    return new ScriptedLLM({
      answers,
      metadata: new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true, contextWindow, numOutput: 100 }),
    })
  }
  const silent = () => 'too long'
  const chatHistory = Array.from({ length: 20 }, (_, i) => [
    { role: 'user' as const, content: words(50) },
    { role: 'assistant' as const, content: words(50 + i) },
  ]).flat()
  const agentOf = (llm: ScriptedLLM, options: object = {}) =>
    FunctionCallingAgent.fromTools({ llm, tools: [read], chatHistory, contextWindow: keepWithin(), ...options })

  it('is sent again with fewer messages until it fits, with and without streaming', async () => {
    for (const stream of [false, true]) {
      const llm = server(2300, silent)
      const answer = stream ? await agentOf(llm).streamChat('Hi') : await agentOf(llm).chat('Hi')
      if ('done' in answer) await answer.done
      expect(answer.response).toBe('Done.')
      expect(answer.usage!.modelCalls).toBe(1)
      const [first, second, third, ...others] = sizes(llm)
      expect(second).toBeLessThanOrEqual(first! * 0.6)
      expect(third).toBeLessThanOrEqual(first! * 0.36)
      expect(others).toEqual([])
    }
  })

  it.each([
    (real: number) =>
      `This model's maximum context length is 2300 tokens. However, your messages resulted in ${real} tokens.`,
    (real: number) =>
      `Maximum context length is 2,800 tokens. However, you requested ${real + 500} tokens (${real} in the messages, 500 in the completion).`,
    (real: number) => `prompt is too long: ${real} tokens > 2300 maximum (HTTP 400)`,
    (real: number) =>
      `gpt-4-32768: request (${real} tokens) exceeds the available context size (2300 tokens), try increasing it`,
    (real: number) => `The input token count (${real}) exceeds the maximum number of tokens allowed (2300).`,
    (real: number) =>
      `You passed ${real} input tokens and requested 512 output tokens. The context length is only 2812 tokens.`,
  ])('has the size that the refusal states: %s', async (refusal) => {
    const llm = server(2300, refusal)
    await agentOf(llm).chat('Hi')
    const [, second, ...others] = sizes(llm)
    expect(others).toEqual([])
    expect(second).toBeGreaterThan(400)
  })

  it('is smaller by a factor if the numbers of the refusal are something else', async () => {
    const llm = server(3000, () => 'request 20261130 of 300 tokens')
    await agentOf(llm).chat('Hi')
    expect(sizes(llm)[1]).toBeGreaterThan(sizes(llm)[0]! * 0.3)
  })

  it('lowers the limit of the later steps', async () => {
    const llm = server(2300, silent, 8)
    const answer = await agentOf(llm).chat('Read!')
    expect(answer.response).toBe('Done.')
    expect(llm.calls).toHaveLength(2 + 9)
    expect(Math.max(...sizes(llm).slice(2)) * 3).toBeLessThanOrEqual(2300)
  })

  it('has only what must stay at last, after five requests at most', async () => {
    const llm = server(60, silent)
    expect((await agentOf(llm, { systemPrompt: 'Help.' }).chat('Hi')).response).toBe('Done.')
    expect(messagesOf(llm).at(-1)!.map(String)).toEqual(['system: Help.', 'user: Hi'])
    expect(llm.calls.length).toBeLessThanOrEqual(5)
    const long = server(60, () => '3001 tokens > 3000')
    expect((await agentOf(long).chat('Hi')).response).toBe('Done.')
    expect(sizes(long)).toHaveLength(5)
  })

  it('fails if only what must stay is left, with the sizes, and as the provider failed', async () => {
    for (const stream of [false, true]) {
      const llm = server(1, silent)
      const run = async () => {
        const answer = stream ? await agentOf(llm).streamChat('Hi') : await agentOf(llm).chat('Hi')
        if ('done' in answer) await answer.done
      }
      await expect(run()).rejects.toMatchObject({
        code: 'model_call',
        kind: 'context_length',
        status: 400,
        retryable: false,
        message: expect.stringMatching(/^too long; nothing more .* of about 2\d+ tokens .*, \d+ remain in request 5\./),
        cause: { message: 'too long' },
      })
      expect(llm.calls).toHaveLength(5)
    }
    const short = native(null, [tooLong])
    await expect(agentOf(short, { chatHistory: [] }).chat('Hi')).rejects.toMatchObject({ kind: 'context_length' })
    expect(short.calls).toHaveLength(1)
  })

  it('is neither sent nor made smaller after the run was aborted', async () => {
    for (const stream of [false, true]) {
      const controller = new AbortController()
      let summaries = 0
      const summarize = () => `${++summaries}`
      const llm = server(2300, () => {
        controller.abort(new Error('left'))
        return 'too long'
      })
      const agent = agentOf(llm, { contextWindow: keepWithin({ summarize }) })
      const { signal } = controller
      const run = async () => {
        const answer = stream ? await agent.streamChat('Hi', { signal }) : await agent.chat('Hi', { signal })
        if ('done' in answer) await answer.done
      }
      await expect(run()).rejects.toMatchObject({ name: 'AbortError' })
      expect([llm.calls.length, summaries]).toEqual([1, 0])
    }
  })

  it('has a summary of what it leaves out, also of only what must stay', async () => {
    const limits: number[] = []
    const summarize = ({ maxTokens }: { maxTokens: number }) => {
      limits.push(maxTokens)
      return 'Words.'
    }
    const llm = server(60, silent)
    await agentOf(llm, { contextWindow: keepWithin({ summarize }) }).chat('Hi')
    expect(messagesOf(llm).at(-1)!.map(String).join('\n')).toContain('Words.')
    expect(Math.min(...limits)).toBeGreaterThan(10)
  })
})

it('summaries replace the messages that are left out, and their usage counts', async () => {
  const summarize = () => ({
    text: 'All words were the same.',
    usage: { inputTokens: 5, outputTokens: 2, cachedInputTokens: 0, reasoningTokens: 0, totalTokens: 7 },
  })
  const llm = native(1100, [...Array.from({ length: 6 }, (_, i) => call(i)), 'Done.'])
  const agent = FunctionCallingAgent.fromTools({ llm, tools: [read], contextWindow: keepWithin({ summarize }) })
  const answer = await agent.chat('Read!')
  expect(messagesOf(llm).at(-1)!.map(String).join('\n')).toContain('All words were the same.')
  expect(answer.usage!.totalTokens).toBeGreaterThanOrEqual(7)
  expect(answer.usage!.modelCalls).toBeGreaterThan(7)
})

it('maxToolOutputTokens shortens what the model reads, not the sources', async () => {
  const llm = native(null, [call(0), 'Done.'])
  const agent = FunctionCallingAgent.fromTools({
    llm,
    tools: [read],
    maxToolOutputTokens: 20,
    contextWindow: keepWithin(),
  })
  const answer = await agent.chat('Read!')
  expect(chatTokens([messagesOf(llm)[1]!.at(-1)!])).toBeLessThan(45)
  expect(answer.sources[0]!.content).toBe(words(200))
})

it('an output of more than 25,000 tokens is shortened unless the option says otherwise', async () => {
  const long = FunctionTool.fromDefaults({ name: 'read', schema: { type: 'object' }, fn: () => words(60_000) })
  const received = async (maxToolOutputTokens?: null) => {
    const llm = native(null, [call(0), 'Done.'])
    const { sources } = await FunctionCallingAgent.fromTools({ llm, tools: [long], maxToolOutputTokens }).chat('Read!')
    expect(sources[0]!.content).toBe(words(60_000))
    return String(messagesOf(llm)[1]!.at(-1)!.content)
  }
  expect(await received()).toContain('tokens left out')
  expect(await received(null)).toBe(words(60_000))
})

it('throws ModelValidationError for invalid options of the context window', () => {
  const make = (options: object) => () => keepWithin(options)
  expect(make({ keepTurns: 0 })).toThrow(expect.objectContaining({ code: 'model_validation' }))
  expect(make({ maxTokns: 5 })).toThrow(/keepWithin.*maxTokns/)
  expect(make({ summarize: 'yes' })).toThrow(/a boolean or a function/)
  const plain = { llm: native(null, []), contextWindow: { keepTurns: 2 }, output: {} }
  const { contextWindow, output, llm } = plain as never
  expect(() => FunctionCallingAgent.fromTools({ llm, contextWindow })).toThrow('expected keepWithin(options) or false')
  expect(() => FunctionCallingAgent.fromTools({ llm, output })).toThrow('expected structured(schema)')
})
