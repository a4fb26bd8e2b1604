import { expect, it } from 'vitest'
import { FunctionLLM } from '../../test/stand-ins.ts'
import { partsForContext } from './parts-for-context.ts'

const text = 'word '.repeat(30)
const parts = (contextWindow: number | null, reserved: number, share?: number) =>
  partsForContext(text, new FunctionLLM({ answer: () => '', contextWindow }), {
    className: 'Reader',
    reserved,
    ...(share && { share }),
  })

it('returns the whole string in parts that fit into the unreserved tokens', () => {
  expect(parts(100, 70)).toEqual([text])
  expect(parts(100, 90).map((part) => part.trim().split(' ').length)).toEqual([10, 10, 10])
  expect(parts(100, 80, 0.5)).toEqual(parts(100, 90))
  expect(parts(100, 90).join('')).toBe(text)
})

it('throws when no tokens are left for a part', () => {
  for (const reserved of [100, 200])
    expect(() => parts(100, reserved)).toThrow(expect.objectContaining({ code: 'configuration' }))
})

it('returns one part for a model whose context window is unknown', () => {
  expect(parts(null, 10)).toEqual([text])
})
