import { type CallOptions, type ChatMessage, NodeWithScore, TextNode } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { scriptedToolModel, toolCall, toolCalls } from '../../test/function-calling-llm.ts'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { ReActAgent } from '../agent/react-agent.ts'
import { journal, journalPort } from '../journal.ts'
import type { ToolLoopOptions } from '../loop/loop-options.ts'
import type { RunnerOptionsOfAgent } from '../runner/agent-runner.ts'
import type { Durable, JournalPort, Json } from '../task/durable.ts'
import { MemoryTaskStore } from '../task/memory-task-store.ts'
import { FunctionTool } from '../tool/function-tool.ts'
import { RetrieverTool } from '../tool/retriever-tool.ts'

/** A durable port that keeps results as JSON, as an engine does. */
class Engine {
  readonly results = new Map<string, string>()
  readonly names: string[] = []

  readonly port: Durable = async <T extends Json>(name: string, fn: () => Promise<T>) => {
    this.names.push(name)
    const saved = this.results.get(name)
    if (saved !== undefined) return JSON.parse(saved) as T
    const result = await fn()
    this.results.set(name, JSON.stringify(result))
    return result
  }

  readonly durable = journalPort(this.port)
}

function effects() {
  const keys: (string | undefined)[] = []
  const pay = FunctionTool.fromDefaults({
    name: 'pay',
    schema: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
    fn: ({ to }, { idempotencyKey }) => {
      keys.push(idempotencyKey)
      if (to === 'nobody') throw new Error('unknown person')
      return { paid: to }
    },
  })
  return { pay, keys }
}

const NATIVE = [
  toolCalls(toolCall('a', 'pay', { to: 'ann' }), toolCall('b', 'pay', { to: 'nobody' })),
  toolCalls(toolCall('a', 'pay', { whom: 'bob' })),
  'Done.',
]
const TEXT = [
  'Thought: pay\nAction: pay\nAction Input: {"to": "ann"}',
  'Thought: pay\nAction: pay\nAction Input: {"whom": "bob"}',
  'Answer: Done.',
]

const kinds = {
  native: (answers: typeof NATIVE, options: Omit<ToolLoopOptions, 'llm'> & { durable: JournalPort }) =>
    FunctionCallingAgent.fromTools({ llm: scriptedToolModel(answers), ...options }),
  text: (answers: typeof NATIVE, options: Omit<ToolLoopOptions, 'llm'> & { durable: JournalPort }) =>
    ReActAgent.fromTools({ llm: new ScriptedLLM({ answers }), ...options }),
}

async function finish(agent: ReActAgent | FunctionCallingAgent, stream: boolean) {
  await agent.createTask('Pay!', { taskId: 'T' })
  const answer = stream ? await agent.streamTask('T') : await agent.runTask('T')
  if ('done' in answer) await answer.done
  const { response, sources, usage } = answer
  return {
    response,
    sources: sources.map((output) => output.toDict()),
    usage,
    history: agent.chatHistory.map((m) => m.toDict()),
  }
}

const repairToolCall: ToolLoopOptions['repairToolCall'] = ({ call }) => ({ ...call, arguments: { to: 'bob' } })

describe.each(['native', 'text'] as const)('a %s agent with a durable port', (kind) => {
  const answers = kind === 'native' ? NATIVE : TEXT

  it('names its calls the same in every run, in the same order', async () => {
    const engine = new Engine()
    const { pay } = effects()
    const toolRetriever = { retrieve: async () => [pay] }
    const agent = kinds[kind](answers, { toolRetriever, repairToolCall, durable: engine.durable })
    await finish(agent, false)
    const second = kind === 'native' ? ['step-1/tool-1'] : []
    expect(engine.names).toEqual([
      'step-1/tools',
      'step-1/model',
      'step-1/tool-0',
      ...second,
      'step-2/tools',
      'step-2/model',
      'step-2/tool-0',
      'step-2/repair-0',
      'step-2/tool-0-2',
      'step-3/tools',
      'step-3/model',
    ])
  })

  it.each([false, true])('repeats no call whose result was saved, with stream: %s', async (stream) => {
    const engine = new Engine()
    const first = effects()
    const options = { maxToolConcurrency: 4, repairToolCall, durable: engine.durable }
    const expected = await finish(kinds[kind](answers, { ...options, tools: [first.pay] }), stream)
    const names = engine.names.splice(0)
    const again = effects()
    // The model has no answers left, so a call of it would throw.
    const actual = await finish(kinds[kind]([], { ...options, tools: [again.pay] }), stream)
    expect(actual).toEqual(expected)
    // A call that its tool refused was not saved, and has no effect.
    expect(engine.names).toEqual(names)
    expect(again.keys).toEqual([])
    expect(first.keys.length).toBe(kind === 'native' ? 3 : 2)
  })

  it('passes the same key to a repeated call, and a different key after an undo', async () => {
    const { pay, keys } = effects()
    let isCut = true
    const port: Durable = async (name, fn) => {
      const result = await fn()
      // The process ends between the effect and its record.
      if (isCut && name.endsWith('tool-0')) throw new Error('killed')
      return result
    }
    const agent = kinds[kind]([answers[0]!, answers[0]!, answers[0]!], { tools: [pay], durable: journalPort(port) })
    await agent.createTask('Pay!', { taskId: 'T' })
    await expect(agent.runStep('T')).rejects.toThrow('killed')
    isCut = false
    await agent.runStep('T')
    await agent.undoStep('T')
    await agent.runStep('T')
    const firsts = keys.filter((key) => key?.endsWith('/0'))
    expect(firsts).toEqual(['T/1/0', 'T/1/0', 'T/2/0'])
  })

  it('numbers the calls for a reply in several pieces', async () => {
    const engine = new Engine()
    const texts = ['Answer: one', ' two', ' three']
    const llm = new ScriptedLLM({ answers: kind === 'native' ? ['one', ' two', ' three'] : texts })
    const reasons = ['length', 'length', 'stop']
    const chat = async (messages: readonly ChatMessage[], options?: CallOptions) => {
      const response = await llm.chat(messages, options)
      return response.copy({ update: { raw: { stop_reason: reasons.shift() } } })
    }
    const metadata = scriptedToolModel([]).metadata
    const options = { llm: { metadata, chat } as never, onCutAnswer: 'continue', durable: engine.durable } as const
    const agent = kind === 'native' ? FunctionCallingAgent.fromTools(options) : ReActAgent.fromTools(options)
    expect((await agent.chat('x')).response).toBe('one two three')
    expect(engine.names).toEqual(['step-1/model', 'step-1/model-2', 'step-1/model-3'])
  })
})

