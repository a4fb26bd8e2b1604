/**
 * @module
 * Exact nearest-neighbor search by cosine similarity.
 */

import { checkOption, invalidOption, wholeNumber } from '@x/core/options'
import { TopMatches } from './top-matches.ts'
import { checkDimension, vectorLength } from './unit-vector.ts'

/** A vector and its similarity to the query. */
export interface VectorMatch {
  /** The position of the vector, as `add` returned it. */
  index: number
  /** The cosine similarity, from -1 to 1, with the precision of 32-bit numbers; 0 when either vector is zero. */
  score: number
}

/** Numbers per block: 256 KiB. */
const BLOCK = 65_536

/**
 * Searches vectors of equal length by cosine similarity. Exact: every search reads every vector. Numbers are stored in single precision, 4
 * bytes each: scores differ from those of double precision by less than 1e-6, so that nearly equal ones may be swapped.
 * @example
 * const index = new VectorIndex()
 * for (const vector of [[1, 0], [0, 2], [3, 3]]) index.add(vector)
 * index.search([0, 1], 2).map(({ index }) => index) // => [1, 2]
 */
export class VectorIndex {
  /** The vectors, scaled to length 1, in blocks that contain as many whole vectors as fit, so that no vector moves when the index grows. */
  private readonly blocks: Float32Array[] = []
  private dimension = 0
  /** Per position: a number that grows in the order of insertion; -1 for a removed vector. */
  private readonly sequences: number[] = []
  private readonly free: number[] = []
  private nextSequence = 0

  /** The number of vectors. */
  get size(): number {
    return this.sequences.length - this.free.length
  }

  /**
   * Adds a vector and returns its position: 0 for the first vector. Positions of removed vectors are used again.
   * @throws {EmbeddingDimensionError} if its length differs from that of the other vectors.
   * @throws {ModelValidationError} if a number is not finite.
   */
  add(vector: readonly number[]): number {
    const length = vectorLength(vector, 'VectorIndex')
    if (this.size === 0) this.clear(vector.length)
    checkDimension(this.dimension, vector.length)
    const position = this.free.pop() ?? this.sequences.length
    this.sequences[position] = this.nextSequence++
    this.write(position, vector, length)
    return position
  }

  /**
   * Replaces the vector at a position.
   * @throws {EmbeddingDimensionError} if its length differs from that of the other vectors.
   * @throws {ModelValidationError} if a number is not finite, or there is no vector at this position.
   */
  replace(position: number, vector: readonly number[]): void {
    this.checkPosition(position)
    const length = vectorLength(vector, 'VectorIndex')
    checkDimension(this.dimension, vector.length)
    this.write(position, vector, length)
  }

  /** @throws {EmbeddingDimensionError} if one of the vectors, added after those before it, would have a different length. @internal */
  check(vectors: readonly (readonly number[])[]): void {
    const length = this.size === 0 ? vectors[0]?.length : this.dimension
    for (const vector of vectors) {
      vectorLength(vector, 'VectorIndex')
      checkDimension(length!, vector.length)
    }
  }

  /** Removes the vector at a position. @throws {ModelValidationError} if there is no vector at this position. */
  remove(position: number): void {
    this.checkPosition(position)
    this.sequences[position] = -1
    this.free.push(position)
  }

  /**
   * Returns the `limit` most similar vectors, best first. Equal scores keep the order of insertion.
   * @param accepts - whether the vector at a position may be returned
   * @throws {EmbeddingDimensionError} if the length of the query differs from that of the vectors.
   * @throws {ModelValidationError} if `limit` is not an integer of at least 0, or a number of the query is not finite.
   */
  search(query: readonly number[], limit: number, accepts?: (position: number) => boolean): VectorMatch[] {
    checkOption('VectorIndex', 'limit', limit, wholeNumber(0))
    const length = vectorLength(query, 'VectorIndex')
    if (this.size === 0) return []
    checkDimension(this.dimension, query.length)
    const { sequences, dimension } = this
    const unit = Float64Array.from(query, (value) => value / (length || 1))
    const top = new TopMatches(limit, sequences, accepts)
    let position = 0
    for (const block of this.blocks) {
      for (let start = 0; start + dimension <= block.length && position < sequences.length; start += dimension) {
        if (sequences[position]! >= 0) top.offer(position, dotProduct(block, start, unit))
        position++
      }
    }
    return top.sorted()
  }

  private perBlock(): number {
    return Math.max(1, Math.floor(BLOCK / Math.max(1, this.dimension)))
  }

  private clear(dimension: number): void {
    this.dimension = dimension
    this.blocks.length = 0
    this.sequences.length = 0
    this.free.length = 0
  }

  /** Stores the vector scaled to length 1, so that its similarity is a dot product. */
  private write(position: number, vector: readonly number[], length: number): void {
    const perBlock = this.perBlock()
    const at = Math.floor(position / perBlock)
    const block = (this.blocks[at] ??= new Float32Array(perBlock * this.dimension))
    const start = (position % perBlock) * this.dimension
    for (let i = 0; i < vector.length; i++) block[start + i] = vector[i]! / (length || 1)
  }

  private checkPosition(position: number): void {
    if ((this.sequences[position] ?? -1) < 0)
      throw invalidOption('VectorIndex', 'position', 'the position of a vector in the index', position)
  }
}

function dotProduct(block: Float32Array, start: number, unit: Float64Array): number {
  let sum = 0
  for (let i = 0; i < unit.length; i++) sum += block[start + i]! * unit[i]!
  return sum
}
