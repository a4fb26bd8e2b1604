/**
 * @module
 * What parsers that cut texts share: the check of their options, the cut, and line numbers out of sight.
 */
import { type CallbackManager, ModelValidationError, type TextNode } from '@x/core-model'
import { type Chunk, chunkText } from './chunk-text.ts'
import { type Tokenizer, tokenCounter } from './count-tokens.ts'
import type { InputText } from './input-text.ts'

/** @throws {ModelValidationError} when chunks would overlap as a whole, or the mark between pages is no pattern. */
export function checkOptions(
  className: string,
  { chunkSize, chunkOverlap, pageBreak }: { chunkSize: number | null; chunkOverlap: number; pageBreak: string | null },
): void {
  const fail = (path: string, message: string, code: string) => {
    throw new ModelValidationError(className, [{ path, message, code }])
  }
  if (chunkSize !== null && chunkOverlap >= chunkSize)
    fail('chunkOverlap', `expected less than chunkSize (${chunkSize}), got ${chunkOverlap}`, 'bound')
  try {
    new RegExp(pageBreak ?? '')
  } catch (error) {
    fail('pageBreak', `expected a regular expression; ${(error as Error).message}`, 'type')
  }
}

/** How texts are cut, and who is told. */
export interface CutOptions {
  chunkSize: number | null
  chunkOverlap: number
  tokenizer: Tokenizer | null
  callbackManager: unknown
}

/** A stretch in pieces of at most `chunkSize` tokens; each piece after the first leaves room for the stretch up to `headEnd`. */
export function cutText(
  input: InputText,
  start: number,
  end: number,
  { chunkSize, chunkOverlap, tokenizer, callbackManager }: CutOptions,
  headEnd = start,
): Chunk[] {
  const { text } = input
  if (chunkSize === null) return [{ start, end }]
  const count = tokenCounter(text, start, end, tokenizer)
  if (count(start, end) <= chunkSize) return [{ start, end }]
  const room = chunkSize - (headEnd > start ? count(start, headEnd) + 1 : 0)
  const limits = { chunkSize: room, chunkOverlap: Math.min(chunkOverlap, room - 1), count }
  const chunks = chunkText(text, start, end, input.structure.blocks, limits)
  ;(callbackManager as CallbackManager | null)
    ?.startEvent('chunking', () => ({ chunks: [text.slice(start, end)] }))
    .end({ chunks: chunks.map((chunk) => text.slice(chunk.start, chunk.end)) })
  return chunks
}

const LINE_KEYS = ['start_line', 'end_line']

/** Line numbers are for people who follow a citation, not for embeddings and models. */
export function hideLineNumbers(node: TextNode): void {
  node.excludedEmbedMetadataKeys = [...new Set([...node.excludedEmbedMetadataKeys, ...LINE_KEYS])]
  node.excludedLlmMetadataKeys = [...new Set([...node.excludedLlmMetadataKeys, ...LINE_KEYS])]
}
