/**
 * @module
 * Cut a text into parts that a language model can take.
 */
import { ConfigurationError, estimateTokens, type LLM } from '@x/core-model'
import { textWindows } from './text-windows.ts'

/** What else has to fit into the context window. */
export interface ContextShare {
  /** The class that asks, named in errors. */
  className: string
  /** Tokens of the prompt and the answer. */
  taken: number
  /** The share of what is left that the text may take. Default 1. */
  share?: number
}

/**
 * The parts of `text` that fit into the context window of a model; tokens are estimated. A model that does not tell its window gets
 * the text whole.
 * @throws {ConfigurationError} when nothing is left for a text, so that no call is spent on it.
 */
export function partsForContext(
  text: string,
  { metadata }: LLM,
  { className, taken, share = 1 }: ContextShare,
): string[] {
  const { contextWindow } = metadata
  const room = Math.floor((contextWindow - taken) * share)
  if (Number.isNaN(room)) return [text]
  if (room < 1)
    throw new ConfigurationError(
      `${className}: the model's context window of ${contextWindow} tokens leaves no room for a text; take a shorter prompt or a larger model.`,
    )
  return textWindows(text, { size: room, measure: estimateTokens }).map(({ start, end }) => text.slice(start, end))
}
