import { EmptyInputError, ModelValidationError, ToolkitError } from '@x/core'
import { checkGiven, listOf } from '@x/core/options'
import { mismatch } from '@x/core/values'

/**
 * Thrown when vectors have different lengths, or their number differs from the number of strings. Use one embedding model for everything
 * that is compared, and embed stored nodes again after a change of it.
 */
export class EmbeddingDimensionError extends ToolkitError {
  readonly expected: number
  readonly received: number

  constructor(what: string, expected: number, received: number) {
    super('EmbeddingDimensionError', 'embedding_dimension', `${what}: expected ${expected}, received ${received}.`)
    this.expected = expected
    this.received = received
  }
}

/** The ways to compare two vectors. */
export const similarityModes = ['cosine', 'dot_product', 'euclidean'] as const
/** How two vectors are compared: the cosine of their angle, their dot product, or minus their distance. */
export type SimilarityMode = (typeof similarityModes)[number]

/**
 * Returns the similarity of two vectors; larger is closer in every mode. The cosine with a zero vector is 0.
 * @throws {EmbeddingDimensionError} if their lengths differ.
 * @throws {ModelValidationError} for an unknown mode.
 * @example
 * similarity([1, 0], [3, 0]) // => 1
 * similarity([0, 0], [3, 4], 'euclidean') // => -5
 */
export function similarity(a: readonly number[], b: readonly number[], mode: SimilarityMode = 'cosine'): number {
  checkGiven('similarity', { a, b }, 'a vector', 'length')
  if (!similarityModes.includes(mode)) {
    const message = mismatch(`one of "${similarityModes.join('", "')}"`, mode)
    throw new ModelValidationError('similarity', [{ path: 'mode', message, code: 'enum' }])
  }
  if (a.length !== b.length) throw new EmbeddingDimensionError('Length of the second vector', a.length, b.length)
  if (mode === 'cosine') return cosine(a, b)
  let sum = 0
  for (let index = 0; index < a.length; index++) {
    const x = a[index]!
    const y = b[index]!
    sum += mode === 'dot_product' ? x * y : (x - y) * (x - y)
  }
  return mode === 'dot_product' ? sum : 0 - Math.sqrt(sum) // not -0
}

/**
 * Returns the cosine of the angle between two vectors of the same length; 0 for a zero vector. Unlike {@link similarity}, it checks
 * nothing.
 * @example
 * import { cosine } from '@x/core-model/data'
 * cosine([1, 0], [3, 0]) // => 1
 */
export function cosine(a: readonly number[], b: readonly number[]): number {
  let [dot, squaresA, squaresB] = [0, 0, 0]
  for (let index = 0; index < a.length; index++) {
    const x = a[index]!
    const y = b[index]!
    dot += x * y
    squaresA += x * x
    squaresB += y * y
  }
  const lengths = Math.sqrt(squaresA) * Math.sqrt(squaresB)
  return lengths && dot / lengths
}

/**
 * Returns the mean of vectors, per dimension.
 * @throws {EmptyInputError} for an empty array.
 * @throws {EmbeddingDimensionError} if their lengths differ.
 */
export function meanAgg(embeddings: readonly (readonly number[])[]): number[] {
  checkGiven('meanAgg', { embeddings }, listOf('a vector', 'length'))
  const [first] = embeddings
  if (first === undefined) throw new EmptyInputError('meanAgg: at least one vector is needed.')
  const sums = new Array<number>(first.length).fill(0)
  for (const embedding of embeddings) {
    if (embedding.length !== first.length)
      throw new EmbeddingDimensionError('Length of a vector', first.length, embedding.length)
    for (let index = 0; index < sums.length; index++) sums[index]! += embedding[index]!
  }
  return sums.map((sum) => sum / embeddings.length)
}

declare module '@x/core' {
  interface ToolkitErrors {
    embedding_dimension: EmbeddingDimensionError
  }
}
