import { compactJson } from '@x/core/values'
import { ChatMessage } from './chat-message.ts'
import { messageText } from './message-content.ts'

/** Returns one block per message, `role: content`, with `additionalKwargs` as compact JSON on the next line. */
export function messagesToHistoryStr(messages: readonly ChatMessage[]): string {
  return messages
    .map((message) => {
      const extra = Object.keys(message.additionalKwargs).length > 0 ? `\n${compactJson(message.additionalKwargs)}` : ''
      return `${message.role}: ${messageText(message)}${extra}`
    })
    .join('\n')
}

/** Returns a prompt for a completion model: the messages, then a line that starts the answer of the assistant. */
export function messagesToPrompt(messages: readonly ChatMessage[]): string {
  return `${messagesToHistoryStr(messages)}${messages.length > 0 ? '\n' : ''}assistant: `
}

/** Returns a prompt as one user message. */
export function promptToMessages(prompt: string): ChatMessage[] {
  return [new ChatMessage({ content: prompt })]
}
