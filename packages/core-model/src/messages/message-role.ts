/** Who speaks in a chat. */
export const messageRoles = ['system', 'user', 'assistant', 'function', 'tool', 'chatbot'] as const
/** Who speaks in a chat. */
export type MessageRole = (typeof messageRoles)[number]
