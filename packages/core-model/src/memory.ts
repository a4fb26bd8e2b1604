/**
 * @module
 * The memories of conversations, and their turns. Entry `@x/core-model/memory`.
 */
export {
  ChatMemoryBuffer,
  type ChatMemoryBufferDict,
  type MemoryClass,
  memoryOf,
  messagesNow,
  moveMessages,
  toMessage,
} from './memory/chat-memory-buffer.ts'
export { KeptRows } from './memory/kept-rows.ts'
export { firstMessages, messageTokens, TokenLimitError, turnStart } from './memory/newest-messages.ts'
export {
  attemptsOf,
  countOf,
  limitsOf,
  memoryForTurn,
  StoredChatMemory,
  sealed,
  TurnMemory,
  turnMemoryOf,
} from './memory/stored-chat-memory.ts'
export {
  heldMessage,
  heldTurn,
  INTERRUPTED,
  inWords,
  isSameMessage,
  isWithoutResult,
  type OpenCall,
  openMessages,
  resultsOf,
  shownTurn,
  withoutTurn,
  withoutWaiting,
  withResults,
} from './memory/turn-messages.ts'
export { turnsIn } from './memory/turns-as-messages.ts'
