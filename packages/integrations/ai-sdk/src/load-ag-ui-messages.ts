/**
 * @module
 * The messages of a chat for clients of AG-UI, when a page is loaded.
 */
import { type OnChatError, turnEvents } from '@x/chats'
import { checkOptions } from '@x/core/options'
import type { ChatStore, Turn } from '@x/core-model'
import { shownTurn } from '@x/core-model/memory'
import { type AgUiEvent, agUiEventsOfTurn } from './ag-ui-events.ts'
import { type LoadUIMessagesOptions, ofTurns, RUN_OPTIONS } from './load-ui-messages.ts'

/** A message of AG-UI. */
export interface StoredAgUiMessage {
  readonly id: string
  readonly role: 'user' | 'assistant' | 'reasoning' | 'tool'
  /** The text; the content of the message in the chat store for one of the user. */
  readonly content?: unknown
  readonly toolCalls?: readonly {
    readonly id: string
    readonly type: 'function'
    readonly function: { readonly name: string; readonly arguments: string }
  }[]
  readonly toolCallId?: string
}

/**
 * Returns the messages of a thread for a client of AG-UI (`initialMessages`): those that its page would show, with reasoning, tools and
 * their results, and answers that wait, failed or were stopped. A running answer is left out, because the client receives it from its
 * beginning.
 * @param chatStore - the one of the route
 * @param id - the thread
 * @example
 * import { SimpleChatStore } from '@x/core-model'
 *
 * await loadAgUiMessages(new SimpleChatStore(), 'ann', 't1') // => []
 */
export async function loadAgUiMessages(
  chatStore: ChatStore,
  user: string,
  id: string,
  options: Omit<LoadUIMessagesOptions, 'typedTools' | 'tools'> = {},
): Promise<StoredAgUiMessage[]> {
  checkOptions('loadAgUiMessages', options, RUN_OPTIONS)
  const { onError } = options
  return ofTurns(chatStore, [user, id], options, (turn, goesOn) => agUiMessagesOf(turn, { onError, goesOn }))
}

/** A call that waits, as AG-UI sends it at the end of a run. */
export interface StoredAgUiInterrupt {
  readonly id: string
  readonly toolCallId: string
  readonly reason: string
  readonly message: string
  /** The form of a question. */
  readonly responseSchema?: Record<string, unknown>
  /** For an approval, the arguments with which the call would run. */
  readonly metadata?: { readonly arguments: unknown }
}

/**
 * Returns the calls of a thread that wait for a decision or a result: what a client of AG-UI has as `pendingInterrupts` at the end of a
 * run, and lacks when its page is loaded again. `runAgent({ resume: [{ interruptId, status: 'resolved' }] })` decides, also without them.
 * @param chatStore - the one of the route
 * @param id - the thread
 * @example
 * import { SimpleChatStore } from '@x/core-model'
 *
 * await loadAgUiInterrupts(new SimpleChatStore(), 'ann', 't1') // => []
 */
export async function loadAgUiInterrupts(
  chatStore: ChatStore,
  user: string,
  id: string,
  options: Omit<LoadUIMessagesOptions, 'typedTools' | 'tools'> = {},
): Promise<StoredAgUiInterrupt[]> {
  checkOptions('loadAgUiInterrupts', options, RUN_OPTIONS)
  return ofTurns(chatStore, [user, id], options, (turn, goesOn) =>
    turn.state === 'waiting' && !goesOn ? interruptsOf(turn) : [],
  )
}

function interruptsOf(turn: Turn): StoredAgUiInterrupt[] {
  const outcome = agUiEventsOfTurn(turnEvents(turn), turn.id).at(-1)?.['outcome'] as
    | { interrupts?: StoredAgUiInterrupt[] }
    | undefined
  return outcome?.interrupts ?? []
}

/** Returns the messages of a turn. */
export function agUiMessagesOf(
  turn: Turn,
  { onError, goesOn = false }: { onError?: OnChatError | undefined; goesOn?: boolean } = {},
): StoredAgUiMessage[] {
  const { id, message = `${id}-user` } = turn
  const [first] = shownTurn(turn).messages
  const user: StoredAgUiMessage[] =
    first?.role === 'user' ? [{ id: message, role: 'user', content: first.content }] : []
  if (goesOn) return user
  return [...user, ...messagesOf(agUiEventsOfTurn(turnEvents(turn, { onError }), id))]
}

type Message = Record<string, unknown>

/** What the client makes of the events of an answer: a result is behind its call. */
function messagesOf(events: readonly AgUiEvent[]): StoredAgUiMessage[] {
  const messages: Message[] = []
  const find = (id: unknown) => messages.find((message) => message['id'] === id)
  const call = (id: unknown) =>
    messages.flatMap((message) => (message['toolCalls'] ?? []) as Message[]).find((one) => one['id'] === id)
  for (const { type, messageId, delta, toolCallId, toolCallName, content } of events) {
    if (type === 'TEXT_MESSAGE_START') messages.push({ id: messageId, role: 'assistant', content: '' })
    else if (type === 'REASONING_MESSAGE_START') messages.push({ id: messageId, role: 'reasoning', content: '' })
    else if (type === 'TEXT_MESSAGE_CONTENT' || type === 'REASONING_MESSAGE_CONTENT') {
      const message = find(messageId)
      if (message) message['content'] = `${message['content']}${delta}`
    } else if (type === 'TOOL_CALL_START') {
      const made = { id: toolCallId, type: 'function', function: { name: toolCallName, arguments: '' } }
      messages.push({ id: toolCallId, role: 'assistant', toolCalls: [made] })
    } else if (type === 'TOOL_CALL_ARGS') {
      const made = call(toolCallId)?.['function'] as Message | undefined
      if (made) made['arguments'] = `${made['arguments']}${delta}`
    } else if (type === 'TOOL_CALL_RESULT') {
      const place = messages.findIndex((message) => message['id'] === toolCallId) + 1
      messages.splice(place || messages.length, 0, { id: messageId, role: 'tool', toolCallId, content })
    }
  }
  return messages as unknown as StoredAgUiMessage[]
}
