import { FunctionCallingAgent, FunctionTool } from '@x/agents'
import { TaskClaimedError } from '@x/agents/errors'
import { expect, it } from 'vitest'
import { functionCallingLlm, toolCall } from '../../agents/test/function-calling-llm.ts'
import { applyDecisions, notWaiting, TaskDecisions, type WaitingAgent, waitingCall } from './task-decisions.ts'
import { entriesOf, type RecordChange, type TaskRecord } from './task-record.ts'

const schema = { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] } as const
const pay = FunctionTool.fromDefaults({ name: 'pay', schema, needsApproval: true, fn: ({ to }) => `paid ${to}` })

/** An agent whose task waits for two calls. */
async function waiting() {
  const turn = ['a', 'b'].map((id) => toolCall(id, 'pay', { to: id }))
  const agent = FunctionCallingAgent.fromTools({ llm: functionCallingLlm([turn] as never), tools: [pay] })
  await expect(agent.chat('Pay!', { taskId: 't' })).rejects.toMatchObject({ code: 'approval_required' })
  return agent
}
const wrong = { callId: 'a', type: 'edit', arguments: { to: 1 } } as const

it('has the calls that wait, and counts refused decisions about them', async () => {
  const task = new TaskDecisions(await waiting(), 't')
  expect(task.calls.map(({ id, awaits }) => [id, awaits])).toEqual([
    ['a', 'approval'],
    ['b', 'approval'],
  ])
  await task.apply(wrong)
  await task.apply(wrong)
  expect(task.calls.map(({ refused }) => refused)).toMatchObject([{ code: 'tool_input', count: 2 }, undefined])
  await task.apply({ callId: 'a', type: 'approve' })
  expect(task.calls.map(({ id }) => id)).toEqual(['b'])
})

it('says why a decision did not count if its call waits again', async () => {
  const agent = await waiting()
  const task = new TaskDecisions(agent, 't')
  await task.apply({ callId: 'a', type: 'approve' })
  const again = { id: 'a', name: 'pay', arguments: {}, problem: 'The tool has changed.' }
  Object.assign(agent, { getPendingApprovals: () => [again] })
  const refused = { code: 'approval', message: 'The tool has changed.', count: 1 }
  expect(task.calls).toMatchObject([{ problem: 'The tool has changed.', refused }])
})

it('has of a call what is known of it', () => {
  const call = { id: 'a', name: 'pay', arguments: {} }
  const more = { parent: 'p', problem: 'other arguments', awaits: 'result', approval: { id: 'q' } }
  const agent = { getPendingApprovals: () => [call, { ...call, ...more }] } as unknown as WaitingAgent
  const { approval, ...known } = more
  expect(new TaskDecisions(agent, 't').calls).toStrictEqual([
    { ...call, awaits: 'approval' },
    { ...call, ...known, approvalId: approval.id },
  ])
})

it('applies the decisions of a record that a process has not applied yet', async () => {
  const agent = await waiting()
  await agent.approve('t', 'a')
  const decisions = ['a', 'b'].map((callId) => ({ callId, type: 'approve' }))
  const record = { taskId: 't', calls: [], decisions, refusals: new Map() } as unknown as TaskRecord
  expect(await applyDecisions(agent, record)).toMatchObject({ calls: [], question: undefined })
})

it('continues to count where another object has ended', async () => {
  const agent = await waiting()
  const first = new TaskDecisions(agent, 't')
  await first.apply(wrong)
  const next = new TaskDecisions(
    agent,
    't',
    first.calls.map(({ id, refused }) => [id, refused]),
  )
  await next.apply(wrong)
  expect(next.calls[0]?.refused?.count).toBe(2)
})

it.each([new TaskClaimedError('t'), new Error('the store is down')])('throws what is no refusal: %s', async (error) => {
  const agent = await waiting()
  const broken: WaitingAgent = Object.assign(Object.create(agent), { approve: () => Promise.reject(error) })
  const task = new TaskDecisions(broken, 't')
  await expect(task.apply({ callId: 'a', type: 'approve' })).rejects.toBe(error)
  expect(task.calls[0]?.refused).toBeUndefined()
})

it('returns the call that a decision is about, and refuses a decision about another one', async () => {
  const { calls } = new TaskDecisions(await waiting(), 't')
  expect(waitingCall('t', calls, { callId: 'b', type: 'approve' })).toBe(calls[1])
  expect(() => waitingCall('t', calls, { callId: 'c', type: 'approve' })).toThrow(notWaiting('t', 'c').message)
  const { id: callId, approvalId } = calls[1]!
  expect(waitingCall('t', calls, { callId, type: 'approve', approvalId })).toBe(calls[1])
  expect(waitingCall('t', calls, { callId, type: 'reject', approvalId: 'old' })).toBe(calls[1])
  const other = expect.objectContaining({ code: 'approval', message: expect.stringContaining('another question') })
  expect(() => waitingCall('t', calls, { callId, type: 'approve', approvalId: 'old' })).toThrow(other)
})

it('names the call that does not wait', () => {
  expect(notWaiting('t', 'x')).toMatchObject({ code: 'approval', message: expect.stringContaining('"x" waits') })
})

it('a task that waits is due at once if it has not applied a decision', () => {
  const entry = { type: 'waiting', calls: [], applied: 1 } as unknown as RecordChange
  const after = (decisions: number) => entriesOf(entry, { decisions: Array(decisions).fill(wrong) } as never)
  expect([after(1), after(2)]).toEqual([[entry], [entry, { type: 'due' }]])
})
