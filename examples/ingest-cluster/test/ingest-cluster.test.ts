import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Cluster, type Progress } from '../src/cluster.ts'
import { documentOf } from '../src/documents.ts'
import { verify } from '../src/verify.ts'
import { progressLine, reportLines } from '../src/view.ts'

const DOCUMENTS = 100
const seen: Progress[] = []
const cluster = new Cluster({
  documents: DOCUMENTS,
  workers: 3,
  kills: 3,
  perSecond: 40,
  latencyMs: 50,
  workerConcurrency: 20,
  onProgress: (progress) => seen.push(progress),
})
beforeAll(() => cluster.start(), 60_000)
afterAll(() => cluster.stop())

const right = { missing: 0, different: 0, surplus: 0, brokenSources: 0 }

describe('a cluster', () => {
  it('stores every node once, although workers are killed and one never comes back', async () => {
    const report = await cluster.run('first', { kills: 3 })
    expect(report).toMatchObject({ ...right, nodes: 4 * DOCUMENTS, kills: 3, neededCalls: 2 * DOCUMENTS })
    expect(report.state).toMatchObject({ finished: { added: DOCUMENTS }, failed: [] })
    expect(report.takenOver).toBeGreaterThan(0)
    // At most the calls that ran in the three workers when they died.
    expect(report.modelCalls - report.neededCalls).toBeLessThan(3 * 20 * 4)
    expect(seen.some(({ running, kills }) => running > 0 && kills > 0)).toBe(true)
    expect(progressLine(seen.at(-1)!)).toMatch(
      /^first █+ 100\/100 \| 100 added \| 0 running, 0 queued \| .* 3 killed \| model: \d+/,
    )
    expect(reportLines('first', report).at(-1)).toBe('  everything is there, once')
  }, 120_000)

  it('costs only what has changed when it runs again', async () => {
    const report = await cluster.run('changed', { isChanged: true })
    expect(report).toMatchObject({ ...right, nodes: 4 * DOCUMENTS, modelCalls: 10, neededCalls: 10 })
    expect(report.state.finished).toEqual({ unchanged: 80, changed: 20 })
  }, 60_000)

  it('finds what is wrong', async () => {
    const store = cluster.documentStore
    const documents = [documentOf(0), documentOf(1), documentOf(2)]
    const [lost] = (await store.getRefDocInfo('report-1'))!.nodeIds
    await store.deleteDocument(lost!)
    await store.setDocumentHash('report-2', 'other')
    const verdict = await verify(store, documents)
    expect(verdict).toMatchObject({
      nodes: 12,
      missing: 1,
      different: 0,
      surplus: 4 * (DOCUMENTS - 3),
      brokenSources: 2,
    })
    expect(reportLines('x', { ...verdict, ...report }).at(-1)).toBe('  SOMETHING IS WRONG')
  })
})

const report = {
  state: { total: 3, queued: 0, running: 0, finished: {}, failed: [] },
  seconds: 1,
  kills: 0,
  takenOver: 0,
  modelCalls: 0,
  neededCalls: 0,
  refused: 0,
}
