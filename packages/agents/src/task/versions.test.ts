import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../tools/extent.ts'
import {
  type Change,
  diff,
  Items,
  keepBefore,
  patched,
  plain,
  restorableOf,
  type TaskVersion,
  versionsOf,
  WrittenLists,
} from './versions.ts'

const json = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, fc.constantFrom(null, 0, 1, 'a', 'b'), tie('object'), tie('array')),
  object: fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__', '0'), tie('value'), { maxKeys: 4 }),
  array: fc.array(tie('value'), { maxLength: 4 }),
})).value

/** Reads a change as it is stored. */
const stored = (change: Change | undefined): unknown => JSON.parse(JSON.stringify(change ?? {}))
const text = (value: unknown) => JSON.stringify(sorted(plain(value)))
const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : typeof value === 'object' && value !== null
      ? Object.entries(value)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, item]) => [key, sorted(item)])
      : value

describe('versions', () => {
  it('are what results from all changes, and earlier ones stay as they were', () => {
    fc.assert(
      fc.property(fc.array(json, { minLength: 2, maxLength: 8 }), (documents) => {
        const expected = documents.map(text)
        const versions: unknown[] = [documents[0]]
        for (const document of documents.slice(1)) {
          const before = versions.at(-1)
          // A version of another kind is replaced.
          const change = stored(diff(before, document) ?? (Array.isArray(before) ? {} : {}))
          versions.push(text(before) === text(document) ? before : patched(before, change))
        }
        expect(versions.map(text)).toEqual(expected)
        expect(documents.map(text)).toEqual(expected)
        const undone = patched(versions.at(-1), stored(diff(versions.at(-1), versions[0]) ?? [plain(versions[0])]))
        expect(text(undone)).toBe(expected[0])
      }),
      { numRuns: rounds(1000, 5000) },
    )
  })

  it('share arrays that grow, also after an undo', () => {
    const one = new Items<number>([]).with(0, [1, 2])
    const two = one.with(2, [3])
    const other = one.with(1, [9])
    expect([one, two, other].map(plain)).toEqual([
      [1, 2],
      [1, 2, 3],
      [1, 9],
    ])
    expect([two.all === one.all, other.all === one.all]).toEqual([true, false])
    expect(diff({ a: two }, { a: one })).toEqual({ a: [2, []] })
  })

  it.each<[unknown, unknown, Change | undefined]>([
    [{ a: [1, 2, 3] }, { a: [1, 9, 3] }, { a: { 1: [9] } }],
    [{ a: [{ b: 1 }, { b: 2 }] }, { a: [{ b: 3 }, { b: 2 }] }, { a: { 0: { b: [3] } } }],
    [{ a: [1, 2, 3] }, { a: [1, 9, 3, 4] }, { a: [1, [9, 3, 4]] }],
    [{ a: [1, 2, 3] }, { a: [1, 2] }, { a: [2, []] }],
    [{ a: [1] }, { a: [1] }, undefined],
    [{ a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, { a: { c: [3] } }],
    [
      { a: 1, b: 2 },
      { b: 2, c: null },
      { a: [], c: [null] },
    ],
    [{ a: [1] }, { a: { 0: 1 } }, { a: [{ 0: 1 }] }],
    [1, 1, undefined],
    [null, {}, [{}]],
  ])('from %j to %j are the change %j', (before, after, change) => {
    expect(diff(before, after)).toStrictEqual(change)
  })

  it('are freed but for the last ones', () => {
    const tasks = [1, 2, 3, 4].map((n) => ({ taskId: `t${n}` }) as never)
    const last = tasks.reduce<TaskVersion | undefined>((before, task, i) => ({ n: i, task, before }), undefined)!
    for (const [kept, found] of [
      [4, tasks],
      [2, tasks.slice(1)],
      [0, tasks.slice(3)],
    ] as const) {
      keepBefore(last, kept)
      expect(versionsOf(last)).toEqual(found)
    }
  })

  it('before the first entry have negative numbers', () => {
    const task = { task: 'c', undo: [{ task: ['a'] }, { task: ['b'] }] } as never
    const [one, two] = [restorableOf(task)!, restorableOf(task)!.before!]
    expect([one.n, one.task.task, two.n, two.task.task, two.before]).toEqual([-1, 'b', -2, 'a', undefined])
  })

  it('have parts with any name', () => {
    const data = JSON.parse('{"__proto__":1}')
    const made = patched({}, diff({}, data)) as object
    expect(Object.getOwnPropertyDescriptors(made)).toEqual(Object.getOwnPropertyDescriptors(data))
    expect(patched(made, stored(diff(made, {})))).toEqual({})
  })

  it('share what did not change', () => {
    const before = { a: { b: 1 }, c: [{ d: 1 }, { d: 2 }] }
    const after = patched(before, { c: { 1: { d: [3] } } }) as { a: object; c: Items<object> }
    expect(plain(after)).toEqual({ a: { b: 1 }, c: [{ d: 1 }, { d: 3 }] })
    expect([after.a === before.a, after.c.toArray()[0] === before.c[0]]).toEqual([true, true])
    expect(plain(before)).toBe(before)
  })

  it.each([
    ['changes', [1], { 2: [5] }, 'changes.2: expected the change of an item'],
    ['changes.a', { a: [1] }, { a: [2, []] }, 'changes.a: expected items of an array'],
    ['changes.a.0', { a: [1] }, { a: { 0: 5 } }, 'changes.a.0: expected a change'],
    ['changes.a.b', { a: {} }, { a: { b: [] } }, 'changes.a.b: expected the change of a part of the task'],
  ])('say that %s is not valid', (_, document, change, message) => {
    expect(() => patched(document, change)).toThrow(message)
  })

  it.each([
    [{ a: [1, 2, 3] }, { b: {} }],
    [{ a: [1] }, { a: [2, []] }],
    [{ a: 1 }, { a: [0, [1]] }],
    [{ a: 1 }, { a: { 0: [1] } }],
    [{ a: null }, { a: {} }],
    [{ a: 1 }, { a: null }],
    [{ a: [1] }, { a: { 1: [5] } }],
    [{ a: 1 }, 5],
    [{}, { a: [] }],
    [{ a: [1] }, { a: [1.5, []] }],
    [{ a: [1] }, { a: [-1, []] }],
    [{ a: [1] }, { a: ['1', []] }],
    [{ a: [1] }, { a: [0, 2] }],
    [{ a: [1] }, { a: [0, [1], 2] }],
    [{ a: [1] }, { a: { '-1': [5] } }],
    [{ a: [1] }, { a: { 0.5: [5] } }],
    [{ a: {} }, { a: { b: { c: [1] } } }],
  ])('refuse for %j the change %j', (document, change) => {
    expect(() => patched(document, change)).toThrow(RangeError)
  })
})

describe('WrittenLists', () => {
  it('writes each item once, and again only what differs', () => {
    const lists = new WrittenLists()
    const written: [unknown, number][] = []
    const write = (item: unknown, i: number) => {
      written.push([item, i])
      return item
    }
    const [one, two, three] = [{ n: 1 }, { n: 2 }, { n: 3 }]
    const steps: [unknown[], string, unknown[]][] = [
      [[one, two], 'a', [one, two]],
      [[one, two, three], 'a', [three]],
      [[one, three], 'b', [three]],
      [[], 'c', []],
      [[], 'c', []],
      [['x'], 'c', ['x']],
      [['x', 'y'], 'c', ['y']],
      [['x', 'y'], 'd', ['x', 'y']],
      [[null, 'x'], 'e', [null, 'x']],
      [[null, 'y'], 'f', [null, 'y']],
    ]
    for (const [live, path, items] of steps) {
      written.length = 0
      expect(lists.write(live, path, write).toArray()).toEqual(live)
      expect(written).toEqual(items.map((item) => [item, live.indexOf(item)]))
    }
  })

  it('knows the items that were read', () => {
    const lists = new WrittenLists()
    const live = ['x', 'y']
    lists.note(live, new Items(['X']), 'a')
    expect(lists.write(live, 'a', (item) => String(item).toUpperCase()).toArray()).toEqual(['X', 'Y'])
    live.push('z')
    expect(lists.write(live, 'a', (item) => `${item}!`).toArray()).toEqual(['X', 'Y', 'z!'])
  })
})
