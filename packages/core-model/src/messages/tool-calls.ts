/**
 * @module
 * The tool calls and the reasoning in the message of a model, in the same form for all providers.
 */
import { checkGiven } from '@x/core/options'
import { compactJson } from '@x/core/values'
import { isReasoningPart, type ReasoningPart } from './content-part.ts'
import { isData, type ProviderData } from './value-at.ts'

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
