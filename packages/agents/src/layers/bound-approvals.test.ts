import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { functionCallingLlm, toolCall } from '../../test/function-calling-llm.ts'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { journal } from '../journal.ts'
import type { ApprovalSettings } from '../loop/hooks.ts'
import { decide } from '../small/decide.ts'
import { readLoopTask, writeLoopTask } from '../small/task-json.ts'
import { toolLoop } from '../small/tool-loop.ts'
import { MemoryTaskStore } from '../task/memory-task-store.ts'
import { AgentTool } from '../tool/agent-tool.ts'
import { FunctionTool } from '../tool/function-tool.ts'
import { approvals } from './approvals.ts'
import { boundApprovals } from './bound-approvals.ts'

const paid: number[] = []
beforeEach(() => {
  paid.length = 0
})
afterEach(() => {
  vi.useRealTimers()
})
const payTool = (description = 'Pays.') =>
  FunctionTool.fromDefaults({
    name: 'pay',
    description,
    schema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
    needsApproval: true,
    fn: ({ n }) => `paid ${paid.push(n)}`,
  })
const payment = (n: number, id = 'p') => [toolCall(id, 'pay', { n })]
const secret = new Uint8Array(32).fill(7)
interface Context {
  user: string
}

/** An agent that pays 5 and then 7, in as many processes as are made. */
function world(settings: ApprovalSettings<Context> = {}, turns: readonly unknown[] = [payment(5), 'Done.']) {
  const llm = functionCallingLlm(turns as never)
  const store = new MemoryTaskStore()
  let tool = payTool()
  const make = () =>
    FunctionCallingAgent.fromTools({
      llm,
      toolRetriever: { retrieve: () => [tool] },
      taskStore: journal(store),
      approvals: boundApprovals(settings),
    })
  return { make, change: () => (tool = payTool('Pays everybody.')) }
}

const run = { context: { user: 'ann' } }
// biome-ignore lint/suspicious/noExplicitAny: the answer, or the error of a task that waits
const waits = (promise: Promise<unknown>): Promise<any> => promise.catch((error) => error)

/** Asks about the call, and returns the agent with the id of its task and the call. */
async function asked(settings: ApprovalSettings<Context> = {}, turns?: readonly unknown[]) {
  const { make, change } = world(settings, turns)
  const agent = make()
  const { taskId, calls } = await waits(agent.chat('Pay!', run))
  return { agent, taskId, call: calls[0], change, make }
}

