import { type BaseLLM, ChatMessage, ChatResponse, isToolkitError, LLMMetadata, type TaskStore } from '@x/core-model'
import { expect, it } from 'vitest'
import { isFull } from '../../../../tools/extent.ts'
import { toolCall, toolCalls } from '../../test/function-calling-llm.ts'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { journal } from '../journal.ts'
import { MemoryTaskStore } from '../task/memory-task-store.ts'
import { AgentTool } from '../tool/agent-tool.ts'
import { FunctionTool } from '../tool/function-tool.ts'

class Killed extends Error {
  readonly fatal = true
}

/** A model with a different reply for each call. */
function model(turns: (outputs: number, time: number) => string | ReturnType<typeof toolCall>[]): BaseLLM {
  let times = 0
  const chat = async (messages: readonly ChatMessage[]) => {
    const since = messages.findLastIndex(({ role }) => role === 'user')
    const turn = turns(messages.slice(since).filter(({ role }) => role === 'tool').length, ++times)
    const message =
      typeof turn === 'string' ? new ChatMessage({ role: 'assistant', content: turn }) : toolCalls(...turn)
    return new ChatResponse({ message })
  }
  return { metadata: new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true }), chat } as unknown as BaseLLM
}

/** A process that is killed at one of its appends, before or after the entry is stored. */
class Process {
  appends = 0
  private readonly last: number
  private readonly isStored: boolean

  constructor(last = Number.POSITIVE_INFINITY, isStored = false) {
    this.last = last
    this.isStored = isStored
  }

  store(own: MemoryTaskStore): TaskStore {
    return {
      append: (id, entries, revision) => {
        const n = this.appends++
        const isStored = n < this.last || (n === this.last && this.isStored) ? own.append(id, entries, revision) : false
        if (n >= this.last) throw new Killed()
        return isStored
      },
      load: (id) => own.load(id),
      list: (filter) => own.list(filter),
      delete: (id) => {
        if (this.appends > this.last) throw new Killed()
        own.delete(id)
      },
    }
  }
}

/** A task with every kind of pause (approvals, external results, inner agents), and its effects. */
class Scenario {
  /** The arguments of each effect, by its key. */
  readonly effects = new Map<string, string[]>()
  private readonly store = new MemoryTaskStore()
  private readonly expertStore: MemoryTaskStore | undefined
  /** How many agents only pass the question on to the next one. */
  private readonly between: number
  private readonly expert = model((outputs, time) => {
    if (outputs === 0) return [toolCall('x', 'pay', { to: `${time}` })]
    return outputs === 1 ? [toolCall('y', 'log', { to: `${time}` })] : 'paid'
  })
  private readonly leading = model((outputs, time) => {
    if (outputs === 0) return [toolCall('a', 'note', { whom: `${time}` })]
    if (outputs === 1) return [toolCall('b', 'ask', { input: `${time}` }), toolCall('n', 'note', { to: `${time}` })]
    return outputs === 3 ? [toolCall('c', 'human', { question: `${time}?` })] : 'done'
  })

  private readonly passing = model((outputs, time) =>
    outputs === 0 ? [toolCall('q', 'pass', { input: `${time}` })] : 'passed',
  )

  constructor({ expertHasStore = false, between = 0 }: { expertHasStore?: boolean; between?: number }) {
    this.expertStore = expertHasStore ? new MemoryTaskStore() : undefined
    this.between = between
  }

  private tool(name: string, needsApproval = false): FunctionTool {
    return FunctionTool.fromDefaults({
      name,
      needsApproval,
      schema: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
      fn: ({ to }, { idempotencyKey }) => {
        const key = `${name} ${idempotencyKey}`
        this.effects.set(key, [...(this.effects.get(key) ?? []), String(to)])
        return `${name} ok`
      },
    })
  }

  /** Starts or continues the task. Returns the answer and the conversation. */
  async run(process: Process): Promise<string[]> {
    const human = FunctionTool.external({ name: 'human', schema: { type: 'object', properties: { question: {} } } })
    let expert = FunctionCallingAgent.fromTools({
      llm: this.expert,
      tools: [this.tool('pay', true), this.tool('log')],
      ...(this.expertStore && { taskStore: journal(process.store(this.expertStore)) }),
    })
    for (let i = 0; i < this.between; i++)
      expert = FunctionCallingAgent.fromTools({
        llm: this.passing,
        tools: [new AgentTool({ agent: expert, name: 'pass' })],
      })
    const agent = FunctionCallingAgent.fromTools({
      llm: this.leading,
      tools: [this.tool('note'), new AgentTool({ agent: expert, name: 'ask' }), human],
      taskStore: journal(process.store(this.store)),
      repairToolCall: ({ call }) => ({ ...call, arguments: { to: 'bob' } }),
    })
    if (!(await agent.resumeTask('T'))) await agent.createTask('Go!', { taskId: 'T' })
    for (;;) {
      for (const { id, awaits } of agent.getPendingApprovals('T')) {
        if (awaits === 'result') await agent.provideResult('T', id, 'yes')
        else await agent.approve('T', id)
      }
      try {
        const { response } = await agent.runTask('T')
        return [response, ...agent.chatHistory.map(String)]
      } catch (error) {
        if (!isToolkitError(error, 'approval_required')) throw error
      }
    }
  }
}

it.each([
  { title: 'an agent with its own store', expertHasStore: true, least: 40, most: 4 },
  { title: 'an agent without a store', least: 40, most: 4 },
  { title: 'three levels of agents without a store', between: 2, least: 55, most: 4 },
])('continues in the same way after a crash at any entry of a journal, with decisions and $title', async (kind) => {
  const straight = new Process()
  const expected = await new Scenario(kind).run(straight)
  expect(straight.appends).toBeGreaterThan(kind.least)
  let repeated = 0
  for (let last = 0; last < straight.appends; last++) {
    // Before and behind a write take turns, if not each write is tried with both.
    for (const isStored of isFull ? [false, true] : [last % 2 === 0]) {
      const scenario = new Scenario(kind)
      await scenario.run(new Process(last, isStored)).catch(() => {})
      const where = `${last} ${isStored}`
      expect(await scenario.run(new Process()), where).toEqual(expected)
      // No effect is lost, and a repeated one has the same arguments under its key.
      expect([...scenario.effects.keys()].map((key) => key.split(' ')[0]).sort(), where).toEqual([
        'log',
        'note',
        'note',
        'pay',
      ])
      for (const [key, inputs] of scenario.effects) {
        expect(new Set(inputs).size, `${where} ${key}`).toBe(1)
        repeated += inputs.length - 1
      }
    }
  }
  // Each effect once: the process ended before the output of its tool was stored.
  if (isFull) expect(repeated).toBe(kind.most)
  else expect(repeated).toBeLessThanOrEqual(kind.most)
})
