/**
 * Real runs of `examples/ingest-cluster` beside simulated ones. The cluster has known limits: how long the model takes, how many requests
 * it answers, how many documents a worker has in work. A first run measures the cost of a document without the model.
 */
import { Cluster } from '../../examples/ingest-cluster/src/cluster.ts'
import { DbosEngine } from '../../examples/ingest-cluster/src/dbos-engine.ts'
import { TABLES } from '../../examples/ingest-cluster/src/documents.ts'
import { type FanOut, simulateFanOut } from './fan-out.ts'

interface Setting {
  name: string
  documents: number
  workers: number
  kills: number
  perSecond: number
  latencyMs: number
  workerConcurrency: number
}

export interface Comparison {
  name: string
  real: { seconds: number; callsBeyondNeed: number }
  simulated: { seconds: number; callsBeyondNeed: number }
}

const latency: Setting = {
  name: '1 worker, 4 documents at once, the model takes 500 ms',
  documents: 60,
  workers: 1,
  kills: 0,
  perSecond: 1000,
  latencyMs: 500,
  workerConcurrency: 4,
}
const SETTINGS: readonly Setting[] = [
  latency,
  { ...latency, name: '2 workers', documents: 120, workers: 2 },
  {
    ...latency,
    name: '3 workers, 20 requests per second',
    documents: 120,
    workers: 3,
    workerConcurrency: 8,
    perSecond: 20,
  },
  { ...latency, name: '3 workers, 3 kills, the last for good', documents: 150, workers: 3, kills: 3 },
]
/** The reaper of the example counts a worker as dead after 2 seconds, and checks every half second; a new process starts in about one second. */
const TAKEOVER_SECONDS = 2.5
const RESTART_SECONDS = 1

/** Runs every setting in reality and in the simulation. */
export async function compare(report: (comparison: Comparison) => void): Promise<void> {
  // The time of a document without its two calls: queue, journal, transaction.
  const first = await realRun({ ...latency, latencyMs: 10, documents: 100 })
  const overhead = Math.max(0, (first.seconds * latency.workerConcurrency) / 100 - 0.01)
  for (const setting of SETTINGS) {
    const real = await realRun(setting)
    const { seconds, callsBeyondNeed } = simulateFanOut(simulated(setting, overhead))
    report({ name: setting.name, real, simulated: { seconds, callsBeyondNeed } })
  }
}

async function realRun(setting: Setting): Promise<Comparison['real']> {
  const cluster = new Cluster({ ...setting, engine: new DbosEngine(setting.workerConcurrency) })
  try {
    await cluster.start()
    const { seconds, modelCalls, neededCalls } = await cluster.run('first', { kills: setting.kills })
    return { seconds, callsBeyondNeed: modelCalls - neededCalls }
  } finally {
    await cluster.stop()
  }
}

function simulated(setting: Setting, overhead: number): FanOut {
  const { documents, workers, kills, perSecond, latencyMs, workerConcurrency } = setting
  const undisturbed: FanOut = {
    units: documents,
    calls: TABLES,
    callsAtOnce: TABLES,
    unitCpu: 0,
    callCpu: 0,
    callSeconds: latencyMs / 1000,
    callSpread: 0.3,
    callRate: perSecond,
    callSlots: Number.POSITIVE_INFINITY,
    saveSeconds: 0,
    saveSlots: Number.POSITIVE_INFINITY,
    storeSeconds: overhead,
    storeSlots: Number.POSITIVE_INFINITY,
    workers,
    unitsPerWorker: workerConcurrency,
    takeoverSeconds: TAKEOVER_SECONDS,
    restartSeconds: RESTART_SECONDS,
  }
  // The cluster kills a worker whenever a part of the calls is made: the simulation, when that part of the time has passed.
  const { seconds } = simulateFanOut(undisturbed)
  const deathAt = (i: number) => ({
    worker: i % workers,
    at: (seconds * (i + 1)) / (kills + 1),
    forGood: i === kills - 1,
  })
  return { ...undisturbed, deaths: Array.from({ length: kills }, (_, i) => deathAt(i)) }
}
