import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { someOf } from '../../../tools/extent.ts'
import { Cluster, type Progress, progressLine, reportLines } from '../src/cluster.ts'
import { DbosEngine } from '../src/dbos-engine.ts'
import { documentOf } from '../src/documents.ts'
import type { Engine } from '../src/engine.ts'
import { RestateEngine } from '../src/restate-engine.ts'
import { verify } from '../src/verify.ts'

const right = { missing: 0, different: 0, surplus: 0, brokenSources: 0 }
const WORKERS = 3
const PER_WORKER = 20

const engines: [name: string, count: number, create: () => Engine][] = [
  ['DBOS', 100, () => new DbosEngine(PER_WORKER)],
  ['Restate', 60, () => new RestateEngine(PER_WORKER * WORKERS)],
]

describe.each(engines)('a cluster with %s', (_, count, create) => {
  const seen: Progress[] = []
  const engine = create()
  const cluster = new Cluster({
    engine,
    documents: count,
    workers: WORKERS,
    // Fewer than the workers ask for together.
    perSecond: 30,
    latencyMs: 50,
    onProgress: (progress) => seen.push(progress),
  })
  beforeAll(() => cluster.start())
  afterAll(() => cluster.stop())

  it('stores every node once, although workers are killed and one is not replaced', async () => {
    const report = await cluster.run('first', { kills: 3 })
    expect(report).toMatchObject({ ...right, nodes: 4 * count, kills: 3, neededCalls: 2 * count })
    expect(report.state).toMatchObject({ finished: { added: count }, failed: [] })
    expect(report.takenOver).not.toBe(0)
    expect(report.refused).toBeGreaterThan(0)
    expect(seen.some(({ running, kills }) => running > 0 && kills > 0)).toBe(true)
    const line = progressLine(seen.at(-1)!)
    expect(line).toMatch(/^first █+ (\d+)\/\1 \| \1 added \| 0 running, 0 queued \| .* 3 killed \| model: \d+/)
    expect(reportLines('first', report).at(-1)).toBe('  everything is there, once')
  })

  it('calls the model only for changed tables when it runs again', async () => {
    const report = await cluster.run('changed', { isChanged: true })
    const changed = count / 10
    expect(report).toMatchObject({ ...right, nodes: 4 * count, modelCalls: changed, neededCalls: changed })
    expect(report.state.finished).toEqual({ unchanged: count - 2 * changed, changed: 2 * changed })
  })

  it('verify reports missing, different and surplus nodes', async () => {
    const store = cluster.documentStore
    const documents = [documentOf(0), documentOf(1), documentOf(2)]
    const [lost] = (await store.getRefDocInfo('report-1'))!.nodeIds
    await store.deleteDocument(lost!)
    await store.setDocumentHash('report-2', 'other')
    const verdict = await verify(store, documents)
    const wrong = { missing: 1, different: 0, surplus: 4 * (count - 3), brokenSources: 2 }
    expect(verdict).toEqual({ nodes: 12, ...wrong })
    const state = { total: 3, queued: 0, running: 0, finished: {}, failed: [] }
    const rest = { state, seconds: 1, kills: 0, takenOver: 0, modelCalls: 0, neededCalls: 0, refused: 0 }
    expect(reportLines('x', { ...verdict, ...rest }).at(-1)).toBe('  SOMETHING IS WRONG')
  })
})

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const start = (...args: string[]) =>
  spawn(process.execPath, ['--conditions=@x/source', main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })

describe('the program', () => {
  const refused: [args: string[], message: string][] = [
    [['--documents', '0'], '--documents: expected an integer from 1 to 1000000, received 0.'],
    [['--documents', '1e9'], '--documents: expected an integer from 1 to 1000000, received 1e9.'],
    [['--workers', '51'], '--workers: expected an integer from 1 to 50, received 51.'],
    [['--rate', 'fast'], '--rate: expected an integer from 1 to 1000000, received fast.'],
    [['--engine', 'toString'], '--engine: expected dbos or restate, received toString.'],
    [['--workers', '1'], '--workers: expected at least 2, received 1: the last worker that is killed is not replaced.'],
    [['--nothing'], "Unknown option '--nothing'"],
  ]
  it.each(someOf(refused, 3))('refuses %j', async (args, message) => {
    const program = start(...args)
    const [stderr] = await Promise.all([text(program.stderr), once(program, 'exit')])
    expect(stderr).toBe(`ingest-cluster: ${message}\n`)
    expect(program.exitCode).toBe(1)
  })

  it.each(someOf(['restate', 'dbos'], 1))('takes its workers along when it is killed (%s)', async (engine) => {
    // They have work for five seconds at least, and are killed as soon as they show progress.
    const program = start('--documents', '500', '--workers', '2', '--engine', engine)
    // Also after a time-out: otherwise the program would slow down the next attempt.
    onTestFinished(() => void program.kill('SIGKILL'))
    // The workers have the same standard error: it ends with the last of them.
    const closed = once(program.stderr.resume(), 'close')
    await once(program.stdout, 'data')
    program.kill('SIGKILL')
    await closed
  })
})
