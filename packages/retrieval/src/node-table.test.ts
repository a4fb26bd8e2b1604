import { TextNode } from '@x/core-model'
import { expect, it } from 'vitest'
import { NodeTable } from './node-table.ts'

const node = (id: string, page = 1) => new TextNode({ id, text: id, metadata: { page } })

it('moves a node that is set again, and removes a deleted node', () => {
  const table = new NodeTable()
  table.set(0, node('a'))
  table.set(1, node('b'))
  table.set(2, node('a', 2))
  expect([table.positionOf('a'), table.positionOf('b'), table.positionOf('c')]).toEqual([2, 1, undefined])
  table.delete('b')
  table.delete('c')
  expect(table.positionOf('b')).toBeUndefined()
  const [found] = table.withScores([{ index: 2, score: 0.5 }])
  expect([found!.node.metadata, found!.score]).toEqual([{ page: 2 }, 0.5])
})

it('accepts the positions that meet all conditions, and returns undefined without conditions', () => {
  const table = new NodeTable()
  for (const [position, page] of [1, 2, 3].entries()) table.set(position, node(`n${page}`, page))
  expect(table.accepting(undefined)).toBeUndefined()
  const accepts = table.accepting([
    { filters: [{ key: 'page', value: 1, operator: '>' }] },
    { filters: [{ key: 'page', value: 3, operator: '<' }] },
  ])!
  expect([0, 1, 2].map(accepts)).toEqual([false, true, false])
})
