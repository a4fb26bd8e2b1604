import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { growthOf } from '../../../../tools/growth.ts'
import { type Links, orderRuns } from './order-runs.ts'

/** `a<b>c`: item b with previous a and next c; `_` means no neighbour. */
const items = (...specs: string[]) =>
  new Map<string, Links>(
    specs.map((spec) => {
      const [, previous, key, next] = /^(\w)<(\w)>(\w)$/.exec(spec)!
      return [key!, { previous: previous === '_' ? null : previous!, next: next === '_' ? null : next! }]
    }),
  )

describe('orderRuns', () => {
  it('orders each chain by its links, and chains by their earliest member', () => {
    expect(orderRuns(items('c<d>e', 'a<b>c', '_<x>_', 'b<c>d'))).toEqual(['b', 'c', 'd', 'x'])
  })

  it('uses a link that only one of its ends has', () => {
    expect(orderRuns(items('_<b>_', '_<a>b'))).toEqual(['a', 'b'])
    expect(orderRuns(items('a<b>_', '_<a>_'))).toEqual(['a', 'b'])
  })

  it('starts a cycle at its first item', () => {
    expect(orderRuns(items('a<b>c', 'b<c>a', 'c<a>b'))).toEqual(['b', 'c', 'a'])
    expect(orderRuns(items('a<a>a'))).toEqual(['a'])
  })

  it('uses one successor and one predecessor per item: those of the first link', () => {
    expect(orderRuns(items('_<a>c', '_<b>c', '_<c>_'))).toEqual(['a', 'c', 'b'])
    expect(orderRuns(items('a<x>_', 'a<y>_', '_<a>y'))).toEqual(['x', 'a', 'y'])
  })

  it('returns every item once for any links', () => {
    const key = fc.constantFrom('a', 'b', 'c', 'd', 'e')
    const links = fc.dictionary(key, fc.record({ next: fc.option(key), previous: fc.option(key) }))
    fc.assert(
      fc.property(links, (record) => {
        const map = new Map(Object.entries(record))
        expect(orderRuns(map).sort()).toEqual([...map.keys()].sort())
      }),
    )
  })

  it('takes linear time on one long chain in reverse order', { tags: 'growth' }, async () => {
    const order = (size: number) => {
      const chain = new Map<string, Links>()
      for (let i = size; i > 0; i--) chain.set(String(i), { next: String(i + 1), previous: null })
      return orderRuns(chain)
    }
    expect(order(20_000)[0]).toBe('1')
    // Many chains, because a table of one that is longer does not fit into the caches of a processor, where each look-up takes longer.
    const orderMany = (size: number) => {
      for (let i = 0; i < 16; i++) order(size)
    }
    expect(await growthOf(orderMany, 250)).toBeLessThan(1.75)
  })
})
