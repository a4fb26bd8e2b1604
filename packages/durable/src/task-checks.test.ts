import { MemoryTaskStore } from '@x/agents'
import { describe, expect, it } from 'vitest'
import type { WaitingCall } from './durable-tasks.ts'
import { StoredTasks } from './stored-tasks.ts'
import { checkForkStep, checkRetry, checkTaskId, hasEnded, listedTasks, RECORDS, stepNumber } from './task-checks.ts'
import {
  entriesOf,
  interruption,
  isDue,
  isForkOfOther,
  isOf,
  type RecordEntry,
  type TaskRecord,
  TaskRecords,
} from './task-record.ts'

describe('the id of a task', () => {
  it.each([
    ['', '""'],
    [7, '7'],
    [undefined, 'undefined'],
  ])('is not %j', (value, received) => {
    expect(() => checkTaskId('test: taskId', value)).toThrow(
      `test: taskId: expected a string with at least one character, received ${received}.`,
    )
  })
})

it('the id of a task is not that of the record of another one', async () => {
  const tasks = new StoredTasks({ store: new MemoryTaskStore(), agent: () => expect.unreachable() })
  const options = { taskId: 'submitted/o', startedBy: undefined }
  await expect(tasks.submit('hi', options)).rejects.toMatchObject({ code: 'configuration' })
  await tasks.submit('hi', { taskId: 'o/submitted/o' })
  expect(
    () => new StoredTasks({ store: new MemoryTaskStore(), agent: () => expect.unreachable(), leaseMs: 0 }),
  ).toThrow('leaseMs')
})

describe('a retry', () => {
  it.each([
    ['finished', 'task_finalized'],
    ['queued', 'task_busy'],
    ['running', 'task_busy'],
    ['waiting', 'task_busy'],
  ] as const)('of a task that is %s throws %s', (status, code) => {
    expect(() => checkRetry('t', status)).toThrow(expect.objectContaining({ code, taskId: 't' }))
  })

  it.each([
    ['waiting', 'Task "t" waits for a decision.'],
    ['queued', 'Task "t" has not ended; wait for it.'],
    ['running', 'Task "t" has not ended; wait for it.'],
  ] as const)('of a task that is %s advises to cancel nothing', (status, message) => {
    expect(() => checkRetry('t', status)).toThrow(message)
  })

  it.each(['failed', 'cancelled'] as const)('of a task that is %s is possible', (status) => {
    expect(checkRetry('t', status)).toBeUndefined()
  })
})

describe('a fork', () => {
  it.each([0, 3])('at step %d of 3 is possible', (atStep) => {
    expect(checkForkStep('t', atStep, 3)).toBeUndefined()
  })

  it.each([-1, 4, 1.5, Number.NaN])('at step %d of 3 is refused', (atStep) => {
    const error = { code: 'invalid_step', message: `Task "t" cannot be forked at step ${atStep} of 3.` }
    expect(() => checkForkStep('t', atStep, 3)).toThrow(expect.objectContaining(error))
  })
})

describe('a list of tasks', () => {
  it('has those of all users, or of one', () => {
    expect(listedTasks('list', {})('any')).toBe(true)
    const isListed = listedTasks('list', { user: 'ann' })
    expect(isListed('any')).toBe(false)
    for (const user of ['', undefined])
      expect(() => listedTasks('list', { user } as never)).toThrow('list.user: expected')
    expect(() => listedTasks('list', { status: 'gone' } as never)).toThrow('list.status: expected')
  })
})

it('a task has ended in three of its states', () => {
  const all = ['queued', 'running', 'waiting', 'finished', 'failed', 'cancelled'] as const
  expect(all.filter(hasEnded)).toEqual(['finished', 'failed', 'cancelled'])
})

it('a name begins with the number of its step', () => {
  expect(['step-12/call', 'step-3', 'a step-3/', 'other'].map(stepNumber)).toEqual([12, 0, 0, 0])
})

