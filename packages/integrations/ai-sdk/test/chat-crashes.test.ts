// @module-tag system
import { describe, expect, it } from 'vitest'
import { faultsAfter } from './chat-programs/crash.ts'

/** More than the calls that the stores receive for a message. */
const ALL = 50

describe.each([
  { agent: 'an agent', isDurable: false },
  { agent: 'durable tasks', isDurable: true },
])('a chat of $agent whose process ends at a call of a store', ({ isDurable }) => {
  describe.each(['message', 'approval'] as const)('after the %s', (during) => {
    it('shows what is stored, and goes on', async () => {
      for (const after of [5, 14, 16, 18, 20, 38])
        expect(await faultsAfter({ words: 'buy and mail fails 1', isDurable, during, after }), `${after}`).toEqual([])
    })

    it.each(['mail 1', 'mail fails 1', 'buy 1', 'buy fails 1', 'buy and mail 1'])(
      'shows what is stored, and goes on: each call, %s',
      { tags: 'nightly' },
      async (words) => {
        for (let after = 1; after <= ALL; after++)
          expect(await faultsAfter({ words, isDurable, during, after }), `${after}`).toEqual([])
      },
    )
  })
})
