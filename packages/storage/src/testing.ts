/**
 * @module
 * Contract checks for your own stores, for any test runner: entry `@x/storage/testing`.
 */
export { chatStoreChecks } from './testing/chat-store-checks.ts'
export { type ContractCheck, ContractError } from './testing/contract-check.ts'
export { type DocumentStoreOperations, documentStoreChecks } from './testing/document-store-checks.ts'
export { keyValueStoreChecks } from './testing/key-value-store-checks.ts'
