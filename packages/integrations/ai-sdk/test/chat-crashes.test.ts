// @module-tag system
import { describe, expect, it } from 'vitest'
import { faultsAfter, faultsOfDecisions, faultsOfEdit } from './chat-programs/crash.ts'
import { runProgram } from './chat-programs/program.ts'

/** More than the calls that the stores receive for a message. */
const ALL = 54

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

  it('shows the changed arguments of a call that was asked before the end and is approved behind it', async () => {
    for (let after = 18; after <= 24; after++)
      expect(await faultsOfEdit({ words: 'buy 1', isDurable, after }), `${after}`).toEqual([])
  })

  describe.each([
    { approves: true, thenApproves: false },
    { approves: true, thenApproves: true },
    { approves: false, thenApproves: true },
  ])('after a decision, before one of another tab: $approves, then $thenApproves', (decisions) => {
    const words = 'buy and mail 1'
    it('keeps the first one, and both tabs show it', async () => {
      for (const after of [4, 22, 25, 31])
        expect(await faultsOfDecisions({ words, isDurable, after, ...decisions }), `${after}`).toEqual([])
    })

    it('keeps the first one: each call', { tags: 'nightly' }, async () => {
      for (const words of ['buy 1', 'buy and mail 1', 'buy and mail fails 1'])
        for (let after = 1; after <= ALL; after++)
          expect(await faultsOfDecisions({ words, isDurable, after, ...decisions }), `${after}`).toEqual([])
    })
  })
})

/** 200 programs, the same ones each time; `npm run chat-programs` runs others. */
describe.each([
  { agent: 'an agent', isDurable: false },
  { agent: 'durable tasks', isDurable: true },
])('random programs of a chat of $agent', ({ isDurable }) => {
  it.each([0, 1, 2, 3])('part %i: pages show what is stored, and no turn is lost', async (part) => {
    for (let seed = 1 + 25 * part; seed <= 25 * (part + 1); seed++) expect(await runProgram(seed, isDurable)).toBe(null)
  })
})
