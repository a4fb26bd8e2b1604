import { ChatMessage, ChatResponse } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { scriptedToolModel, toolCall, toolCalls } from '../../test/function-calling-llm.ts'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { ReActAgent } from '../agent/react-agent.ts'
import { journalPort } from '../journal.ts'
import type { Guards } from '../loop/hooks.ts'
import type { Layers } from '../loop/layer.ts'
import { reactLoop } from '../small/react-loop.ts'
import { toolLoop } from '../small/tool-loop.ts'
import { FunctionTool } from '../tool/function-tool.ts'
import { budget } from './budget.ts'
import { guards as guardLayers } from './guards.ts'
import { partialOutput } from './partial-output.ts'
import { retries } from './replies.ts'
import { streaming } from './streaming.ts'
import { structured } from './structured.ts'

/** Lets everything run that does not wait for the guard. */
const settle = async () => {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setTimeout(resolve, 0))
}

/** A guard that decides when the test says so. */
function gate() {
  let decide: (verdict: { block: string } | undefined) => void = () => {}
  const verdict = new Promise<{ block: string } | undefined>((resolve) => {
    decide = resolve
  })
  const texts: string[] = []
  const parallelInput: Guards['parallelInput'] = (text) => {
    texts.push(text)
    return verdict
  }
  return { guards: { parallelInput }, decide: (given?: { block: string }) => decide(given), texts }
}

const ran: number[] = []
const pay = FunctionTool.fromDefaults({
  name: 'pay',
  schema: { type: 'object', properties: { n: { type: 'integer' } } },
  fn: ({ n }) => `paid ${ran.push(n as number)}`,
})
/** A model that reports its usage, and streams without an end if it does not chat. */
function counting(isEndless = false) {
  const llm = scriptedToolModel([])
  const message = new ChatMessage({ role: 'assistant', content: 'secret' })
  const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 }
  const response = new ChatResponse({ message, delta: 'secret', additionalKwargs: { usage } })
  llm.chat = async () => response
  llm.streamChat = () =>
    (async function* () {
      yield response
      if (isEndless) await new Promise(() => {})
    })()
  return llm
}

/** A model that streams a structured answer. */
function writing() {
  const llm = scriptedToolModel([])
  const call = { id: 'a', name: 'final_answer', arguments: '{"a":"secret"}' }
  const additionalKwargs = { tool_call_deltas: [{ index: 0, ...call }] }
  llm.streamChat = () =>
    (async function* () {
      yield new ChatResponse({ message: toolCalls(call), delta: '', additionalKwargs })
    })()
  return llm
}

const native = (guards: Guards, first = 'text') => {
  const call = toolCalls(toolCall('p', 'pay', { n: 1 }))
  const llm = scriptedToolModel([first === 'text' ? ['The', ' ', 'answer'] : call, 'done'])
  return { llm, agent: FunctionCallingAgent.fromTools({ llm, tools: [pay], guards }) }
}
const react = (guards: Guards, first = 'text') => {
  const call = 'Thought: I pay.\nAction: pay\nAction Input: {"n": 1}'
  const llm = new ScriptedLLM({ answers: [first === 'text' ? ['Answer: The', ' ', 'answer'] : call, 'Answer: done'] })
  return { llm, agent: ReActAgent.fromTools({ llm, tools: [pay], guards }) }
}

describe.each([
  ['native', native],
  ['ReAct', react],
] as const)('a parallel guard of a %s agent', (_, made) => {
  it.each([false, true])(
    'lets the model start at once, and shows its answer when it has passed, stream: %s',
    async (stream) => {
      const { guards, decide, texts } = gate()
      const { llm, agent } = made(guards)
      const events: string[] = []
      const run = (async () => {
        for await (const event of agent.runEvents('x', { stream })) events.push(event.type)
      })()
      await settle()
      expect(llm.calls).toHaveLength(1)
      expect(texts).toEqual(['x'])
      expect(events.filter((type) => type !== 'task_start' && type !== 'step_start')).toEqual([])
      decide()
      await run
      expect(events).toContain('text_delta')
      expect(events.at(-1)).toBe('task_end')
      expect(String(agent.chatHistory.at(-1))).toBe('assistant: The answer')
    },
  )

  it('holds the text of streamChat back', async () => {
    const { guards, decide } = gate()
    const { llm, agent } = made(guards)
    let text = ''
    const read = (async () => {
      for await (const piece of await agent.streamChat('x')) text += piece
    })()
    await settle()
    expect([llm.calls.length, text]).toEqual([1, ''])
    decide()
    await read
    expect(text).toBe('The answer')
  })

  it.each([false, true])('runs no call before it has passed, stream: %s', async (stream) => {
    ran.length = 0
    const { guards, decide } = gate()
    const { llm, agent } = made(guards, 'call')
    const events: string[] = []
    const run = (async () => {
      for await (const event of agent.runEvents('x', { stream })) events.push(event.type)
    })()
    await settle()
    expect(llm.calls).toHaveLength(1)
    expect([ran, events.filter((type) => /tool|text|reasoning/.test(type))]).toEqual([[], []])
    decide()
    await run
    expect(ran).toEqual([1])
    expect(events).toContain('tool_result')
    // Later turns do not wait for the guard again.
    expect(llm.calls).toHaveLength(2)
  })

  it.each([false, true])('shows and runs nothing of a reply that it refuses, stream: %s', async (stream) => {
    ran.length = 0
    for (const first of ['text', 'call']) {
      const { guards, decide } = gate()
      const { llm, agent } = made(guards, first)
      const events: string[] = []
      const run = (async () => {
        for await (const event of agent.runEvents('x', { stream })) events.push(event.type)
      })()
      run.catch(() => {})
      await settle()
      decide({ block: 'not here' })
      await expect(run).rejects.toMatchObject({ code: 'guard_blocked', stage: 'input', reason: 'not here' })
      expect(events.filter((type) => /tool|text|reasoning/.test(type))).toEqual([])
      expect([ran, llm.calls.length, agent.chatHistory]).toEqual([[], 1, []])
    }
  })

  it.each([false, true])('stops a model that still works, stream: %s', async (stream) => {
    const never = new Promise<string>(() => {})
    const { guards, decide } = gate()
    const { metadata } = made(guards).llm
    const stuck = new ScriptedLLM({ answers: [['Answer: The', never]], metadata })
    const options = { llm: stuck, tools: [pay], guards }
    const agent = made === native ? FunctionCallingAgent.fromTools(options) : ReActAgent.fromTools(options)
    const run = (async () => {
      for await (const _event of agent.runEvents('x', { stream }));
    })()
    run.catch(() => {})
    await settle()
    expect(stuck.signals[0]?.aborted).toBe(false)
    decide({ block: 'no' })
    await expect(run).rejects.toMatchObject({ code: 'guard_blocked' })
    expect(stuck.signals[0]?.aborted).toBe(true)
  })
})

