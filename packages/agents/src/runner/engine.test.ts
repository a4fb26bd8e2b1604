import { type BaseLLM, type ChatMessage, ChatResponse, isToolkitError, LLMMetadata } from '@x/core-model'
import { ChatMemoryBuffer, StoredChatMemory } from '@x/core-model/memory'
import { ModelCallError } from '@x/llm'
import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { toolCall, toolCalls } from '../../test/function-calling-llm.ts'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { journal, journalPort } from '../journal.ts'
import { keepWithin } from '../layers/keep-within.ts'
import type { Durable, JournalPort, Json } from '../task/durable.ts'
import { MemoryTaskStore } from '../task/memory-task-store.ts'
import { AgentTool } from '../tool/agent-tool.ts'
import { FunctionTool } from '../tool/function-tool.ts'
import type { AgentRunner } from './agent-runner.ts'

class Killed extends Error {}

/** The parts of an engine that a workflow uses. */
interface Port {
  durable: JournalPort
  newId: () => string
}

/**
 * An engine like the products: it replays a workflow from its beginning, and compares the order of the calls with the saved one. A call
 * inside a call is an error. Errors that are not retryable are saved; a replay throws only their message.
 */
class Engine {
  readonly log: { name: string; json?: string; error?: string }[] = []

  /** @param dieAt - the position of the call after which the process ends, before its result is saved. */
  async execute<T>(workflow: (port: Port) => Promise<T>, dieAt = Number.POSITIVE_INFINITY): Promise<T> {
    let position = 0
    let isInside = false
    let ids = 0
    const durable: Durable = async <R extends Json>(name: string, fn: () => Promise<R>): Promise<R> => {
      if (isInside) throw new Error(`${name} is called inside another call`)
      const index = position++
      const saved = this.log[index]
      if (saved) {
        expect(name).toBe(saved.name)
        if (saved.error !== undefined) throw new Error(saved.error)
        return JSON.parse(saved.json!)
      }
      isInside = true
      try {
        const result = await retried(fn)
        if (index === dieAt) throw new Killed()
        this.log.push({ name, json: JSON.stringify(result) })
        return JSON.parse(JSON.stringify(result))
      } catch (error) {
        if (!(error instanceof Killed)) this.log.push({ name, error: String(error) })
        throw error
      } finally {
        isInside = false
      }
    }
    return workflow({ durable: journalPort(durable), newId: () => `id-${++ids}` })
  }
}

async function retried<T>(fn: () => Promise<T>): Promise<T> {
  try {
    return await fn()
  } catch (error) {
    if (isToolkitError(error) && error.retryable) return fn()
    throw error
  }
}

/** A model with a different reply for each call. */
function model(turns: (outputs: number, time: number) => string | ReturnType<typeof toolCall>[]): BaseLLM {
  let times = 0
  const chat = async (messages: readonly ChatMessage[]) => {
    const since = messages.findLastIndex(({ role }) => role === 'user')
    const outputs = messages.slice(since).filter(({ role }) => role === 'tool').length
    const turn = turns(outputs, ++times)
    return new ChatResponse({
      message: typeof turn === 'string' ? ({ role: 'assistant', content: turn } as never) : toolCalls(...turn),
    })
  }
  return { metadata: new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true }), chat } as never
}

/** Effects of tools: the arguments under each key. */
class Effects {
  readonly byKey = new Map<string, string[]>()

  tool(name: string, options: { description?: string; needsApproval?: boolean } = {}): FunctionTool {
    return FunctionTool.fromDefaults({
      name,
      ...options,
      schema: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
      fn: ({ to }, { idempotencyKey }) => {
        const key = `${name} ${idempotencyKey}`
        this.byKey.set(key, [...(this.byKey.get(key) ?? []), String(to)])
        return `${name} ${to}`
      },
    })
  }
}

/** A workflow with every kind of pause and retry. */
function workflow(effects: Effects): (port: Port) => Promise<string> {
  const expert = model((outputs, time) =>
    outputs === 0
      ? [toolCall('x', 'pay', { to: `${time}` })]
      : outputs === 1
        ? [toolCall('y', 'log', { to: `l${time}` })]
        : 'paid',
  )
  const leading = model((outputs, time) => {
    if (time === 1) throw new ModelCallError('busy', { kind: 'overloaded' })
    if (time === 2) throw new ModelCallError('too long', { kind: 'context_length' })
    if (outputs === 0) return [toolCall('a', 'note', { whom: `${time}` })]
    if (outputs === 1) return [toolCall('b', 'ask', { input: `pay ${time}` })]
    return outputs === 2 ? [toolCall('c', 'human', { question: `${time}?` })] : `done ${outputs}`
  })
  const human = FunctionTool.external({
    name: 'human',
    schema: { type: 'object', properties: { question: { type: 'string' } } },
  })
  return async (port) => {
    const inner = FunctionCallingAgent.fromTools({
      llm: expert,
      tools: [effects.tool('pay', { needsApproval: true }), effects.tool('log')],
    })
    const agent = FunctionCallingAgent.fromTools({
      ...port,
      llm: leading,
      contextWindow: keepWithin(),
      chatHistory: [{ content: 'old '.repeat(50) }, { role: 'assistant', content: 'fine '.repeat(50) }],
      tools: [effects.tool('note'), new AgentTool({ agent: inner, name: 'ask' }), human],
      repairToolCall: ({ call }) => ({ ...call, arguments: { to: 'bob' } }),
    })
    const answer = await decided(agent, port.durable)
    return `${answer}\n${agent.chatHistory.slice(2).map(String).join('\n')}`
  }
}

