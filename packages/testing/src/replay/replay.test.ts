import { AgentTool, FunctionCallingAgent, FunctionTool, ReActAgent } from '@x/agents'
import { ChatMessage, LLMMetadata } from '@x/core-model'
import { ModelCallError } from '@x/llm'
import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { type RecordedRun, Recording } from './recording.ts'
import { Replay } from './replay.ts'

const toolCall = (id: string, name: string, args: unknown) => ({ id, name, arguments: JSON.stringify(args) })

/** A model that answers with strings and lists of tool calls, in order. */
function functionCallingLlm(turns: readonly (string | ReturnType<typeof toolCall>[])[]): ScriptedLLM {
  const message = (tool_calls: object[]) =>
    new ChatMessage({ role: 'assistant', content: null, additionalKwargs: { tool_calls } })
  return new ScriptedLLM({
    answers: turns.map((turn) => (typeof turn === 'string' ? turn : message(turn))),
    metadata: new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true }),
  })
}

let calls = 0
const dice = FunctionTool.fromDefaults({
  name: 'dice',
  schema: { type: 'object', properties: { sides: { type: 'integer' } }, required: ['sides'] },
  fn: ({ sides }) => {
    calls++
    if (sides < 1) throw new Error('no such dice')
    return { thrown: Math.ceil(Math.random() * sides) }
  },
})
const roll = (sides: unknown) => `Thought: roll\nAction: dice\nAction Input: {"sides": ${JSON.stringify(sides)}}`

async function record(stream: boolean): Promise<{ run: RecordedRun; answer: string }> {
  const recording = new Recording()
  const answers = [roll(6), roll(0), roll('many'), ['Thought: enough\nAnswer: I ', 'rolled.']]
  const llm = recording.llm(
    new ScriptedLLM({ answers: stream ? answers : answers.map((text) => [text].flat().join('')) }),
  )
  const agent = ReActAgent.fromTools({ llm, tools: recording.tools([dice]) })
  const answer = stream ? await agent.streamChat('Roll!') : await agent.chat('Roll!')
  if ('done' in answer) await answer.done
  return { run: JSON.parse(JSON.stringify(recording)), answer: JSON.stringify([answer.response, answer.sources]) }
}

async function repeat(run: RecordedRun, message = 'Roll!', stream = false) {
  const replay = new Replay(run)
  const agent = ReActAgent.fromTools({ llm: replay.llm(), tools: replay.tools() })
  const answer = stream ? await agent.streamChat(message) : await agent.chat(message)
  if ('done' in answer) await answer.done
  replay.assertDone()
  return JSON.stringify([answer.response, answer.sources])
}

describe('a recorded run', () => {
  it.each([false, true])('is replayed without model and tools (stream: %s)', async (stream) => {
    const { run, answer } = await record(stream)
    calls = 0
    expect(await repeat(run, 'Roll!', stream)).toBe(answer)
    expect(calls).toBe(0)
  })

  it('is replayed with the calls that the model refused and the agent repeated', async () => {
    const busy = new ModelCallError('busy', { kind: 'rate_limit', status: 429, retryAfterMs: 1 })
    const recording = new Recording()
    const llm = recording.llm(new ScriptedLLM({ answers: [busy, 'Answer: four'] }))
    expect(String(await ReActAgent.fromTools({ llm }).chat('Roll!'))).toBe('four')
    expect(await repeat(JSON.parse(JSON.stringify(recording)))).toBe(JSON.stringify(['four', []]))
  })

  it('contains outputs as the agent writes them, also of numbers without a JSON form', async () => {
    const count = FunctionTool.fromDefaults({ name: 'count', schema: {}, fn: () => ({ n: 10n }) as never })
    const recording = new Recording()
    const llm = recording.llm(functionCallingLlm([[toolCall('1', 'count', {})], 'Ten.']))
    const { sources } = await FunctionCallingAgent.fromTools({ llm, tools: recording.tools([count]) }).chat('Count.')
    const replay = new Replay(JSON.parse(JSON.stringify(recording)))
    const again = await FunctionCallingAgent.fromTools({ llm: replay.llm(), tools: replay.tools() }).chat('Count.')
    expect(again.sources.map(String)).toEqual(sources.map(String))
  })

  it('throws if a request differs from the recording', async () => {
    const { run } = await record(false)
    await expect(repeat(run, 'Toss!')).rejects.toMatchObject({
      code: 'replay_mismatch',
      message: expect.stringContaining('messages.1.content: expected "Roll!", received "Toss!"'),
    })
    const changed = structuredClone(run)
    changed.exchanges[1] = { ...changed.exchanges[1]!, arguments: { sides: 7 } } as never
    await expect(repeat(changed)).rejects.toMatchObject({ code: 'replay_mismatch' })
    await expect(repeat({ ...run, exchanges: run.exchanges.slice(0, 2) })).rejects.toMatchObject({
      code: 'replay_mismatch',
    })
    await expect(
      repeat({ ...run, exchanges: [...run.exchanges, structuredClone(run.exchanges[0]!)] }),
    ).rejects.toMatchObject({
      code: 'replay_mismatch',
    })
    expect(() => new Replay({ ...run, version: 2 } as never)).toThrow(
      expect.objectContaining({ code: 'replay_mismatch' }),
    )
  })

  it('can be replayed with concurrent tool calls in any order', async () => {
    const wait = FunctionTool.fromDefaults({
      name: 'wait',
      schema: { type: 'object', properties: { ms: { type: 'number' } }, required: ['ms'] },
      fn: ({ ms }) => new Promise((resolve) => setTimeout(() => resolve(ms), ms)),
    })
    const turns = [[toolCall('1', 'wait', { ms: 8 }), toolCall('2', 'wait', { ms: 1 })], 'done']
    const recording = new Recording()
    const options = { maxToolConcurrency: 2 }
    const llm = recording.llm(functionCallingLlm(turns))
    const live = await FunctionCallingAgent.fromTools({ llm, tools: recording.tools([wait]), ...options }).chat('x')
    const replay = new Replay(JSON.parse(JSON.stringify(recording)))
    const again = await FunctionCallingAgent.fromTools({ llm: replay.llm(), tools: replay.tools() }).chat('x')
    expect(again.sources.map(String)).toEqual(live.sources.map(String))
    replay.assertDone()
  })

  it('contains an agent that is a tool once, even if it waited for approval', async () => {
    const pay = FunctionTool.fromDefaults({ name: 'pay', schema: {}, needsApproval: true, fn: () => 'paid' })
    const llm = functionCallingLlm([[toolCall('p', 'pay', {})], 'Paid.'])
    const inner = FunctionCallingAgent.fromTools({ llm, tools: [pay] })
    const recording = new Recording()
    const outer = FunctionCallingAgent.fromTools({
      llm: recording.llm(functionCallingLlm([[toolCall('q', 'ask', { input: 'Pay!' })], 'Done.'])),
      tools: recording.tools([new AgentTool({ agent: inner, name: 'ask' })]),
    })
    const { taskId } = await outer.createTask('Go')
    await expect(outer.runTask(taskId)).rejects.toMatchObject({ code: 'approval_required' })
    await outer.approve(taskId, 'q/p')
    await outer.runTask(taskId)
    const replay = new Replay(JSON.parse(JSON.stringify(recording)))
    const again = await FunctionCallingAgent.fromTools({ llm: replay.llm(), tools: replay.tools() }).chat('Go')
    expect(again.sources.map(String)).toEqual(['Paid.'])
    replay.assertDone()
  })
})
