import { ToolkitError } from '@x/core'
import { SimpleChatStore } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import type { ChatAgent } from './chat-agent.ts'
import type { ChatDecision } from './chat-protocol.ts'
import { approvalRequired, type Deciding, decideCalls, decidedCall, withdraw } from './decide-calls.ts'

type Waiting = ReturnType<ChatAgent<never>['getPendingApprovals']>[number]

const pay: Waiting = { id: 'a', name: 'pay', arguments: { to: 'Ann' } }
const door: Waiting = { id: 'b', name: 'door', awaits: 'result', arguments: '{"n":1}' }

/** An agent whose calls wait until they are decided; `fail` throws what a decision about a call causes. */
function agentOf(waiting: readonly Waiting[], fail: (id: string) => void = () => {}) {
  const log: unknown[][] = []
  const open = new Map(waiting.map((call) => [call.id, call]))
  const decides =
    (name: string) =>
    async (_taskId: string, id: string, ...rest: unknown[]) => {
      log.push([name, id, ...rest])
      fail(id)
      if (name !== 'checkEdit') open.delete(id)
    }
  const agent = {
    resumeTask: async (_taskId: string) => void log.push(['resumeTask']),
    getPendingApprovals: () => [...open.values()],
    approve: decides('approve'),
    reject: decides('reject'),
    checkEdit: decides('checkEdit'),
    edit: decides('edit'),
    provideResult: decides('provideResult'),
  } as unknown as ChatAgent<never>
  const decide = (decisions: readonly ChatDecision[], more: Partial<Deciding> = {}) =>
    decideCalls(agent, { taskId: 't', decisions } as never, { memory: undefined, ...more })
  return { agent, log, open, decide }
}

class Refused extends ToolkitError {
  constructor(code: string) {
    super('Refused', code, `refused: ${code}`)
  }
}

