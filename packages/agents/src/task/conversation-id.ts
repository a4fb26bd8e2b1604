/** Returns the id of a conversation whose messages are stored elsewhere, otherwise undefined. */
export function conversationIdOf(memory: object): string | undefined {
  return (memory as { conversationId?: string }).conversationId
}
