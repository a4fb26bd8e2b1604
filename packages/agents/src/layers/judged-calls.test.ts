import type { TaskStore } from '@x/core-model'
import { beforeEach, describe, expect, it } from 'vitest'
import { functionCallingLlm, toolCall } from '../../test/function-calling-llm.ts'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { journal } from '../journal.ts'
import type { ApprovalSettings } from '../loop/hooks.ts'
import { outcomeOf } from '../runner/outcome.ts'
import { decide } from '../small/decide.ts'
import { readLoopTask, writeLoopTask } from '../small/task-json.ts'
import { toolLoop } from '../small/tool-loop.ts'
import { MemoryTaskStore } from '../task/memory-task-store.ts'
import { AgentTool } from '../tool/agent-tool.ts'
import { FunctionTool } from '../tool/function-tool.ts'
import { agentTools } from './agent-tools.ts'
import { approvals } from './approvals.ts'
import { boundApprovals } from './bound-approvals.ts'

const secret = new Uint8Array(32).fill(7)
const pay = (id: string, euros: number) => toolCall(id, 'pay', { euros })
const contents = (of: readonly unknown[]) => of.map((one) => (one as { content: unknown }).content)

/** A tool that pays, whose call is killed in the middle of its effect while `kills` is true. */
class Payments {
  isAsked = false
  kills: 'process' | 'call' | undefined
  /** The keys and sums of what was paid. */
  readonly paid: string[] = []
  readonly begun = Promise.withResolvers<void>()

  tool(
    options: { sequential?: boolean; needsApproval?: 'after-untrusted' | ((args: { euros: number }) => boolean) } = {},
  ) {
    const { sequential = false, needsApproval = () => this.isAsked } = options
    return FunctionTool.fromDefaults({
      name: 'pay',
      schema: { type: 'object', properties: { euros: { type: 'number' } }, required: ['euros'] },
      sequential,
      needsApproval,
      fn: async ({ euros }, { idempotencyKey }) => {
        this.paid.push(`${idempotencyKey} ${euros}`)
        this.begun.resolve()
        if (this.kills === 'process') await new Promise(() => {})
        if (this.kills === 'call') throw Object.assign(new Error('no connection'), { fatal: true })
        return `paid ${euros}`
      },
    })
  }

  get sum(): number {
    const sums = new Map(this.paid.map((line) => line.split(' ') as [string, string]))
    return [...sums.values()].reduce((sum, euros) => sum + Number(euros), 0)
  }
}

let payments: Payments
beforeEach(() => {
  payments = new Payments()
})

describe('a call waits and says why, if needsApproval fails', () => {
  const problem = 'It could not be judged whether this call needs approval.'
  const waits = { status: 'waiting', calls: [{ id: 'a', problem, firstQuestion: true }] }
  const fails = () => {
    throw new Error('postgres://admin:hunter2@prices is down')
  }

  it.each([
    ['alone', {}, {}],
    ['when those before it have run', { sequential: true }, {}],
    ['with a seal', {}, { approvals: boundApprovals({ secret }) }],
  ])('%s, without the text of the error; an approval runs it', async (_, more, options) => {
    const tools = [payments.tool({ ...more, needsApproval: fails })]
    const agent = FunctionCallingAgent.fromTools({
      llm: functionCallingLlm([[pay('a', 15)], 'Paid.']),
      tools,
      ...options,
    })
    const outcome = await outcomeOf(agent.chat('Pay!', { taskId: 'T' }))
    expect(outcome).toMatchObject(waits)
    expect(JSON.stringify(outcome)).not.toContain('hunter2')
    expect(payments.paid).toEqual([])
    await agent.approve('T', 'a')
    expect(await outcomeOf(agent.runTask('T'))).toMatchObject({ status: 'done' })
    expect(payments.paid).toEqual(['T/1/0 15'])
  })

  it.each([{}, { approvals: boundApprovals({ secret }) }])(
    'also in the process that continues its task, and in a fork: %o',
    async (options) => {
      const store = new MemoryTaskStore()
      const killed: TaskStore = {
        load: (id) => store.load(id),
        list: (filter) => store.list(filter),
        delete: (id) => store.delete(id),
        append: (id, entries, revision) => {
          if (entries.some((entry) => (entry as { type?: unknown }).type === 'step')) throw new Error('killed')
          return store.append(id, entries, revision)
        },
      }
      let judge: () => boolean = fails
      const tools = [payments.tool({ needsApproval: () => judge() })]
      const make = (taskStore: TaskStore) =>
        FunctionCallingAgent.fromTools({
          llm: functionCallingLlm([[pay('a', 15)], 'Paid.']),
          tools,
          taskStore: journal(taskStore),
          ...options,
        })
      await expect(make(killed).chat('Pay!', { taskId: 'T' })).rejects.toThrow('killed')
      judge = () => false
      const agent = make(store)
      await agent.resumeTask('T')
      expect(await outcomeOf(agent.runTask('T'))).toMatchObject(waits)
      const fork = await agent.forkTask('T')
      expect(agent.getPendingApprovals(fork.taskId)).toMatchObject(waits.calls)
      expect(payments.paid).toEqual([])
    },
  )

  it('and says the other reason when it waits again', async () => {
    const llm = functionCallingLlm([[pay('a', 15)], 'Paid.'])
    const options = { llm, tools: [payments.tool({ needsApproval: fails })] }
    const agent = FunctionCallingAgent.fromTools({
      ...options,
      approvals: boundApprovals({ user: () => 'ann' }),
    })
    await outcomeOf(agent.chat('Pay!', { taskId: 'T' }))
    await agent.approve('T', 'a', { by: 'bob' } as never)
    const again = await outcomeOf(agent.runTask('T'))
    expect(again).toMatchObject({ calls: [{ problem: 'Somebody else has approved the call.' }] })
    expect((again as unknown as { calls: { firstQuestion?: true }[] }).calls[0]!.firstQuestion).toBeUndefined()
  })
})

