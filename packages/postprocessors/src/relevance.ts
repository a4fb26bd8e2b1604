/**
 * @module
 * How scores compare: a missing score and NaN are below every number.
 */

interface Scored {
  readonly score: number | null
}

/** From the most relevant to the least: by score, equal ones in input order, those without a score (or with NaN) last. */
export function byRelevance<T extends Scored>(entries: readonly T[]): T[] {
  return [...entries].sort(
    (a, b) => Number(isMoreRelevant(b.score, a.score)) - Number(isMoreRelevant(a.score, b.score)),
  )
}

/** Whether a score is above another one. */
export function isMoreRelevant(score: number | null, than: number | null): boolean {
  return hasRank(score) && (!hasRank(than) || score > than)
}

/**
 * Scales scores to the range from 0 to 1, the lowest and the highest finite one of these entries; when all are equal they are 1.
 * Infinite scores are at the ends; no score, and NaN, is 0.
 */
export function scoreScale(entries: readonly Scored[]): (score: number | null) => number {
  let lowest = Number.POSITIVE_INFINITY
  let highest = Number.NEGATIVE_INFINITY
  for (const { score } of entries) {
    if (score === null || !Number.isFinite(score)) continue
    lowest = Math.min(lowest, score)
    highest = Math.max(highest, score)
  }
  return (score) => {
    if (!hasRank(score) || score < lowest) return 0
    return score >= highest ? 1 : (score - lowest) / (highest - lowest)
  }
}

function hasRank(score: number | null): score is number {
  return score !== null && !Number.isNaN(score)
}
