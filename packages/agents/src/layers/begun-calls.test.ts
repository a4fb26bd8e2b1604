/** Calls that an interrupted run has begun: what is asked and told about them, when the agent has changed in the meantime. */
import { describe, expect, it } from 'vitest'
import { collected, functionCallingLlm, toolCall } from '../../test/function-calling-llm.ts'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { journal } from '../journal.ts'
import { outcomeOf } from '../runner/outcome.ts'
import { decide } from '../small/decide.ts'
import { readLoopTask, writeLoopTask } from '../small/task-json.ts'
import { toolLoop } from '../small/tool-loop.ts'
import { MemoryTaskStore } from '../task/memory-task-store.ts'
import { AgentTool } from '../tool/agent-tool.ts'
import { FunctionTool } from '../tool/function-tool.ts'
import { approvals } from './approvals.ts'

const EUROS = { type: 'object', properties: { euros: { type: 'number' } }, required: ['euros'] } as const
const MAX_3 = { ...EUROS, properties: { euros: { type: 'number', maximum: 3 } } } as const
const WITH_CURRENCY = { ...EUROS, properties: { ...EUROS.properties, currency: { type: 'string', default: 'EUR' } } }
const UNKNOWN = 'Interrupted: it is unknown whether this call ran and had its effect. Check before you repeat it.'
const MAY_HAVE_RUN = 'The call may have run already.'

/** A tool that pays, and hangs after its effect until the agent has changed; an agent with it, in this process and in later ones. */
class Shop {
  readonly paid: string[] = []
  private readonly reached = Promise.withResolvers<void>()
  private hangs = true
  readonly store = new MemoryTaskStore()
  readonly llm
  agent: FunctionCallingAgent

  constructor(tool: object = {}, calls = [toolCall('a', 'pay', { euros: 5 })]) {
    this.llm = functionCallingLlm([calls, 'Done.'])
    this.agent = this.make([this.pay(tool)])
  }

  pay(tool: object = {}): FunctionTool {
    const { hangs = true, ...given } = tool as { hangs?: boolean }
    const options = { name: 'pay', description: 'Pays.', schema: EUROS, needsApproval: true, ...given }
    return FunctionTool.fromDefaults({
      ...options,
      fn: async ({ euros }: { euros: number }, { idempotencyKey = '' }: { idempotencyKey?: string }) => {
        this.paid.push(`${idempotencyKey} ${euros}`)
        if (hangs) await this.hang()
        return `paid ${euros}`
      },
    } as never)
  }

  /** A tool that hangs, and asks nobody. */
  slow(tool: object = {}): FunctionTool {
    return FunctionTool.fromDefaults({ name: 'slow', schema: {}, ...tool, fn: () => this.hang() })
  }

  private async hang(): Promise<string> {
    // What runs beside it is saved by then.
    setTimeout(this.reached.resolve, 10)
    if (this.hangs) await new Promise(() => {})
    return 'done'
  }

  make(tools: readonly FunctionTool[], options: object = {}): FunctionCallingAgent {
    return FunctionCallingAgent.fromTools({ llm: this.llm, tools, taskStore: journal(this.store), ...options })
  }

  /** Runs the task until a tool hangs, and continues it in a new process. */
  async killed(...tools: readonly FunctionTool[]): Promise<void> {
    const known = await this.agent.resumeTask('T')
    const running = known ? this.agent.runTask('T') : this.agent.chat('Pay!', { taskId: 'T' })
    running.catch(() => {})
    await this.reached.promise
    await this.restarted(...tools)
  }

  async restarted(...tools: readonly FunctionTool[]): Promise<void> {
    this.hangs = false
    this.agent = this.make(tools)
    await this.agent.resumeTask('T')
  }

  /** The agent has asked, the user has approved, and the process has ended while the tool ran. */
  static async approved(...tools: readonly object[]): Promise<Shop> {
    const shop = new Shop()
    await outcomeOf(shop.agent.chat('Pay!', { taskId: 'T' }))
    await shop.agent.approve('T', 'a')
    await shop.killed(...tools.map((tool) => shop.pay(tool)))
    return shop
  }

  run() {
    return outcomeOf(this.agent.runTask('T'))
  }

