import { type Random, seededRandom } from './generate.ts'

/** What a fuzzer found. */
export interface FuzzReport {
  /** The number of documents that were tried. */
  documents: number
  /** Descriptions of the differences. */
  differences: string[]
}

/** Tries documents until the time is up or 10 differences are found. @param tryOne - generates a document and returns its differences. */
export function fuzzUntil(seconds: number, seed: number, tryOne: (random: Random) => string[]): FuzzReport {
  const random = seededRandom(seed)
  const report: FuzzReport = { documents: 0, differences: [] }
  const end = performance.now() + seconds * 1000
  while (performance.now() < end && report.differences.length < 10) {
    report.documents++
    report.differences.push(...tryOne(random))
  }
  return report
}
