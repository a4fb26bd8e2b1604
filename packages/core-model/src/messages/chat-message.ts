import type { Dict, Model } from '@x/core'
import { compactJson } from '@x/core/values'
import { ChatMessageModel } from '../generated/chat-message.ts'
import { isReasoningPart, isTextPart } from './content-part.ts'
import { readBlocks } from './message-blocks.ts'

/**
 * One message of a chat. Content is a string, an array of {@link ContentPart}s, or null. Parts of other types, which other programs may
 * write, are kept unchanged; the type of `content` does not include them. Likewise the roles `developer` and `model` of newer versions of
 * LlamaIndex for Python are read and written, but neither the constructor nor the type of `role` accepts them.
 * @throws {ModelValidationError} for an unknown role, or `additionalKwargs` that is not an object.
 * @example
 * String(new ChatMessage({ role: 'system', content: 'Be brief.' })) // => 'system: Be brief.'
 */
export class ChatMessage extends ChatMessageModel {
  protected static override wireForm(data: Dict): Dict {
    return readBlocks('ChatMessage', data)
  }

  protected static override fromFields(fields: Dict): Model {
    const { role } = fields
    if (role !== 'developer' && role !== 'model') return super.fromFields(fields)
    return super.fromFields({ ...fields, role: 'user' }).copy({ update: { role } as Dict })
  }

  /** `role: content`; see {@link messageText}. */
  override toString(): string {
    return `${this.role}: ${messageText(this)}`
  }
}

/**
 * Returns the text of a message: the string, or the text parts joined by line feeds; an empty string for null and for parts that are all
 * reasoning. Other content without text, such as images, is written as JSON.
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
  const isThought = Array.isArray(content) && content.length > 0 && content.every(isReasoningPart)
  return isThought ? '' : compactJson(content)
}

/** Whether a message contains instructions for the model. The role `developer` of newer versions of Python is a name of `system`. */
export function isSystemMessage({ role }: { readonly role: string }): boolean {
  return role === 'system' || role === 'developer'
}
