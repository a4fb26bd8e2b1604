import { ChatMessage, chatTokens, LLMMetadata, type MessageRole } from '@x/core-model'
import { ChatMemoryBuffer } from '@x/core-model/memory'
import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { passThrough } from '../task/durable.ts'
import { Task } from '../task/task.ts'
import {
  CONTEXT_WINDOW_OPTIONS,
  type ContextRequest,
  ContextWindow,
  type ContextWindowOptions,
  type LeftOutMessages,
} from './context-window.ts'
import type { SummaryRequest } from './summarize.ts'

const words = (text: string, count: number) => Array(count).fill(text).join(' ')
const message = (role: MessageRole, content: string, additionalKwargs = {}) =>
  new ChatMessage({ role, content, additionalKwargs })

/** A turn of 1 + 99 tokens. */
const turn = (i: number) => [
  message('assistant', '', { tool_calls: [{ id: `c${i}`, name: 'n', arguments: '' }] }),
  message('tool', words(`t${i}`, 49), { tool_call_id: `c${i}` }),
]
const header = message('system', 'Help.')
const input = message('user', words('now', 10))
const history = ['a', 'b', 'c'].flatMap((name) => [
  message('user', words(`${name}?`, 25)),
  message('assistant', words(`${name}!`, 25)),
])
const task = new Task({ taskId: 't', input: 'now', memory: ChatMemoryBuffer.fromDefaults() })
const llm = new ScriptedLLM({ answers: [] })

function fit(options: ContextWindowOptions, turns: number, more: Partial<ContextRequest> = {}) {
  const messages = [header, ...history, input, ...Array.from({ length: turns }, (_, i) => turn(i)).flat()]
  const request = { llm, messages, first: input, task, durable: passThrough, name: 'fit', ...more }
  return new ContextWindow(options).fit(request)
}

/** The first word of each message, and the number of tokens. */
const shape = (messages: readonly ChatMessage[]) => messages.map((one) => String(one.content).split(' ')[0] || 'call')

