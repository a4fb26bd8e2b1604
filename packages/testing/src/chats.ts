/**
 * @module
 * Checks of chats: your own chat store, handler or engine. Entry `@x/testing/chats`.
 */
export { type CheckedAgent, type CheckedChat, chatChecks } from './chats/chat-checks.ts'
export type { ContractCheck } from './storage/contract-check.ts'
