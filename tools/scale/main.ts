/**
 * Computes the cost of a million documents and of a million open tasks of agents: sizes and rates measured on this machine, and sums of
 * them. Prints the tables of `docs/scale.md`. With `--restate`, the storage of tasks that wait in a Restate server; with `--latency`, how
 * long a task takes at several loads.
 *
 * @example npm run scale
 * @example npm run scale -- --restate
 * @example npm run scale -- --latency
 */
import { execFileSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { measureRestateStorage } from '../../packages/integrations/restate/test/waiting-storage.ts'
import { ENGINES, measureLatency, TASK_MODEL_MS } from './latency.ts'
import { type DocumentCosts, ingestionRate, measureDocuments, measureTasks, type TaskCosts } from './measure.ts'

const MILLION = 1_000_000
const LOADS = [1, 10, 50, 200]
const option = { type: 'boolean', default: false } as const
const { values } = parseArgs({ options: { restate: option, latency: option, engine: { type: 'string' } } })

if (values.restate) {
  table(['tasks that wait', 'files of the server', 'one task more'])
  let before = { tasks: 0, bytes: Number.NaN }
  for (const found of await measureRestateStorage([1000, 2000, 4000])) {
    const more = (found.bytes - before.bytes) / (found.tasks - before.tasks)
    row([found.tasks, `${(found.bytes / 1e6).toFixed(0)} MB`, Number.isNaN(more) ? '' : kilobytes(more)])
    before = found
  }
} else if (values.engine !== undefined) {
  const beyond = (milliseconds: number) => ((milliseconds - TASK_MODEL_MS) / 1000).toFixed(2)
  const [first, ...found] = await measureLatency(values.engine, LOADS)
  const times = found.map(({ p50, p99 }) => `${beyond(p50)}, ${beyond(p99)} s`)
  row([values.engine, ...times, first!.tasksPerSecond.toFixed(0), found.at(-1)!.tasksPerSecond.toFixed(0)])
} else if (values.latency) {
  table(['', ...LOADS.map((atOnce) => `${atOnce} at once`), 'tasks per second, first 1,000', 'later, at 200'])
  // Each in a process of its own, in which nothing has run before.
  for (const engine of Object.keys(ENGINES))
    execFileSync(process.execPath, [...process.execArgv, import.meta.filename, '--engine', engine], {
      stdio: 'inherit',
    })
} else {
  const documents = await measureDocuments()
  printDocuments(documents)
  printIngestion(documents)
  printTasks(await measureTasks())
}

function printDocuments({ markdown, nodes, parseCpu, sqlite, postgres }: DocumentCosts): void {
  title('One document')
  table(['', 'one', 'a million'])
  row(['Markdown', kilobytes(markdown), gigabytes(markdown)])
  row(['nodes', nodes, `${nodes} million`])
  const time = (what: string, seconds: number, digits = 1) =>
    row([what, `${(seconds * 1000).toFixed(digits)} ms`, hours(seconds * MILLION)])
  time('parsing, one processor', parseCpu, 2)
  row(['in SQLite', kilobytes(sqlite.bytes), gigabytes(sqlite.bytes)])
  time('storing in SQLite, one writer', sqlite.seconds)
  row(['in PostgreSQL', kilobytes(postgres.bytes), gigabytes(postgres.bytes)])
  time('storing in PostgreSQL, one writer', postgres.seconds)
  time('storing in PostgreSQL, eight writers', postgres.secondsAtOnce)
}

/** A million documents with two summaries each, by a model that takes a second and allows so many requests a minute. */
function printIngestion({ parseCpu, postgres }: DocumentCosts): void {
  title('A million documents, two model calls each')
  table(['requests per minute', 'workers', 'documents per second', 'a million', 'limit'])
  for (const [perMinute, workers] of [
    [500, 1],
    [10_000, 1],
    [10_000, 4],
    [10_000, 16],
    [100_000, 16],
    [100_000, 64],
  ] as const) {
    const rate = ingestionRate({ parseCpu, storeSeconds: postgres.seconds, perMinute, workers })
    const perSecond = rate.perSecond.toFixed(1)
    row([perMinute.toLocaleString('en'), workers, perSecond, hours(MILLION / rate.perSecond), rate.limit])
  }
}

function printTasks({ sqlite, postgres, dbos, waiting }: TaskCosts): void {
  title('One task of six turns, with five outputs of 2 kB')
  table(['', 'one', 'a million'])
  row(['journal in SQLite', kilobytes(sqlite), gigabytes(sqlite)])
  row(['journal in PostgreSQL', kilobytes(postgres), gigabytes(postgres)])
  row(['records of DBOS', kilobytes(dbos.bytes), gigabytes(dbos.bytes)])
  row(['one call of a lone task in DBOS', `${(dbos.callSeconds * 1000).toFixed(1)} ms`, ''])
  row([
    'calls per second, one worker of DBOS',
    dbos.callsPerSecond.toFixed(0),
    hours((MILLION * 11) / dbos.callsPerSecond),
  ])
  title('One task that waits for a decision in DBOS')
  table(['', 'one', 'a million'])
  row(['records', kilobytes(waiting.bytes), gigabytes(waiting.bytes)])
  // A difference of two measurements: below zero it is their noise, and no cost.
  const { queriesPerSecond } = waiting
  if (queriesPerSecond > 0)
    row(['transactions per second', queriesPerSecond.toFixed(2), (queriesPerSecond * MILLION).toFixed(0)])
}

function title(text: string): void {
  console.log(`\n### ${text}\n`)
}

function table(head: readonly string[]): void {
  row(head)
  row(head.map(() => '---'))
}

function row(cells: readonly (string | number)[]): void {
  console.log(`| ${cells.join(' | ')} |`)
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`
}

/** Returns the size of a million of them. */
function gigabytes(bytes: number): string {
  return `${((bytes * MILLION) / 1e9).toFixed(1)} GB`
}

function hours(seconds: number): string {
  return seconds < 3600 ? `${(seconds / 60).toFixed(0)} min` : `${(seconds / 3600).toFixed(1)} h`
}
