import { ChatMemoryBuffer } from '@x/core-model/memory'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sharedSnapshots, TaskSnapshot } from './agent-state.ts'
import { snapshotState } from './task-step.ts'

/** A change of a state: an array grows, is shortened, replaced or removed. */
const change = fc.record({
  key: fc.constantFrom('a', 'b'),
  kind: fc.constantFrom('add', 'add', 'add', 'cut', 'replace', 'remove', 'undo'),
  value: fc.nat(2),
})

function changed(state: Record<string, unknown>, { key, kind, value }: { key: string; kind: string; value: number }) {
  const next = snapshotState(state)
  const items = (next[key] ?? []) as number[]
  if (kind === 'add') next[key] = [...items, value]
  if (kind === 'cut') next[key] = items.slice(0, value)
  if (kind === 'replace') next[key] = [value]
  if (kind === 'remove') delete next[key]
  return next
}

describe('TaskSnapshot', () => {
  it('keeps every state after any changes of its arrays', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 20 }), (changes) => {
        let state: Record<string, unknown> = {}
        const snapshots: TaskSnapshot[] = []
        const expected: string[] = []
        for (const one of changes) {
          if (one.kind === 'undo') {
            const last = snapshots.pop()
            if (!last) continue
            state = last.extraState
            expect(JSON.stringify(state)).toBe(expected.pop())
            continue
          }
          const before = state
          const snapshot = new TaskSnapshot(1, () => ({ queue: [], extraState: before }))
          snapshots.at(-1)?.shareWith(snapshot)
          snapshots.push(snapshot)
          expected.push(JSON.stringify(state))
          state = changed(state, one)
        }
        expect(snapshots.map(({ extraState }) => JSON.stringify(extraState))).toEqual(expected)
      }),
    )
  })

  it('does not change with an array that was restored from it', () => {
    const [first] = sharedSnapshots(
      [[1], [1, 2]].map((a) => new TaskSnapshot(1, () => ({ queue: [], extraState: { a } }))),
    )
    const restored = first!.extraState['a'] as number[]
    restored.push(9)
    expect(first!.extraState).toEqual({ a: [1] })
  })

  it('needs memory in proportion to the steps', () => {
    const items = Array.from({ length: 1000 }, (_, i) => ({ i }))
    const snapshots = sharedSnapshots(
      items.map((_, i) => new TaskSnapshot(1, () => ({ queue: [], extraState: { items: items.slice(0, i) } }))),
    )
    const arrays = new Set<readonly unknown[]>()
    const visit = (value: unknown): void => {
      if (value instanceof Map) for (const item of value.values()) visit(item)
      else if (Array.isArray(value)) arrays.add(value)
      else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) visit(item)
    }
    for (const snapshot of snapshots) visit(snapshot)
    expect([...arrays].reduce((sum, { length }) => sum + length, 0)).toBeLessThan(2000)
  })
})

/** A log whose entries only its methods can read. */
function logOf(entries: string[]) {
  return { entries: () => entries, add: (entry: string) => entries.push(entry), clone: () => logOf([...entries]) }
}

it('a snapshot does not change with the state', () => {
  const state = {
    list: ['a'],
    object: { a: 1 } as Record<string, number>,
    map: new Map([['a', 1]]),
    set: new Set(['a']),
    memory: ChatMemoryBuffer.fromDefaults({ chatHistory: [{ content: 'a' }] }),
    log: logOf(['a']),
  }
  const before = snapshotState(state) as typeof state
  state.list.push('b')
  state.object['b'] = 2
  state.map.set('b', 2)
  state.set.add('b')
  state.memory.reset()
  state.log.add('b')
  expect([before.list, before.object, [...before.map.keys()], [...before.set]]).toEqual([['a'], { a: 1 }, ['a'], ['a']])
  expect(before.memory.getAll().map(String)).toEqual(['user: a'])
  expect(before.log.entries()).toEqual(['a'])
})

it('a snapshot shares immutable values', () => {
  const output = Object.freeze(new Date(0))
  const copy = snapshotState({ output, text: 'a', none: null })
  expect(copy).toEqual({ output, text: 'a', none: null })
  expect(copy['output']).toBe(output)
})
