import { NodeWithScore, TextNode } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { Deduplicate } from './deduplicate.ts'

const entry = (id: string, text: string, score: number | null, metadata = {}) =>
  new NodeWithScore({ node: new TextNode({ id, text, metadata }), score })

describe('Deduplicate', () => {
  const nodes = [
    entry('a', 'Café', null),
    entry('b', ' CAFE\u0301 ', 0),
    entry('a', 'tea', 0.5),
    entry('c', 'Café', 0, { page: 1 }),
  ]

  it.each([
    ['text', [1, 2]],
    ['id', [2, 1, 3]],
    ['hash', [0, 1, 2, 3]],
  ] as const)(
    'by %s keeps the duplicate with the highest score, the first one if scores are equal',
    async (by, kept) => {
      const result = await new Deduplicate({ by }).postprocessNodes(nodes)
      expect(result.map((one) => nodes.indexOf(one))).toEqual(kept)
    },
  )

  it('ranks a NaN score lowest', async () => {
    const twins = [Number.NaN, -1, null].map((score) => NodeWithScore.construct({ node: new TextNode(), score }))
    expect(await new Deduplicate().postprocessNodes(twins)).toEqual([twins[1]])
  })
})