describe('an approval', () => {
  it('of another question does not count: the call waits again, and an answer to that counts', async () => {
    const { agent, taskId, call, change } = await asked()
    change()
    await agent.approve(taskId, 'p')
    const { calls: again } = await waits(agent.runTask(taskId, run))
    const waiting = { awaits: 'approval', needsApproval: true, decision: null }
    expect(again).toMatchObject([{ id: 'p', problem: 'The tool has changed.', ...waiting }])
    await agent.approve(taskId, 'p', { approvalId: call.approval.id })
    const third = await waits(agent.runTask(taskId, run))
    expect(third.calls).toMatchObject([{ id: 'p', problem: 'The answer was to another question.' }])
    expect(paid).toEqual([])
    await agent.approve(taskId, 'p', { approvalId: third.calls[0].approval.id })
    await agent.runTask(taskId, run)
    expect(paid).toEqual([5])
  })

  it.each([{}, { secret }, { user: ({ user }: Context) => user }])(
    'of the question in a fork counts there, whoever decides, for %j',
    async (settings) => {
      const { agent, taskId } = await asked(settings, [payment(5), 'Done.', 'Done.'])
      for (const args of [undefined, { n: 6 }]) {
        const fork = await agent.forkTask(taskId)
        const [call] = agent.getPendingApprovals(fork.taskId)
        const shown = { by: 'ann', approvalId: call!.approval!.id }
        await (args ? agent.edit(fork.taskId, 'p', args, shown) : agent.approve(fork.taskId, 'p', shown))
        expect(await waits(agent.runTask(fork.taskId, run))).toMatchObject({ response: 'Done.' })
      }
      expect(paid).toEqual([5, 6])
      expect(agent.getPendingApprovals(taskId)).toHaveLength(1)
    },
  )

  /** Asks about 5, and returns the agent of another process, in whose saved task it is 500. */
  async function changed(decide: (agent: FunctionCallingAgent, taskId: string) => unknown = () => {}) {
    const { agent, taskId, make } = await asked()
    await decide(agent, taskId)
    const saved = JSON.parse(JSON.stringify(agent.saveTask(taskId)).replaceAll('\\"n\\":5', '\\"n\\":500'))
    const other = make()
    await agent.deleteTask(taskId)
    await other.loadTask(saved)
    return { other, taskId }
  }

  it('does not count for other arguments in a saved task', async () => {
    const { other, taskId } = await changed((agent, id) => agent.approve(id, 'p'))
    const { calls } = await waits(other.runTask(taskId, run))
    expect(calls).toMatchObject([{ id: 'p', problem: 'The arguments have changed.' }])
    expect(paid).toEqual([])
  })

  it('with the arguments of the question is no edit: it does not count for others', async () => {
    const { other, taskId } = await changed()
    await other.edit(taskId, 'p', { n: 5 })
    const { calls } = await waits(other.runTask(taskId, run))
    expect(calls).toMatchObject([{ arguments: '{"n":500}', problem: 'The arguments have changed.' }])
    expect(paid).toEqual([])
  })

  it('with new arguments runs with them, whatever the saved task has', async () => {
    const { other, taskId } = await changed()
    await other.edit(taskId, 'p', { n: 3 })
    await other.runTask(taskId, run)
    expect(paid).toEqual([3])
  })

  it('of an edited call is of the new arguments', async () => {
    const { agent, taskId, call } = await asked({ secret })
    await agent.edit(taskId, 'p', { n: 3 }, { approvalId: call.approval.id })
    await agent.runTask(taskId, run)
    expect(paid).toEqual([3])
  })

  it('of an edited call that was not shown does not count', async () => {
    const { agent, taskId } = await asked()
    await agent.edit(taskId, 'p', { n: 3 }, { approvalId: 'other' })
    expect((await waits(agent.runTask(taskId, run))).calls).toMatchObject([{ arguments: { n: 3 }, decision: null }])
    expect(paid).toEqual([])
  })

  it('counts only from the user who was asked, and only for the same user', async () => {
    const { agent, taskId } = await asked({ user: ({ user }) => user })
    for (const by of [undefined, 'bob']) {
      await agent.approve(taskId, 'p', { ...(by && { by }) })
      const { calls } = await waits(agent.runTask(taskId, run))
      expect(calls).toMatchObject([{ problem: 'Somebody else has approved the call.' }])
    }
    await agent.approve(taskId, 'p', { by: 'ann' })
    const { calls } = await waits(agent.runTask(taskId, { context: { user: 'bob' } }))
    expect(calls).toMatchObject([{ problem: 'Somebody else was asked.', approval: { user: 'bob' } }])
    expect(paid).toEqual([])
    await agent.approve(taskId, 'p', { by: 'bob' })
    await agent.runTask(taskId, { context: { user: 'bob' } })
    expect(paid).toEqual([5])
  })

  it('counts until its lifetime is over, not longer', async () => {
    for (const [age, runs] of [
      [60_000, [5]],
      [60_001, []],
    ] as const) {
      paid.length = 0
      const { agent, taskId, call } = await asked({ lifetimeMs: 60_000 })
      await agent.approve(taskId, 'p')
      vi.setSystemTime(call.approval.at + age)
      const { calls } = await waits(agent.runTask(taskId, run))
      vi.useRealTimers()
      expect(paid).toEqual(runs)
      if (runs.length === 0) expect(calls).toMatchObject([{ problem: 'The approval came too late.' }])
    }
  })

  it('with `always` is of one definition', async () => {
    const turns = [payment(1, 'a'), payment(2, 'b'), payment(3, 'c'), 'Done.']
    const { agent, taskId, change } = await asked({ secret }, turns)
    await agent.approve(taskId, 'a', { always: true })
    await agent.runStep(taskId, run)
    await agent.runStep(taskId, run)
    expect(paid).toEqual([1, 2])
    change()
    expect((await waits(agent.runTask(taskId, run))).calls).toMatchObject([{ id: 'c' }])
    expect(paid).toEqual([1, 2])
  })

  it('with `always` that does not count allows nothing', async () => {
    const { agent, taskId } = await asked({}, [payment(1, 'a'), payment(2, 'b'), 'Done.'])
    await agent.approve(taskId, 'a', { always: true, approvalId: 'other' })
    const { calls } = await waits(agent.runTask(taskId, run))
    await agent.approve(taskId, 'a', { approvalId: calls[0].approval.id })
    expect((await waits(agent.runTask(taskId, run))).calls).toMatchObject([{ id: 'b' }])
  })
})

