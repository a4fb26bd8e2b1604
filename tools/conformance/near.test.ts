import { expect, it } from 'vitest'
import { didYouMean, nearNames } from './near.ts'

const ids = ['prompts/format/simple-1', 'prompts/format/simple-2', 'prompts/format/missing-1', 'nodes/hash/text-1']

it('finds names with few other characters, the nearest first', () => {
  expect(nearNames('prompts/format/simpl-2', ids)).toEqual([
    'prompts/format/simple-2',
    'prompts/format/simple-1',
    'prompts/format/missing-1',
  ])
})

it('finds names that contain a part', () => {
  expect(nearNames('missing-1', ids)).toEqual(['prompts/format/missing-1'])
})

it('finds nothing if no name is similar', () => {
  expect(nearNames('agents', ids)).toEqual([])
  expect(didYouMean('agents', ids)).toBe('')
})

it('ends a message', () => {
  expect(didYouMean('promts', ['prompts', 'nodes'])).toBe(' (did you mean prompts?)')
})
