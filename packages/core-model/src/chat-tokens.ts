/**
 * @module
 * The number of tokens that messages and tools take in a request.
 */

import { compactJson, textOrJson } from '@x/core/values'
import type { Tokenizer } from './contracts/embedding.ts'
import type { ToolDefinition } from './contracts/llm.ts'
import { countTokens, estimateTokens } from './count-tokens.ts'
import { type ContentPart, isReasoningPart, isTextPart } from './messages/content-part.ts'
import { type MessageLike, reasoningOf, toolCallsOf } from './messages/message-content.ts'

/** The tokens of an image: one of 1,024 × 1,024 pixels at 750 pixels per token, as the most expensive hosted models count. */
export const defaultImageTokens = 1400

/** The tokens of a file: one page of text with its image. */
export const defaultFileTokens = 3000

/** Options of {@link chatTokens}. */
interface ChatTokensOptions {
  /** Counts the tokens of a string. @defaultValue {@link estimateTokens} */
  tokenizer?: Tokenizer | undefined
  /**
   * Returns the tokens of a content part, or undefined for the default: {@link defaultImageTokens} for an image,
   * {@link defaultFileTokens} for a file, the text of the others.
   */
  partTokens?: ((part: ContentPart) => number | undefined) | undefined
  /** Tools that the request contains; their names, descriptions and parameters are counted as JSON. */
  tools?: readonly ToolDefinition[] | undefined
}

/**
 * Returns the number of tokens that messages take in a request: the content part by part, reasoning, the names and arguments of tool calls,
 * and what else the model wrote, such as files. The few tokens with which a provider separates messages are not counted, so the counts of
 * single messages add up.
 * @example
 * const image = { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,iVBORw0KGgo' } }
 * chatTokens([new ChatMessage({ content: [{ type: 'text', text: 'Who is that?' }, image] })]) // => 1404
 */
export function chatTokens(messages: readonly Partial<MessageLike>[], options: ChatTokensOptions = {}): number {
  const { tokenizer = estimateTokens, partTokens, tools = [] } = options
  const count = (text: string) => (text === '' ? 0 : countTokens(text, tokenizer))
  let sum = 0
  for (const { content, additionalKwargs = {}, parts: written } of messages) {
    const parts = Array.isArray(content) ? content.filter((part) => !isReasoningPart(part)) : []
    for (const part of parts) sum += partTokens?.(part) ?? tokensOf(part, count)
    if (typeof content === 'string') sum += count(content)
    else if (!Array.isArray(content) && content !== null && content !== undefined) sum += count(compactJson(content))
    const message = { content, additionalKwargs, parts: written }
    for (const part of Array.isArray(written) ? written.filter(isFurther) : [])
      sum += partTokens?.(part) ?? tokensOf(part, count)
    for (const part of reasoningOf(message)) sum += partTokens?.(part) ?? count(part.text)
    for (const { name, arguments: given } of toolCallsOf(message)) sum += count(name) + count(textOrJson(given))
  }
  for (const { function: tool } of tools) sum += count(compactJson(tool))
  return sum
}

/** Whether a part is sent in addition to text, reasoning and tool calls. */
function isFurther(part: unknown): part is ContentPart {
  const { type } = Object(part) as { type?: unknown }
  return !isTextPart(part) && !isReasoningPart(part) && type !== 'tool_call' && type !== 'source'
}

/** Provider-specific parts are recognized by a word in their type, such as `input_image` or `document`. */
function tokensOf(part: unknown, count: (text: string) => number): number {
  if (isTextPart(part)) return count(part.text)
  const { type } = Object(part) as { type?: unknown }
  if (typeof type === 'string' && type.includes('image')) return defaultImageTokens
  if (typeof type === 'string' && /file|document/.test(type)) return defaultFileTokens
  return count(compactJson(part))
}
