/**
 * @module
 * Intervals and tests by resampling, with a seed, so that the same numbers come out in every run.
 */

/** A mean with the interval that contains 95 % of the means of resampled questions. */
export interface Estimate {
  /** The number of values that the mean was computed from, one per question. */
  n: number
  mean: number
  low: number
  high: number
}

/** Returns numbers from 0 up to 1 that look random: the same for the same seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

export function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}

/** The mean of values with its bootstrap interval. */
export function estimateOf(values: readonly number[], rounds: number, seed: number): Estimate {
  const mean = meanOf(values)
  const n = values.length
  if (n < 2) return { n, mean, low: mean, high: mean }
  const next = randomNumbers(seed)
  const means = new Float64Array(rounds)
  for (let round = 0; round < rounds; round++) {
    let sum = 0
    for (let i = 0; i < n; i++) sum += values[Math.floor(next() * n)]!
    means[round] = sum / n
  }
  means.sort()
  return { n, mean, low: means[Math.floor(rounds * 0.025)]!, high: means[Math.ceil(rounds * 0.975) - 1]! }
}

/** The largest number of differences whose signs are all counted: 65,536 patterns. */
const COUNTED = 16

/**
 * The probability of a mean difference at least this far from 0 if the signs of the differences were random (paired permutation test, two
 * sides). Exact for up to 16 differences other than 0; with more, from `rounds` random patterns of signs.
 */
export function signTest(differences: readonly number[], rounds: number, seed: number): number {
  const moved = differences.filter((difference) => difference !== 0)
  const observed = Math.abs(moved.reduce((sum, value) => sum + value, 0))
  if (moved.length === 0) return 1
  // Sums of the same values in different order differ in their last digits.
  const limit = observed - 1e-12
  let extreme = 0
  if (moved.length <= COUNTED) {
    const patterns = 2 ** moved.length
    for (let pattern = 0; pattern < patterns; pattern++) {
      let sum = 0
      for (let i = 0; i < moved.length; i++) sum += (pattern >> i) & 1 ? moved[i]! : -moved[i]!
      if (Math.abs(sum) >= limit) extreme++
    }
    return extreme / patterns
  }
  const next = randomNumbers(seed)
  for (let round = 0; round < rounds; round++) {
    let sum = 0
    for (const value of moved) sum += next() < 0.5 ? value : -value
    if (Math.abs(sum) >= limit) extreme++
  }
  return (extreme + 1) / (rounds + 1)
}
