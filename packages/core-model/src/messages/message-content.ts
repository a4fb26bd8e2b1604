/**
 * @module
 * The content of a message: its text, and what its parts say. Short, because every bundle with messages contains it.
 */
import type { Dict } from '@x/core'
import { invalid } from '@x/core/reading'
import { compactJson, deepEqual, isPlainObject, textOrJson } from '@x/core/values'
import { isReasoningPart, isTextPart } from './content-part.ts'

/**
 * Returns the text of a message: the string, or the text parts joined by line feeds; an empty string for null and for parts that are all
 * reasoning. Other content without text, such as images, is written as JSON.
 * @example
 * messageText({ content: [{ type: 'text', text: 'Look:' }, { type: 'image_url', image_url: { url: 'a.png' } }] }) // => 'Look:'
 */
export function messageText({ content }: { readonly content: unknown }): string {
  if (content === null || content === undefined) return ''
  if (typeof content === 'string') return content
  if (Array.isArray(content) && content.some(isTextPart)) return textsOf(content).join('\n')
  const isThought = Array.isArray(content) && content.length > 0 && content.every(isReasoningPart)
  return isThought ? '' : compactJson(content)
}

function textsOf(parts: readonly unknown[]): string[] {
  return parts.filter(isTextPart).map(({ text }) => text)
}

/** Whether parts and content have the same text. White space at its ends does not count. */
export function hasTextOf(parts: readonly unknown[], content: unknown): boolean {
  const isList = Array.isArray(content)
  const text = isList ? textsOf(content).join('\n') : messageText({ content })
  const own = textsOf(parts).join(isList ? '\n' : '')
  return own.trim() === text.trim()
}

/**
 * Returns the options of a message with the content and the tool calls that its parts say, and without parts that say no more than these.
 * @throws {ModelValidationError} if the options contain other content.
 */
export function readParts(options: Dict): Dict {
  const { role, parts, content, additionalKwargs } = options
  if (!Array.isArray(parts) || !parts.every(isPlainObject)) return options
  const tool_calls: Dict[] = []
  const own = parts.map(({ type, name, arguments: args, ...rest }, index) => {
    if (type !== 'tool_call' || name === undefined) return parts[index]!
    tool_calls.push({ ...rest, type: 'function', function: { name, arguments: textOrJson(args ?? {}) } })
    return { type }
  })
  const kwargs = { ...(additionalKwargs as Dict), ...(tool_calls[0] && { tool_calls }) }
  const shown = own.filter(({ type }) => !/^(tool_call|reasoning|source|provider)$/.test(type as string))
  const isText = !shown.some((part) => !isTextPart(part))
  const said = !isText || shown[1] ? shown : (shown[0]?.['text'] ?? (kwargs['tool_calls'] ? null : ''))
  const isGiven = content !== undefined
  // The content of an answer may be its text alone.
  if (isGiven && !deepEqual(content, said) && !((isText || role === 'assistant') && hasTextOf(own, content)))
    throw invalid('ChatMessage', 'the content of parts, or no content', content, ['content'])
  // Several text parts without a file would be read as one.
  const isWhole = shown.length === own.length && !(isText && own[1]) && !own.some((part) => part['provider_metadata'])
  return {
    ...options,
    content: isGiven ? content : said,
    additionalKwargs: kwargs,
    parts: isWhole && !isGiven ? undefined : own,
  }
}
