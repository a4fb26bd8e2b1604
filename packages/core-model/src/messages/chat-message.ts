import type { Dict, Model } from '@x/core'
import { invalidOption } from '@x/core/options'
import { messageInRelease } from '#python-line'
import { ChatMessageModel, type ChatMessageOptions } from '../generated/chat-message.ts'
import type { ContentPart, MessageContent } from './content-part.ts'
import { readBlocks } from './message-blocks.ts'
import { messageText, readParts } from './message-content.ts'

/**
 * One message of a chat. Content is a string, an array of {@link ContentPart}s, or null. Parts of other types, which other programs may
 * write, are kept unchanged; the type of `content` does not include them. Likewise the role `model` of newer versions of LlamaIndex for
 * Python is read and written, but neither the constructor nor the type of `role` accepts it.
 *
 * With `parts` and without `content`, the content and the tool calls are those of the parts: text, images and files. `parts` then stays
 * null if content and tool calls say the same as the parts.
 * @throws {ModelValidationError} for an unknown role, `additionalKwargs` that is not an object, or content or tool calls that differ from
 *   those in `parts`.
 * @example
 * String(new ChatMessage({ role: 'system', content: 'Be brief.' })) // => 'system: Be brief.'
 * new ChatMessage({ parts: [{ type: 'text', text: 'Hello' }] }).content // => 'Hello'
 */
export class ChatMessage extends ChatMessageModel {
  constructor(options?: ChatMessageOptions) {
    super(options?.parts ? readParts(options as Dict) : options)
  }

  /** @internal */
  static inRelease(...args: Parameters<typeof messageInRelease>): Dict {
    return messageInRelease(...args)
  }

  protected static override wireForm(data: Dict): Dict {
    return data['blocks'] == null ? data : readBlocks('ChatMessage', data)
  }

  protected static override fromFields(fields: Dict): Model {
    const { role, parts, content } = fields
    if (role === 'model') return this.fromFields({ ...fields, role: 'user' }).copy({ update: { role } as Dict })
    // Stored content may have been changed after its parts.
    return parts && content !== undefined ? this.validate(this.construct(fields)) : super.fromFields(fields)
  }

  /** `role: content`; see {@link messageText}. */
  override toString(): string {
    return `${this.role}: ${messageText(this)}`
  }
}

/** Whether a message contains instructions for the model. The role `developer` of newer versions of Python is a name of `system`. */
export function isSystemMessage(message: { readonly role: string }): boolean {
  const { role } = Object(message)
  return role === 'system' || role === 'developer'
}

/** The input of a chat: a string or content parts of the user, one message, or an array of messages. */
export type ChatInput = MessageContent | ChatMessage | readonly ChatMessage[]

/**
 * Returns the messages of a chat input: a string and content parts become one user message. An array of messages, even an empty one, is
 * returned unchanged.
 * @param where - the method that received it, for errors.
 * @throws {ModelValidationError} if it is something else.
 */
export function chatMessages(input: ChatInput, where = 'chat'): readonly ChatMessage[] {
  if (typeof input === 'string') return [new ChatMessage({ content: input })]
  const messages: readonly unknown[] = Array.isArray(input) ? input : [input]
  // Each request has all messages of its conversation.
  for (const message of messages) {
    if (typeof (message as Partial<ChatMessage> | null | undefined)?.toJson === 'function') continue
    if (messages === input && messages.every(isPart)) return [new ChatMessage({ content: messages })]
    throw invalidOption(where, 'messages', 'a string, content parts, a ChatMessage or an array of them', input)
  }
  return messages as readonly ChatMessage[]
}

function isPart(item: unknown): item is ContentPart {
  return typeof Object(item).type === 'string'
}
