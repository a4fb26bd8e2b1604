import { LLMMetadata } from '@x/core-model'
import { expect, it } from 'vitest'
import { FunctionLLM } from '../../test/stand-ins.ts'
import { partsForContext } from './parts-for-context.ts'

const text = 'word '.repeat(30)
const parts = (contextWindow: number, taken: number, share?: number) =>
  partsForContext(text, new FunctionLLM({ answer: () => '', contextWindow }), {
    className: 'Reader',
    taken,
    ...(share && { share }),
  })

it('gives all of a text in parts that fit beside what is taken', () => {
  expect(parts(100, 70)).toEqual([text])
  expect(parts(100, 90).map((part) => part.trim().split(' ').length)).toEqual([10, 10, 10])
  expect(parts(100, 80, 0.5)).toEqual(parts(100, 90))
  expect(parts(100, 90).join('')).toBe(text)
})

it('refuses a model without room for a text, before a call is spent', () => {
  for (const taken of [100, 200])
    expect(() => parts(100, taken)).toThrow(expect.objectContaining({ code: 'configuration' }))
})

it('gives the text whole to a model that does not tell its window', () => {
  const llm = new FunctionLLM({ answer: () => '' })
  Object.assign(llm, { metadata: { ...new LLMMetadata(), contextWindow: undefined } })
  expect(partsForContext(text, llm, { className: 'Reader', taken: 10 })).toEqual([text])
})