describe('a call that has begun without an approval is not judged again', () => {
  const llmOf = () => functionCallingLlm([[pay('a', 15)], 'Paid.'])
  const both = [{}, { approvals: boundApprovals({ secret }) }]
  /** Returns the agent that continues the task of a process that was killed while it paid. By now, payments are asked about. */
  const afterKill = async (make: () => FunctionCallingAgent): Promise<FunctionCallingAgent> => {
    payments.kills = 'process'
    void make()
      .chat('Pay!', { taskId: 'T' })
      .catch(() => {})
    await payments.begun.promise
    payments.isAsked = true
    payments.kills = undefined
    const agent = make()
    await agent.resumeTask('T')
    return agent
  }

  it.each(both)('by the process that continues its task from a journal: %o', async (options) => {
    const taskStore = journal(new MemoryTaskStore())
    const llm = llmOf()
    const make = () => FunctionCallingAgent.fromTools({ llm, tools: [payments.tool()], taskStore, ...options })
    const agent = await afterKill(make)
    expect(await outcomeOf(agent.runTask('T'))).toMatchObject({ status: 'done' })
    expect(payments.paid).toEqual(['T/1/0 15', 'T/1/0 15'])
    expect(contents(llm.calls[1]!.messages!)).toContain('paid 15')
  })

  it.each(both)('in the process in which it failed: %o', async (options) => {
    const agent = FunctionCallingAgent.fromTools({ llm: llmOf(), tools: [payments.tool()], ...options })
    payments.kills = 'call'
    await expect(agent.chat('Pay!', { taskId: 'T' })).rejects.toMatchObject({ code: 'tool_execution' })
    payments.isAsked = true
    payments.kills = undefined
    expect(await outcomeOf(agent.runTask('T'))).toMatchObject({ status: 'done' })
    expect(payments.paid).toEqual(['T/1/0 15', 'T/1/0 15'])
  })

  it('when it was repaired', async () => {
    const taskStore = journal(new MemoryTaskStore())
    const llm = functionCallingLlm([[toolCall('a', 'unknown', { euros: 15 })], 'Paid.'])
    const repairToolCall = () => pay('a', 15)
    const make = () => FunctionCallingAgent.fromTools({ llm, tools: [payments.tool()], taskStore, repairToolCall })
    const agent = await afterKill(make)
    const { sources } = await agent.runTask('T')
    expect(contents(sources)).toEqual(['paid 15'])
  })

  it('after text from outside has come into the conversation', async () => {
    const taskStore = journal(new MemoryTaskStore())
    const llm = llmOf()
    const tools = [payments.tool({ needsApproval: 'after-untrusted' })]
    const make = () => FunctionCallingAgent.fromTools({ llm, tools, taskStore })
    const agent = await afterKill(make)
    await agent.memory.put({ role: 'user', content: 'Hi', additionalKwargs: { untrusted: true } } as never)
    expect(await outcomeOf(agent.runTask('T'))).toMatchObject({ status: 'done' })
    expect(payments.paid).toEqual(['T/1/0 15', 'T/1/0 15'])
  })

  it.each<[string, ApprovalSettings]>([
    ['approvals', {}],
    ['sealed approvals', { secret }],
  ])('by a loop that continues a task with %s', async (_, settings) => {
    const note = FunctionTool.fromDefaults({ name: 'note', schema: {}, needsApproval: true, fn: () => 'noted' })
    const llm = functionCallingLlm([[toolCall('n', 'note', {})], [pay('a', 15)], 'Paid.'])
    const layers = [approvals({ bound: boundApprovals(settings) })]
    const loop = toolLoop({ llm, tools: [payments.tool(), note], layers })
    const { task, pending } = await loop.run('Pay!', { taskId: 'T' })
    await decide(loop, task, pending[0]!.id, { decision: 'approve' })
    payments.kills = 'call'
    await expect(loop.resume(task)).rejects.toMatchObject({ code: 'tool_execution' })
    payments.isAsked = true
    payments.kills = undefined
    const saved = readLoopTask(loop, JSON.parse(JSON.stringify(writeLoopTask(task))))
    expect(await loop.resume(saved)).toMatchObject({ status: 'done', text: 'Paid.' })
    expect(payments.paid).toEqual(['T/2/0 15', 'T/2/0 15'])
  })

  it('if an agent behind it waits, with sealed approvals', async () => {
    const expert = FunctionCallingAgent.fromTools({
      llm: functionCallingLlm([[toolCall('n', 'note', {})], 'Noted.']),
      tools: [FunctionTool.fromDefaults({ name: 'note', schema: {}, needsApproval: true, fn: () => 'noted' })],
    })
    let isAsked = false
    const ask = new AgentTool({ agent: expert, name: 'ask', needsApproval: () => isAsked })
    const llm = functionCallingLlm([[toolCall('a', 'ask', { input: 'Note!' })], 'Done.'])
    const layers = [approvals({ bound: boundApprovals({ secret }) }), agentTools()]
    const loop = toolLoop({ llm, tools: [ask], layers })
    const { task, pending } = await loop.run('Go!', { taskId: 'T' })
    isAsked = true
    await decide(loop, task, pending.find(({ decision }) => decision === null)!.id, { decision: 'approve' })
    expect(await loop.resume(task)).toMatchObject({ status: 'done' })
  })

  it('but a mark that was written into the journal does not count with sealed approvals', async () => {
    const store = new MemoryTaskStore()
    const llm = functionCallingLlm([[pay('a', 15)], 'Paid.'])
    /** A store that somebody has written into. The process ends before its step is saved. */
    const forging: TaskStore = {
      load: (id) => store.load(id),
      list: (filter) => store.list(filter),
      delete: (id) => store.delete(id),
      append: (id, entries, revision) => {
        if (entries.some((entry) => (entry as { type?: unknown }).type === 'step')) throw new Error('killed')
        const written = JSON.stringify(entries)
        forged ||= written.includes('"asked"')
        return store.append(id, JSON.parse(written.replaceAll('"asked"', '"free"')), revision)
      },
    }
    let forged = false
    const make = (taskStore: TaskStore, options: object) =>
      FunctionCallingAgent.fromTools({ llm, tools: [payments.tool()], taskStore: journal(taskStore), ...options })
    payments.isAsked = true
    const options = { approvals: boundApprovals({ secret }) }
    await expect(make(forging, options).chat('Pay!', { taskId: 'T' })).rejects.toThrow('killed')
    const agent = make(store, options)
    await agent.resumeTask('T')
    expect(await outcomeOf(agent.runTask('T'))).toMatchObject({ status: 'waiting' })
    expect([forged, payments.paid]).toEqual([true, []])
  })
})