describe('with a secret', () => {
  const saved = async (change: (call: Record<string, unknown>, state: Record<string, unknown>) => void) => {
    const llm = () => functionCallingLlm([payment(5), 'Done.'])
    const loopOf = (model = llm()) =>
      toolLoop({ llm: model, tools: [payTool()], layers: [approvals({ bound: boundApprovals({ secret }) })] })
    const model = llm()
    const { task } = await loopOf(model).run('Pay!')
    const dict = JSON.parse(JSON.stringify(writeLoopTask(task)))
    const [call] = dict.state.pending_calls
    change(call, dict.state)
    const loop = loopOf(model)
    return loop.resume(readLoopTask(loop, dict))
  }

  it.each<[string, (call: Record<string, unknown>) => void]>([
    ['a decision', (call) => Object.assign(call, { decision: 'approve' })],
    ['a decision without a record', (call) => Object.assign(call, { decision: 'approve', approval: undefined })],
    [
      'a call that needs no approval',
      (call) =>
        Object.assign(call, { decision: 'approve', approval: undefined, needsApproval: false, awaits: undefined }),
    ],
    [
      'a seal',
      (call) => Object.assign(call, { decision: 'approve', approval: { ...Object(call['approval']), seal: 'x' } }),
    ],
  ])('%s that somebody wrote into a saved task is no approval', async (_, change) => {
    const { status, pending } = await saved(change)
    expect([status, pending[0]?.decision]).toEqual(['waiting', null])
    expect(paid).toEqual([])
  })

  it('an approval counts in every process that has it', async () => {
    const model = functionCallingLlm([payment(5), 'Done.'])
    const loopOf = (own: Uint8Array) =>
      toolLoop({ llm: model, tools: [payTool()], layers: [approvals({ bound: boundApprovals({ secret: own }) })] })
    const first = loopOf(secret)
    const { task, pending } = await first.run('Pay!')
    await decide(first, task, 'p', { decision: 'approve', approvalId: pending[0]!.approval!.id })
    const text = JSON.stringify(writeLoopTask(task))
    const stranger = loopOf(new Uint8Array(32))
    expect(await stranger.resume(readLoopTask(stranger, JSON.parse(text)))).toMatchObject({ status: 'waiting' })
    const second = loopOf(secret.slice())
    expect(await second.resume(readLoopTask(second, JSON.parse(text)))).toMatchObject({ status: 'done' })
    expect(paid).toEqual([5])
  })
})

it('a fork asks once more, about its own task', async () => {
  const { agent, taskId } = await asked({ secret })
  await agent.approve(taskId, 'p')
  await agent.forkTask(taskId, { taskId: 'fork' })
  await agent.approve('fork', 'p')
  expect(await waits(agent.runTask('fork', run))).toMatchObject({ response: 'Done.' })
  expect(paid).toEqual([5])
})

it.each([
  ['secret', { secret: new Uint8Array(31) }],
  ['secret', { secret: 'x'.repeat(32) }],
  ['lifetimeMs', { lifetimeMs: 0 }],
  ['user', { user: 'ann' }],
])('refuses a wrong %s', (name, settings) => {
  expect(() => world(settings as never).make()).toThrow(name)
  expect(() => boundApprovals({ ...settings, secrets: 1 } as never)).toThrow('secrets')
})

const sent: unknown[] = []
const sendTool = (description: string, needsApproval = true) =>
  FunctionTool.fromDefaults({
    name: 'send',
    description,
    schema: { type: 'object', properties: { to: { type: 'string' } } },
    needsApproval,
    fn: ({ to }) => `Sent ${sent.push(to)}.`,
  })

