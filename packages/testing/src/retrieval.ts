/**
 * @module
 * Contract checks for your own indexes. Entry `@x/testing/retrieval`.
 */
export {
  type CheckedIndexOptions,
  type IndexCheck,
  IndexContractError,
  indexChecks,
  LetterEmbedding,
} from './retrieval/index-checks.ts'
