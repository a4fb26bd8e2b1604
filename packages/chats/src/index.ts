/**
 * @module
 * Chats of users over HTTP, for any protocol of clients.
 */
export { type AnswerTurnOptions, answerTurn, type ChatAgent, messageId } from './answer-turn.ts'
export type {
  ChatDecisionTurn,
  ChatMessageTurn,
  ChatProtocol,
  ChatTurn,
  UserChat,
} from './chat-protocol.ts'
export {
  type ChatRouteOptions,
  type ChatRun,
  chatKey,
  chatRoute,
  loadChat,
} from './chat-route.ts'
export {
  type ChatStreams,
  type ChatStreamWriter,
  memoryChatStreams,
  type StoredStreamsOptions,
  type StreamRows,
  type StreamStore,
  storedChatStreams,
} from './chat-streams.ts'
export { type OnChatError, shownEvents } from './shown-events.ts'