it.each(['in the same process', 'after a restart'])(
  'an approved call waits again if its tool has changed, %s',
  async (when) => {
    sent.length = 0
    let store = new MemoryTaskStore()
    let tool = sendTool('Drafts a mail.')
    const llm = functionCallingLlm([[toolCall('1', 'send', { to: 'ann' })], 'Done.'])
    const make = () =>
      FunctionCallingAgent.fromTools({ llm, toolRetriever: { retrieve: () => [tool] }, taskStore: journal(store) })
    let agent = make()
    const { taskId, calls } = await agent.chat('Send!').catch((error) => error)
    expect(calls).toMatchObject([{ name: 'send', approval: { definition: expect.any(String) } }])
    await agent.approve(taskId, '1')
    tool = sendTool('Sends to everybody.', false)
    if (when === 'after a restart') {
      const saved = JSON.parse(JSON.stringify(agent.saveTask(taskId)))
      store = new MemoryTaskStore()
      agent = make()
      await agent.loadTask(saved)
    }
    const again = await agent.runTask(taskId).catch((error) => error)
    expect(again).toMatchObject({
      code: 'approval_required',
      calls: [{ id: '1', problem: 'The tool has changed.' }],
    })
    expect(again.calls[0].approval.definition).not.toBe(calls[0].approval.definition)
    expect(sent).toEqual([])
    await agent.approve(taskId, '1')
    expect((await agent.runTask(taskId)).response).toBe('Done.')
    expect(sent).toEqual(['ann'])
  },
)

it('an approved call runs once if its tool is the same, whatever object it is', async () => {
  sent.length = 0
  const llm = functionCallingLlm([[toolCall('1', 'send', { to: 'ann' })], 'Done.'])
  const agent = FunctionCallingAgent.fromTools({
    llm,
    toolRetriever: { retrieve: () => [sendTool('Drafts a mail.')] },
    taskStore: journal(new MemoryTaskStore()),
  })
  const { taskId } = await agent.chat('Send!').catch((error) => error)
  await agent.approve(taskId, '1')
  await agent.runTask(taskId)
  expect(sent).toEqual(['ann'])
  await expect(agent.approve(taskId, '1')).rejects.toMatchObject({ code: expect.any(String) })
})

describe('tools that are always allowed', () => {
  const pay = FunctionTool.fromDefaults({ name: 'pay', schema: {}, needsApproval: true, fn: () => 'paid' })
  const payment = (id: string) => [toolCall(id, 'pay', {})]

  /** Agents behind each other, each with the tool `pay`: the first one pays after the others. */
  function world(levels: number) {
    const store = new MemoryTaskStore()
    const expertLlm = functionCallingLlm([payment('x'), payment('y'), 'Paid.'])
    const between = functionCallingLlm([[toolCall('b', 'ask', { input: 'Pay!' })], 'Passed on.'])
    const llm = functionCallingLlm([[toolCall('a', 'ask', { input: 'Pay!' })], payment('z'), 'Done.'])
    return () => {
      let agent: FunctionCallingAgent = FunctionCallingAgent.fromTools({ llm: expertLlm, tools: [pay] })
      const ask = () => new AgentTool({ agent, name: 'ask' })
      for (let i = 2; i < levels; i++) agent = FunctionCallingAgent.fromTools({ llm: between, tools: [pay, ask()] })
      return FunctionCallingAgent.fromTools({ llm, tools: [pay, ask()], taskStore: journal(store) })
    }
  }

  it.each([2, 3])('`always` is about the tool of the agent that made the call, behind %i levels', async (levels) => {
    const process = world(levels)
    const first = process()
    const { taskId, calls } = await first.chat('Go!').catch((error) => error)
    expect(calls).toHaveLength(1)
    await first.approve(taskId, calls[0].id, { always: true })
    const next = process()
    await next.resumeTask(taskId)
    // The second payment of the expert needs no approval, the one of the calling agent does.
    await expect(next.runTask(taskId)).rejects.toMatchObject({ calls: [{ id: 'z' }] })
  })
})
