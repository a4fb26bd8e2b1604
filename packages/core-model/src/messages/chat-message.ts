import { type ChatMessageFields, type ChatMessageOptions, chatMessageSpec } from '../generated/models.ts'
import { Model } from '../model/model.ts'
import { isTextPart } from './content-part.ts'

export interface ChatMessage extends ChatMessageFields {}

/**
 * One message of a chat. Content is a text, a list of parts (`{ type: 'text', text }` and others), or null.
 * @example
 * String(new ChatMessage({ role: 'system', content: 'Be brief.' })) // => 'system: Be brief.'
 */
export class ChatMessage extends Model {
  /** @throws {ModelValidationError} for an unknown role or extra data that is no object. */
  constructor(options?: ChatMessageOptions) {
    super(options)
  }

  static override spec() {
    return chatMessageSpec
  }

  /** `role: content`; content that is no text is written as JSON. */
  override toString(): string {
    return `${this.role}: ${messageText(this)}`
  }
}

/** The content of a message as one text: null is empty, text parts are joined by line feeds, other content is JSON. */
export function messageText({ content }: { readonly content: unknown }): string {
  if (content === null || content === undefined) return ''
  if (typeof content === 'string') return content
  if (Array.isArray(content) && content.some(isTextPart))
    return content
      .filter(isTextPart)
      .map(({ text }) => text)
      .join('\n')
  return JSON.stringify(content)
}
