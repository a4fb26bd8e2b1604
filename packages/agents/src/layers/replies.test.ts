import { type BaseLLM, ChatMessage, ChatResponse, LLMMetadata } from '@x/core-model'
import { ModelCallError, withCache, withRetry } from '@x/llm'
import { type ScriptedAnswer, ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { toolCall, toolCalls } from '../../test/function-calling-llm.ts'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { ReActAgent } from '../agent/react-agent.ts'
import { journal, journalPort } from '../journal.ts'
import { JsonProtocol } from '../loop/json/json-protocol.ts'
import { budget, cutAnswers, eventsOf, reactLoop, retries, type StepEvent, streaming, toolLoop } from '../loop.ts'
import { AgentRunner } from '../runner/agent-runner.ts'
import type { AgentEvent } from '../task/agent-event.ts'
import { MemoryTaskStore } from '../task/memory-task-store.ts'
import { FunctionTool } from '../tool/function-tool.ts'
import { ToolLoopWorker } from '../worker/tool-loop-worker.ts'

const metadata = new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true })
const native = (...answers: ScriptedAnswer[]) => new ScriptedLLM({ metadata, answers })
const busy = (retryAfterMs?: number) => new ModelCallError('busy', { kind: 'rate_limit', status: 429, retryAfterMs })
const broken = () => new ModelCallError('the stream broke', { kind: 'connection' })
const quick = { baseDelayMs: 0 }

let paid: string[] = []
const pay = FunctionTool.fromDefaults({
  name: 'pay',
  schema: { type: 'object', properties: { to: { type: 'string' } } },
  fn: ({ to }) => {
    paid.push(String(to))
    return 'paid'
  },
})
const payCall = toolCalls(toolCall('c', 'pay', { to: 'Ann' }))

