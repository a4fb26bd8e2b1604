/** What a page of a random program does with what it receives, and what it shows. */
import type { Any } from '../chat-clients.ts'

/** Inserts the messages of other tabs before the last message of the user, as the README says. */
export function insertMissed(client: Any, { type, data }: Any): void {
  if (type !== 'data-chat-missed') return
  const { messages } = client
  const known = new Set(messages.map(({ id }: Any) => id))
  const at = messages.findLastIndex(({ role }: Any) => role === 'user')
  client.messages = [...messages.slice(0, at), ...data.filter(({ id }: Any) => !known.has(id)), ...messages.slice(at)]
}

/** Returns a message as a page shows it: without what a reply said whose stream broke, and without steps. */
export function shapeOf({ id, role, parts }: Any) {
  const shown = parts.filter((part: Any, index: number) => {
    const end = parts.slice(index).find(({ type }: Any) => type === 'step-start' || type === 'data-turn-restarted')
    return end?.type !== 'data-turn-restarted' || (part.toolCallId && part.state !== 'input-streaming')
  })
  return {
    id,
    role,
    parts: shown.flatMap(({ type, text, toolName, state, input, output, errorText }: Any) => {
      if (toolName) return [{ toolName, state, input, output, errorText }]
      return type === 'text' && text.trim() !== '' ? [text.trim()] : []
    }),
  }
}
