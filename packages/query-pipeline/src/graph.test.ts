import { describe, expect, it } from 'vitest'
import { isLink, Link, Links, Schedule } from './graph.ts'

const linksOf = (...pairs: string[]) => {
  const links = new Links()
  for (const [src, dest] of pairs) links.add(new Link(src!, dest!))
  return links
}

describe('Links', () => {
  it('returns links by source and by target, in the order they were added', () => {
    const links = linksOf('ab', 'cb', 'bd')
    expect(links.to('b').map(({ src }) => src)).toEqual(['a', 'c'])
    expect(links.from('b').map(({ dest }) => dest)).toEqual(['d'])
    expect([links.to('a'), links.from('d')]).toEqual([[], []])
  })

  it('finds paths over several links, even in a graph with a cycle', () => {
    const links = linksOf('ab', 'bc', 'cb', 'xy')
    expect([links.hasPath('a', 'c'), links.hasPath('a', 'a')]).toEqual([true, true])
    // Found by the search from one end alone.
    expect([linksOf('ax', 'ay', 'ab'), linksOf('xb', 'yb', 'ab')].map((one) => one.hasPath('a', 'b'))).toEqual([
      true,
      true,
    ])
    expect([links.hasPath('c', 'a'), links.hasPath('a', 'y'), links.hasPath('y', 'x')]).toEqual([false, false, false])
  })
})

describe('Schedule', () => {
  it('returns a module when all its predecessors are done', () => {
    const schedule = new Schedule(['a', 'b', 'c'], linksOf('ac', 'bc', 'ac'))
    expect([schedule.next(), schedule.next(), schedule.next()]).toEqual(['a', 'b', undefined])
    schedule.done('a')
    expect(schedule.hasNext).toBe(false)
    schedule.done('b')
    expect(schedule.next()).toBe('c')
  })
})

it('refuses options that a link does not have, with its ends', () => {
  expect(() => new Link('a', 'b', { srckey: 'x' } as never)).toThrow(
    'link from "a" to "b".srckey: unknown option; did you mean srcKey?',
  )
  expect(() => new Link('a', 'b', { conditionFn: 5 as never })).toThrow('conditionFn: expected a function, received 5')
})

it('recognizes links by their properties', () => {
  expect([new Link('a', 'b'), { src: 'a', dest: 'b', options: {} }].map(isLink)).toEqual([true, true])
  expect([null, undefined, 'ab', { src: 'a', dest: 'b' }].map(isLink)).toEqual([false, false, false, false])
})