  /** Rejects the call. Returns the event of its result, and what the model reads of it. */
  async rejected() {
    await this.agent.reject('T', 'a', 'changed my mind')
    const events = await collected(this.agent.runEvents('', { taskId: 'T' }))
    expect(events.at(-1)?.type).toBe('task_end')
    const result = events.find((event) => event.type === 'tool_result' && event.callId === 'a')
    return [result, this.read()] as const
  }

  /** What the model reads of the first call. */
  read(): unknown {
    return this.llm.calls.at(-1)!.messages!.find(({ role }) => role === 'tool')?.content
  }
}

const rejection = `${UNKNOWN} The user has rejected another attempt: changed my mind`

describe('an approved call that has begun', () => {
  const changes: [string, object, string][] = [
    ['its description', { description: 'Pays money.' }, 'The tool has changed.'],
    ['its schema, with a default value', { schema: WITH_CURRENCY }, 'The tool has changed.'],
    ['its schema, which the call does not fit', { schema: MAX_3 }, 'The tool has changed.'],
  ]

  it.each(changes)('waits again and says that it may have run, after a change of %s', async (_, tool, problem) => {
    const shop = await Shop.approved(tool)
    const waits = { id: 'a', decision: null, begun: true, problem: `${problem} ${MAY_HAVE_RUN}` }
    expect(await shop.run()).toMatchObject({ status: 'waiting', calls: [waits] })
    const [event, read] = await shop.rejected()
    expect(event).toMatchObject({ content: rejection, isError: true })
    expect(event).not.toHaveProperty('isRejected')
    expect(read).toBe(rejection)
    expect(shop.paid).toEqual(['T/1/0 5'])
  })

  it('runs again under its key when it is approved', async () => {
    const shop = await Shop.approved({ description: 'Pays money.' })
    await shop.run()
    await shop.agent.approve('T', 'a')
    expect(await shop.run()).toMatchObject({ status: 'done' })
    expect(shop.paid).toEqual(['T/1/0 5', 'T/1/0 5'])
  })

  it('has no other arguments under its key: an edit is refused, unless it is none', async () => {
    const shop = await Shop.approved({ description: 'Pays money.' })
    await shop.run()
    const refused = { code: 'tool_input', message: expect.stringContaining('may have run already') }
    await expect(shop.agent.edit('T', 'a', { euros: 9 })).rejects.toMatchObject(refused)
    await expect(shop.agent.checkEdit('T', 'a', { euros: 9 })).rejects.toMatchObject(refused)
    await shop.agent.edit('T', 'a', { euros: 5 })
    expect(await shop.run()).toMatchObject({ status: 'done' })
    expect(shop.paid).toEqual(['T/1/0 5', 'T/1/0 5'])
  })

  it('is still one that may have run when it waits once more', async () => {
    const shop = await Shop.approved({ description: 'Pays money.' })
    await shop.run()
    await shop.agent.approve('T', 'a')
    await shop.restarted(shop.pay({ description: 'Pays.' }))
    expect(await shop.run()).toMatchObject({
      calls: [{ begun: true, problem: `The tool has changed. ${MAY_HAVE_RUN}` }],
    })
    expect((await shop.rejected())[1]).toBe(rejection)
  })

  it('is not said to be refused while its tool is gone', async () => {
    const shop = await Shop.approved()
    await expect(shop.run()).rejects.toMatchObject({ code: 'approval' })
    await shop.restarted(shop.pay({ description: 'Pays money.' }))
    expect(await shop.run()).toMatchObject({ calls: [{ problem: `The tool has changed. ${MAY_HAVE_RUN}` }] })
  })

  it('has its output, if that was saved while another one ran, and neither runs again', async () => {
    const calls = [toolCall('a', 'pay', { euros: 5 }), toolCall('b', 'slow', {})]
    const shop = new Shop({}, calls)
    const tools = (description: string) => [
      shop.pay({ description, hangs: false }),
      shop.slow({ description, needsApproval: true }),
    ]
    shop.agent = shop.make(tools('Does it.'))
    await outcomeOf(shop.agent.chat('Pay!', { taskId: 'T' }))
    for (const id of ['a', 'b']) await shop.agent.approve('T', id)
    await shop.killed(...tools('Does it well.'))
    expect(await shop.run()).toMatchObject({ calls: [{ id: 'b', problem: `The tool has changed. ${MAY_HAVE_RUN}` }] })
    await shop.agent.reject('T', 'b')
    const { sources } = await shop.agent.runTask('T')
    expect(sources.map(({ content }) => content)).toEqual([
      'paid 5',
      `${UNKNOWN} The user has rejected another attempt.`,
    ])
    expect(shop.paid).toEqual(['T/1/0 5'])
  })

  it('is not forgotten if an attempt fails before it begins again', async () => {
    const shop = new Shop({ needsApproval: false })
    const make = shop.make
    const fails = () => Promise.reject(new Error('The guard is down.'))
    shop.make = (tools) => make.call(shop, tools, { guards: { tool: fails } })
    await shop.killed(shop.pay({ needsApproval: false }))
    await expect(shop.run()).rejects.toThrow('The guard is down.')
    shop.make = make
    await shop.restarted(shop.pay({ needsApproval: false }))
    expect(await shop.run()).toMatchObject({ status: 'done' })
    expect(shop.paid).toEqual(['T/1/0 5', 'T/1/0 5'])
  })

  it('runs on if only the rule has changed that asks', async () => {
    const shop = await Shop.approved({ needsApproval: false })
    expect(await shop.run()).toMatchObject({ status: 'done' })
    expect(shop.paid).toEqual(['T/1/0 5', 'T/1/0 5'])
  })

  it('is a new one in a fork, which has another key', async () => {
    const shop = await Shop.approved({ description: 'Pays money.' })
    await shop.run()
    const { taskId } = await shop.agent.forkTask('T')
    const [call] = shop.agent.getPendingApprovals(taskId)
    expect(call).not.toHaveProperty('begun')
    expect(call).not.toHaveProperty('problem')
  })

  it('is one that has not begun until its run has come so far', async () => {
    const shop = new Shop()
    await outcomeOf(shop.agent.chat('Pay!', { taskId: 'T' }))
    await shop.agent.approve('T', 'a')
    await shop.restarted(shop.pay({ description: 'Pays money.' }))
    const outcome = await shop.run()
    expect(outcome).toMatchObject({ calls: [{ problem: 'The tool has changed.' }] })
    expect((await shop.rejected())[1]).toBe('Error: the user has rejected this call: changed my mind')
  })

  it('says so in the process in which it failed', async () => {
    const paid: string[] = []
    const pay = (description: string) =>
      FunctionTool.fromDefaults({
        name: 'pay',
        description,
        schema: EUROS,
        needsApproval: true,
        fn: (_, { idempotencyKey = '' }) => {
          paid.push(idempotencyKey)
          throw Object.assign(new Error('no connection'), { fatal: true })
        },
      })
    let tool = pay('Pays.')
    const llm = functionCallingLlm([[toolCall('a', 'pay', { euros: 5 })], 'Done.'])
    const agent = FunctionCallingAgent.fromTools({ llm, toolRetriever: { retrieve: () => [tool] } })
    await outcomeOf(agent.chat('Pay!', { taskId: 'T' }))
    await agent.approve('T', 'a')
    await expect(agent.runTask('T')).rejects.toMatchObject({ code: 'tool_execution' })
    tool = pay('Pays money.')
    expect(await outcomeOf(agent.runTask('T'))).toMatchObject({
      calls: [{ problem: `The tool has changed. ${MAY_HAVE_RUN}` }],
    })
    await agent.reject('T', 'a', 'changed my mind')
    await agent.runTask('T')
    expect(llm.calls.at(-1)!.messages!.at(-1)!.content).toBe(rejection)
    expect(paid).toEqual(['T/1/0'])
  })

  it('says so in a loop that continues a task', async () => {
    const shop = new Shop()
    const failing = (description: string) =>
      FunctionTool.fromDefaults({
        name: 'pay',
        description,
        schema: EUROS,
        needsApproval: true,
        fn: () => Promise.reject(Object.assign(new Error('no connection'), { fatal: true })),
      })
    const loopWith = (tool: FunctionTool) => toolLoop({ llm: shop.llm, tools: [tool], layers: [approvals()] })
    const loop = loopWith(failing('Pays.'))
    const { task } = await loop.run('Pay!', { taskId: 'T' })
    await decide(loop, task, 'a', { decision: 'approve' })
    await expect(loop.resume(task)).rejects.toMatchObject({ code: 'tool_execution' })
    const other = loopWith(failing('Pays money.'))
    const saved = readLoopTask(other, JSON.parse(JSON.stringify(writeLoopTask(task))))
    const { pending } = await other.resume(saved)
    expect(pending).toMatchObject([{ begun: true, problem: `The tool has changed. ${MAY_HAVE_RUN}` }])
    await expect(decide(other, saved, 'a', { decision: 'approve', arguments: { euros: 9 } })).rejects.toMatchObject({
      code: 'tool_input',
    })
    await decide(other, saved, 'a', { decision: 'reject', reason: 'changed my mind' })
    const { sources } = await other.resume(saved)
    expect(sources.map(({ content }) => content)).toEqual([rejection])
  })

  it('of an agent behind a tool says so where the person decides', async () => {
    const shop = new Shop()
    const outer = functionCallingLlm([[toolCall('o', 'ask', { input: 'Pay!' })], 'Asked.'])
    const taskStore = journal(new MemoryTaskStore())
    const make = (tool: object) => {
      const agent = FunctionCallingAgent.fromTools({ llm: shop.llm, tools: [shop.pay(tool)] })
      return FunctionCallingAgent.fromTools({ llm: outer, tools: [new AgentTool({ agent, name: 'ask' })], taskStore })
    }
    shop.agent = make({})
    await outcomeOf(shop.agent.chat('Go!', { taskId: 'T' }))
    await shop.agent.approve('T', 'o/a')
    Object.assign(shop, { make: () => make({ description: 'Pays money.' }) })
    await shop.killed()
    const waits = { id: 'o/a', problem: `The tool has changed. ${MAY_HAVE_RUN}` }
    expect(await shop.run()).toMatchObject({ calls: [waits] })
    await expect(shop.agent.edit('T', 'o/a', { euros: 9 })).rejects.toMatchObject({ code: 'tool_input' })
    await shop.agent.reject('T', 'o/a', 'changed my mind')
    expect(await shop.run()).toMatchObject({ status: 'done' })
    expect(shop.read()).toBe(rejection)
    expect(shop.paid).toHaveLength(1)
  })
})

