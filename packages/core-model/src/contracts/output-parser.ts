import { type ChatMessage, isSystemMessage } from '../messages/chat-message.ts'
import { isTextPart, type TextPart } from '../messages/content-part.ts'
import { messageText } from '../messages/message-content.ts'

/** Adds instructions to a prompt and reads the answer. */
export interface OutputParser<T = unknown> {
  /** Returns the parsed answer. Throws if it cannot be parsed. */
  parse(output: string): T
  /** Returns the prompt with instructions. Braces in the instructions are plain text, not variables. */
  format(query: string): string
  /** Returns the messages with instructions. May change `messages` and the messages in it. */
  formatMessages(messages: ChatMessage[]): ChatMessage[]
}

/**
 * The base of output parsers. `format` changes nothing by default; `formatMessages` applies it to the first message when that is a
 * system message, else to the last one.
 */
export abstract class BaseOutputParser<T = unknown> implements OutputParser<T> {
  abstract parse(output: string): T

  format(query: string): string {
    return query
  }

  formatMessages(messages: ChatMessage[]): ChatMessage[] {
    if (messages.length === 0) return messages
    const index = isSystemMessage(messages[0]!) ? 0 : messages.length - 1
    return messages.map((message, position) =>
      position === index ? formatContent(message, (text) => this.format(text)) : message,
    )
  }
}

/** Returns the message with its text, or its last text part, formatted. */
function formatContent(message: ChatMessage, format: (text: string) => string): ChatMessage {
  const { content } = message
  if (!Array.isArray(content)) return message.copy({ update: { content: format(messageText(message)) } })
  const last = content.findLast(isTextPart)
  const formatted: TextPart = { ...last, type: 'text', text: format(last?.text ?? '') }
  const parts = last ? content.with(content.lastIndexOf(last), formatted) : [...content, formatted]
  return message.copy({ update: { content: parts } })
}