it('keeps tools that were retrieved before, in their order', async () => {
  const engine = new Engine()
  const tool = (name: string) =>
    FunctionTool.fromDefaults({ name, schema: { type: 'object', properties: {} }, fn: () => name })
  let retrieved = [tool('a'), tool('b'), tool('c')]
  const llm = scriptedToolModel(['one', 'two'])
  const toolRetriever = { retrieve: async () => retrieved }
  const options = { llm, toolRetriever, durable: engine.durable }
  await finish(FunctionCallingAgent.fromTools(options), false)
  engine.results.delete('step-1/model')
  retrieved = [tool('c'), tool('d'), tool('a')]
  await finish(FunctionCallingAgent.fromTools(options), false)
  const offered = llm.calls.map(({ options: { tools } }) =>
    (tools as { function: { name: string } }[]).map((t) => t.function.name),
  )
  expect(offered).toEqual([
    ['a', 'b', 'c'],
    ['a', 'c'],
  ])
})

describe('results with classes of the caller', () => {
  class Passage extends TextNode {
    static override className() {
      return 'Passage'
    }
  }
  const retriever = { retrieve: async () => [new NodeWithScore({ node: new Passage({ text: 'here' }), score: 1 })] }
  const turns = () => scriptedToolModel([toolCalls(toolCall('a', 'find', { input: 'x' })), 'Found.'])
  const find = new RetrieverTool({ retriever, name: 'find' })
  const nodesOf = async (options: Pick<RunnerOptionsOfAgent, 'durable' | 'taskStore'>) =>
    (await FunctionCallingAgent.fromTools({ llm: turns(), tools: [find], ...options }).chat('x')).sourceNodes

  it('are read back from the journal of an engine if their classes are registered', async () => {
    const options = { durable: journalPort(new Engine().port, { registry: [Passage] }) }
    await nodesOf(options)
    const [again] = await nodesOf(options)
    expect(again!.node).toBeInstanceOf(Passage)
  })

  it('throw SerializationError if their classes are unknown and data would be lost', async () => {
    const refused = { code: 'serialization', message: expect.stringContaining('Passage') }
    await expect(nodesOf({ durable: new Engine().durable })).rejects.toMatchObject(refused)
    await expect(nodesOf({ taskStore: journal(new MemoryTaskStore()) })).rejects.toMatchObject(refused)
    expect(await nodesOf({})).toHaveLength(1)
  })

  it('are the same objects when a step is repeated in this process', async () => {
    const raw = { open: () => 'a function' }
    const look = FunctionTool.fromDefaults({ name: 'look', schema: { type: 'object', properties: {} }, fn: () => raw })
    let fails = true
    const stop = FunctionTool.fromDefaults({
      name: 'stop',
      schema: { type: 'object', properties: {} },
      fn: () => {
        if (fails) throw Object.assign(new Error('stop'), { fatal: true })
        return 'ok'
      },
    })
    const llm = scriptedToolModel([toolCalls(toolCall('a', 'look', {}), toolCall('b', 'stop', {})), 'Done.'])
    const agent = FunctionCallingAgent.fromTools({ llm, tools: [look, stop] })
    const { taskId } = await agent.createTask('x')
    await expect(agent.runTask(taskId)).rejects.toThrow('stop')
    fails = false
    expect((await agent.runTask(taskId)).sources[0]!.rawOutput).toEqual(raw)
  })
})