describe('the record of a task', () => {
  const submitted = (taskId = 't') =>
    ({
      type: 'submitted',
      request: { input: 'Hi' },
      task: { task: { task_id: RECORDS + taskId } },
      at: 1,
    }) as RecordEntry
  const of = async (...entries: object[]) =>
    (await new TaskRecords({ load: async () => [submitted(), ...entries] } as never).find('t'))!
  const started = { type: 'started', run: 'r', leaseMs: 5 }
  const call = (id: string, count = 0): WaitingCall =>
    ({ id, name: 'pay', arguments: {}, ...(count > 0 && { refused: { code: 'no', message: 'No.', count } }) }) as never
  const waits = (applied: number, ...calls: WaitingCall[]) => ({ type: 'waiting', calls, applied, at: 3 })
  const decided = (callId: string) => ({ type: 'decided', decision: { callId, type: 'approve' } })
  const [a, b] = ['a', 'b'].map((id) => decided(id).decision)
  const failed = { type: 'failed', error: { name: 'E', code: null, message: 'gone' }, entries: 2 }
  const left = { type: 'left', problem: { name: 'E', code: null, message: 'cannot' } }
  const interrupted = (progress: number) => ({ type: 'interrupted', progress })
  const nothing = { calls: [], decisions: [] }

  it.each<[string, object[], object]>([
    [
      'its submission',
      [],
      { status: 'queued', isRun: false, revision: 1, submittedAt: 1, request: { input: 'Hi' }, rows: [] },
    ],
    ['a run', [started], { status: 'running', run: 'r', isRun: true, leaseMs: 5, revision: 2 }],
    ['a sign of life', [started, { type: 'alive', leaseMs: 9 }], { status: 'running', isRun: true, leaseMs: 9 }],
    [
      'calls that wait',
      [started, waits(0, call('a'))],
      { status: 'waiting', isRun: false, calls: [call('a')], left: 0 },
    ],
    ['no calls that wait', [started, waits(0)], { status: 'queued', isRun: false, calls: [] }],
    [
      'a decision',
      [waits(0, call('a'), call('b')), decided('a')],
      { status: 'waiting', calls: [call('b')], decisions: [a] },
    ],
    ['the last decision', [waits(0, call('a')), decided('a')], { status: 'queued', calls: [], decisions: [a] }],
    [
      'a run that applies a decision',
      [waits(0, call('a'), call('b')), decided('a'), started],
      { status: 'waiting', isRun: true },
    ],
    [
      'a decision that came later',
      [waits(0, call('a'), call('b')), decided('a'), decided('b'), waits(1, call('b'), call('c'))],
      { status: 'waiting', calls: [call('c')], decisions: [b], refusals: new Map(), rows: [] },
    ],
    [
      'decisions about all of its calls',
      [waits(0, call('b')), decided('b'), waits(0, call('b'))],
      { status: 'queued', calls: [], decisions: [b] },
    ],
    [
      'a decision that was refused',
      [waits(0, call('a')), decided('a'), waits(1, call('a', 1))],
      {
        calls: [call('a', 1)],
        decisions: [],
        refusals: new Map([['a', call('a', 1).refused]]),
        rows: [{ type: 'refused', decision: a, call: call('a', 1), at: 3 }],
      },
    ],
    [
      'a refusal that is known',
      [waits(0, call('a', 1), call('b')), decided('a'), waits(1, call('a', 1), call('b', 1))],
      { rows: [], refusals: new Map(['a', 'b'].map((id) => [id, call('a', 1).refused])) },
    ],
    [
      'an answer',
      [waits(0, call('a')), { type: 'answered', answer: 5 }],
      { status: 'finished', answer: 5, ...nothing },
    ],
    [
      'a failure',
      [started, failed],
      { status: 'failed', isRun: false, error: failed.error, rows: [failed], ...nothing },
    ],
    [
      'a cancellation',
      [waits(0, call('a')), left, { type: 'cancelled' }],
      { status: 'cancelled', isRun: false, problem: undefined, rows: [{ type: 'cancelled' }], left: 1, ...nothing },
    ],
    ['its end', [failed, { type: 'finalized', at: 7 }], { status: 'failed', endedAt: 7 }],
    [
      'a retry',
      [failed, { type: 'finalized', at: 7 }, { type: 'retried' }],
      { status: 'queued', error: undefined, endedAt: undefined, rows: [failed, { type: 'retried' }] },
    ],
    [
      'a child',
      [
        { type: 'child', taskId: 'x' },
        { type: 'child', taskId: 'y' },
      ],
      { children: ['x', 'y'] },
    ],
    ['a run that stops', [started, { type: 'yielded' }], { status: 'queued', isRun: false }],
    [
      'a run that stops while calls wait',
      [waits(0, call('a')), started, { type: 'yielded' }],
      { status: 'waiting', isRun: false },
    ],
    [
      'a worker that leaves it',
      [started, left, left],
      { status: 'queued', isRun: false, problem: left.problem, left: 2 },
    ],
    ['a worker that takes it', [left, started], { problem: undefined, left: 1 }],
    ['an interruption', [started, interrupted(0)], { status: 'queued', isRun: false, interruptions: 1, progress: 0 }],
    [
      'interruptions without progress',
      [interrupted(2), interrupted(2), interrupted(2)],
      { interruptions: 3, progress: 2 },
    ],
    [
      'an interruption after progress',
      [interrupted(2), interrupted(2), interrupted(3)],
      { interruptions: 1, progress: 3 },
    ],
    ['a step after an interruption', [interrupted(0), waits(0, call('a'))], { interruptions: 0 }],
    ['something that is due', [{ type: 'due' }], { status: 'queued' }],
  ])('says the state after %s', async (_, entries, expected) => {
    expect(await of(...entries)).toMatchObject(expected)
  })

  it('is not that of another task, and begins with its submission', async () => {
    const read = (...entries: object[]) => new TaskRecords({ load: async () => entries } as never).find('t')
    await expect(read(submitted('u'))).rejects.toThrow('The record of task "t" cannot be read: it is that of "u"')
    for (const entries of [[], [started]])
      await expect(read(...entries)).rejects.toThrow('it does not begin with an entry of type "submitted"')
    const none = new TaskRecords({ load: async () => null } as never)
    expect([await none.find('t'), await none.find(5 as never)]).toEqual([null, null])
    await expect(none.read('t')).rejects.toMatchObject({ code: 'task_not_found' })
  })

  it('is changed as it is, once per child, and listed by its task', async () => {
    const store = new MemoryTaskStore()
    const records = new TaskRecords(store)
    expect([await records.create('t', { input: 'Hi' }), await records.create('t', { input: 'Ho' })]).toEqual([
      true,
      false,
    ])
    await records.addChild('t', 'x')
    await records.addChild('t', 'x')
    expect(await records.read('t')).toMatchObject({ children: ['x'], revision: 2, request: { input: 'Hi' } })
    const seen: number[] = []
    const before = await records.change('t', ({ revision }) => {
      seen.push(revision)
      // Another process is faster, once.
      if (seen.length === 1) void store.append(`${RECORDS}t`, [{ type: 'child', taskId: 'y' }], 2)
      return [{ type: 'child', taskId: 'z' }]
    })
    expect([seen, before.children]).toEqual([
      [2, 3],
      ['x', 'y'],
    ])
    await store.append('journal', [{ type: 'task', task: { task_id: 'journal' } }], 0)
    expect(await records.list({})).toEqual([{ taskId: 't', revision: 4, isFinished: false }])
    await records.delete('t')
    expect(await records.find('t')).toBeNull()
  })

  it('has an entry for its end, and for decisions that were not applied', async () => {
    const record = await of(decided('a'), decided('b'))
    const types = (entry: object, own?: TaskRecord) => entriesOf(entry as never, own).map(({ type }) => type)
    expect(types({ type: 'answered' })).toEqual(['answered', 'finalized'])
    expect(types(failed)).toEqual(['failed', 'finalized'])
    expect(types({ type: 'cancelled' }, record)).toEqual(['cancelled'])
    expect([types(waits(1), record), types(waits(2), record), types(waits(1))]).toEqual([
      ['waiting', 'due'],
      ['waiting'],
      ['waiting'],
    ])
  })

  it('fails when processes end again and again without progress', async () => {
    const journal = [{ type: 'step' }, { type: 'other', entries: [{ type: 'result' }, { type: 'call' }] }]
    const record = await of(interrupted(2), interrupted(2))
    expect(interruption(record, journal, 3)).toEqual({ type: 'interrupted', progress: 2 })
    expect(interruption(record, [...journal, { type: 'result' }], 2)).toEqual({ type: 'interrupted', progress: 3 })
    expect(interruption(record, journal, 2)).toMatchObject({
      type: 'failed',
      entries: 2,
      error: { code: 'task_abandoned', message: expect.stringContaining('Task "t" was abandoned: 3 processes ended') },
    })
  })

  it('says whether a run is its own, and whether it is due', async () => {
    const [queued, running, waiting, applying] = await Promise.all([
      of(),
      of(started),
      of(waits(0, call('a'))),
      of(waits(0, call('a'), call('b')), decided('a')),
    ])
    expect([queued, running, waiting, applying].map(isDue)).toEqual([true, false, false, true])
    expect(isDue(await of({ type: 'answered' }))).toBe(false)
    expect([isOf('r', running), isOf('s', running), isOf('r', await of(started, { type: 'yielded' }))]).toEqual([
      true,
      false,
      false,
    ])
  })

  it('says whether it is a fork of another task with the id of a deleted one', async () => {
    const original = await of()
    const fork = (submittedAt?: number) =>
      ({ ...original, request: { input: '', fork: { taskId: 't', submittedAt } } }) as TaskRecord
    expect([fork(1), fork(2), fork(), original, null].map((task) => isForkOfOther(task, original))).toEqual([
      false,
      true,
      false,
      false,
      false,
    ])
    expect(isForkOfOther(fork(2), null)).toBe(false)
  })
})
