/** Kills processes that write to the stores of a database, again and again, and looks for what was lost. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { oneFile } from '../../../../../tools/one-file.ts'
import type { Losses } from './killed-stores.ts'

/** A database whose writers are killed. */
export interface KilledDatabase {
  /** A program that runs `writeUntilKilled`: `PROGRAM DATABASE FIRST`. */
  writer: URL
  /** The argument DATABASE of the program: a path or an address. */
  database: string
  /** Looks for the operations from `first` on that were acknowledged before the writer was killed. */
  inspect(first: number, acknowledged: readonly number[]): Promise<Losses & { isDamaged?: boolean }>
}

/** The findings of the rounds. */
export interface StoreRoundsReport extends Losses {
  rounds: number
  /** Operations that the processes reported as done. */
  acknowledged: number
  /** Rounds after which the database was found damaged. */
  damaged: number
}

/** Each round has its own range of numbers of operations. */
const RANGE = 1_000_000

/** Runs rounds on one database: starts a writer, kills it after up to 250 ms of work, and inspects the database. */
export async function storeRounds(
  { writer, database, inspect }: KilledDatabase,
  rounds: number,
  onRound?: (report: StoreRoundsReport) => void,
): Promise<StoreRoundsReport> {
  const program = await oneFile(fileURLToPath(writer))
  const report: StoreRoundsReport = { rounds: 0, acknowledged: 0, lost: 0, halfDone: 0, damaged: 0 }
  for (let round = 0; round < rounds; round++) {
    const first = round * RANGE
    const acknowledged = await killedWriter(program, database, first)
    const { lost, halfDone, isDamaged = false } = await inspect(first, acknowledged)
    report.rounds++
    report.acknowledged += acknowledged.length
    report.lost += lost
    report.halfDone += halfDone
    if (isDamaged) report.damaged++
    onRound?.(report)
  }
  return report
}

/** Runs the rounds that the first argument of this process counts, prints the findings, and fails it when something was lost. */
export async function storeRoundsCommand(database: KilledDatabase): Promise<void> {
  const rounds = Number(process.argv[2] ?? 200)
  if (!Number.isSafeInteger(rounds) || rounds < 1) throw new Error('expected a number of rounds')
  const { acknowledged, lost, halfDone, damaged } = await storeRounds(database, rounds, (report) => {
    if (report.rounds % 20 === 0)
      console.log(`${report.rounds} rounds, ${report.acknowledged} operations acknowledged, ${report.lost} lost`)
  })
  console.log(`${rounds} kills: ${acknowledged} acknowledged, ${lost} lost, ${halfDone} half done, ${damaged} damaged`)
  process.exitCode = lost + halfDone + damaged === 0 ? 0 : 1
}

/** Returns the numbers of the operations that a writer acknowledged before it was killed. */
async function killedWriter(program: string, database: string, first: number): Promise<number[]> {
  const child = spawn(process.execPath, [program, database, String(first)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (piece) => {
    output += piece
  })
  await once(child.stdout, 'data')
  await pause(Math.random() * 250)
  child.kill('SIGKILL')
  await once(child, 'close')
  // A line without its end was not acknowledged.
  return output.split('\n').slice(0, -1).map(Number)
}
