/**
 * @module
 * Exact nearest-neighbor search by cosine similarity.
 */
import { EmbeddingDimensionError } from '@x/core-model'

/** A vector and its similarity to the query. */
export interface VectorMatch {
  /** The position in order of insertion: 0 for the first vector added. */
  index: number
  /** The cosine similarity, from -1 to 1; 0 when either vector is zero. */
  score: number
}

/**
 * Searches vectors of equal length by cosine similarity. Exact: every search reads every vector.
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

  /**
   * Adds a vector and returns its position.
   * @throws {EmbeddingDimensionError} when its length differs from that of the first vector.
   */
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

  /**
   * Replaces the vector at a position.
   * @throws {EmbeddingDimensionError} when its length differs from that of the first vector.
   */
  replace(index: number, vector: readonly number[]): void {
    this.checkLength(vector)
    this.write(index * this.dimension, vector)
  }

  /**
   * Returns the `limit` most similar vectors, best first. Equal scores keep the order of insertion.
   * @throws {EmbeddingDimensionError} when the length of the query differs from that of the vectors.
   */
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

  /** Stores the vector scaled to length 1, so that a dot product with it needs one division only. */
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
