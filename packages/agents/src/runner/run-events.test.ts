import { type BaseLLM, ChatMessage, ChatResponse, LLMMetadata } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { functionCallingLlm, toolCall } from '../../test/function-calling-llm.ts'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { ReActAgent } from '../agent/react-agent.ts'
import type { AgentEvent } from '../task/agent-event.ts'
import { AgentTool } from '../tool/agent-tool.ts'
import type { AsyncBaseTool } from '../tool/base-tool.ts'
import { FunctionTool } from '../tool/function-tool.ts'

/** A model that writes without end, or until a number of pieces, and counts them. */
function endless(most = Number.POSITIVE_INFINITY) {
  const seen = { pieces: 0, isClosed: false }
  async function* stream() {
    let text = ''
    try {
      while (seen.pieces < most) {
        const delta = `${seen.pieces++} `
        text += delta
        yield new ChatResponse({ message: new ChatMessage({ role: 'assistant', content: text }), delta })
      }
    } finally {
      seen.isClosed = true
    }
  }
  const metadata = new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true })
  return { llm: { metadata, streamChat: async () => stream() } as unknown as BaseLLM, seen }
}

/** Lets everything run that can. */
const settle = async () => {
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve))
}

const leading = (tool: AsyncBaseTool) =>
  FunctionCallingAgent.fromTools({
    llm: functionCallingLlm([[toolCall('a', tool.metadata.getName(), { input: 'x' })], 'Done.']),
    tools: [tool],
  })

describe('a reader of events that is slower than the run', () => {
  it('slows the model down, and stops it by leaving', async () => {
    const { llm, seen } = endless()
    const agent = FunctionCallingAgent.fromTools({ llm })
    const events = agent.runEvents('x')
    await events.next()
    await settle()
    const after = seen.pieces
    expect(after).toBeGreaterThan(100)
    expect(after).toBeLessThan(300)
    await settle()
    expect(seen.pieces).toBe(after)
    for (let i = 0; i < 500; i++) await events.next()
    expect(seen.pieces).toBeGreaterThan(after)
    await events.return(undefined)
    await settle()
    expect(seen.isClosed).toBe(true)
    expect(agent.chatHistory).toEqual([])
    // The conversation can be used again.
    await agent.runEvents('y').return(undefined)
  })

  it('stops a silent model by leaving while it waits for an event', async () => {
    let signal: AbortSignal | undefined
    const silent = (_: unknown, options: { signal?: AbortSignal }) => {
      signal = options.signal
      return new Promise(() => {})
    }
    const metadata = new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true })
    const agent = FunctionCallingAgent.fromTools({ llm: { metadata, chat: silent } as unknown as BaseLLM })
    const events = agent.runEvents('x', { stream: false })
    expect((await events.next()).value).toMatchObject({ type: 'step_start' })
    const next = events.next()
    await settle()
    expect(signal?.aborted).toBe(false)
    await events.return(undefined)
    expect(signal?.aborted).toBe(true)
    expect((await next).value).toMatchObject({ type: 'error', error: { code: 'abort' } })
  })

  it('receives every event in order', async () => {
    const { llm } = endless(2000)
    const texts: string[] = []
    let last: AgentEvent | undefined
    for await (const event of FunctionCallingAgent.fromTools({ llm }).runEvents('x')) {
      if (event.type === 'text_delta') texts.push(event.delta)
      if (texts.length % 100 === 0) await settle()
      last = event
    }
    expect(texts).toEqual(Array.from({ length: 2000 }, (_, i) => `${i} `))
    expect(last?.type).toBe('task_end')
  })

  it('slows an agent that is a tool down', async () => {
    let calls = 0
    const step = FunctionTool.fromDefaults({
      name: 'step',
      schema: { type: 'object', properties: {} },
      fn: () => `${++calls}`,
    })
    const turns = Array.from({ length: 400 }, (_, i) => [toolCall(`s${i}`, 'step', {})])
    const inner = FunctionCallingAgent.fromTools({
      llm: functionCallingLlm([...turns, 'End.']),
      tools: [step],
      maxIterations: 500,
    })
    const events = leading(new AgentTool({ agent: inner, name: 'ask' })).runEvents('x')
    await events.next()
    for (let i = 0; i < 20; i++) await settle()
    expect(calls).toBeGreaterThan(20)
    expect(calls).toBeLessThan(100)
    for await (const _ of events);
    expect(calls).toBe(400)
  })

  it('slows a tool that awaits its progress down', async () => {
    let reported = 0
    const tool = FunctionTool.fromDefaults({
      name: 'work',
      schema: { type: 'object', properties: { input: {} } },
      fn: async (_, { onProgress }) => {
        while (reported < 2000) await onProgress?.(reported++)
        return 'ok'
      },
    })
    const events = leading(tool).runEvents('x')
    await events.next()
    await settle()
    expect(reported).toBeLessThan(300)
    let count = 0
    for await (const { type } of events) if (type === 'tool_progress') count++
    expect(count).toBe(2000)
  })
})

it('a reader that decides about a call while handling the event does not deadlock', async () => {
  const schema = { type: 'object', properties: {} } as const
  const pay = FunctionTool.fromDefaults({ name: 'pay', schema, needsApproval: true, fn: () => 'paid' })
  const agent = FunctionCallingAgent.fromTools({
    llm: functionCallingLlm([[toolCall('a', 'pay', {})], 'Done.']),
    tools: [pay],
  })
  const { taskId } = await agent.createTask('x')
  let decided: Promise<void> | undefined
  // The run waits for this receiver, which waits for the run.
  const onEvent = (event: AgentEvent) => {
    if (event.type !== 'approval_required') return undefined
    decided = agent.approve(taskId, 'a')
    return decided
  }
  await agent.runTask(taskId, { onEvent }).catch(() => {})
  await decided
  expect((await agent.runTask(taskId)).response).toBe('Done.')
})

describe('onEvent', () => {
  it('may return promises, which the run awaits', async () => {
    const { llm, seen } = endless(50)
    const agent = FunctionCallingAgent.fromTools({ llm })
    const { taskId } = await agent.createTask('x')
    let release = () => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const answer = await agent.streamTask(taskId, {
      onEvent: (event) => (event.type === 'text_delta' ? gate : undefined),
    })
    await settle()
    expect(seen.pieces).toBe(1)
    release()
    await answer.done
    expect(seen.pieces).toBe(50)
  })

  it('ends the run with its error if it rejects', async () => {
    const agent = FunctionCallingAgent.fromTools({ llm: functionCallingLlm(['Done.']) })
    const { taskId } = await agent.createTask('x')
    const onEvent = async () => {
      throw new Error('disk full')
    }
    await expect(agent.runTask(taskId, { onEvent })).rejects.toThrow('disk full')
  })

  it('is optional: a chat without a reader of events ends', async () => {
    const { llm } = endless(5000)
    const answer = await FunctionCallingAgent.fromTools({ llm }).streamChat('x', { keepsReading: true })
    await answer.done
    expect(answer.response.split(' ')).toHaveLength(5000)
    expect((await FunctionCallingAgent.fromTools({ llm: functionCallingLlm(['Done.']) }).chat('x')).response).toBe(
      'Done.',
    )
  })
})

it.each(['last', 'all'] as const)('streamChat with the text of the %s turn reports its events', async (text) => {
  const types: string[] = []
  const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: ['Answer: four'] }) })
  const answer = await agent.streamChat('2 + 2?', { text, onEvent: ({ type }) => void types.push(type) })
  await answer.done
  expect(types).toEqual(expect.arrayContaining(['step_start', 'text_delta', 'step_end']))
})
