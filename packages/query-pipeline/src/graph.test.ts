import { describe, expect, it } from 'vitest'
import { isLink, Link, Links, Schedule } from './graph.ts'
import { FnComponent, InputComponent, MapComponent, QueryPipeline } from './index.ts'

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

it('hasPath looks no further than the shorter search', () => {
  let looks = 0
  class Counted extends Links {
    override to(key: string) {
      looks++
      return super.to(key)
    }
    override from(key: string) {
      looks++
      return super.from(key)
    }
  }
  const links = new Counted()
  for (let i = 0; i < 100; i++) links.add(new Link(`n${i}`, `n${i + 1}`))
  for (const [from, to] of [
    ['alone', 'n100'],
    ['n0', 'alone'],
  ] as const) {
    looks = 0
    expect(links.hasPath(from, to)).toBe(false)
    expect(looks).toBeLessThanOrEqual(2)
  }
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
  expect(isLink({ src: 'a', dest: 'b', options: null })).toBe(false)
  expect(() => new Link(5 as never, 'b')).toThrow('Link.src: expected a string, received 5')
  expect(() => new Link('a', null as never)).toThrow('Link.dest: expected a string, received null')
  expect(() => new Link('a', 'b', { conditionFn: 5 as never })).toThrow('conditionFn: expected a function, received 5')
})

it('recognizes links by their properties', () => {
  expect([new Link('a', 'b'), { src: 'a', dest: 'b', options: {} }].map(isLink)).toEqual([true, true])
  const others = [null, undefined, 'ab', { src: 'a', dest: 'b' }, { src: 'a', options: {} }, { dest: 'b', options: {} }]
  expect(others.filter(isLink)).toEqual([])
})

const same = () => new FnComponent({ fn: ({ x }: { x: unknown }) => x, params: { required: ['x'] } })

it('draws modules, links with their keys, conditions and nested pipelines', () => {
  const inner = new QueryPipeline({ modules: { first: same(), last: same() } })
  inner.addLink('first', 'last')
  const pipeline = new QueryPipeline({
    modules: { input: new InputComponent(), inner, other: same(), map: new MapComponent({ component: same() }) },
  })
  pipeline.addLink('input', 'inner', { srcKey: 'text', destKey: 'x' })
  pipeline.addLink('input', 'other', { srcKey: 'x', destKey: 'x', conditionFn: () => true })
  pipeline.addLink('inner', 'other')
  pipeline.addLink('inner', 'map', { destKey: 'items' })
  expect(pipeline.toMermaid()).toMatchInlineSnapshot(`
    "flowchart TD
      m0["input"]
      subgraph m1["inner"]
        m1_0["first"]
        m1_1["last"]
        m1_0 --> m1_1
      end
      m2["other"]
      m3["map"]
      m0 -->|"text → x"| m1
      m0 -.->|"x"| m2
      m1 --> m2
      m1 -->|"items"| m3"
  `)
})

it('escapes all characters that Mermaid could interpret', () => {
  const key = 'a"] --> b; click "x" <b>`*_#quot;\n%% end'
  const pipeline = new QueryPipeline({ modules: { [key]: same(), ' ': same() } })
  pipeline.addLink(key, ' ', { destKey: 'x' })
  expect(pipeline.toMermaid()).toMatchInlineSnapshot(`
    "flowchart TD
      m0["a#34;#93; --#62; b#59; click #34;x#34; #60;b#62;#96;#42;_#35;quot#59;#10;#37;#37; end"]
      m1["#32;"]
      m0 -->|"x"| m1"
  `)
})

it('draws an empty pipeline', () => {
  expect(new QueryPipeline().toMermaid()).toBe('flowchart TD')
})
