import type { NodeWithScore } from '@x/core-model'

/** Scales scores so that the lowest of these entries is 0 and the highest 1; when all are equal they are 1. No score is 0. */
export function scoreScale(entries: readonly NodeWithScore[]): (score: number | null) => number {
  let lowest = Number.POSITIVE_INFINITY
  let highest = Number.NEGATIVE_INFINITY
  for (const { score } of entries) {
    if (score === null) continue
    lowest = Math.min(lowest, score)
    highest = Math.max(highest, score)
  }
  return (score) => (score === null ? 0 : highest === lowest ? 1 : (score - lowest) / (highest - lowest))
}