describe('a parallel guard', () => {
  it('receives the text that the guard of inputs has replaced', async () => {
    const { guards, decide, texts } = gate()
    decide()
    const { agent } = native({ ...guards, input: () => ({ replace: 'y' }) })
    await agent.chat('x')
    expect(texts).toEqual(['y'])
  })

  it('blocks by any other verdict, also by a replacement', async () => {
    for (const verdict of [{ replace: 'y' }, false, { blocked: true }]) {
      const { agent } = native({ parallelInput: () => verdict as never })
      await expect(agent.chat('x')).rejects.toThrow(/the guard must return nothing or \{ block: string \}, but/)
    }
  })

  it('ends the run with its own error, or with that of the model once it has passed', async () => {
    const broken = native({ parallelInput: () => Promise.reject(new Error('no moderation')) })
    await expect(broken.agent.chat('x')).rejects.toThrow('no moderation')
    for (const refuses of [true, false]) {
      const { guards, decide } = gate()
      const llm = scriptedToolModel([new Error('the model says: x')])
      const run = FunctionCallingAgent.fromTools({ llm, guards }).chat('x')
      run.catch(() => {})
      await settle()
      decide(refuses ? { block: 'no' } : undefined)
      await expect(run).rejects.toThrow(refuses ? 'was blocked: no' : 'the model says: x')
    }
  })

  it('is left by a run that is cancelled', async () => {
    const controller = new AbortController()
    const { guards } = gate()
    const run = native(guards).agent.chat('x', { signal: controller.signal })
    run.catch(() => {})
    await settle()
    controller.abort(new Error('stop'))
    await expect(run).rejects.toMatchObject({ code: 'abort', cause: { message: 'stop' } })
  })

  it('leaves the usage of a refused reply counted', async () => {
    for (const [isEndless, ...layers] of [
      [false],
      [false, streaming()],
      [true, streaming()],
      [true, streaming(), retries()],
    ]) {
      const { guards, decide } = gate()
      const llm = counting(isEndless as boolean)
      const loop = toolLoop({ llm, layers: [budget(), guardLayers(guards), ...(layers as Layers)] })
      const run = loop.run('x')
      run.catch(() => {})
      await settle()
      decide({ block: 'no' })
      await expect(run).rejects.toMatchObject({
        code: 'guard_blocked',
        usage: { modelCalls: 1, inputTokens: 10, outputTokens: 5 },
      })
    }
  })

  it('holds the parts of a structured answer back', async () => {
    const { guards, decide } = gate()
    const parts: unknown[] = []
    const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } as const
    const layers = [structured(schema), streaming(), partialOutput((part) => parts.push(part)), guardLayers(guards)]
    const run = toolLoop({ llm: writing(), layers }).run('x')
    await settle()
    expect(parts).toEqual([])
    decide()
    expect((await run).output).toEqual({ a: 'secret' })
    expect(parts).not.toEqual([])
  })

  it('works in a loop of text', async () => {
    const { guards, decide } = gate()
    const llm = new ScriptedLLM({ answers: ['Answer: four'] })
    const run = reactLoop({ llm, layers: [guardLayers(guards)] }).run('2 + 2?')
    await settle()
    expect(llm.calls).toHaveLength(1)
    decide()
    expect((await run).text).toBe('four')
  })

  it('comes before the model where the calls of a step need an order', async () => {
    const order: string[] = []
    const llm = scriptedToolModel(['done'])
    const guards: Guards = { parallelInput: () => void order.push(`guard ${llm.calls.length}`) }
    const agent = FunctionCallingAgent.fromTools({
      llm,
      guards,
      durable: journalPort(async (name, run) => {
        order.push(name)
        return run()
      }),
    })
    await agent.chat('x')
    expect(order.slice(0, 3)).toEqual([
      expect.stringContaining('guard-parallel'),
      'guard 0',
      expect.stringContaining('model'),
    ])
  })
})
