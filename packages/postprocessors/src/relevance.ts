/**
 * @module
 * Compares scores, and writes them in reasons. A missing score and NaN rank below every number.
 */

interface Scored {
  readonly score: number | null
}

/** Returns the entries best first. Equal scores keep the input order; entries without a score, or with NaN, are last. */
export function byRelevance<T extends Scored>(entries: readonly T[]): T[] {
  return [...entries].sort(
    (a, b) => Number(isMoreRelevant(b.score, a.score)) - Number(isMoreRelevant(a.score, b.score)),
  )
}

/** Whether `score` ranks above `than`. */
export function isMoreRelevant(score: number | null, than: number | null): boolean {
  return hasRank(score) && (!hasRank(than) || score > than)
}

/**
 * Returns a function that scales scores linearly, so that the lowest finite score of the entries is 0 and the highest is 1.
 * If all are equal, they are 1. Infinity is 1 and -Infinity is 0. A missing score and NaN are 0.
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

/** Returns a number for a reason, with at most five digits; with all of them if it would look like the number beside it. */
export function shortNumber(value: number, beside?: number): string {
  const short = Number(value.toPrecision(5))
  return String(short === beside ? value : short)
}
