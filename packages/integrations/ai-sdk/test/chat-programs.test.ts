// @module-tag system
import { describe, expect, it } from 'vitest'
import { runProgram } from './chat-programs/program.ts'

/** 200 programs, the same ones each time; `npm run chat-programs` runs others. */
describe.each([
  { agent: 'an agent', isDurable: false },
  { agent: 'durable tasks', isDurable: true },
])('random programs of a chat of $agent', ({ isDurable }) => {
  it.each([0, 1, 2, 3])('part %i: pages show what is stored, and no turn is lost', async (part) => {
    for (let seed = 1 + 25 * part; seed <= 25 * (part + 1); seed++) expect(await runProgram(seed, isDurable)).toBe(null)
  })
})