describe('a call of a sequential tool is judged when the calls before it have run', () => {
  const limit = (args: { euros: number }) => payments.sum + args.euros > 20
  const calls = [pay('a', 15), pay('b', 15), pay('c', 5)]
  const tools = () => [payments.tool({ sequential: true, needsApproval: limit })]

  it.each([{}, { taskStore: true }])(
    'so that a limit of a sum holds, and free ones run while others wait: %o',
    async (o) => {
      const taskStore = o.taskStore ? journal(new MemoryTaskStore()) : undefined
      const llm = functionCallingLlm([calls, 'Done.'])
      const agent = FunctionCallingAgent.fromTools({ llm, tools: tools(), taskStore })
      expect(await outcomeOf(agent.chat('Pay!', { taskId: 'T' }))).toMatchObject({ calls: [{ id: 'b' }] })
      expect(payments.paid).toEqual(['T/1/0 15', 'T/1/2 5'])
      await agent.approve('T', 'b')
      const { sources } = await agent.runTask('T')
      expect(contents(sources)).toEqual(['paid 15', 'paid 15', 'paid 5'])
    },
  )

  it('also in a loop that continues after one of them has failed', async () => {
    const note = FunctionTool.fromDefaults({ name: 'note', schema: {}, needsApproval: true, fn: () => 'noted' })
    const llm = functionCallingLlm([[toolCall('n', 'note', {})], [pay('a', 15), pay('b', 25)], 'Paid.'])
    const loop = toolLoop({ llm, tools: [...tools(), note], layers: [approvals()] })
    const { task, pending } = await loop.run('Pay!', { taskId: 'T' })
    await decide(loop, task, pending[0]!.id, { decision: 'approve' })
    payments.kills = 'call'
    await expect(loop.resume(task)).rejects.toMatchObject({ code: 'tool_execution' })
    payments.kills = undefined
    const again = await loop.resume(task)
    expect(again.pending).toMatchObject([{ id: 'a' }, { id: 'b', decision: null, awaits: 'approval' }])
    expect(again.pending[1]).not.toHaveProperty('problem')
    await decide(loop, task, 'b', { decision: 'approve' })
    expect(await loop.resume(task)).toMatchObject({ status: 'done' })
    expect(payments.paid).toEqual(['T/2/0 15', 'T/2/0 15', 'T/2/1 25'])
  })
})
