/**
 * @module
 * Contract checks for your own indexes. Entry `@x/testing/retrieval`.
 */
export {
  type CheckedIndexOptions,
  type IndexCheck,
  type IndexCheckOptions,
  IndexContractError,
  indexChecks,
  LetterEmbedding,
  type SearchableIndex,
} from './retrieval/index-checks.ts'
