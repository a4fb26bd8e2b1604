/**
 * @module
 * Chats of users over HTTP, for any protocol of clients.
 */
export { answerTurn } from './answer-turn.ts'
export type { ChatAgent } from './chat-agent.ts'
export type { ChatDecision, ChatMessageTurn, ChatProtocol, ChatTurn, UserChat } from './chat-protocol.ts'
export { chatRoute } from './chat-route.ts'
export type { ChatRouteOptions } from './chat-route-options.ts'
export {
  type ChatStreams,
  type ChatStreamWriter,
  memoryChatStreams,
  type StreamStore,
  storedChatStreams,
} from './chat-streams.ts'
export { decidedCalls } from './chat-turn.ts'
export { type OnChatError, shownEvents } from './shown-events.ts'
export { turnEvents } from './turn-events.ts'
export { chatKey, chatsOf, loadChat, loadTurns, type UserChats } from './user-chats.ts'
