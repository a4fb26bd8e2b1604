import { NodeWithScore, TextNode } from '@x/core-model'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ExplanationLedger } from '../explanation/explanation-ledger.ts'
import { MaximalMarginalRelevance, selectDiverse } from './maximal-marginal-relevance.ts'

describe('selectDiverse', () => {
  it('prefers a different item to a more relevant duplicate of a selected one', async () => {
    const vectors = [
      [1, 0],
      [1, 0.01],
      [0, 1],
    ]
    expect(await selectDiverse([0.9, 0.89, 0.5], vectors, { lambda: 0.5, count: 2 })).toEqual([0, 2])
    expect(await selectDiverse([0.9, 0.89, 0.5], vectors, { lambda: 1, count: 2 })).toEqual([0, 1])
  })

  it('selects the earlier of equal items, and at most all items', async () => {
    expect(await selectDiverse([1, 1, 1], [[1], [1], [1]], { lambda: 0.5, count: 9 })).toEqual([0, 1, 2])
    expect(await selectDiverse([1, 1], [[1], [1]], { lambda: 0.5, count: 0 })).toEqual([])
    expect(await selectDiverse([], [], { lambda: 0.5, count: 3 })).toEqual([])
  })

  it('treats opposite vectors as more different than orthogonal ones, and a zero vector as orthogonal', async () => {
    expect(
      await selectDiverse(
        [1, 0.5, 0.5, 0.5],
        [
          [1, 0],
          [0, 0],
          [0, 1],
          [-1, 0],
        ],
        { lambda: 0.5, count: 2 },
      ),
    ).toEqual([0, 3])
  })

  it('selects the same items as the greedy algorithm of the definition', async () => {
    const item = fc.record({ relevance: fc.integer({ min: -4, max: 4 }), angle: fc.integer({ min: 0, max: 7 }) })
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 9 }), fc.constantFrom(0, 0.25, 0.5, 1), async (items, lambda) => {
        const vectors = items.map(({ angle }) => [Math.cos((angle * Math.PI) / 4), Math.sin((angle * Math.PI) / 4)])
        const relevances = items.map(({ relevance }) => relevance)
        const chosen = await selectDiverse(relevances, vectors, { lambda, count: 5 })
        const similarity = (a: number, b: number) =>
          vectors[a]![0]! * vectors[b]![0]! + vectors[a]![1]! * vectors[b]![1]!
        for (let step = 0; step < chosen.length; step++) {
          const before = chosen.slice(0, step)
          const value = (index: number) =>
            lambda * relevances[index]! -
            (1 - lambda) * (step === 0 ? 0 : Math.max(...before.map((other) => similarity(index, other))))
          const rest = items.map((_, index) => index).filter((index) => !before.includes(index))
          expect(value(chosen[step]!)).toBeCloseTo(Math.max(...rest.map(value)), 9)
        }
      }),
    )
  })
})

it('the ledger says which choice a node was, or why it was none', async () => {
  const nodes = [
    [1, 0],
    [1, 0.01],
    [0, 1],
  ].map((embedding, at) => new NodeWithScore({ node: new TextNode({ id: `n${at}`, embedding }), score: 1 - at / 4 }))
  const ledger = new ExplanationLedger()
  await new MaximalMarginalRelevance({ lambda: 0.5, topN: 2 }).postprocessNodes(nodes, { ledger })
  expect(nodes.map(({ id }) => ledger.of(id)[0]?.reason)).toEqual([
    'choice 1, relevance 1',
    'relevance 0.5, less diverse than the 2 selected nodes',
    'choice 2, relevance 0',
  ])
})
