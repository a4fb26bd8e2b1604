import { compactJson } from '../model/json-text.ts'
import { ChatMessage, messageText } from './chat-message.ts'

/** One block per message, `role: content`, with extra data as compact JSON on the next line. */
export function messagesToHistoryStr(messages: readonly ChatMessage[]): string {
  return messages
    .map((message) => {
      const extra = Object.keys(message.additionalKwargs).length > 0 ? `\n${compactJson(message.additionalKwargs)}` : ''
      return `${message.role}: ${messageText(message)}${extra}`
    })
    .join('\n')
}

/** The messages as a prompt for a completion model: their history, then a line that asks the assistant to speak. */
export function messagesToPrompt(messages: readonly ChatMessage[]): string {
  return `${messagesToHistoryStr(messages)}${messages.length > 0 ? '\n' : ''}assistant: `
}

/** A prompt as one user message. */
export function promptToMessages(prompt: string): ChatMessage[] {
  return [new ChatMessage({ content: prompt })]
}