describe('a call that has begun without an approval', () => {
  it.each([
    ['by now all calls of its tool do', { needsApproval: true }, `The tool needs approval now. ${MAY_HAVE_RUN}`],
    ['by now a rule says so', { needsApproval: () => true }, `The tool needs approval now. ${MAY_HAVE_RUN}`],
    [
      'it cannot be judged by now whether it does',
      { needsApproval: () => Promise.reject(new Error('down')) },
      `It could not be judged whether this call needs approval. ${MAY_HAVE_RUN}`,
    ],
  ])('says that it may have run if %s', async (_, tool, problem) => {
    const shop = new Shop({ needsApproval: false })
    await shop.killed(shop.pay(tool))
    expect(await shop.run()).toMatchObject({ calls: [{ begun: true, firstQuestion: true, problem }] })
    expect((await shop.rejected())[1]).toBe(rejection)
    expect(shop.paid).toEqual(['T/1/0 5'])
  })

  it.each([
    ['its tool is gone', undefined],
    ['it does not fit the schema any more', { schema: MAX_3, needsApproval: false }],
    ['it does not fit the schema of a tool that asks by now', { schema: MAX_3 }],
  ])('is not said to be refused if %s', async (_, tool) => {
    const shop = new Shop({ needsApproval: false })
    await shop.killed(...(tool ? [shop.pay(tool)] : []))
    expect(await shop.run()).toMatchObject({ status: 'done' })
    expect(shop.read()).toBe(UNKNOWN)
    expect(shop.paid).toEqual(['T/1/0 5'])
  })
})

