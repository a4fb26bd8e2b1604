/** The roles of authors in a chat. */
export const messageRoles = ['system', 'user', 'assistant', 'function', 'tool', 'chatbot'] as const
/** The role of an author in a chat. */
export type MessageRole = (typeof messageRoles)[number]