describe('decideCalls', () => {
  it('makes the decisions about calls that wait for one of this kind', async () => {
    const { log, decide } = agentOf([pay, door])
    const decided = await decide([
      { callId: 'a', type: 'approve' },
      { callId: 'b', type: 'approve' },
      { callId: 'gone', type: 'approve' },
    ])
    expect(log).toEqual([['resumeTask'], ['approve', 'a', {}]])
    expect([[...decided!.made.keys()], decided!.left]).toEqual([['a'], [door]])
    const other = agentOf([pay, door])
    const provided = await other.decide([
      { callId: 'a', type: 'result', result: 'paid' },
      { callId: 'b', type: 'result', result: 'open' },
    ])
    expect(other.log).toEqual([['resumeTask'], ['provideResult', 'b', 'open', {}]])
    expect([...provided!.problems]).toEqual([['a', 'The call waits for a decision.']])
    const rejecting = agentOf([pay, door])
    const rejected = await rejecting.decide([
      { callId: 'a', type: 'reject', reason: 'no' },
      { callId: 'b', type: 'reject' },
    ])
    expect(rejecting.log.slice(1)).toEqual([
      ['reject', 'a', 'no', {}],
      ['reject', 'b', undefined, {}],
    ])
    expect(rejected!.left).toEqual([])
  })

  it('refuses a decision without a type before it does anything', async () => {
    const { log, decide } = agentOf([pay])
    await expect(decide([{ callId: 'a', type: 'maybe' } as never])).rejects.toMatchObject({ code: 'configuration' })
    expect(log).toEqual([])
  })

  it('makes all decisions or none, as mayDecide says', async () => {
    const asked: unknown[] = []
    const two: Waiting = { ...pay, id: 'c' }
    const decisions: ChatDecision[] = [
      { callId: 'a', type: 'approve' },
      { callId: 'c', type: 'approve' },
    ]
    const refusing = agentOf([pay, two])
    const mayDecide: Deciding['mayDecide'] = async ({ decision, arguments: args, toolName, taskId }) => {
      asked.push([taskId, toolName, args, decision])
      return decision.callId !== 'c'
    }
    expect(await refusing.decide(decisions, { mayDecide, by: 'Bob' })).toBeNull()
    expect(refusing.log).toEqual([['resumeTask']])
    expect(asked).toEqual(
      ['a', 'c'].map((callId) => ['t', 'pay', { to: 'Ann' }, { callId, type: 'approve', by: 'Bob' }]),
    )
    const allowing = agentOf([pay, two])
    await allowing.decide(decisions, { mayDecide: () => true, by: 'Bob' })
    expect(allowing.log.slice(1)).toEqual(['a', 'c'].map((id) => ['approve', id, { by: 'Bob' }]))
  })

  it('refuses a decision for which mayDecide returns another value than true', async () => {
    for (const value of ['no', 1, {}, undefined]) {
      const { log, decide } = agentOf([pay])
      expect(await decide([{ callId: 'a', type: 'approve' }], { mayDecide: () => value as never })).toBeNull()
      expect(log).toEqual([['resumeTask']])
    }
  })

  it('asks mayDecide about edits that fit the tool alone', async () => {
    const asked: unknown[] = []
    const mayDecide: Deciding['mayDecide'] = ({ arguments: args }) => asked.push(args) > 0
    const two: Waiting = { ...pay, id: 'c' }
    const { log, decide } = agentOf([pay, two], (id) => {
      if (id === 'a') throw new Refused('tool_input')
    })
    const decisions: ChatDecision[] = ['a', 'c'].map((callId) => ({ callId, type: 'approve', shows: { to: callId } }))
    const decided = await decide(decisions, { mayDecide })
    expect(asked).toEqual([{ to: 'c' }])
    expect([...decided!.problems]).toEqual([['a', 'refused: tool_input']])
    expect([...decided!.made.keys()]).toEqual(['c'])
    expect(log.map(([name, id]) => [name, id])).toEqual([
      ['resumeTask', undefined],
      ['checkEdit', 'a'],
      ['checkEdit', 'c'],
      ['edit', 'c'],
    ])
    const again = await decide(decisions.slice(0, 1), { mayDecide: () => false })
    expect([...again!.problems.keys()]).toEqual(['a'])
  })

  it('refuses an approval of later calls if somebody judges each', async () => {
    const sent = { callId: 'a', type: 'approve', always: true } as const
    const judged = agentOf([pay])
    expect(await judged.decide([sent], { mayDecide: () => true })).toBeNull()
    expect(judged.log).toEqual([])
    const plain = agentOf([pay])
    await plain.decide([sent])
    expect(plain.log[1]).toEqual(['approve', 'a', { always: true }])
  })

  it('takes an approval of other arguments as an edit, which is exact if somebody judges it', async () => {
    const sent = { callId: 'a', type: 'approve', shows: { to: 'Eve' }, by: 'page', approvalId: 'q' } as const
    const plain = agentOf([pay])
    await plain.decide([sent])
    expect(plain.log[1]).toEqual(['edit', 'a', { to: 'Eve' }, { by: 'page', approvalId: 'q' }])
    const judged = agentOf([pay])
    await judged.decide([sent], { mayDecide: () => true, by: 'Bob' })
    expect(judged.log.slice(1)).toEqual([
      ['checkEdit', 'a', { to: 'Eve' }, { exact: true }],
      ['edit', 'a', { to: 'Eve' }, { exact: true, by: 'Bob', approvalId: 'q' }],
    ])
    const bare = agentOf([pay])
    const { made } = (await bare.decide([{ callId: 'a', type: 'approve', shows: { to: 'Eve' } }]))!
    expect(made.get('a')).toEqual({ callId: 'a', type: 'edit', arguments: { to: 'Eve' } })
    const same = agentOf([pay])
    await same.decide([{ callId: 'a', type: 'approve', shows: { to: 'Ann' } }])
    expect(same.log[1]).toEqual(['approve', 'a', {}])
  })

  it('returns why arguments were refused, and ignores a call that another request has decided', async () => {
    const refusing = agentOf([pay, door], (id) => {
      if (id === 'a') throw new Refused('tool_input')
    })
    const decided = await refusing.decide([
      { callId: 'a', type: 'approve' },
      { callId: 'b', type: 'result', result: 1 },
    ])
    expect([...decided!.problems]).toEqual([['a', 'refused: tool_input']])
    expect([[...decided!.made.keys()], decided!.left]).toEqual([['b'], [pay]])

    const late = agentOf([pay], (id) => {
      late.open.delete(id)
      throw new Refused('approval')
    })
    expect([...(await late.decide([{ callId: 'a', type: 'approve' }]))!.made.keys()]).toEqual(['a'])
    expect(late.log.map(([name]) => name)).toEqual(['resumeTask', 'approve', 'resumeTask'])

    for (const code of ['approval', 'other']) {
      const failing = agentOf([pay], () => {
        throw new Refused(code)
      })
      await expect(failing.decide([{ callId: 'a', type: 'approve' }])).rejects.toMatchObject({ code })
    }
    const outdated = agentOf([pay], () => {
      throw new Refused('approval')
    })
    const shown = await outdated.decide([{ callId: 'a', type: 'approve', approvalId: 'old' }])
    expect([[...shown!.problems], shown!.left]).toEqual([[['a', 'refused: approval']], [pay]])
  })
})

