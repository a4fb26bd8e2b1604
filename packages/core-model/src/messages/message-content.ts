/**
 * @module
 * What a message says, in the same form for all providers: its text, its parts, its tool calls and its reasoning.
 */
import type { Dict } from '@x/core'
import { checkGiven } from '@x/core/options'
import { invalid } from '@x/core/reading'
import { compactJson, deepEqual, isPlainObject, textOrJson } from '@x/core/values'
import { isReasoningPart, isTextPart, type ReasoningPart } from './content-part.ts'
import { isData, type ProviderData } from './value-at.ts'

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

/** A tool call that a model requests. */
export interface ModelToolCall {
  /** The id from the provider, or null. Not always unique within a conversation. */
  id: string | null
  name: string
  /** The parsed object, or JSON text, which may be invalid or not an object. */
  arguments: string | Record<string, unknown>
}

/** What functions read of a message: of a {@link ChatMessage}, or of an object with the same fields. */
export interface MessageLike {
  readonly content?: unknown
  readonly additionalKwargs: ProviderData
  readonly parts?: unknown
}

/**
 * Returns the tool calls of a message, in order: `additionalKwargs.tool_calls`, each flat (`{ id, name, arguments }`) or nested
 * (`{ id, function: { name, arguments } }`). `input` and `args` are accepted instead of `arguments`.
 * @example
 * const call = { id: 'c1', type: 'function', function: { name: 'add', arguments: '{"a":1}' } }
 * toolCallsOf(new ChatMessage({ role: 'assistant', additionalKwargs: { tool_calls: [call] } }))
 * // => [{ id: 'c1', name: 'add', arguments: '{"a":1}' }]
 */
export function toolCallsOf(message: MessageLike): ModelToolCall[] {
  if (!message?.additionalKwargs) checkGiven('toolCallsOf', { message }, 'a message', 'additionalKwargs')
  const calls = message.additionalKwargs['tool_calls']
  if (!Array.isArray(calls)) return []
  return calls.map((given: unknown) => {
    const call: ProviderData = Object(given)
    const { id, function: nested } = call
    const inner: ProviderData = typeof nested === 'object' && nested !== null ? (nested as ProviderData) : call
    return {
      id: typeof id === 'string' && id !== '' ? id : null,
      name: String(inner['name'] ?? ''),
      arguments: argumentsOf(inner['arguments'] ?? inner['input'] ?? inner['args']),
    }
  })
}

/**
 * Returns the reasoning of the model, in order: parts of type `reasoning` in `parts` or in the content, else `additionalKwargs.reasoning`
 * (a string, or an array of strings or parts), else `additionalKwargs.reasoning_content`. Empty if the message contains no reasoning.
 * @example
 * const message = new ChatMessage({ role: 'assistant', additionalKwargs: { reasoning_content: 'Add them.' } })
 * reasoningOf(message) // => [{ type: 'reasoning', text: 'Add them.' }]
 */
export function reasoningOf(message: MessageLike): ReasoningPart[] {
  if (!message?.additionalKwargs) checkGiven('reasoningOf', { message }, 'a message', 'additionalKwargs')
  const { content, additionalKwargs, parts: own } = message
  for (const given of [own, content]) {
    const parts = Array.isArray(given) ? given.filter(isReasoningPart) : []
    if (parts.length > 0) return parts
  }
  const given = additionalKwargs['reasoning'] ?? additionalKwargs['reasoning_content']
  return (Array.isArray(given) ? given : [given]).flatMap((item: unknown): ReasoningPart[] => {
    if (typeof item === 'string') return item === '' ? [] : [{ type: 'reasoning', text: item }]
    const { text, provider_metadata: metadata } = Object(item) as ProviderData
    if (typeof text !== 'string') return []
    return [{ type: 'reasoning', text, ...(isData(metadata) && { provider_metadata: metadata }) }]
  })
}

function argumentsOf(given: unknown): string | Record<string, unknown> {
  if (typeof given === 'string') return given
  return isData(given) && !Array.isArray(given)
    ? given
    : given === undefined || given === null
      ? ''
      : compactJson(given)
}