/** Runs a task to its end, with decisions that the engine waits for. */
async function decided(agent: AgentRunner, durable: Durable): Promise<string> {
  let run = agent.chat('Go!')
  for (;;) {
    try {
      return (await run).response
    } catch (error) {
      if (!isToolkitError(error, 'approval_required')) throw error
      const { taskId, calls } = error
      for (const { id, awaits } of calls) {
        const decision = await durable(`decision ${taskId}/${id}`, async () => 'yes')
        if (awaits === 'result') await agent.provideResult(taskId, id, decision)
        else await agent.approve(taskId, id)
      }
      run = agent.runTask(taskId)
    }
  }
}

const NAMES = [
  'step-1/model',
  'step-1/model-2',
  'step-1/tool-0',
  'step-1/repair-0',
  'step-1/tool-0-2',
  'step-2/model',
  'step-2/tool-0/step-1/model',
  'decision id-1/b/x',
  'step-2/tool-0/step-2/approved',
  'step-2/tool-0/step-2/tool-0',
  'step-2/tool-0/step-3/model',
  'step-2/tool-0/step-3/tool-0',
  'step-2/tool-0/step-4/model',
  'step-4/model',
  'decision id-1/c',
  'step-6/model',
]

describe('an agent in an engine', () => {
  it('makes its calls, and those of agents among its tools, always in the same order', async () => {
    const engine = new Engine()
    const first = await engine.execute(workflow(new Effects()))
    expect(engine.log.map(({ name }) => name)).toEqual(NAMES)
    expect(engine.log.filter(({ error }) => error)).toEqual([])
    // No model or tool is called again.
    const effects = new Effects()
    expect(await engine.execute(workflow(effects))).toBe(first)
    expect(effects.byKey.size).toBe(0)
  })

  it('continues in the same way after a crash in any call', async () => {
    for (let dieAt = 0; dieAt < NAMES.length; dieAt++) {
      const engine = new Engine()
      const effects = new Effects()
      const run = workflow(effects)
      await expect(engine.execute(run, dieAt), `${dieAt}`).rejects.toBeInstanceOf(Killed)
      const answer = await engine.execute(run)
      expect(answer.split('\n')[0]).toBe('done 3')
      expect(await engine.execute(run)).toBe(answer)
      for (const [key, inputs] of effects.byKey) {
        expect(new Set(inputs).size, key).toBe(1)
        expect(inputs.length, key).toBe(key.startsWith(toolAt(dieAt)) ? 2 : 1)
      }
      expect([...effects.byKey.keys()].map((key) => key.split(' ')[0]).sort()).toEqual(['log', 'note', 'pay'])
    }
  })

  it('asks nobody about a call that has begun or run without an approval, if the rule asks now', async () => {
    for (let dieAt = 0; dieAt < 5; dieAt++) {
      const engine = new Engine()
      const paid: string[] = []
      let isAsked = false
      const tool = FunctionTool.fromDefaults({
        name: 'pay',
        schema: {},
        needsApproval: () => isAsked,
        fn: (_, { idempotencyKey = '' }) => `${paid.push(idempotencyKey)}`,
      })
      const run = (port: Port) => {
        const llm = model((outputs) => (outputs < 1 ? [toolCall('a', 'pay', {})] : 'done'))
        return FunctionCallingAgent.fromTools({ ...port, llm, tools: [tool] }).chat('x', { taskId: 'T' })
      }
      await engine.execute(run, dieAt).catch(() => {})
      isAsked = paid.length > 0
      expect(String(await engine.execute(run)), `${dieAt}`).toBe('done')
      expect(new Set(paid)).toEqual(new Set(['T/1/0']))
      expect(engine.log.map(({ name }) => name)).toEqual([
        'step-1/model',
        'step-1/judged-0',
        'step-1/tool-0',
        'step-2/model',
      ])
    }
  })

  it('says of an approved call whose tool has changed that it may have run, if it had begun', async () => {
    const names = ['step-1/model', 'decision T/a', 'step-2/approved']
    for (const [dieAt, begun] of [
      [2, undefined],
      [3, true],
    ] as const) {
      const engine = new Engine()
      let description = 'Pays.'
      const effects = new Effects()
      const make = (port: Port) => {
        const llm = model((outputs) => (outputs < 1 ? [toolCall('a', 'pay', { to: 'ann' })] : 'done'))
        const tools = [effects.tool('pay', { description, needsApproval: true })]
        return FunctionCallingAgent.fromTools({ ...port, llm, tools })
      }
      const run = async (port: Port) => {
        const agent = make(port)
        await agent.chat('Go!', { taskId: 'T' }).catch(() => {})
        const shown = async () => agent.getPendingApprovals('T')[0]!.approval!.id
        await agent.approve('T', 'a', { approvalId: await port.durable('decision T/a', shown) })
        return agent.runTask('T').catch((error) => {
          if (isToolkitError(error, 'approval_required')) return error.calls
          throw error
        })
      }
      await expect(engine.execute(run, dieAt)).rejects.toBeInstanceOf(Killed)
      description = 'Pays money.'
      // A replay asks with the new tool.
      const problem = `The answer was to another question.${begun ? ' The call may have run already.' : ''}`
      for (let replay = 0; replay < 2; replay++)
        expect(await engine.execute(run)).toMatchObject([{ id: 'a', problem, begun }])
      expect(engine.log.map(({ name }) => name)).toEqual(names)
      expect(effects.byKey.size).toBe(begun ? 1 : 0)
    }
  })

  it('ends with an error that is not retryable, also in a replay', async () => {
    const engine = new Engine()
    let times = 0
    const llm = model(() => {
      times++
      throw new ModelCallError('no key', { kind: 'auth' })
    })
    const run = (port: Port) => FunctionCallingAgent.fromTools({ ...port, llm, tools: [] }).chat('x')
    await expect(engine.execute(run)).rejects.toMatchObject({ kind: 'auth', retryable: false })
    await expect(engine.execute(run)).rejects.toMatchObject({ kind: 'auth', retryable: false })
    expect(times).toBe(1)
  })

  it('sends the same smaller requests after a crash', async () => {
    const tooLong = new ModelCallError('too long', { kind: 'context_length' })
    const metadata = new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true })
    const llm = new ScriptedLLM({ metadata, answers: ({ length }) => (length > 3 ? tooLong : 'done') })
    const chatHistory = Array.from({ length: 90 }, (_, i) => ({
      role: i % 2 ? ('assistant' as const) : ('user' as const),
      content: 'old '.repeat(9),
    }))
    const contextWindow = keepWithin({ summarize: ({ messages }) => `${messages.length} messages` })
    const run = (port: Port) => {
      const agent = FunctionCallingAgent.fromTools({ ...port, llm, tools: [], chatHistory, contextWindow })
      return agent.chat('x')
    }
    const names = ['model', 'fit-smaller', 'model-2', 'fit-smaller-2', 'model-3', 'fit-smaller-3', 'model-4']
    for (const dieAt of [0, 2, 4, 6]) {
      const engine = new Engine()
      await expect(engine.execute(run, dieAt)).rejects.toBeInstanceOf(Killed)
      expect((await engine.execute(run)).response).toBe('done')
      expect(engine.log.map(({ name }) => name)).toEqual(names.map((name) => `step-1/${name}`))
    }
  })

  it('adds its messages once to a conversation in a database', async () => {
    const rows: ChatMessage[] = []
    const chatStore = {
      getMessages: async () => [...rows],
      setMessages: async () => {},
      addMessage: async (_: string, message: ChatMessage) => void rows.push(message),
      deleteMessages: async () => null,
    }
    const memory = new StoredChatMemory({ chatStore, conversationId: 'c' })
    const engine = new Engine()
    const run = async (port: Port) => {
      const agent = FunctionCallingAgent.fromTools({ ...port, llm: model((_, time) => `${time}`), tools: [], memory })
      await agent.chat('one')
      await agent.chat('two')
    }
    await expect(engine.execute(run, 3)).rejects.toBeInstanceOf(Killed)
    await engine.execute(run)
    await engine.execute(run)
    expect(rows.map(String)).toEqual(['user: one', 'assistant: 1', 'user: two', 'assistant: 2'])
    expect(engine.log.map(({ name }) => name)).toEqual(['step-1/model', 'finalize', 'step-1/model', 'finalize'])
  })

  it('cannot have a task store too', async () => {
    const llm = model(() => 'x')
    const durable = journalPort((_, fn) => fn())
    const taskStore = new MemoryTaskStore()
    expect(() => FunctionCallingAgent.fromTools({ llm, tools: [], durable, taskStore: journal(taskStore) })).toThrow(
      expect.objectContaining({ code: 'configuration' }),
    )
    const inner = FunctionCallingAgent.fromTools({ llm, tools: [], taskStore: journal(taskStore) })
    const { taskId } = await inner.createTask('x', { memory: ChatMemoryBuffer.fromDefaults() })
    for (const run of [inner.runTask(taskId, { durable }), inner.runStep(taskId, { durable })])
      await expect(run).rejects.toMatchObject({ code: 'configuration' })
  })
})

/** The tool that runs in a call. */
function toolAt(position: number): string {
  return { 4: 'note', 9: 'pay', 11: 'log' }[position] ?? 'none'
}
