/**
 * @module
 * Keeps the steps of a task as a page shows them.
 */
import { ChatMessage, reasoningOf, type ToolOutput } from '@x/core-model'
import { openMessages } from '@x/core-model/memory'
import { withJson } from '../task/agent-event.ts'
import type { Layer } from './layer.ts'
import { replyText } from './reply.ts'
import type { CallsTurn, ToolCallingProtocol } from './tool-calling-protocol.ts'

const REPLY = Symbol('shownSteps')

/** Keeps the steps of a turn in a chat store as messages with calls and reasoning, for protocols whose own messages have none. */
export const shownSteps: Layer = {
  reply: (reply, _request, { ids }) => {
    ids.notes[REPLY] = reply.message
    return reply
  },
  record: (next) => (turn, outputs, scope) => {
    const { state, ids, loop } = scope
    const reply = ids.notes[REPLY] as ChatMessage | undefined
    // An answer that is made of an output is recorded behind its calls.
    ids.notes[REPLY] = undefined
    if (turn.kind === 'unreadable') return next(turn, outputs, scope)
    const reasoning = reply ? reasoningIn(reply, loop.protocol) : ''
    const messages = turn.kind === 'calls' ? messagesOf(turn, outputs) : []
    const said = messages.shift() ?? new ChatMessage({ role: 'assistant', content: null })
    if (turn.kind === 'calls' || reasoning !== '') {
      const additionalKwargs = { ...said.additionalKwargs, ...(reasoning !== '' && { reasoning }) }
      state.shown_steps = [...(state.shown_steps ?? []), said.copy({ update: { additionalKwargs } }), ...messages]
    }
    return next(turn, outputs, scope)
  },
}

function messagesOf({ text = '', calls }: CallsTurn, outputs: readonly ToolOutput[]): ChatMessage[] {
  return openMessages(
    text,
    calls.map((call, place) => ({ ...withJson(call), result: outputs[place] })),
  )
}

/** Returns the reasoning in a reply that its stream has reported. */
function reasoningIn(reply: ChatMessage, protocol: ToolCallingProtocol): string {
  const parts = reasoningOf(reply).map(({ text }) => text)
  if (parts.length > 0) return parts.join('\n')
  const reader = protocol.reader(true)
  reader.push(replyText(reply))
  const { reasoning = '' } = reader
  reader.flush?.()
  return reasoning + (reader.reasoning ?? '')
}
