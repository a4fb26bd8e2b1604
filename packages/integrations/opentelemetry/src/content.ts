/**
 * @module
 * Converts messages to the form of the conventions: a role and parts.
 */

import { compactJson } from '@x/core/values'
import { type ChatMessage, messageParts, messageText } from '@x/core-model'

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

/** Returns messages as the JSON of `gen_ai.system_instructions`. */
export function instructionsJson(messages: readonly ChatMessage[]): string {
  return compactJson(messages.flatMap(partsOf))
}

function partsOf(message: ChatMessage): object[] {
  const { role, additionalKwargs } = message
  if (role === 'tool' || role === 'function')
    return [
      { type: 'tool_call_response', id: additionalKwargs['tool_call_id'] ?? null, response: messageText(message) },
    ]
  return messageParts(message).map((part) => {
    if (part.type === 'text' || part.type === 'reasoning') return { type: part.type, content: part.text }
    if (part.type !== 'tool_call') return { type: part.type }
    const { type, id, name, arguments: args } = part
    return { type, id, name, arguments: args }
  })
}
