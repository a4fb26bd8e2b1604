import { EmbeddingDimensionError } from '@x/core-model'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { VectorIndex } from './vector-index.ts'

const vector = fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 2, maxLength: 2 })
const invalid = expect.objectContaining({ code: 'model_validation' })

describe('VectorIndex', () => {
  it('ranks by cosine, keeps the order of ties, and scores zero vectors 0', () => {
    fc.assert(
      fc.property(fc.array(vector, { maxLength: 10 }), vector, (vectors, query) => {
        const index = new VectorIndex()
        for (const vector of vectors) index.add(vector)
        const cosine = ([a, b]: number[]) =>
          (a! * query[0]! + b! * query[1]!) / (Math.hypot(a!, b!) * Math.hypot(...query)) || 0
        const found = index.search(query, 10)
        expect(found).toHaveLength(vectors.length)
        found.forEach(({ index: at, score }) => {
          expect(score).toBeCloseTo(cosine(vectors[at]!), 6)
        })
        expect([...found].sort((one, other) => other.score - one.score || one.index - other.index)).toEqual(found)
        expect(index.search(query, 3)).toEqual(found.slice(0, 3))
      }),
    )
  })

  it('returns the same matches as a new index after any additions, replacements and removals', () => {
    const step = fc.oneof(
      { weight: 2, arbitrary: fc.record({ add: vector }) },
      fc.record({ remove: fc.nat(50) }),
      fc.record({ replace: fc.nat(50), by: vector }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), vector, (steps, query) => {
        const index = new VectorIndex()
        let live: { position: number; vector: number[] }[] = []
        for (const each of steps) {
          if ('add' in each) live.push({ position: index.add(each.add), vector: each.add })
          else if (live.length === 0) continue
          else if ('remove' in each) {
            const entry = live[each.remove % live.length]!
            index.remove(entry.position)
            live = live.filter((other) => other !== entry)
          } else {
            const entry = live[each.replace % live.length]!
            index.replace(entry.position, each.by)
            entry.vector = each.by
          }
        }
        const fresh = new VectorIndex()
        for (const entry of live) fresh.add(entry.vector)
        expect(index.size).toBe(live.length)
        const found = index.search(query, 100).map((match) => ({
          ...match,
          index: live.findIndex(({ position }) => position === match.index),
        }))
        expect(found).toEqual(fresh.search(query, 100))
      }),
    )
  })

  it('finds vectors in each block', () => {
    const index = new VectorIndex()
    const dimension = 1000 // 65 vectors per block
    for (let i = 0; i < 200; i++) index.add(Array.from({ length: dimension }, (_, at) => (at === i ? 1 : 0)))
    for (const i of [0, 64, 65, 129, 130, 199])
      expect(
        index.search(
          Array.from({ length: dimension }, (_, at) => (at === i ? 2 : 0)),
          1,
        ),
      ).toEqual([{ index: i, score: 1 }])
    const large = new VectorIndex()
    large.add(new Array<number>(100_000).fill(1))
    expect(large.search(new Array<number>(100_000).fill(1), 1)[0]!.score).toBeCloseTo(1, 5)
  })

  it('accepts vectors of a different length once it is empty', () => {
    const index = new VectorIndex()
    index.remove(index.add([1, 2]))
    expect(index.search([1], 1)).toEqual([])
    index.add([1])
    expect(index.search([1], 1)).toEqual([{ index: 0, score: 1 }])
  })

  it('rejects a vector of a different length', () => {
    const index = new VectorIndex()
    index.add([1, 2])
    expect(() => index.add([1])).toThrow(EmbeddingDimensionError)
    expect(() => index.add([1])).toThrow('of its pipeline): expected 2, received 1.')
    expect(() => index.replace(0, [1])).toThrow(EmbeddingDimensionError)
    expect(() => index.search([1, 2, 3], 1)).toThrow(EmbeddingDimensionError)
    expect(index.size).toBe(1)
    expect(() => index.check([[1]])).toThrow(EmbeddingDimensionError)
    expect(() => index.check([[3, 4]])).not.toThrow()
    expect(() => new VectorIndex().check([[1], [1, 2]])).toThrow(EmbeddingDimensionError)
    for (const vectors of [[], [[1]], [[1], [2]]]) expect(() => new VectorIndex().check(vectors)).not.toThrow()
    expect(() => index.check([[1, Number.NaN]])).toThrow(invalid)
  })

  it('rejects numbers, limits and positions out of range', () => {
    const index = new VectorIndex()
    expect(() => index.add([1, Number.NaN])).toThrow('VectorIndex.vector[1]: expected a finite number, received NaN.')
    index.add([1, 2])
    expect(() => index.search([1, Number.POSITIVE_INFINITY], 1)).toThrow(invalid)
    expect(index.search([1, 2], 0)).toEqual([])
    for (const limit of [-1, Number.NaN, 1.5]) expect(() => index.search([1, 2], limit)).toThrow(invalid)
    for (const position of [1, -1, 0.5]) expect(() => index.remove(position)).toThrow(invalid)
    index.remove(0)
    expect(() => index.remove(0)).toThrow(invalid)
    expect(() => index.replace(0, [1, 2])).toThrow(invalid)
  })
})
