/**
 * @module
 * Ranking vectors by their angle to a query vector, exactly, one after the other.
 */
import { EmbeddingDimensionError } from '@x/core-model'

/** A vector near the query. */
export interface VectorMatch {
  /** The number of the vector: 0 for the first one added. */
  index: number
  /** The cosine: 1 for the same direction, 0 when either vector is zero. */
  score: number
}

/**
 * Vectors of one length in one block of memory.
 * @example
 * const index = new VectorIndex()
 * for (const vector of [[1, 0], [0, 2], [3, 3]]) index.add(vector)
 * index.search([0, 1], 2).map(({ index }) => index) // => [1, 2]
 */
export class VectorIndex {
  private data = new Float64Array(0)
  private dimension = 0
  private count = 0

  /** The number of vectors. */
  get size(): number {
    return this.count
  }

  /** Adds a vector; gives back its number. @throws {EmbeddingDimensionError} when its length is not that of the others. */
  add(vector: readonly number[]): number {
    if (this.count === 0) this.dimension = vector.length
    this.checkLength(vector)
    const start = this.count * this.dimension
    if (start + this.dimension > this.data.length) {
      const larger = new Float64Array(Math.max(1024, 2 * (start + this.dimension)))
      larger.set(this.data)
      this.data = larger
    }
    this.write(start, vector)
    return this.count++
  }

  /** Puts another vector in place of one. */
  replace(index: number, vector: readonly number[]): void {
    this.checkLength(vector)
    this.write(index * this.dimension, vector)
  }

  /** The nearest vectors first, equal scores in the order they were added. */
  search(query: readonly number[], limit: number): VectorMatch[] {
    if (this.count === 0) return []
    this.checkLength(query)
    const length = lengthOf(query) || 1
    const matches: VectorMatch[] = []
    const { data, dimension } = this
    for (let index = 0; index < this.count; index++) {
      let dot = 0
      const start = index * dimension
      for (let i = 0; i < dimension; i++) dot += data[start + i]! * query[i]!
      matches.push({ index, score: dot / length })
    }
    return matches.sort((one, other) => other.score - one.score || one.index - other.index).slice(0, limit)
  }

  /** As a vector of length 1, so that a dot product is the cosine. */
  private write(start: number, vector: readonly number[]): void {
    const length = lengthOf(vector) || 1
    for (let i = 0; i < vector.length; i++) this.data[start + i] = vector[i]! / length
  }

  private checkLength(vector: readonly number[]): void {
    if (vector.length !== this.dimension)
      throw new EmbeddingDimensionError('Length of the vector', this.dimension, vector.length)
  }
}

function lengthOf(vector: readonly number[]): number {
  let squares = 0
  for (const value of vector) squares += value * value
  return Math.sqrt(squares)
}
