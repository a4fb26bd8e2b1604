/**
 * @module
 * Contract checks for your own indexes. Entry `@x/testing/retrieval`.
 */
export { type CheckedIndexOptions, IndexContractError, indexChecks, LetterEmbedding } from './retrieval/index-checks.ts'
