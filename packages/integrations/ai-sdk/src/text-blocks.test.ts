import { expect, it } from 'vitest'
import { TextBlocks } from './text-blocks.ts'

it('joins pieces of one type into a block, and ends it when the other type begins', () => {
  const blocks = new TextBlocks()
  const pieces = (['reasoning', 'reasoning', 'text', 'reasoning'] as const).map((type, i) => blocks.add(type, `${i}`))
  expect(pieces).toEqual([
    [
      { type: 'reasoning-start', id: 'reasoning-0' },
      { type: 'reasoning-delta', id: 'reasoning-0', delta: '0' },
    ],
    [{ type: 'reasoning-delta', id: 'reasoning-0', delta: '1' }],
    [
      { type: 'reasoning-end', id: 'reasoning-0' },
      { type: 'text-start', id: 'text-1' },
      { type: 'text-delta', id: 'text-1', delta: '2' },
    ],
    [
      { type: 'text-end', id: 'text-1' },
      { type: 'reasoning-start', id: 'reasoning-2' },
      { type: 'reasoning-delta', id: 'reasoning-2', delta: '3' },
    ],
  ])
  expect(blocks.end()).toEqual([{ type: 'reasoning-end', id: 'reasoning-2' }])
  expect(blocks.end()).toEqual([])
})
