import { type ChatMessageFields, type ChatMessageOptions, chatMessageSpec } from '../generated/models.ts'
import { compactJson } from '../model/json-text.ts'
import { Model } from '../model/model.ts'
import { isTextPart } from './content-part.ts'

export interface ChatMessage extends ChatMessageFields {}

/**
 * One message of a chat. Content is a string, a list of parts (`{ type: 'text', text }` and others), or null.
 * @example
 * String(new ChatMessage({ role: 'system', content: 'Be brief.' })) // => 'system: Be brief.'
 */
export class ChatMessage extends Model {
  /** @throws {ModelValidationError} for an unknown role, or extra data that is not an object. */
  constructor(options?: ChatMessageOptions) {
    super(options)
  }

  static override spec() {
    return chatMessageSpec
  }

  /** `role: content`; see {@link messageText}. */
  override toString(): string {
    return `${this.role}: ${messageText(this)}`
  }
}

/**
 * The text of a message: a string as it is, the text parts of a list joined by line feeds, an empty string for null. Content
 * without any text, such as a list of images, is written as JSON.
 * @example
 * messageText({ content: [{ type: 'text', text: 'Look:' }, { type: 'image_url', image_url: { url: 'a.png' } }] }) // => 'Look:'
 */
export function messageText({ content }: { readonly content: unknown }): string {
  if (content === null || content === undefined) return ''
  if (typeof content === 'string') return content
  if (Array.isArray(content) && content.some(isTextPart))
    return content
      .filter(isTextPart)
      .map(({ text }) => text)
      .join('\n')
  return compactJson(content)
}
