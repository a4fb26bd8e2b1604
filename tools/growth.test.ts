import { expect, it } from 'vitest'
import { growthOf } from './growth.ts'

const work = (size: number) => {
  let sum = 0
  for (let i = 0; i < size; i++) sum = (sum * 31 + i) % 1_000_003
  return sum
}

it('tells linear from quadratic work', { tags: 'nightly' }, async () => {
  expect(await growthOf(work, 1000)).toBeLessThan(1.75)
  expect(await growthOf((size) => Array.from({ length: size / 500 }, () => work(size)), 1000)).toBeGreaterThan(1.75)
})
