import { expect, it } from 'vitest'
import { FnComponent, InputComponent, MapComponent, QueryPipeline } from './index.ts'

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
