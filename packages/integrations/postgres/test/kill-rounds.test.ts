import { expect, it } from 'vitest'
import { startPostgres } from '../../../../tools/postgres-server.ts'
import { killRounds } from './kill-rounds.ts'

it('a writer that is killed loses nothing that was acknowledged', { timeout: 120_000 }, async () => {
  const server = await startPostgres()
  try {
    const report = await killRounds(server.connectionString, 4)
    expect(report).toMatchObject({ rounds: 4, lost: 0, halfDone: 0 })
    expect(report.acknowledged).toBeGreaterThan(8)
  } finally {
    await server.stop()
  }
})
