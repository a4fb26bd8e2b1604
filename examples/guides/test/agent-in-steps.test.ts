/** An agent on an engine of steps: the function is run again after each step, and ends at any point. */
import { FunctionCallingAgent, FunctionTool, type Journal, MemoryTaskStore } from '@x/agents'
import { ChatMessage, LLMMetadata } from '@x/core-model'
import { ModelCallError } from '@x/llm'
import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { advance } from '../programs/agent-by-store.ts'
import { runInSteps, type StepAgentOptions, type StepEngine } from '../programs/agent-in-steps.ts'

class Interrupted extends Error {}

/** An engine as Inngest is: each request runs the function from its beginning, until one new step has ended. */
class Engine implements StepEngine {
  readonly saved = new Map<string, string>()
  runs = 0
  /** Decisions that have arrived. */
  readonly decisions = new Map<string, object>()

  step = async (name: string, fn: () => Promise<string>): Promise<string> => {
    const known = this.saved.get(name)
    if (known !== undefined) return known
    this.saved.set(name, await fn())
    throw new Interrupted()
  }

  decision = async (callId: string) => {
    const found = this.decisions.get(callId)
    if (!found) throw new Interrupted('waits')
    return { callId, ...found } as never
  }

  /** Runs the function until it ends or waits for a decision. */
  async run(agentOf: (options: StepAgentOptions) => FunctionCallingAgent): Promise<string | null> {
    for (;;) {
      this.runs++
      try {
        return await runInSteps(this, agentOf, { id: 'order-7', question: 'Pay the rent!', startedAt: 0 })
      } catch (error) {
        if (!(error instanceof Interrupted)) throw error
        if (error.message === 'waits') return null
      }
    }
  }
}

const metadata = new LLMMetadata({ modelName: 'm', isChatModel: true, isFunctionCallingModel: true })
const call = (name: string) =>
  new ChatMessage({
    role: 'assistant',
    content: null,
    additionalKwargs: { tool_calls: [{ id: 'c1', type: 'function', function: { name, arguments: '{"euros":5}' } }] },
  })

describe('runInSteps', () => {
  it('calls the model and the tools once, however often the function runs, and waits for decisions', async () => {
    const paid: unknown[] = []
    const llm = new ScriptedLLM({ answers: [call('look'), call('pay'), 'Paid.'], metadata })
    const tool = (name: string, needsApproval: boolean) =>
      FunctionTool.fromDefaults({
        name,
        schema: { type: 'object', properties: { euros: { type: 'number' } } },
        needsApproval,
        fn: ({ euros }, { idempotencyKey }) => `done ${paid.push([name, euros, idempotencyKey])}`,
      })
    const agentOf = (options: StepAgentOptions) =>
      FunctionCallingAgent.fromTools({ llm, tools: [tool('look', false), tool('pay', true)], ...options })
    const engine = new Engine()
    expect(await engine.run(agentOf)).toBeNull()
    expect(paid).toEqual([['look', 5, 'order-7/1/0']])
    engine.decisions.set('c1', { type: 'approve' })
    const { calls } = await waiting(engine, agentOf)
    for (const id of calls) engine.decisions.set(id, { type: 'approve' })
    expect(await engine.run(agentOf)).toBe('Paid.')
    expect(paid).toEqual([
      ['look', 5, 'order-7/1/0'],
      ['pay', 5, 'order-7/2/0'],
    ])
    llm.assertDone()
    expect([...engine.saved.keys()]).toContain('step-1/model')
    expect(engine.runs).toBeGreaterThan(5)
  })

  it('records an error that is not retryable, and throws it again in each run', async () => {
    const refused = new ModelCallError('m: no such model', { kind: 'bad_request' })
    const llm = new ScriptedLLM({ answers: [refused], metadata })
    const agentOf = (options: StepAgentOptions) => FunctionCallingAgent.fromTools({ llm, ...options })
    const engine = new Engine()
    for (let attempt = 0; attempt < 2; attempt++)
      await expect(engine.run(agentOf)).rejects.toMatchObject({ code: 'model_call', message: 'm: no such model' })
    llm.assertDone()
  })
})

/** The calls for whose decisions the engine was asked. */
async function waiting(engine: Engine, agentOf: (options: StepAgentOptions) => FunctionCallingAgent) {
  const calls: string[] = []
  const asking: StepEngine = {
    step: engine.step,
    decision: async (callId) => {
      calls.push(callId)
      throw new Interrupted('waits')
    },
  }
  await runInSteps(asking, agentOf, { id: 'order-7', question: 'Pay the rent!', startedAt: 0 }).catch(() => {})
  return { calls }
}

describe('advance', () => {
  it('continues the task of a step that was interrupted, without a call that is repeated', async () => {
    const paid: unknown[] = []
    const store = new MemoryTaskStore()
    const llm = new ScriptedLLM({ answers: [call('look'), call('pay'), 'Paid.'], metadata })
    let isBroken = true
    const look = FunctionTool.fromDefaults({ name: 'look', schema: { type: 'object' }, fn: () => 'seen' })
    const pay = FunctionTool.fromDefaults({
      name: 'pay',
      schema: { type: 'object' },
      needsApproval: true,
      fn: (_, { idempotencyKey }) => {
        paid.push(idempotencyKey)
        if (!isBroken) return 'paid'
        isBroken = false
        throw Object.assign(new Error('the process ends'), { fatal: true })
      },
    })
    const agentOf = (taskStore: Journal) => FunctionCallingAgent.fromTools({ llm, tools: [look, pay], taskStore })
    const of = { store, agentOf }
    const task = { id: 'order-7', question: 'Pay the rent!' }
    const first = await advance(of, task)
    expect(await advance(of, task)).toEqual(first)
    const [callId] = (first as { waits: string[] }).waits
    const decisions = [{ callId: callId!, type: 'approve' as const }]
    await expect(advance(of, { ...task, decisions })).rejects.toThrow('the process ends')
    expect(await advance(of, { ...task, decisions })).toEqual({ answer: 'Paid.' })
    expect(await advance(of, { ...task, decisions })).toEqual({ answer: 'Paid.' })
    expect(paid).toEqual(['order-7/2/0', 'order-7/2/0'])
    llm.assertDone()
  })
})
