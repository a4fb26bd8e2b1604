import { describe, expect, it } from 'vitest'
import { BoxedMap } from './agent-state.ts'

describe('BoxedMap', () => {
  it('is a map with keys in insertion order', () => {
    const map = new BoxedMap<string, { n: number }>()
    map.set('a', { n: 1 }).set('b', { n: 2 }).set('a', { n: 3 })
    expect([map.size, map.has('a'), map.has('c'), map.get('a'), map.get('c')]).toEqual([
      2,
      true,
      false,
      { n: 3 },
      undefined,
    ])
    expect([[...map.keys()], map.values()]).toEqual([
      ['a', 'b'],
      [{ n: 3 }, { n: 2 }],
    ])
    expect([map.delete('a'), map.delete('a'), map.get('a'), map.size]).toEqual([true, false, undefined, 1])
    map.clear()
    expect([map.size, map.values()]).toEqual([0, []])
  })
})
