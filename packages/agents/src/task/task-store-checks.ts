/**
 * @module
 * The contract of task stores, as checks for any test runner.
 */
import type { TaskStore } from '@x/core-model'
import { deepEqual } from '@x/core-model/internal'
import type { JournalEntry } from './journal-entry.ts'
import { SAVED_TASK_VERSION, type SavedTask } from './saved-task.ts'

/** One check. `run` rejects if the store does not pass. */
export interface StoreCheck {
  name: string
  run(): Promise<void>
}

/**
 * Returns the checks that every {@link TaskStore} must pass.
 * @param create - returns a new, empty store.
 * @example
 * for (const { run } of taskStoreChecks(() => new MemoryTaskStore())) await run()
 */
export function taskStoreChecks(create: () => TaskStore | Promise<TaskStore>): readonly StoreCheck[] {
  return CHECKS.map(([name, check]) => ({
    name,
    run: async () => check(await create()),
  }))
}

const result = (n: number, value: unknown): JournalEntry => ({
  type: 'result',
  n,
  step: 1,
  name: 'step-1/model',
  value: value as never,
})

function begin(taskId: string, conversationId: string | null = null): JournalEntry {
  const task: SavedTask = {
    version: SAVED_TASK_VERSION,
    task: { task_id: taskId, input: 'x', extra_state: {} },
    step_queue: [],
    completed_steps: [],
    undo: [],
    steps_started: 0,
    open_steps: [],
    finalized: false,
    memory_length: null,
    conversation_id: conversationId,
    conversation: [],
    owns_conversation: false,
    lists: [],
  }
  return { type: 'task', n: 0, task }
}

const CHECKS: readonly [string, (store: TaskStore) => Promise<void>][] = [
  [
    'returns null for a task that does not exist, and deletes it without an error',
    async (store) => {
      same(await store.load('none'), null)
      await store.delete('none')
      same(await store.list(), [])
    },
  ],
  [
    'returns the entries in order, exactly as they were appended',
    async (store) => {
      const entries = [begin('t'), result(1, { big: 2n ** 70n, text: '\ud800 ü\n', none: null }), result(2, [])]
      same(await store.append('t', entries.slice(0, 1), 0), true)
      same(await store.append('t', entries.slice(1), 1), true)
      same(await store.load('t'), entries)
    },
  ],
  [
    'does not share entries with its callers',
    async (store) => {
      const value = { items: [1] }
      await store.append('t', [begin('t'), result(1, value)], 0)
      value.items.push(2)
      const loaded = (await store.load('t')) as { value?: { items: number[] } }[]
      loaded[1]!.value!.items.push(3)
      same(await store.load('t'), [begin('t'), result(1, { items: [1] })])
    },
  ],
  [
    'refuses entries for another revision, and stores none of them',
    async (store) => {
      same(await store.append('t', [result(1, 0)], 1), false)
      same(await store.load('t'), null)
      await store.append('t', [begin('t')], 0)
      same(await store.append('t', [begin('t')], 0), false)
      same(await store.append('t', [result(2, 1), result(3, 2)], 2), false)
      same(await store.load('t'), [begin('t')])
    },
  ],
  [
    'lets only one of several concurrent writers append',
    async (store) => {
      await store.append('t', [begin('t')], 0)
      const writers = Array.from({ length: 8 }, (_, i) => i)
      const wins = await Promise.all(writers.map(async (i) => store.append('t', [result(1, i)], 1)))
      same(wins.filter((isStored) => isStored).length, 1)
      same(await store.load('t'), [begin('t'), result(1, wins.indexOf(true))])
    },
  ],
  [
    'stores tasks with any ids separately',
    async (store) => {
      const ids = ['a', 'A', '', '../a', 'a/b', 'ü\ud800', 'x'.repeat(300), '__proto__']
      for (const id of ids) await store.append(id, [begin(id)], 0)
      for (const id of ids) same(await store.load(id), [begin(id)])
      await store.delete('a')
      same(await store.load('a'), null)
      same(await store.load('A'), [begin('A')])
    },
  ],
  [
    'begins again after a task was deleted',
    async (store) => {
      await store.append('t', [begin('t'), result(1, 1)], 0)
      await store.delete('t')
      same(await store.append('t', [result(2, 2)], 2), false)
      same(await store.append('t', [begin('t')], 0), true)
      same(await store.load('t'), [begin('t')])
    },
  ],
  [
    'lists tasks, those that are not finished, and those of a conversation',
    async (store) => {
      await store.append('one', [begin('one', 'ann')], 0)
      await store.append('two', [begin('two', 'bob')], 0)
      await store.append('three', [begin('three')], 0)
      await store.append('one', [result(1, 1), { type: 'finalized', n: 2 }], 1)
      const ids = async (filter?: Parameters<TaskStore['list']>[0]) =>
        (await store.list(filter)).map(({ taskId }) => taskId).sort()
      same(await ids(), ['one', 'three', 'two'])
      same(await ids({ unfinished: true }), ['three', 'two'])
      same(await ids({ conversationId: 'ann' }), ['one'])
      same(await ids({ conversationId: 'ann', unfinished: true }), [])
      const [one] = await store.list({ conversationId: 'ann' })
      same(one, { taskId: 'one', conversationId: 'ann', isFinished: true, revision: 3 })
    },
  ],
]

function same(received: unknown, expected: unknown): void {
  if (deepEqual(received, expected)) return
  const shown = (value: unknown) => JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? `${item}n` : item))
  throw new Error(`expected ${shown(expected)}, received ${shown(received)}`)
}
