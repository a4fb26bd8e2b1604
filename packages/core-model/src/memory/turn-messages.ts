/**
 * @module
 * The messages of a turn that has not ended, in a form that every model accepts: each call has a result.
 */

import { writeJsonText } from '@x/core'
import { checkGiven } from '@x/core/options'
import { ChatMessage } from '../messages/chat-message.ts'
import { type ModelToolCall, toolCallsOf } from '../messages/message-content.ts'
import type { CallMark, Turn } from '../messages/turn-store.ts'

/** A call of a step that has not ended. */
export interface OpenCall {
  id: string
  name: string
  /** JSON. */
  arguments: string
  result?: { content: string } | undefined
}

/** The marks of calls without a result. */
type OpenMark = Exclude<CallMark, 'provided'>

/** The result of a call that an interrupted run has begun. */
export const INTERRUPTED =
  'Interrupted: it is unknown whether this call ran and had its effect. Check before you repeat it.'

/** The result of a call that has none. */
const INSTEAD: Readonly<Record<OpenMark, string>> = {
  approval: 'This call waits for a decision of the user. It has not run.',
  begun: 'This call waits for a decision of the user. It is unknown whether an interrupted attempt had its effect.',
  result: 'This call waits for its result, which comes from outside.',
  unknown: INTERRUPTED,
  failed: 'Stopped before this call ran.',
}

/** Whether the result of a call says that it has none, because its run was interrupted or stopped. */
export function isWithoutResult(content: string): boolean {
  return content.startsWith(INTERRUPTED) || content === INSTEAD.failed
}

/**
 * Returns messages in which each call has a result, and the marks of those that had none. The results are in the order of their calls: some
 * providers know them by their position alone.
 */
export function withResults(
  messages: readonly ChatMessage[],
  markOf: (callId: string) => OpenMark,
): { messages: ChatMessage[]; calls: Record<string, CallMark> } {
  const results = new Set(messages.flatMap(resultOf))
  const calls: Record<string, CallMark> = {}
  const whole: ChatMessage[] = []
  let open: ModelToolCall[] = []
  let given: ChatMessage[] = []
  const close = () => {
    for (const { id, name } of open) {
      if (!id || results.has(id)) continue
      const mark = markOf(id)
      calls[id] = mark
      given.push(resultMessage({ id, name }, INSTEAD[mark]))
    }
    const places = new Map(open.map(({ id }, place) => [id, place]))
    const placeOf = (message: ChatMessage) => places.get(resultOf(message)[0] ?? null) ?? open.length
    whole.push(...given.sort((one, other) => placeOf(one) - placeOf(other)))
    open = []
    given = []
  }
  for (const message of messages) {
    if (message.role === 'tool') {
      given.push(message)
      continue
    }
    close()
    whole.push(message)
    if (message.role === 'assistant') open = toolCallsOf(message)
  }
  close()
  return { messages: whole, calls }
}

/** Returns the id of the call whose result a message is. */
const resultOf = ({ additionalKwargs }: ChatMessage): string[] => {
  const id = additionalKwargs['tool_call_id']
  return typeof id === 'string' ? [id] : []
}

/** Returns the messages of a step that has not ended. */
export function openMessages(text: string, calls: readonly OpenCall[]): ChatMessage[] {
  if (calls.length === 0) return text === '' ? [] : [new ChatMessage({ role: 'assistant', content: text })]
  const tool_calls = calls.map(({ id, name, arguments: args }) => ({
    id,
    type: 'function',
    function: { name, arguments: args },
  }))
  const content = text === '' ? null : text
  const said = new ChatMessage({ role: 'assistant', content, additionalKwargs: { tool_calls } })
  return [said, ...calls.flatMap(resultsOf)]
}

/** Returns the message with the result of a call, if it has one. */
export function resultsOf(call: OpenCall): ChatMessage[] {
  return call.result ? [resultMessage(call, call.result.content)] : []
}

function resultMessage({ id, name }: { id: string; name: string }, content: string): ChatMessage {
  return new ChatMessage({ role: 'tool', content, additionalKwargs: { name, tool_call_id: id } })
}

/** Returns a call in words, for protocols whose messages do not have calls. */
export function inWords({ name, arguments: args, result }: Omit<OpenCall, 'id'>, mark: OpenMark = 'unknown'): string {
  const unknown = 'interrupted, it is unknown whether it had its effect'
  const end = result ? result.content : mark === 'unknown' ? unknown : INSTEAD[mark]
  return `(Called ${name} with ${args}: ${end})\n`
}

/**
 * Returns a turn that does not wait any more: the user has stopped it, and its calls will not run, or has decided (`open`), and until they
 * have run nobody knows whether those have that were not rejected.
 */
export function withoutWaiting(turn: Turn, state: 'stopped' | 'open'): Turn {
  checkGiven('withoutWaiting', { turn }, 'a turn', 'messages')
  const now = (id: string) => {
    const mark = turn.calls?.[id]
    if (mark !== 'approval' && mark !== 'result') return mark === 'begun' ? 'unknown' : undefined
    return state === 'stopped' || turn.decided?.[id]?.approved === false ? 'failed' : 'unknown'
  }
  const ended = (message: ChatMessage) => {
    const mark = now(String(message.additionalKwargs['tool_call_id']))
    return mark ? message.copy({ update: { content: INSTEAD[mark] } }) : message
  }
  const messages = turn.messages.map(ended)
  const shown = turn.shown && {
    ...turn.shown,
    messages: shownTurn(turn).messages.map((message) => ended(message).toDict()),
  }
  const calls = Object.entries(turn.calls ?? {}).map(([id, mark]): [string, CallMark] => [id, now(id) ?? mark])
  return { ...turn, state, calls: Object.fromEntries(calls), messages, shown }
}

/** Returns what stands in the conversation for a message of the user that nobody has accepted. */
export function heldMessage(): ChatMessage {
  return new ChatMessage({ role: 'user', content: 'A message of the user is left out here: it was not accepted.' })
}

/** Returns a new turn whose message is on its page alone: no later task of the conversation receives it. */
export function heldTurn(turn: Turn): Turn {
  const messages = turn.messages.map((message) => message.toDict())
  return { ...turn, messages: [heldMessage()], shown: { messages } }
}

/** Returns a turn with the messages of its steps as a page shows them. */
export function shownTurn(turn: Turn): Turn {
  const { shown } = turn
  if (!shown) return turn
  const { kept, attempts } = shown
  return { ...turn, kept, attempts, messages: shown.messages.map((message) => ChatMessage.fromDict(message)) }
}

/** Returns a conversation without a turn, and not without the beginning of a longer one; the same array if the turn is not there. */
export function withoutTurn(all: readonly ChatMessage[], turn: readonly ChatMessage[] | null): readonly ChatMessage[] {
  if (!turn?.length) return all
  const isTurn = (from: number) =>
    (all[from + turn.length]?.role ?? 'user') === 'user' &&
    turn.every((message, place) => isSameMessage(all[from + place], message))
  const at = all.findLastIndex((_, from) => isTurn(from))
  return at < 0 ? all : all.toSpliced(at, turn.length)
}

/** Whether two messages have the same JSON. */
export function isSameMessage(one: ChatMessage | undefined, other: ChatMessage): boolean {
  if (one === other) return true
  // Most messages differ in what is quick to see.
  if (!one || one.role !== other.role || (typeof one.content === 'string' && one.content !== other.content))
    return false
  return writeJsonText(one.toDict()) === writeJsonText(other.toDict())
}
