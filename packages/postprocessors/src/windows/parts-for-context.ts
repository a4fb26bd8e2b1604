/**
 * @module
 * Splits a string into parts that fit into a model's context window.
 */

import type { PredictingLLM } from '@x/core-model'
import { ConfigurationError, estimateTokens } from '@x/core-model'
import { textWindows } from './text-windows.ts'

/** How much of the context window is available. */
export interface ContextShare {
  /** The class name used in errors. */
  className: string
  /** The number of tokens reserved for the prompt and the answer. */
  reserved: number
  /** The share of the remaining tokens that a part may use. @defaultValue 1 */
  share?: number
}

/**
 * Splits `text` into parts that fit into the model's context window. Tokens are estimated. If the context window is unknown,
 * the whole string is one part.
 * @throws {ConfigurationError} if no tokens are left for a part, before any model call.
 */
export function partsForContext(
  text: string,
  { metadata }: PredictingLLM,
  { className, reserved, share = 1 }: ContextShare,
): string[] {
  const { contextWindow } = metadata
  if (contextWindow === null) return [text]
  const room = Math.floor((contextWindow - reserved) * share)
  if (room < 1)
    throw new ConfigurationError(
      `${className}: the model's context window of ${contextWindow} tokens leaves no room for the node; use a shorter prompt or a model with a larger context window.`,
    )
  return textWindows(text, { size: room, measure: estimateTokens }).map(({ start, end }) => text.slice(start, end))
}
