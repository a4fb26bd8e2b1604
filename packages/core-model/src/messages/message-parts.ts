/**
 * @module
 * A message as the ordered list of its parts: what adapters send back to a provider.
 */

import { readDataUrl } from '../base64.ts'
import {
  type ContentPart,
  isFilePart,
  isImagePart,
  isTextPart,
  type MessagePart,
  type ToolCallPart,
} from './content-part.ts'
import { hasTextOf, type MessageLike, messageText, reasoningOf, toolCallsOf } from './message-content.ts'
import { isData } from './value-at.ts'

/**
 * Returns the parts of a message in the order in which the model wrote them. Without `parts`, and after the text or the number of tool
 * calls was changed, the order is reasoning, content, tool calls. Tool calls always have their current ids and arguments.
 * @example
 * const message = new ChatMessage({
 *   role: 'assistant',
 *   content: 'Let me see.',
 *   additionalKwargs: { tool_calls: [{ id: 'c1', name: 'add', arguments: '{}' }] },
 * })
 * messageParts(message).map(({ type }) => type) // => ['text', 'tool_call']
 */
export function messageParts(message: MessageLike): MessagePart[] {
  const calls = callParts(message)
  const parts = Array.isArray(message.parts) ? (message.parts as MessagePart[]) : null
  if (!parts || !isCurrent(parts, message, calls.length))
    return [...reasoningOf(message), ...contentParts(message), ...calls]
  let next = 0
  return parts.map((part) => (part.type === 'tool_call' ? calls[next++]! : part))
}

/** Whether the stored parts still say the same as the message. */
function isCurrent(parts: readonly MessagePart[], { content }: MessageLike, calls: number): boolean {
  return parts.filter(({ type }) => type === 'tool_call').length === calls && hasTextOf(parts, content)
}

function callParts(message: MessageLike): ToolCallPart[] {
  const given = message.additionalKwargs['tool_calls'] as readonly unknown[]
  return toolCallsOf(message).map((call, index) => {
    const item = given[index]
    const metadata = isData(item) ? item['provider_metadata'] : undefined
    return { type: 'tool_call', ...call, ...(isData(metadata) && { provider_metadata: metadata }) }
  })
}

/** Returns the text, images and files of the content; content without images and files is one string. */
function contentParts({ content }: MessageLike): MessagePart[] {
  if (Array.isArray(content) && content.some((part) => isImagePart(part) || isFilePart(part)))
    return content.filter((part: unknown) => isTextPart(part) || isImagePart(part) || isFilePart(part))
  const text = messageText({ content })
  return text === '' ? [] : [{ type: 'text', text }]
}

/**
 * Returns parts as text, separated by line feeds. An image or a file becomes a line with its kind and its media type or address; reasoning
 * is omitted.
 * @example
 * partsText([{ type: 'text', text: 'Look:' }, { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }])
 * // => 'Look:\n[image https://example.com/a.png]'
 */
export function partsText(parts: readonly ContentPart[]): string {
  return parts.flatMap(linesOf).join('\n')
}

function linesOf(part: ContentPart): string[] {
  switch (part.type) {
    case 'text':
      return [part.text]
    case 'image_url':
      return [`[image ${shortAddress(part.image_url.url)}]`]
    case 'file': {
      const { filename, media_type: mediaType, url } = part.file
      const name = filename ?? (url.startsWith('data:') ? undefined : url)
      return [`[file ${name === undefined ? mediaType : `${name} ${mediaType}`}]`]
    }
    default:
      return []
  }
}

/** Returns an address, or the media type of a data URL. */
function shortAddress(url: string): string {
  const data = readDataUrl(url)
  return data ? data.mediaType || 'text/plain' : url
}
