/**
 * @module
 * Converts messages to the form of the conventions: a role and parts.
 */
import { type ChatMessage, isTextPart, messageText, reasoningOf, toolCallsOf } from '@x/core-model'
import { compactJson } from '@x/core-model/internal'

/** Returns messages as the JSON of `gen_ai.input.messages`. Images and files are named; their data is left out. */
export function messagesJson(messages: readonly ChatMessage[], finishReason: string | null = null): string {
  return compactJson(
    messages.map((message) => ({
      role: message.role,
      parts: partsOf(message),
      ...(finishReason !== null && { finish_reason: finishReason }),
    })),
  )
}

function partsOf(message: ChatMessage): object[] {
  const { role, content, additionalKwargs } = message
  if (role === 'tool' || role === 'function')
    return [
      { type: 'tool_call_response', id: additionalKwargs['tool_call_id'] ?? null, response: messageText(message) },
    ]
  const text = messageText(message)
  const others = Array.isArray(content) ? content.filter((part) => !isTextPart(part) && part.type !== 'reasoning') : []
  return [
    ...reasoningOf(message).map((part) => ({ type: 'reasoning', content: part.text })),
    ...(text === '' ? [] : [{ type: 'text', content: text }]),
    ...others.map(({ type }) => ({ type })),
    ...toolCallsOf(message).map(({ id, name, arguments: args }) => ({ type: 'tool_call', id, name, arguments: args })),
  ]
}
