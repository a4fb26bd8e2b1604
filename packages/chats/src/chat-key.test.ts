import fc from 'fast-check'
import { expect, it } from 'vitest'
import { chatKey } from './chat-route.ts'

it('another key for each user and chat', () => {
  /** Similar names, so that one is often the beginning of the other. */
  const part = fc.array(fc.constantFrom('u', '1', '-', '.', '/', '"', ',', '\\', '%', ' ', 'é', 'e\u0301', '漢'), {
    maxLength: 5,
  })
  const names = fc.tuple(part, fc.string({ maxLength: 2 })).map(([some, any]) => `u${some.join('')}${any}`)
  const pairs = fc.sample(fc.tuple(names, fc.string({ maxLength: 4 })), 2000)
  const keys = new Set(pairs.map(([user, id]) => chatKey(user, id)))
  expect(keys.size).toBe(new Set(pairs.map((pair) => JSON.stringify(pair))).size)
})
