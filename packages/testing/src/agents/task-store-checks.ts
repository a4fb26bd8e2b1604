/**
 * @module
 * The contract of task stores, as checks for any test runner.
 */
import { type JournalEntry, SAVED_TASK_VERSION, type SavedTask } from '@x/agents/store'
import type { TaskStore } from '@x/core-model'
import { type ContractCheck, same } from '../storage/contract-check.ts'

/**
 * Returns the checks that every {@link TaskStore} must pass.
 * @param create - returns a new, empty store.
 * @param reopen - returns a second store with the data of the first one, as another process opens it. A store in memory has none.
 * @param damage - makes the first entry of a journal unreadable, as a bad disk does: the store then must read, list and delete as
 * `TaskStore` says.
 * @example
 * import { MemoryTaskStore } from '@x/agents'
 * for (const { run } of taskStoreChecks(() => new MemoryTaskStore())) await run()
 */
export function taskStoreChecks<Store extends TaskStore>(
  create: () => Store | Promise<Store>,
  reopen: (store: Store) => TaskStore | Promise<TaskStore> = (store) => store,
  damage?: (store: Store, taskId: string) => unknown,
): readonly ContractCheck[] {
  return CHECKS.map(([name, check]) => ({
    name,
    run: async () => {
      const store = await create()
      await check(store, await reopen(store), damage && (async (taskId) => damage(store, taskId)))
    },
  }))
}

const result = (n: number, value: unknown): JournalEntry => ({
  type: 'result',
  n,
  at: 0,
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
    open_steps: {},
    finalized: false,
    memory_length: null,
    conversation_id: conversationId,
    conversation: [],
    owns_conversation: false,
  }
  return { type: 'task', at: 0, n: 0, task }
}

type Check = (store: TaskStore, other: TaskStore, damage?: (taskId: string) => Promise<unknown>) => Promise<void>

const CHECKS: readonly [string, Check][] = [
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
    'refuses a writer that another process has overtaken',
    async (store, other) => {
      for (let round = 0; round < 50; round++) {
        const id = `t${round}`
        same(await store.append(id, [begin(id)], 0), true)
        // The other process waits for the next revision, and takes it while the first write is not over yet.
        const late = appendAt(other, id, result(2, 'other'), 2)
        same(await store.append(id, [result(1, 'own')], 1), true)
        await late
        same(await store.append(id, [result(2, 'own')], 2), false)
        same(await store.load(id), [begin(id), result(1, 'own'), result(2, 'other')])
      }
    },
  ],
  [
    'stores exactly the entries of the writers that won, in two processes',
    async (store, other) => {
      await store.append('t', [begin('t')], 0)
      const wins: JournalEntry[] = [begin('t')]
      const write = async (by: TaskStore, name: string) => {
        for (let revision = 1; revision <= 30; ) {
          const entry = result(revision, name)
          if (await by.append('t', [entry], revision)) {
            same(wins[revision], undefined)
            wins[revision] = entry
          }
          revision = (await by.load('t'))!.length
        }
      }
      await Promise.all([write(store, 'own'), write(other, 'other')])
      same(await store.load('t'), wins)
      same(await other.load('t'), wins)
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
    'keeps a blob, if the store has blobs, until the last of its tasks is deleted',
    async (store, other) => {
      if (!store.blobs) return
      const blobs = new Map([
        ['a'.repeat(64), JSON.stringify('\ud800 ü\n'.repeat(50_000))],
        ['b'.repeat(64), '"b"'],
      ])
      const [hash] = blobs.keys()
      const get = async (taskId: string, from = store) =>
        Object.fromEntries(await from.blobs!.get(taskId, [...blobs.keys()]))
      await store.blobs.put('one', blobs)
      await store.append('one', [begin('one')], 0)
      await other.blobs!.put('two', new Map([...blobs].slice(0, 1)))
      await store.blobs.put('one', blobs)
      same(await get('one', other), Object.fromEntries(blobs))
      same(await get('two'), { [hash!]: blobs.get(hash!) })
      await store.delete('one')
      same(await get('one'), {})
      same(await get('two', other), { [hash!]: blobs.get(hash!) })
      await store.delete('two')
      same(await get('two'), {})
      await store.blobs.put('two', blobs)
      same(await get('two'), Object.fromEntries(blobs))
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
  [
    'lists a damaged task with the others, names it in the error of load, and deletes it',
    async (store, other, damage) => {
      if (!damage) return
      for (const id of ['one', 'Two', 'three']) await store.append(id, [begin(id), { type: 'decided', n: 1 }], 0)
      await damage('Two')
      for (const by of [store, other]) {
        const ids = async (filter?: Parameters<TaskStore['list']>[0]) =>
          (await by.list(filter)).map(({ taskId }) => taskId).sort()
        for (const filter of [{}, { unfinished: true }, { active: true }])
          same(await ids(filter), ['Two', 'one', 'three'])
        same(((await by.load('one')) ?? []).length, 2)
        const error = await Promise.resolve()
          .then(() => by.load('Two'))
          .catch((thrown: unknown) => thrown)
        const { code, taskId } = Object(error) as { code?: string; taskId?: string }
        same([code, taskId], ['store_read', 'Two'])
      }
      await store.delete('Two')
      same(await other.load('Two'), null)
      same((await other.list()).length, 2)
      same(await store.append('Two', [begin('Two')], 0), true)
    },
  ],
]

/** Appends an entry as soon as the journal has this revision. */
async function appendAt(store: TaskStore, taskId: string, entry: JournalEntry, revision: number): Promise<void> {
  for (let tries = 1; tries <= 5000; tries++) {
    if (await store.append(taskId, [entry], revision)) return
    if (tries % 20 === 0) await new Promise((resolve) => setTimeout(resolve))
  }
  throw new Error(`expected that an entry can be appended at revision ${revision}`)
}
