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
  const long = [...Array.from({ length: 6 }, (_, i) => call(i))]

  it('is sent once more with fewer messages, with and without streaming', async () => {
    for (const stream of [false, true]) {
      const llm = native(null, [...long, tooLong, 'Done.'])
      const agent = FunctionCallingAgent.fromTools({ llm, tools: [read], contextWindow: keepWithin() })
      const answer = stream ? await agent.streamChat('Read!') : await agent.chat('Read!')
      if ('done' in answer) await answer.done
      expect(answer.response).toBe('Done.')
      const [refused, smaller] = sizes(llm).slice(-2)
      expect(smaller).toBeLessThanOrEqual(refused! * 0.6)
      expect(answer.usage!.modelCalls).toBe(7)
    }
  })

  it('fails if the smaller request is refused too, or if nothing can be left out', async () => {
    const twice = FunctionCallingAgent.fromTools({
      llm: native(null, [...long, tooLong, tooLong]),
      tools: [read],
      contextWindow: keepWithin(),
    })
    await expect(twice.chat('Read!')).rejects.toBe(tooLong)
    const llm = native(null, [tooLong])
    await expect(
      FunctionCallingAgent.fromTools({ llm, tools: [read], contextWindow: keepWithin() }).chat('Hi'),
    ).rejects.toBe(tooLong)
    expect(llm.calls).toHaveLength(1)
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
