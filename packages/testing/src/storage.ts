/**
 * @module
 * Contract checks for your own stores of documents, values and conversations. Entry `@x/testing/storage`.
 */
export { chatStoreChecks } from './storage/chat-store-checks.ts'
export { type ContractCheck, ContractError } from './storage/contract-check.ts'
export { documentStoreChecks } from './storage/document-store-checks.ts'
export { keyValueStoreChecks } from './storage/key-value-store-checks.ts'
