/**
 * Ingests generated documents with several workers, kills workers meanwhile, then ingests the documents again after a change.
 *
 * @example npm run ingest-cluster -- --documents 2000 --workers 3 --kills 3 --engine dbos
 */
import { parseArgs } from 'node:util'
import { Cluster } from './cluster.ts'
import { DbosEngine } from './dbos-engine.ts'
import type { Engine } from './engine.ts'
import { RestateEngine } from './restate-engine.ts'
import { isRight } from './verify.ts'
import { progressLine, reportLines } from './view.ts'

/** Documents that a worker ingests at the same time. */
const CONCURRENCY = 20

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '300' },
    workers: { type: 'string', default: '3' },
    kills: { type: 'string', default: '3' },
    rate: { type: 'string', default: '200' },
    engine: { type: 'string', default: 'dbos' },
  },
})
const numberOf = (name: keyof typeof values, least: number) => {
  const value = Number(values[name])
  if (Number.isSafeInteger(value) && value >= least) return value
  throw new Error(`ingest-cluster: --${name}: expected an integer of at least ${least}, received ${values[name]}.`)
}
const workers = numberOf('workers', 1)
const kills = numberOf('kills', 0)
const engines: Record<string, () => Engine> = {
  dbos: () => new DbosEngine(CONCURRENCY),
  restate: () => new RestateEngine(CONCURRENCY * workers),
}
const engine = engines[values.engine]?.()
if (!engine) throw new Error(`ingest-cluster: --engine: expected dbos or restate, received ${values.engine}.`)
const isTerminal = process.stdout.isTTY
let lastShown = 0
const cluster = new Cluster({
  engine,
  documents: numberOf('documents', 1),
  workers,
  perSecond: numberOf('rate', 1),
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
  for (const [run, options] of [
    ['first', { kills }],
    ['changed', { isChanged: true }],
  ] as const) {
    const report = await cluster.run(run, options)
    if (isTerminal) process.stdout.write('\n')
    for (const line of reportLines(run, report)) console.log(line)
    if (!isRight(report) || report.state.failed.length > 0) process.exitCode = 1
  }
} finally {
  await cluster.stop()
}
