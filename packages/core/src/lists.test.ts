import { expect, it } from 'vitest'
import { countWhile } from './lists.ts'

it('counts the indexes below the first one that does not satisfy the condition, and asks for few of them', () => {
  for (let length = 0; length <= 40; length++) {
    for (let first = 0; first <= length; first++) {
      let asked = 0
      const count = countWhile(length, (index) => {
        asked++
        expect(index).toBeLessThan(length)
        return index < first
      })
      expect(count).toBe(first)
      expect(asked).toBeLessThanOrEqual(Math.ceil(Math.log2(length + 1)))
    }
  }
})
