/**
 * @module
 * Vectors of length 1, whose cosine similarity is a product.
 */
import { checkGiven, invalidOption } from '@x/core/options'
import { EmbeddingDimensionError } from '@x/core-model'

/**
 * Returns the vector scaled to length 1, in single precision; a zero vector stays zero. For your own vector index.
 * @param owner - the name of the index, for the error
 * @throws {ModelValidationError} if a number is not finite.
 * @example
 * Array.from(unitVector([0, 2], 'MyIndex')) // => [0, 1]
 */
export function unitVector(vector: readonly number[], owner: string): Float32Array {
  checkGiven('unitVector', { vector }, 'a vector', 'findIndex')
  const length = vectorLength(vector, owner) || 1
  return Float32Array.from(vector, (value) => value / length)
}

/** Returns the length of a vector. @throws {ModelValidationError} if a number is not finite. */
export function vectorLength(vector: readonly number[], owner: string): number {
  let squares = 0
  for (const value of vector) squares += value * value
  if (Number.isFinite(squares)) return Math.sqrt(squares)
  const at = vector.findIndex((value) => !Number.isFinite(value * value))
  throw invalidOption(owner, `vector[${Math.max(at, 0)}]`, 'a finite number', vector[at])
}

/**
 * Checks the number of numbers of a vector. For your own vector index.
 * @throws {EmbeddingDimensionError} if it is not that of the other vectors of the index.
 * @example
 * checkDimension(1024, 768) // => throws embedding_dimension
 */
export function checkDimension(expected: number, received: number): void {
  const what =
    'The vector does not have the length of those in the index (use their model, or empty the index: run([], { removeMissing: true }) of its pipeline)'
  if (received !== expected) throw new EmbeddingDimensionError(what, expected, received)
}
