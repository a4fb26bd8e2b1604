/**
 * Kills a process that writes to a database, and refuses when an acknowledged operation was lost.
 *
 * @example npm run sqlite-kill -- 200
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { killRounds } from './kill-rounds.ts'

const rounds = Number(process.argv[2] ?? 200)
if (!Number.isSafeInteger(rounds) || rounds < 1) throw new Error('expected a number of rounds')
const directory = await mkdtemp(join(tmpdir(), 'kill-'))
try {
  const report = await killRounds(join(directory, 'data.db'), rounds, ({ rounds, acknowledged, lost }) => {
    if (rounds % 20 === 0) console.log(`${rounds} rounds, ${acknowledged} operations acknowledged, ${lost} lost`)
  })
  const { acknowledged, lost, halfDone, damaged } = report
  console.log(
    `${report.rounds} kills: ${acknowledged} acknowledged, ${lost} lost, ${halfDone} half done, ${damaged} damaged`,
  )
  process.exitCode = lost + halfDone + damaged === 0 ? 0 : 1
} finally {
  await rm(directory, { recursive: true })
}
