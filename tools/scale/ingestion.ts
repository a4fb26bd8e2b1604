/** The simulated ingestion of documents with two summaries each, by a model that takes a second. */
import { type FanOutResult, simulateFanOut } from './fan-out.ts'

/** Runs are simulated with so many documents: their rates do not change beyond. */
const DOCUMENTS = 100_000

/** Times in seconds. */
interface Ingestion {
  /** Of the processor, to parse a document. */
  parseCpu: number
  /** To store a document. */
  storeSeconds: number
  /** The requests per minute that the model allows. */
  perMinute: number
  workers: number
}

export function simulateIngestion({ parseCpu, storeSeconds, perMinute, workers }: Ingestion): FanOutResult {
  return simulateFanOut({
    units: DOCUMENTS,
    calls: 2,
    callsAtOnce: 2,
    unitCpu: parseCpu,
    callCpu: 0.002,
    callSeconds: 1,
    callSpread: 0.5,
    callRate: perMinute / 60,
    callSlots: Number.POSITIVE_INFINITY,
    saveSeconds: 0.002,
    saveSlots: 4,
    storeSeconds,
    storeSlots: 2,
    workers,
    unitsPerWorker: 20,
    deathsPerHour: 1,
    takeoverSeconds: 30,
    restartSeconds: 10,
  })
}
