// @module-tag system
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { storeRounds } from './kill-rounds/store-rounds.ts'
import { killedDatabase } from './killed-database.ts'

it('a writer that is killed loses nothing that was acknowledged', { timeout: 120_000 }, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'kill-'))
  try {
    const report = await storeRounds(killedDatabase(join(directory, 'data.db')), 4)
    expect(report).toMatchObject({ rounds: 4, lost: 0, halfDone: 0, damaged: 0 })
    expect(report.acknowledged).toBeGreaterThan(8)
  } finally {
    await rm(directory, { recursive: true })
  }
})
