/** What a page of a random program does with what it receives, and what it shows. */
import { messageText, type Turn } from '@x/core-model'
import { shownTurn } from '@x/core-model/memory'
import type { Any } from '../chat-clients.ts'

/** What models receive instead of a message that no agent has accepted. */
export const HELD = 'A message of the user is left out here: it was not accepted.'

/** Returns the message of the user of a turn, as a page shows it. */
export const askedIn = (turn: Turn): string => messageText(shownTurn(turn).messages[0]!)

/** Whether a worker has begun a turn of durable tasks: until then, its message is held. */
export const isBegun = ({ messages, shown }: Turn): boolean => !shown || messages.length > 1

/**
 * Replaces the messages before the last one of the user by those of other tabs, and adds those behind the answer at the end, and the
 * message that is answered if it is missing, as the README says.
 */
export function insertMissed(client: Any, { type, data }: Any): void {
  const { messages } = client
  const without = (some: Any[], others: Any[]) => some.filter(({ id }) => !others.some((one) => one.id === id))
  const at = messages.findLastIndex(({ role }: Any) => role === 'user')
  if (type === 'data-chat-missed') client.messages = [...data, ...messages.slice(at)]
  if (type === 'data-chat-question') client.messages = [...messages, ...without(data, messages)]
  if (type === 'data-chat-later') client.messages = [...without(messages, data), ...data]
}

/** Returns a message as a page shows it: without what a reply said whose stream broke, and without steps. */
export function shapeOf({ id, role, parts }: Any) {
  const shown = parts.filter((part: Any, index: number) => {
    const rest = parts.slice(index + 1)
    const end = rest.find(({ type }: Any) => type === 'step-start' || type === 'data-turn-restarted')
    const hasResult = part.state?.startsWith('output') && !rest.some((one: Any) => one.toolCallId === part.toolCallId)
    return end?.type !== 'data-turn-restarted' || hasResult
  })
  return {
    id,
    role,
    parts: shown.flatMap(({ type, text, toolName, state, input, output, errorText, approval, data }: Any) => {
      // No chunk of all clients says how a call was decided whose result a page receives.
      const decided = /^approval/.test(state) && { approval: [approval.id, approval.approved] }
      if (toolName) return [{ toolName, state, input, output, errorText, ...decided }]
      if (type === 'data-approval-problem') return [data]
      return type === 'text' ? [text] : []
    }),
  }
}

/** The calls of a page that wait for an approval. */
export const waitingIn = ({ client }: { client: Any }): Any[] =>
  (client.messages.at(-1)?.parts ?? []).filter(({ state }: Any) => state === 'approval-requested')