describe('the calls that are shown after decisions', () => {
  const call = { id: 'a', name: 'pay', arguments: { to: 'shown' }, decision: null, problem: 'old' } as never
  const nothing = { made: new Map(), problems: new Map(), left: [] }

  it.each<[object, object]>([
    [
      { type: 'approve', always: true },
      { decision: 'approve', always: true },
    ],
    [
      { type: 'reject', reason: 'no' },
      { decision: 'reject', reason: 'no' },
    ],
    [
      { type: 'edit', arguments: { to: 'Eve' }, exact: true },
      { decision: 'approve', arguments: { to: 'Eve' } },
    ],
    [
      { type: 'result', result: 5 },
      { decision: 'result', result: 5 },
    ],
  ])('have the decision %j', (decision, expected) => {
    const made = new Map([['a', { callId: 'a', by: 'Bob', approvalId: 'q', ...decision } as never]])
    expect(decidedCall(call, { ...nothing, made })).toEqual({
      id: 'a',
      name: 'pay',
      arguments: { to: 'shown' },
      problem: 'old',
      ...expected,
    })
  })

  it('have the newest problem and the arguments of the agent while they wait', () => {
    const shown = (more: object) => decidedCall(call, { ...nothing, left: [pay], ...more })
    const waiting = { id: 'a', name: 'pay', arguments: { to: 'Ann' }, decision: null }
    expect(shown({})).toEqual(waiting)
    expect(shown({ problems: new Map([['a', 'new']]) })).toEqual({ ...waiting, problem: 'new' })
    const left = [{ ...pay, refused: { message: 'later' } }]
    expect(shown({ left })).toEqual({ ...waiting, problem: 'later' })
    expect(shown({ left, problems: new Map([['a', 'new']]) })).toEqual({ ...waiting, problem: 'new' })
    expect(decidedCall(call, { ...nothing, left: [door] })).toBe(call)
  })

  it('are an event of those that are left', () => {
    expect(approvalRequired('t', { ...nothing, left: [pay] })).toEqual({
      type: 'approval_required',
      taskId: 't',
      stepId: '',
      calls: [{ id: 'a', name: 'pay', arguments: { to: 'Ann' }, decision: null }],
    })
  })
})

describe('withdraw', () => {
  it.each(['task_not_found', 'approval', 'store_write'])(
    'rejects each call that waits; an error is %s',
    async (code) => {
      const error = new Refused(code)
      const { agent, log } = agentOf([pay, door], (id) => {
        if (id === 'b') throw error
      })
      const done = withdraw(agent, 't', { chatStore: new SimpleChatStore(), conversationId: 'c' })
      await (code === 'store_write' ? expect(done).rejects.toBe(error) : done)
      expect(log.map(([name, id]) => [name, id])).toEqual([
        ['resumeTask', undefined],
        ['reject', 'a'],
        ['reject', 'b'],
      ])
    },
  )
})
