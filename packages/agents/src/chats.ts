/**
 * @module
 * Chats of users over HTTP, for any protocol of clients. Entry `@x/agents/chats`.
 */
export { type AnswerTurnOptions, answerTurn, type ChatAgent, messageId } from './chats/answer-turn.ts'
export type {
  ChatDecisionTurn,
  ChatMessageTurn,
  ChatProtocol,
  ChatTurn,
  UserChat,
} from './chats/chat-protocol.ts'
export {
  type ChatRouteOptions,
  type ChatRun,
  chatKey,
  chatRoute,
  loadChat,
} from './chats/chat-route.ts'
export {
  type ChatStreams,
  type ChatStreamWriter,
  memoryChatStreams,
  type StoredStreamsOptions,
  type StreamRows,
  type StreamStore,
  storedChatStreams,
} from './chats/chat-streams.ts'
export { type OnChatError, shownEvents } from './chats/shown-events.ts'
export { linesResponse } from './durable/lines-response.ts'
export { type AllowFile, checkFiles, type SubmittedFile } from './durable/submitted-file.ts'
