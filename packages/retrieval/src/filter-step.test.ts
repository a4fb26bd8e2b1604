import { NodeWithScore, TextNode } from '@x/core-model'
import { expect, it } from 'vitest'
import { filterStep } from './filter-step.ts'

const nodes = ['en', 'de', null].map(
  (lang, at) => new NodeWithScore({ node: new TextNode({ id: `${at}`, metadata: lang ? { lang } : {} }) }),
)

it('keeps the nodes that meet the conditions, in their order', async () => {
  const step = filterStep({ filters: [{ key: 'lang', value: 'de' }], condition: 'not' })
  const found = await step.postprocessNodes(nodes)
  expect(found).toEqual([nodes[0], nodes[2]])
})

it('refuses conditions that are not valid', () => {
  expect(() => filterStep([{ key: 'a', operator: 'like' as never }])).toThrow(
    expect.objectContaining({ code: 'model_validation' }),
  )
})
