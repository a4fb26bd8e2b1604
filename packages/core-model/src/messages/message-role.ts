/** The roles of authors in a chat. */
export const messageRoles = ['system', 'user', 'assistant', 'function', 'tool', 'chatbot'] as const
/** The role of an author in a chat. `developer` is a name of `system` in newer versions of LlamaIndex for Python and APIs of OpenAI. */
export type MessageRole = (typeof messageRoles)[number] | 'developer'
