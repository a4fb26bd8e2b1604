/**
 * Kills a process that writes to a database, again and again, and looks for what was lost.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { messageText } from '@x/core-model'
import pg from 'pg'
import {
  openDatabase,
  PostgresChatStore,
  type PostgresDatabase,
  PostgresDocumentStore,
  PostgresTaskStore,
} from '../src/index.ts'

/** The findings of the rounds. */
export interface KillReport {
  rounds: number
  /** Operations that the process reported as done. */
  acknowledged: number
  /** Acknowledged operations whose effect is missing. */
  lost: number
  /** Operations of which a part is there. */
  halfDone: number
}

/** Operations have numbers; each round has its own range. */
const RANGE = 1_000_000

/** Runs rounds on one database: starts a writer, kills it after up to 250 ms of work, and checks the database. */
export async function killRounds(
  connectionString: string,
  rounds: number,
  onRound?: (report: KillReport) => void,
): Promise<KillReport> {
  const report: KillReport = { rounds: 0, acknowledged: 0, lost: 0, halfDone: 0 }
  const pool = new pg.Pool({ connectionString })
  try {
    const database = await openDatabase(pool)
    for (let round = 0; round < rounds; round++) {
      const first = round * RANGE
      const acknowledged = await killedWriter(connectionString, first)
      await serverIdle(pool)
      report.rounds++
      report.acknowledged += acknowledged.length
      await inspect(database, first, acknowledged, report)
      onRound?.(report)
    }
  } finally {
    await pool.end()
  }
  return report
}

/** Returns the numbers of the operations that a writer acknowledged before it was killed. */
async function killedWriter(connectionString: string, first: number): Promise<number[]> {
  const worker = fileURLToPath(new URL('./kill-worker.ts', import.meta.url))
  const child = spawn(process.execPath, ['--conditions=@x/source', worker, connectionString, String(first)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: import.meta.dirname,
  })
  let output = ''
  child.stdout.on('data', (piece) => {
    output += piece
  })
  await once(child.stdout, 'data')
  await setTimeout(Math.random() * 250)
  child.kill('SIGKILL')
  await once(child, 'close')
  // A line without its end was not acknowledged.
  return output.split('\n').slice(0, -1).map(Number)
}

/** Resolves when the server has noticed that the writer is gone. Its last statement may still have been running. */
async function serverIdle(pool: pg.Pool): Promise<void> {
  const sql = `select from pg_stat_activity where application_name = 'kill-worker'`
  while ((await pool.query(sql)).rows.length > 0) await setTimeout(5)
}

async function inspect(
  database: PostgresDatabase,
  first: number,
  acknowledged: readonly number[],
  report: KillReport,
): Promise<void> {
  const store = new PostgresDocumentStore(database)
  const tasks = new PostgresTaskStore(database)
  const messages = new Set((await new PostgresChatStore(database).getMessages('all')).map(messageText))
  // The operation after the last acknowledged one may have been saved.
  const end = (acknowledged.at(-1) ?? first - 1) + 1
  const states = new Map<string, readonly string[]>()
  const stateOf = async (source: string) => {
    const { nodeIds } = (await store.getRefDocInfo(source)) ?? { nodeIds: [] }
    const nodes = await store.getNodes([`${source}/a`, `${source}/b`], { raiseError: false })
    const texts = nodes.map(({ text }) => text)
    states.set(source, nodeIds.length === nodes.length ? texts : [...texts, 'not listed'])
    return states.get(source)!
  }
  for (const n of acknowledged) {
    const source = `d${n - (n % 4)}`
    if (n % 4 === 2) report.lost += messages.has(`${n}`) ? 0 : 1
    else if (n % 4 === 3) report.lost += (await tasks.load(source))?.length === 2 ? 0 : 1
    else report.lost += (await stateOf(source)).filter((text) => Number(text) >= n).length === 2 ? 0 : 1
  }
  const last = `d${end - (end % 4)}`
  await stateOf(last)
  if (((await tasks.load(last))?.length ?? 2) !== 2) report.halfDone++
  for (const texts of states.values())
    if (texts.length !== 0 && (texts.length !== 2 || texts[0] !== texts[1])) report.halfDone++
}
