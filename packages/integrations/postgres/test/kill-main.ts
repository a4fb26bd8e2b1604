/**
 * Kills a process that writes to a Postgres database, and refuses when an acknowledged operation was lost.
 *
 * @example npm run postgres-kill -- 200
 */
import { startPostgres } from '../../../../tools/postgres-server.ts'
import { killRounds } from './kill-rounds.ts'

const rounds = Number(process.argv[2] ?? 200)
if (!Number.isSafeInteger(rounds) || rounds < 1) throw new Error('expected a number of rounds')
const server = await startPostgres()
try {
  const report = await killRounds(server.connectionString, rounds, ({ rounds, acknowledged, lost }) => {
    if (rounds % 20 === 0) console.log(`${rounds} rounds, ${acknowledged} operations acknowledged, ${lost} lost`)
  })
  const { acknowledged, lost, halfDone } = report
  console.log(`${report.rounds} kills: ${acknowledged} acknowledged, ${lost} lost, ${halfDone} half done`)
  process.exitCode = lost + halfDone === 0 ? 0 : 1
} finally {
  await server.stop()
}