describe('a call that has begun because a rule said that it is free', () => {
  it('runs on if all calls of its tool are asked about by now', async () => {
    const shop = new Shop({ needsApproval: () => false })
    await shop.killed(shop.pay({ needsApproval: true }))
    expect(await shop.run()).toMatchObject({ status: 'done' })
    expect(shop.paid).toEqual(['T/1/0 5', 'T/1/0 5'])
  })

  it('waits if the rule said so before its process ended', async () => {
    const shop = new Shop({ needsApproval: () => true }, [
      toolCall('a', 'pay', { euros: 5 }),
      toolCall('b', 'slow', {}),
    ])
    shop.agent = shop.make([shop.pay({ needsApproval: () => true }), shop.slow()])
    await shop.killed(shop.pay({ needsApproval: true }), shop.slow())
    expect(await shop.run()).toMatchObject({ status: 'waiting', calls: [{ id: 'a' }] })
    expect(shop.paid).toEqual([])
  })
})

describe('a call whose output is saved has it', () => {
  it.each<[string, object]>([
    ['a guard that blocks', { guards: { tool: () => ({ block: 'not today' }) } }],
    ['a guard that replaces', { guards: { tool: () => ({ replace: { euros: 1 } }) } }],
    ['a limit', { maxFunctionCalls: 1 }],
  ])('although by now the agent has %s', async (_, options) => {
    const shop = new Shop({}, [toolCall('b', 'slow', {}), toolCall('a', 'pay', { euros: 5 })])
    const tools = [shop.pay({ needsApproval: false, hangs: false }), shop.slow()]
    shop.agent = shop.make(tools)
    const { make } = shop
    shop.make = (given) => make.call(shop, given, { ...options, onMaxIterations: 'answer' })
    await shop.killed(...tools)
    const { sources } = await shop.agent.runTask('T')
    expect(sources[1]!.content).toBe('paid 5')
    expect(JSON.stringify(shop.llm.calls.at(-1)!.messages)).toContain('{\\"euros\\":5}')
    expect(shop.paid).toEqual(['T/1/1 5'])
  })
})