/** The text that a reader of events shows at the end. */
function shownText(events: readonly { type: string; delta?: string }[]): string {
  let text = ''
  for (const { type, delta } of events) {
    if (type === 'turn_restarted') text = ''
    if (type === 'text_delta') text += delta
  }
  return text
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

describe('a model call that fails', () => {
  it('is repeated by an agent', async () => {
    const llm = native(busy(1), 'Hello.')
    expect(String(await FunctionCallingAgent.fromTools({ llm }).chat('Hi'))).toBe('Hello.')
    const text = new ScriptedLLM({ answers: [busy(1), 'Answer: Hello.'] })
    expect(String(await ReActAgent.fromTools({ llm: text }).chat('Hi'))).toBe('Hello.')
  })

  it('is repeated by a loop only with the layer', async () => {
    await expect(toolLoop({ llm: native(busy(1), 'Hello.') }).run('Hi')).rejects.toThrow('busy')
    const { text } = await toolLoop({ llm: native(busy(1), 'Hello.'), layers: [retries()] }).run('Hi')
    expect(text).toBe('Hello.')
  })

  it('is repeated after the delay that the provider requires, at most maxAttempts times', async () => {
    const delays: number[] = []
    const sleep = async (ms: number) => void delays.push(ms)
    const llm = native(busy(3000), busy(), busy())
    const agent = FunctionCallingAgent.fromTools({ llm, retries: { sleep, random: () => 0 } })
    await expect(agent.chat('Hi')).rejects.toMatchObject({ code: 'model_call', kind: 'rate_limit' })
    expect(delays).toEqual([3000, 250])
    expect(llm.calls).toHaveLength(3)
  })

  it('is not repeated if it is not retryable, or retries are off, or the engine of the agent repeats it', async () => {
    const refused = native(new ModelCallError('no', { kind: 'auth' }), 'never')
    await expect(FunctionCallingAgent.fromTools({ llm: refused }).chat('Hi')).rejects.toMatchObject({ kind: 'auth' })
    const off = native(busy(1), 'never')
    await expect(FunctionCallingAgent.fromTools({ llm: off, retries: false }).chat('Hi')).rejects.toThrow('busy')
    const engine = native(busy(1), 'never')
    const durable = journalPort((_name, call) => call())
    await expect(FunctionCallingAgent.fromTools({ llm: engine, durable }).chat('Hi')).rejects.toThrow('busy')
    for (const { calls } of [refused, off, engine]) expect(calls).toHaveLength(1)
  })

  it('stops waiting when the run is cancelled', async () => {
    const controller = new AbortController()
    const agent = FunctionCallingAgent.fromTools({ llm: native(busy(50_000)) })
    const events: string[] = []
    const running = agent.chat('Hi', {
      signal: controller.signal,
      onEvent: ({ type }) => {
        events.push(type)
        if (type === 'turn_restarted') setTimeout(() => controller.abort(), 5)
      },
    })
    await expect(running).rejects.toMatchObject({ code: 'abort' })
    expect(events).toEqual(['step_start', 'turn_restarted'])
  })

  it('does not leave a result in the journal', async () => {
    const taskStore = new MemoryTaskStore()
    const llm = native(busy(1), payCall, busy(1), 'Done.')
    paid = []
    const answer = await FunctionCallingAgent.fromTools({ llm, tools: [pay], taskStore: journal(taskStore) }).chat(
      'Pay',
      { taskId: 't' },
    )
    expect([String(answer), paid]).toEqual(['Done.', ['Ann']])
    expect(answer.usage).toMatchObject({ modelCalls: 2, toolCalls: 1 })
    expect(JSON.stringify(await taskStore.load('t'))).toContain('model')
    expect(JSON.stringify(await taskStore.load('t'))).not.toContain('busy')
  })

  it('is repeated once, not by two layers', async () => {
    const llm = native(busy(1), busy(1), busy(1))
    const agent = FunctionCallingAgent.fromTools({ llm, layers: [retries({ ...quick, maxAttempts: 2 })] })
    await expect(agent.chat('Hi')).rejects.toThrow('busy')
    expect(llm.calls).toHaveLength(2)
  })

  it('is repeated by a model of withRetry alone', async () => {
    const llm = native(busy(1), busy(1), ['Hel', broken()], ['Hello.'])
    const wrapped = withCache(withRetry(llm, { ...quick, maxAttempts: 2 }))
    const agent = FunctionCallingAgent.fromTools({ llm: wrapped, retries: quick })
    await expect(agent.chat('Hi')).rejects.toThrow('busy')
    expect(llm.calls).toHaveLength(2)
    const answer = await agent.streamChat('Hi')
    await answer.done
    expect(answer.response).toBe('Hello.')
  })

  it.each([
    [{ maxAttempts: 0 }, 'maxAttempts'],
    [{ attempts: 2 }, 'attempts'],
    [{ random: 1 }, 'random'],
  ])('refuses the options %j', (options, name) => {
    expect(() => retries(options as never)).toThrow(name)
    const make = () => FunctionCallingAgent.fromTools({ llm: native(), retries: options as never })
    expect(make).toThrow(expect.objectContaining({ code: 'model_validation', message: expect.stringContaining(name) }))
  })
})

describe('a stream that breaks', () => {
  const half = ['The answer', ' is fi', broken()]
  const whole = ['The answer is', ' four.']

  it.each([true, false])('starts anew for readers of events, with a runner: %s', async (isAgent) => {
    const llm = native(half, whole)
    const events: { type: string; delta?: string }[] = isAgent
      ? await all(FunctionCallingAgent.fromTools({ llm, retries: quick, tools: [pay] }).runEvents('2 + 2?'))
      : await all(eventsOf(toolLoop({ llm, layers: [streaming(), retries(quick)] }), '2 + 2?'))
    expect(shownText(events)).toBe('The answer is four.')
    expect(events.find(({ type }) => type === 'turn_restarted')).toMatchObject({
      attempt: 1,
      error: { code: 'model_call', retryable: true, message: 'the stream broke' },
    })
  })

  it('starts anew for a reader of the text, which receives an error first', async () => {
    const agent = FunctionCallingAgent.fromTools({ llm: native(half, whole), retries: quick })
    const answer = await agent.streamChat('2 + 2?')
    const pieces: string[] = []
    const read = async () => {
      for await (const piece of answer) pieces.push(piece)
    }
    await expect(read()).rejects.toMatchObject({ code: 'text_restarted' })
    expect(pieces.join('')).toBe('The answer is fi')
    expect((await all(answer)).join('')).toBe('The answer is four.')
    await answer.done
    expect(answer.response).toBe('The answer is four.')
    expect(agent.chatHistory.map(String)).toEqual(['user: 2 + 2?', 'assistant: The answer is four.'])
  })

  it('reports each text once if the stream breaks right after its first piece', async () => {
    let times = 0
    async function* stream() {
      yield new ChatResponse({ message: new ChatMessage({ role: 'assistant', content: 'four' }), delta: 'four' })
      if (++times === 1) throw busy(0)
    }
    const llm = { metadata, streamChat: async () => stream() } as unknown as BaseLLM
    const events: AgentEvent[] = []
    const answer = await FunctionCallingAgent.fromTools({ llm }).streamChat('2 + 2?', {
      onEvent: (event) => void events.push(event),
    })
    await answer.done
    expect(shownText(events)).toBe('four')
  })

  it('does not disturb a reader who has read nothing yet', async () => {
    const agent = ReActAgent.fromTools({
      llm: new ScriptedLLM({
        answers: [
          ['Answer: The', broken()],
          ['Answer: fo', 'ur'],
        ],
      }),
      retries: quick,
    })
    const answer = await agent.streamChat('2 + 2?')
    await answer.done
    expect([(await all(answer)).join(''), answer.response]).toEqual(['four', 'four'])
  })

  it('passes on an answer that is recognized at its end', async () => {
    const llm = new ScriptedLLM({ answers: [['Answer: The', broken()], 'Thought: easy. Answer: four'] })
    const agent = ReActAgent.fromTools({ llm, retries: quick })
    const events: AgentEvent[] = []
    const answer = await agent.streamChat('2 + 2?', { onEvent: (event) => void events.push(event) })
    await answer.done
    expect([answer.response, (await all(answer)).join(''), shownText(events)]).toEqual(['four', 'four', 'four'])
    expect(agent.chatHistory.map(String)).toEqual(['user: 2 + 2?', 'assistant: four'])
  })

  it('repeats the text of earlier turns for a reader of all turns', async () => {
    const talk = ['Let me pay.', payCall]
    const llm = native(talk, ['Pa', broken()], ['Done.'])
    const agent = FunctionCallingAgent.fromTools({ llm, tools: [pay], retries: quick })
    paid = []
    const answer = await agent.streamChat('Pay', { text: 'all' })
    await answer.done
    expect(paid).toEqual(['Ann'])
    expect(answer.response).toBe('Let me pay.\n\nDone.')
    expect((await all(answer)).join('').trim()).toBe(answer.response)
  })

  it('makes no call of the reply that broke, and calls of the next one once', async () => {
    paid = []
    const other = toolCalls(toolCall('d', 'pay', { to: 'Bob' }))
    const llm = native([payCall, broken()], [other], ['Done.'])
    const events: StepEvent[] = []
    const loop = toolLoop({ llm, tools: [pay], layers: [retries(quick), streaming(), budget()] })
    const { text, messages } = await loop.run('Pay', { onEvent: (event) => void events.push(event) })
    expect([text, paid, messages.length]).toEqual(['Done.', ['Bob'], 4])
  })

  it('keeps the first part of an answer that was cut and continued', async () => {
    const cut = (delta: string, reason: string) =>
      new ChatResponse({
        message: new ChatMessage({ role: 'assistant', content: delta }),
        delta,
        additionalKwargs: { finish_reason: reason },
      })
    const turns = [[cut('Once upon', 'length')], [cut(' a ti', ''), broken()], [cut(' a day.', 'stop')]]
    const llm = {
      metadata,
      async *streamChat() {
        for (const piece of turns.shift()!) {
          if (piece instanceof Error) throw piece
          yield piece
        }
      },
    } as never
    expect(() => cutAnswers('go on' as never)).toThrow(expect.objectContaining({ code: 'model_validation' }))
    const loop = toolLoop({ llm, layers: [streaming(), retries(quick), cutAnswers('continue')] })
    const events: StepEvent[] = []
    const { text } = await loop.run('Tell!', { onEvent: (event) => void events.push(event) })
    expect(text).toBe('Once upon a day.')
    expect(shownText(events as never)).toBe('Once upon a day.')
  })

  it('fails if its text was passed on as the answer, and the next reply calls a tool', async () => {
    paid = []
    const call = 'Thought: pay\nAction: pay\nAction Input: {"to": "Ann"}'
    const llm = new ScriptedLLM({ answers: [['Answer: I th', broken()], [call]] })
    const agent = ReActAgent.fromTools({ llm, tools: [pay], retries: quick })
    const answer = await agent.streamChat('2 + 2?')
    await expect(answer.done).rejects.toThrow('the stream broke')
    expect(paid).toEqual([])
  })

  it.each<[object, number]>([
    [{ type: 'tool-call' }, 1],
    [{ type: 'web_search_call' }, 1],
    [{ type: 'mcp_call' }, 1],
    [{ content: [{ type: 'text' }, { type: 'server_tool_use' }] }, 1],
    [{ type: 'custom', kind: 'google.processing_call' }, 1],
    [{ type: 'custom', kind: 'p.note' }, 3],
    [{ type: 'compaction' }, 3],
    [{ content: [{ type: 'text' }] }, 3],
  ])(
    'with the data %j of the provider is requested %i times: not again if the provider ran a tool',
    async (data, times) => {
      const parts = [{ type: 'provider', adapter: 'x', data }]
      let asked = 0
      const llm = {
        metadata,
        async *streamChat() {
          asked++
          const message = new ChatMessage({ role: 'assistant', content: '', parts } as never)
          yield new ChatResponse({ message, delta: '' })
          throw broken()
        },
      } as never
      const loop = toolLoop({ llm, layers: [streaming(), retries(quick)] })
      await expect(loop.run('Search!')).rejects.toThrow('the stream broke')
      expect(asked).toBe(times)
    },
  )

  it('counts the tokens of the reply that broke', async () => {
    const turns = [['fo', broken()], ['four']]
    const llm = {
      metadata,
      async *streamChat() {
        for (const piece of turns.shift()!) {
          if (typeof piece !== 'string') throw piece
          const additionalKwargs = { usage: { input_tokens: 10, output_tokens: 1 } }
          yield new ChatResponse({ message: new ChatMessage({ content: piece }), delta: piece, additionalKwargs })
        }
      },
    } as never
    const events: AgentEvent[] = await all(FunctionCallingAgent.fromTools({ llm, retries: quick }).runEvents('2 + 2?'))
    const end = events.at(-1) as Extract<AgentEvent, { type: 'task_end' }>
    expect(end.answer.usage).toMatchObject({ inputTokens: 20, outputTokens: 2 })
  })
})

describe('an empty reply', () => {
  it.each(['', ' \n', null])('%j is repaired once, without a trace in the conversation', async (empty) => {
    const llm = native(payCall, empty, 'Paid.')
    const agent = FunctionCallingAgent.fromTools({ llm, tools: [pay] })
    const answer = await agent.chat('Pay')
    expect(String(answer)).toBe('Paid.')
    expect(answer.usage?.modelCalls).toBe(3)
    expect(agent.chatHistory.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
    expect(String(llm.calls[2]!.messages!.at(-1)!['content'])).toContain('empty')
  })

  it('is an error the second time', async () => {
    for (const llm of [native('', ''), native([''], [' '])]) {
      const run = FunctionCallingAgent.fromTools({ llm }).runEvents('Hi', { stream: Array.isArray(llm) })
      await expect(all(run)).rejects.toMatchObject({ code: 'invalid_agent_output' })
      expect(llm.calls).toHaveLength(2)
    }
    const text = new ScriptedLLM({ answers: ['', '', 'Answer: never'] })
    await expect(ReActAgent.fromTools({ llm: text }).chat('Hi')).rejects.toMatchObject({ code: 'invalid_agent_output' })
    const loop = new ScriptedLLM({ answers: ['', '', 'Answer: never'] })
    await expect(reactLoop({ llm: loop, layers: [retries()] }).run('Hi')).rejects.toMatchObject({
      code: 'invalid_agent_output',
    })
  })

  it('streams what follows', async () => {
    const agent = FunctionCallingAgent.fromTools({ llm: native([''], ['He', 'llo']) })
    expect((await all(await agent.streamChat('Hi'))).join('')).toBe('Hello')
  })

  it('has no image and no part of the provider', async () => {
    const parts = [{ type: 'provider', adapter: 'x', data: {} }]
    const message = new ChatMessage({ role: 'assistant', content: '', parts } as never)
    const { status } = await toolLoop({ llm: native(message), layers: [retries()] }).run('Draw!')
    expect(status).toBe('done')
  })

  it('is repaired again after a reply that was not', async () => {
    const call = 'Thought: pay\nAction: pay\nAction Input: {"to": "Ann"}'
    const llm = new ScriptedLLM({ answers: ['', call, '', 'Answer: Paid.'] })
    expect(String(await ReActAgent.fromTools({ llm, tools: [pay] }).chat('Pay'))).toBe('Paid.')
    expect(llm.calls).toHaveLength(4)
  })

  it('that a protocol reports to the model itself is an error the second time in a row', async () => {
    const call = '{"tool": "pay", "arguments": {"to": "Ann"}}'
    const run = async (...answers: string[]) => {
      const llm = new ScriptedLLM({ answers })
      const agentWorker = new ToolLoopWorker({ llm, tools: [pay], protocol: new JsonProtocol() })
      return new AgentRunner({ agentWorker }).chat('Pay').catch((error) => error)
    }
    expect(await run('', '', '{"answer": "Paid."}')).toMatchObject({ code: 'invalid_agent_output' })
    expect(await run('', call, '', '{"answer": "Paid."}')).toMatchObject({ response: 'Paid.' })
  })

  it.each<object>([
    { parts: [{ type: 'text', text: 'Hello.' }] },
    { content: '', additionalKwargs: { refusal: 'No.' } },
    { content: '', additionalKwargs: { tool_calls: [toolCall('c', 'pay', { to: 'Ann' })] } },
    { content: [{ type: 'image', image: 'aGk=', image_mimetype: 'image/png' }] },
  ])('is not %j', async (reply) => {
    const llm = native(new ChatMessage({ role: 'assistant', ...reply } as never), 'Done.')
    const layers = [retries()]
    const { messages } = await toolLoop({ llm, tools: [pay], layers }).run('Hi')
    expect(messages.map(({ content }) => content)).not.toContain('Hello.Done.')
    expect(llm.calls.flatMap(({ messages: sent }) => sent!.map(({ content }) => String(content))).join()).not.toContain(
      'empty',
    )
  })

  it('is an answer if retries are off', async () => {
    expect(String(await FunctionCallingAgent.fromTools({ llm: native(''), retries: false }).chat('Hi'))).toBe('')
  })
})

describe('a reply that the provider paused', () => {
  /** A model whose replies are paused until the last one. */
  const pausing = (...texts: string[]) => {
    const requests: number[] = []
    const llm = {
      metadata,
      chat: async (messages: readonly ChatMessage[]) => {
        requests.push(messages.length)
        const content = texts.shift()!
        const raw = {
          stop_reason: texts.length > 0 ? 'pause_turn' : 'end_turn',
          usage: { input_tokens: 2, output_tokens: 1 },
        }
        return new ChatResponse({ message: new ChatMessage({ role: 'assistant', content }), raw })
      },
    } as unknown as BaseLLM
    return { llm, requests }
  }

  it('is continued, and one message in the conversation', async () => {
    const { llm, requests } = pausing('One, ', 'two, ', 'three.')
    const { text, messages, usage } = await toolLoop({ llm, layers: [retries(), budget()] }).run('Count.')
    expect(text).toBe('One, two, three.')
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
    expect(requests).toEqual([1, 2, 2])
    expect(usage).toMatchObject({ inputTokens: 6, outputTokens: 3 })
  })

  it('is continued 31 times at most', async () => {
    const { llm, requests } = pausing(...Array<string>(40).fill('.'))
    const { text } = await toolLoop({ llm, layers: [retries()] }).run('Count.')
    expect([text, requests.length]).toEqual(['.'.repeat(32), 32])
  })
})
