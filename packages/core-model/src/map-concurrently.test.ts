import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mapConcurrently } from './map-concurrently.ts'

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await null
}

describe('mapConcurrently', () => {
  it('returns results in item order, starts in item order, and respects the limit', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(8)), fc.integer({ min: 1, max: 5 }), async (waits, limit) => {
        const started: number[] = []
        let running = 0
        let most = 0
        const results = await mapConcurrently(waits, limit, async (wait, index) => {
          started.push(index)
          most = Math.max(most, ++running)
          await turns(wait)
          running -= 1
          return `${index}:${wait}`
        })
        expect(results).toEqual(waits.map((wait, index) => `${index}:${wait}`))
        expect(started).toEqual(waits.map((_, index) => index))
        expect(most).toBe(Math.min(limit, waits.length))
      }),
    )
  })

  it.each([0, -3, Number.NaN, 0.5])('runs one item at a time with the limit %d', async (limit) => {
    let running = 0
    const results = await mapConcurrently([1, 2, 3], limit, async (item) => {
      expect(++running).toBe(1)
      await turns(2)
      running -= 1
      return item
    })
    expect(results).toEqual([1, 2, 3])
  })

  it('starts no item after a failure, waits for running items, and throws the first error', async () => {
    const log: string[] = []
    const work = mapConcurrently([0, 1, 2, 3], 2, async (item) => {
      log.push(`start ${item}`)
      await turns(item === 0 ? 10 : 1)
      log.push(`end ${item}`)
      throw new Error(`failed ${item}`)
    })
    await expect(work).rejects.toThrow('failed 1')
    expect(log).toEqual(['start 0', 'start 1', 'end 1', 'end 0'])
  })

  it('rejects with undefined when an item throws undefined', async () => {
    await expect(mapConcurrently([1], 1, () => Promise.reject(undefined))).rejects.toBeUndefined()
  })
})