describe('ContextWindow', () => {
  it('returns a request that fits unchanged, also without a limit', async () => {
    for (const maxTokens of [10_000, null]) {
      const { messages, leftOut } = await fit({ maxTokens }, 2)
      expect(messages).toHaveLength(1 + 6 + 1 + 4)
      expect(leftOut).toBeUndefined()
    }
  })

  it('uses the context window of the model minus its longest answer as the limit', async () => {
    const model = (contextWindow: number | null) =>
      new ScriptedLLM({ answers: [], metadata: new LLMMetadata({ contextWindow, numOutput: 100 }) })
    const total = chatTokens((await fit({ maxTokens: null }, 2)).messages)
    expect((await fit({}, 2, { llm: model(total + 100) })).leftOut).toBeUndefined()
    expect((await fit({}, 2, { llm: model(total + 99) })).leftOut).toBeDefined()
    expect((await fit({ reservedTokens: 0 }, 2, { llm: model(total) })).leftOut).toBeUndefined()
    expect((await fit({}, 2, { llm: model(null) })).leftOut).toBeUndefined()
  })

  it('counts no plain message of a request with tools and calls that surely fits', async () => {
    let reads = 0
    const plain = message('user', 'Hello.')
    Object.defineProperty(plain, 'content', {
      get: () => {
        reads++
        return 'Hello.'
      },
    })
    const {
      additionalKwargs: { tool_calls: calls },
    } = turn(0)[0]!
    const tools = [
      { type: 'function' as const, function: { name: 'n', description: words('long', 40), parameters: {} } },
    ]
    const request = { llm, first: input, task, durable: passThrough, name: 'fit', tools }
    const messages = [plain, message('assistant', '', { tool_calls: calls }), input]
    const { messages: sent } = await new ContextWindow({ maxTokens: 1000 }).fit({ ...request, messages })
    expect(sent).toEqual(messages)
    expect(reads).toBe(1)
    const long = [
      ...messages,
      message('assistant', '', { tool_calls: [{ id: 'c', name: 'n', arguments: words('long', 2000) }] }),
    ]
    expect((await new ContextWindow({ maxTokens: 1000 }).fit({ ...request, messages: long })).messages).not.toEqual(
      long,
    )
  })

  it('leaves out the oldest messages of the conversation first, and starts with a user message', async () => {
    const { messages, leftOut } = await fit({ maxTokens: 430 }, 2)
    expect(shape(messages)).toEqual(['Help.', 'c?', 'c!', 'now', 'call', 't0', 'call', 't1'])
    expect(leftOut).toEqual({ messages: 4, turns: 0, summary: null, maxTokens: null })
  })

  it('begins with a message of the user when an earlier turn has gone on, or has become shorter', async () => {
    const { leftOut } = await fit({ maxTokens: 430 }, 2)
    expect(leftOut!.messages).toBe(4)
    const [a, b, c] = [history.slice(0, 2), history.slice(2, 4), history.slice(4)]
    const longer = [...a, ...turn(7), message('assistant', 'a!!'), ...b, ...c]
    const shorter = [...a, ...b.slice(0, 1), ...c, ...b]
    for (const [changed, expected] of [
      [longer, ['Help.', 'a?', 'a!', 'call', 't7', 'a!!', 'b?', 'b!', 'c?', 'c!', 'now', 'call', 't0']],
      [shorter, ['Help.', 'c?', 'c!', 'b?', 'b!', 'now', 'call', 't0']],
    ] as const) {
      const messages = [header, ...changed, input, ...turn(0)]
      const next = await fit({ maxTokens: 1000 }, 1, { messages, leftOut })
      expect(shape(next.messages)).toEqual(expected)
      // The same afterwards.
      const again = await fit({ maxTokens: 1000 }, 1, { messages, leftOut: next.leftOut })
      expect(again.leftOut).toBe(next.leftOut)
      expect(shape(again.messages)).toEqual(expected)
      const small = await fit({ maxTokens: 280 }, 1, { messages, leftOut })
      expect(small.messages[1]!.role).toBe('user')
    }
  })

  it('keeps instructions of the role developer', async () => {
    const developer = ChatMessage.fromDict({ role: 'developer', content: 'Help.' })
    const messages = [developer, ...history, input, ...turn(0), ...turn(1)]
    expect(shape((await fit({ maxTokens: 430 }, 0, { messages })).messages).slice(0, 2)).toEqual(['Help.', 'c?'])
  })

  it('leaves out the oldest turns if the request is still too long, and adds a note', async () => {
    const { messages, leftOut } = await fit({ maxTokens: 600, keepTurns: 2 }, 8)
    expect(leftOut!.messages).toBe(6)
    expect(leftOut!.turns).toBeGreaterThan(0)
    expect(chatTokens(messages)).toBeLessThanOrEqual(600)
    expect(shape(messages).slice(0, 4)).toEqual(['Help.', 'now', '[Earlier', 'call'])
    const calls = messages.flatMap(({ additionalKwargs: { tool_calls } }) => (tool_calls as { id: string }[]) ?? [])
    const outputs = messages.flatMap(({ additionalKwargs: { tool_call_id } }) => tool_call_id ?? [])
    expect(calls.map(({ id }) => id)).toEqual(outputs)
  })

  it('leaves room, so that the next requests begin with the same messages', async () => {
    let leftOut: LeftOutMessages | undefined
    const cuts: number[] = []
    for (let turns = 1; turns <= 40; turns++) {
      const fitted = await fit({ maxTokens: 1000 }, turns, { leftOut })
      expect(chatTokens(fitted.messages)).toBeLessThanOrEqual(1000)
      if (fitted.leftOut !== leftOut) cuts.push(turns)
      leftOut = fitted.leftOut
    }
    expect(cuts.length).toBeLessThan(20)
  })

  it('shortens the outputs of the turns that stay, the longest most', async () => {
    const long = [turn(0), [turn(1)[0]!, message('tool', words('long', 4000), { tool_call_id: 'c1' })]].flat()
    const { messages } = await fit({ maxTokens: 500 }, 0, { messages: [header, input, ...long] })
    expect(chatTokens(messages)).toBeLessThanOrEqual(500)
    expect(messages[3]).toBe(long[1])
    expect(messages[5]!.content).toContain('tokens left out')
    expect(messages[5]!.additionalKwargs).toEqual({ tool_call_id: 'c1' })
  })

  it('shortens the text of outputs with parts, and keeps their images', async () => {
    const image = {
      type: 'image_url' as const,
      image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' as const },
    }
    const content = [{ type: 'text' as const, text: words('long', 4000) }, image]
    const output = new ChatMessage({ role: 'tool', content, additionalKwargs: { tool_call_id: 'c0' } })
    const { messages } = await fit({ maxTokens: 2000 }, 0, { messages: [header, input, turn(0)[0]!, output] })
    const [text, kept] = messages[3]!.content as { text: string }[]
    expect(text!.text).toContain('tokens left out')
    expect(kept).toEqual(image)
  })

  it('sends a smaller request if the provider refuses one, and keeps the lower limit', async () => {
    const refused = await fit({ maxTokens: null }, 8)
    const most = chatTokens(refused.messages) * 0.6
    const smaller = await fit({ maxTokens: null }, 8, { maxTokens: Math.floor(most) })
    expect(chatTokens(smaller.messages)).toBeLessThanOrEqual(most)
    expect(smaller.leftOut!.maxTokens).toBe(Math.floor(most))
    const next = await fit({ maxTokens: null }, 12, { leftOut: smaller.leftOut })
    expect(chatTokens(next.messages)).toBeLessThanOrEqual(most)
  })

  it('keeps the newest three turns by default, at least one if the provider refuses them', async () => {
    const leftOut = async (options: ContextWindowOptions, maxTokens?: number) =>
      (await fit({ maxTokens: 60, ...options }, 8, { maxTokens })).leftOut!.turns
    expect([await leftOut({}), await leftOut({ keepTurns: 1 }), await leftOut({ keepTurns: 9 })]).toEqual([5, 7, 0])
    expect(await leftOut({ keepTurns: 9 }, 36)).toBe(7)
    const accepts = (value: unknown) => CONTEXT_WINDOW_OPTIONS.keepTurns(value) === undefined
    expect([accepts(0), accepts(1)]).toEqual([false, true])
  })

  it('shortens nothing that fits exactly, and outputs by what is too much', async () => {
    const characters = (text: string) => [...text]
    const long = [message('assistant', ''), message('tool', 'x'.repeat(300))]
    const of = async (maxTokens: number, tools?: ContextRequest['tools']) =>
      (await fit({ maxTokens, tokenizer: characters }, 0, { messages: [input, ...long], tools })).messages
    const size = chatTokens([input, ...long], { tokenizer: characters })
    expect(String((await of(size))[2]!.content)).toHaveLength(300)
    expect(String((await of(size - 1))[2]!.content)).not.toHaveLength(300)
    const tools = [{ type: 'function' as const, function: { name: 'n', parameters: {} } }]
    for (const most of [size - 1, size - 100]) {
      expect(chatTokens(await of(most), { tokenizer: characters })).toBeLessThanOrEqual(most)
      expect(chatTokens(await of(most, tools), { tools, tokenizer: characters })).toBeLessThanOrEqual(most)
    }
  })

  it('knows the first message of the task, also without system messages', async () => {
    const messages = [input, ...turn(0), message('user', words('then', 10)), ...turn(1), ...turn(2), ...turn(3)]
    const fitted = await fit({ maxTokens: 330, keepTurns: 1 }, 0, { messages })
    expect(shape(fitted.messages).slice(0, 2)).toEqual(['now', '[Earlier'])
    expect(fitted.leftOut).toMatchObject({ messages: 0 })
  })

  it('leaves out turns of a task without an input', async () => {
    const messages = [header, ...[0, 1, 2, 3].flatMap(turn)]
    const fitted = await fit({ maxTokens: 150, keepTurns: 1 }, 0, { messages, first: undefined })
    expect(shape(fitted.messages)).toEqual(['Help.', '[Earlier', 'call', 't3'])
  })

  it('counts the tools', async () => {
    const tools = [{ type: 'function' as const, function: { name: 'n', parameters: { note: words('x', 300) } } }]
    const total = chatTokens((await fit({ maxTokens: null }, 2)).messages)
    expect((await fit({ maxTokens: total + 200 }, 2)).leftOut).toBeUndefined()
    expect((await fit({ maxTokens: total + 200 }, 2, { tools })).leftOut).toBeDefined()
  })

  it('passes the previous summary when it summarizes more messages', async () => {
    const asked: SummaryRequest[] = []
    const summarize = (request: SummaryRequest) => {
      asked.push(request)
      return `summary ${asked.length}`
    }
    const names: string[] = []
    const durable: ContextRequest['durable'] = (name, fn) => {
      names.push(name)
      return fn()
    }
    const first = await fit({ maxTokens: 600, summarize }, 8, { durable, name: 'step-8/fit' })
    expect(shape(asked[0]!.messages).slice(0, 3)).toEqual(['a?', 'a!', 'b?'])
    expect([asked[0]!.previous, asked[0]!.maxTokens, names]).toEqual([null, 120, ['step-8/fit']])
    expect(first.messages[2]!.content).toBe('Summary of what was left out:\nsummary 1')
    const again = await fit({ maxTokens: 600, summarize }, 8, { leftOut: first.leftOut })
    expect([again.messages.length, asked.length]).toEqual([first.messages.length, 1])
    const next = await fit({ maxTokens: 600, summarize }, 16, { leftOut: first.leftOut })
    expect(asked[1]!.previous).toBe('summary 1')
    expect(shape(asked[1]!.messages)).toContain(`t${first.leftOut!.turns}`)
    expect(next.leftOut!.summary).toBe('summary 2')
  })

  it('leaves messages out without a summary that fails, and keeps the earlier one', async () => {
    const errors: unknown[] = []
    const down = new Error('down')
    let summarize: () => Promise<string> = async () => 'summary 1'
    const options = () => ({ maxTokens: 600, summarize, onSummaryError: (error: unknown) => void errors.push(error) })
    const first = await fit(options(), 8)
    summarize = () => Promise.reject(down)
    const next = await fit(options(), 16, { leftOut: first.leftOut })
    expect([next.leftOut!.summary, errors]).toEqual(['summary 1', [down]])
    expect(next.leftOut!.turns).toBeGreaterThan(first.leftOut!.turns)
    const signal = AbortSignal.abort(new Error('left'))
    await expect(fit(options(), 8, { signal })).rejects.toThrow('left')
  })

  it('asks the model of the step with summarize: true, and reports its usage', async () => {
    const usage = { input_tokens: 7, output_tokens: 3 }
    const model = new ScriptedLLM({ answers: ['All is well.'] })
    const counting = Object.assign(Object.create(model) as ScriptedLLM, {
      chat: async (messages: ChatMessage[]) => {
        const response = await model.chat(messages)
        return response.copy({ update: { additionalKwargs: { usage } } })
      },
    })
    const { messages, summaryUsage } = await fit({ maxTokens: 600, summarize: true }, 8, { llm: counting })
    expect(messages[2]!.content).toBe('Summary of what was left out:\nAll is well.')
    expect(summaryUsage).toMatchObject({ inputTokens: 7, outputTokens: 3 })
  })

  it('keeps the input of a task whose messages were changed', async () => {
    const copy = input.copy()
    const messages = [header, ...history, copy, ...turn(0)]
    const fitted = await fit({ maxTokens: 200 }, 0, { messages })
    expect(fitted.messages).toContain(copy)
    expect(chatTokens(fitted.messages)).toBeLessThanOrEqual(200)
  })
})
