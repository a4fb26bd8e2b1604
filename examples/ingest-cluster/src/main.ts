/**
 * Ingests generated documents with several workers, kills workers meanwhile, then ingests the documents again after a change.
 *
 * @example npm run ingest-cluster -- --documents 2000 --workers 3 --kills 3 --engine dbos
 */
import { parseArgs } from 'node:util'
import { Cluster, progressLine, reportLines } from './cluster.ts'
import { DbosEngine } from './dbos-engine.ts'
import type { Engine } from './engine.ts'
import { RestateEngine } from './restate-engine.ts'
import { isRight } from './verify.ts'

/** Documents that a worker ingests at the same time. */
const CONCURRENCY = 20

/** Reads the options. @throws {Error} when one is unknown or wrong. */
function readOptions() {
  const type = 'string' as const
  const { values } = parseArgs({
    options: {
      documents: { type, default: '300' },
      workers: { type, default: '3' },
      kills: { type, default: '3' },
      rate: { type, default: '200' },
      engine: { type, default: 'dbos' },
    },
  })
  const numberOf = (name: keyof typeof values, least: number, most: number) => {
    const value = Number(values[name] || Number.NaN)
    if (Number.isInteger(value) && value >= least && value <= most) return value
    throw new Error(`--${name}: expected an integer from ${least} to ${most}, received ${values[name]}.`)
  }
  // All on one machine.
  const workers = numberOf('workers', 1, 50)
  const kills = numberOf('kills', 0, 1000)
  const documents = numberOf('documents', 1, 1_000_000)
  const perSecond = numberOf('rate', 1, 1_000_000)
  if (kills > 0 && workers === 1)
    throw new Error('--workers: expected at least 2, received 1: the last worker that is killed is not replaced.')
  const engines: Record<string, () => Engine> = {
    dbos: () => new DbosEngine(CONCURRENCY),
    restate: () => new RestateEngine(CONCURRENCY * workers),
  }
  const engine = Object.hasOwn(engines, values.engine) ? engines[values.engine]!() : undefined
  if (!engine) throw new Error(`--engine: expected dbos or restate, received ${values.engine}.`)
  return { engine, workers, kills, documents, perSecond }
}

/** Reads the options, or ends the program. */
function optionsOrEnd() {
  try {
    return readOptions()
  } catch (error) {
    console.error(`ingest-cluster: ${(error as Error).message}`)
    process.exit(1)
  }
}

const { kills, ...options } = optionsOrEnd()
const isTerminal = process.stdout.isTTY
let lastShown = 0
const cluster = new Cluster({
  ...options,
  latencyMs: 50,
  onProgress: (progress) => {
    if (isTerminal) process.stdout.write(`\r\u001b[2K${progressLine(progress)}`)
    else if (performance.now() - lastShown > 5000) {
      lastShown = performance.now()
      console.log(progressLine(progress))
    }
  },
})
try {
  await cluster.start()
  for (const [run, runOptions] of [
    ['first', { kills }],
    ['changed', { isChanged: true }],
  ] as const) {
    const report = await cluster.run(run, runOptions)
    if (isTerminal) process.stdout.write('\n')
    for (const line of reportLines(run, report)) console.log(line)
    if (!isRight(report) || report.state.failed.length > 0) process.exitCode = 1
  }
} finally {
  await cluster.stop()
}