describe('a call that has not begun says nothing of the kind, if its process has ended', () => {
  it.each([
    ['while another call of the turn ran', { needsApproval: true }],
    ['by a rule, while another call of the turn ran', { needsApproval: () => true }],
  ])('%s', async (_, tool) => {
    const shop = new Shop(tool, [toolCall('a', 'pay', { euros: 5 }), toolCall('b', 'slow', {})])
    shop.agent = shop.make([shop.pay(tool), shop.slow()])
    await shop.killed(shop.pay(tool), shop.slow())
    const outcome = await shop.run()
    const calls = outcome.status === 'waiting' ? outcome.calls : []
    expect(calls.map(({ id, begun, problem }) => [id, begun, problem])).toEqual([['a', undefined, undefined]])
  })

  it.each([
    ['all calls', { needsApproval: true }],
    ['a rule', { needsApproval: () => true }],
  ])('before it was asked about: %s', async (_, tool) => {
    const shop = new Shop(tool)
    const { append } = shop.store
    let hasReplied = false
    shop.store.append = (id, entries, revision) => {
      if (hasReplied) throw new Error('killed')
      hasReplied = JSON.stringify(entries).includes('"name":"model"')
      return append.call(shop.store, id, entries, revision)
    }
    await expect(shop.agent.chat('Pay!', { taskId: 'T' })).rejects.toThrow('killed')
    shop.store.append = append
    await shop.restarted(shop.pay(tool))
    const outcome = await shop.run()
    const calls = outcome.status === 'waiting' ? outcome.calls : []
    expect(calls.map(({ id, begun, problem }) => [id, begun, problem])).toEqual([['a', undefined, undefined]])
    await shop.agent.edit('T', 'a', { euros: 6 })
    expect(await shop.run()).toMatchObject({ status: 'done' })
    expect(shop.paid).toEqual(['T/1/0 6'])
  })

  it.each([{}, { maxToolConcurrency: 1 }])('and it cannot run: %o', async (options) => {
    const calls = [toolCall('b', 'slow', {}), toolCall('a', 'pay', { euros: 'many' }), toolCall('c', 'none', {})]
    const shop = new Shop({ needsApproval: false }, calls)
    const { make } = shop
    shop.make = (tools) => make.call(shop, tools, options)
    shop.agent = shop.make([shop.pay({ needsApproval: false }), shop.slow()])
    await shop.killed(shop.pay({ needsApproval: false }), shop.slow())
    const { sources } = await shop.agent.runTask('T')
    expect(sources.map(({ content }) => content.slice(0, 6))).toEqual(['done', 'Error:', 'Error:'])
  })
})
