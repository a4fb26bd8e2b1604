/**
 * @module
 * Shared by all parsers that split text: validation of their options, splitting, and hidden line numbers.
 */
import { type CallbackManager, ModelValidationError, type TextNode, type Tokenizer } from '@x/core-model'
import { type BuildNodesOptions, buildNodesFromSplits, LINE_KEYS } from './build-nodes.ts'
import { type Chunk, chunkText, type RepeatedText } from './chunk-text.ts'
import { tokenCounter } from './count-tokens.ts'
import type { InputText } from './input-text.ts'

/**
 * Validates the chunk and page options.
 * @throws {ModelValidationError} if `chunkOverlap` is not less than `chunkSize`, `minChunkSize` is greater, or `pageBreak` is not a regular
 * expression.
 */
export function checkLimits(
  className: string,
  options: {
    chunkSize: number | null
    minChunkSize?: number | null
    chunkOverlap: number
    pageBreak: string | null
  },
): void {
  const { chunkSize, minChunkSize, chunkOverlap, pageBreak } = options
  const fail = (path: string, message: string, code: string) => {
    throw new ModelValidationError(className, [{ path, message, code }])
  }
  if (chunkSize !== null && chunkOverlap >= chunkSize)
    fail('chunkOverlap', `expected less than chunkSize (${chunkSize}), received ${chunkOverlap}`, 'bound')
  if (chunkSize !== null && (minChunkSize ?? 0) > chunkSize)
    fail('minChunkSize', `expected at most chunkSize (${chunkSize}), received ${minChunkSize}`, 'bound')
  try {
    new RegExp(pageBreak ?? '')
  } catch (error) {
    fail('pageBreak', `expected a regular expression; ${(error as Error).message}`, 'type')
  }
}

/** Options of {@link splitRange}, in addition to those of the parser. */
export interface RangeOptions {
  /** The end of the text, from the start of the range, that is repeated in front of each chunk. @defaultValue the start: no text */
  headEnd?: number | undefined
  /** Text that is repeated around some chunks. */
  repeated?: RepeatedText | null
  /** Id of the event of the parse. */
  parentId: string | undefined
}

/** The chunk limits and the tokenizer of a parser, and the callback manager to notify. */
export interface SplitOptions {
  chunkSize: number | null
  chunkOverlap: number
  tokenizer: Tokenizer | null
  callbackManager: unknown
}

/** Splits a range into chunks of at most `chunkSize` tokens. */
export function splitRange(
  input: InputText,
  start: number,
  end: number,
  { chunkSize, chunkOverlap, tokenizer, callbackManager }: SplitOptions,
  { headEnd = start, repeated = null, parentId }: RangeOptions,
): Chunk[] {
  const { text } = input
  if (chunkSize === null) return [{ start, end }]
  const count = tokenCounter(text, start, end, tokenizer)
  if (count(start, end) <= chunkSize) return [{ start, end }]
  const room = chunkSize - (headEnd > start ? count(start, headEnd) + 1 : 0)
  const limits = { chunkSize: room, chunkOverlap: Math.min(chunkOverlap, room - 1), count, repeated }
  const chunks = chunkText(text, start, end, input.structure.blocks, limits)
  ;(callbackManager as CallbackManager | null)
    ?.startEvent('chunking', () => ({ chunks: [text.slice(start, end)] }), { parentId })
    .end({ chunks: chunks.map((chunk) => text.slice(chunk.start, chunk.end)) })
  return chunks
}

/** Creates one node per chunk of a document, in order, with its offsets. */
export function nodesOfChunks(chunks: readonly Chunk[], document: TextNode, options: BuildNodesOptions): TextNode[] {
  const splits = chunks.map(({ start, end }) => document.text.slice(start, end))
  const nodes = buildNodesFromSplits(splits, document, options)
  for (const [index, node] of nodes.entries()) {
    const { start, end } = chunks[index] as Chunk
    node.startCharIdx = start
    node.endCharIdx = end
  }
  return nodes
}

/** Hides line numbers from embedding and language models: they are meant for people who follow a citation. */
export function hideLineNumbers(node: TextNode): void {
  node.excludedEmbedMetadataKeys = [...new Set([...node.excludedEmbedMetadataKeys, ...LINE_KEYS])]
  node.excludedLlmMetadataKeys = [...new Set([...node.excludedLlmMetadataKeys, ...LINE_KEYS])]
}
