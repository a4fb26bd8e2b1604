/**
 * @module
 * Maximal marginal relevance over plain numbers and vectors.
 */

/** The options of {@link selectDiverse}. */
export interface SelectDiverseOptions {
  /** The weight of relevance against diversity: 1 is relevance only, 0 is diversity only. */
  lambda: number
  /** The maximum number of items selected. */
  count: number
}

/**
 * Returns the indexes of the selected items, in the order of selection. Each step selects the item with the highest
 * `lambda * relevance - (1 - lambda) * (highest cosine similarity to a selected item)`; of equal items the earlier one.
 * The time is proportional to `count` times the number of items.
 * @see https://doi.org/10.1145/290941.291025 (maximal marginal relevance)
 */
export function selectDiverse(
  relevances: readonly number[],
  vectors: readonly (readonly number[])[],
  { lambda, count }: SelectDiverseOptions,
): number[] {
  const units = vectors.map(unitVector)
  const closest = new Float64Array(relevances.length)
  const left = relevances.map((_, index) => index)
  const chosen: number[] = []
  while (chosen.length < count && left.length > 0) {
    let best = 0
    let bestValue = Number.NEGATIVE_INFINITY
    for (let place = 0; place < left.length; place++) {
      const index = left[place]!
      const value = lambda * relevances[index]! - (1 - lambda) * closest[index]!
      if (value > bestValue) {
        best = place
        bestValue = value
      }
    }
    const [next] = left.splice(best, 1) as [number]
    const unit = units[next]!
    for (const index of left) {
      const similarity = dot(unit, units[index]!)
      // `closest` is 0 until the first selection; afterwards it may be negative.
      if (chosen.length === 0 || similarity > closest[index]!) closest[index] = similarity
    }
    chosen.push(next)
  }
  return chosen
}

function unitVector(vector: readonly number[]): Float64Array {
  let squares = 0
  for (const value of vector) squares += value * value
  const norm = Math.sqrt(squares)
  return Float64Array.from(vector, (value) => (norm === 0 ? 0 : value / norm))
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}
