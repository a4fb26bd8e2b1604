// @module-tag system
import { expect, it } from 'vitest'
import { rounds } from '../../../tools/extent.ts'
import { killRounds } from './kill-rounds.ts'

it('loses and doubles nothing when its process is killed', async () => {
  const { kills, faults } = await killRounds(rounds(1, 2))
  expect(faults).toEqual([])
  expect(kills).toBeGreaterThan(0)
  // Not a measure of speed: only the end of a test that hangs.
}, 900_000)
