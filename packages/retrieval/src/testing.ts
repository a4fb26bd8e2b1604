/**
 * @module
 * Contract checks for your own indexes, for any test runner: entry `@x/retrieval/testing`.
 */
export {
  type CheckedIndexOptions,
  type IndexCheck,
  type IndexCheckOptions,
  IndexContractError,
  indexChecks,
  LetterEmbedding,
  type SearchableIndex,
} from './testing/index-checks.ts'
