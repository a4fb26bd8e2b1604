import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../tools/extent.ts'
import { Items } from './shared-items.ts'
import { type Change, diff, patched, plain } from './versions.ts'

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

  it.each([
    [{ a: [1, 2, 3] }, { b: {} }],
    [{ a: [1] }, { a: [2, []] }],
    [{ a: 1 }, { a: [0, [1]] }],
    [{ a: [1] }, { a: { 1: [5] } }],
    [{ a: 1 }, 5],
    [{}, { a: [] }],
  ])('refuse for %j the change %j', (document, change) => {
    expect(() => patched(document, change)).toThrow(RangeError)
  })
})
