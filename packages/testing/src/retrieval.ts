/**
 * @module
 * Contract checks for your own indexes. Entry `@x/testing/retrieval`.
 */
export {
  type CheckedIndexOptions,
  indexChecks,
  LetterEmbedding,
} from './retrieval/index-checks.ts'
export type { ContractCheck } from './storage/contract-check.ts'
