/**
 * @module
 * Splits text into chunks of whole sentences.
 */
import { ConfigurationError, ModelValidationError } from '@x/core-model'
import { sentenceEnds } from '@x/core-model/text'
import { CHARACTERS, type PieceEnds, piecesOf } from './chunk-text.ts'
import { SentenceSplitterModel, type SentenceSplitterOptions } from './generated/sentence-splitter.ts'
import { checkOverlap, separatedBy } from './metadata-aware-text-splitter.ts'

/**
 * Splits text into chunks of at most `chunkSize` tokens, between sentences. Text that is too large is split into paragraphs, then
 * sentences, then parts of sentences, words and characters, each only as far as needed. For Markdown use `MarkdownNodeParser`, which
 * recognizes headings, tables and code.
 * @throws {ModelValidationError} if an option is invalid, or `chunkOverlap` is greater than `chunkSize`.
 * @example
 * const splitter = new SentenceSplitter({ chunkSize: 8, chunkOverlap: 0 })
 * splitter.splitText('Dr. Smith came at noon. He left at once. Nobody saw him again.')
 * // => ['Dr. Smith came at noon.', 'He left at once.', 'Nobody saw him again.']
 */
export class SentenceSplitter extends SentenceSplitterModel {
  constructor(options?: SentenceSplitterOptions) {
    super(options)
    checkOverlap('SentenceSplitter', this)
    try {
      new RegExp(this.secondaryChunkingRegex ?? '', 'gu')
    } catch (error) {
      const message = `expected a regular expression; ${(error as Error).message}`
      throw new ModelValidationError('SentenceSplitter', [{ path: 'secondaryChunkingRegex', message, code: 'type' }])
    }
  }

  protected override levels(): PieceEnds[] {
    const { paragraphSeparator, chunkingTokenizerFn, secondaryChunkingRegex: parts, separator } = this
    return [
      separatedBy(paragraphSeparator),
      sentences('SentenceSplitter', chunkingTokenizerFn),
      ...(parts ? [piecesOf(new RegExp(parts, 'gu'))] : []),
      separatedBy(separator),
      piecesOf(CHARACTERS),
    ]
  }
}

/** Returns a function that finds sentences: those of `split`, or by the built-in rules. `className` is for the error. */
export function sentences(className: string, split: ((text: string) => readonly string[]) | null): PieceEnds {
  if (split !== null) return (part) => endsOf(split(part), part)
  if (typeof Intl.Segmenter !== 'function')
    throw new ConfigurationError(
      `${className}: this runtime has no Intl.Segmenter; pass a function that splits text into sentences.`,
    )
  const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })
  return (part) => sentenceEnds(part, segmenter)
}

/** Yields the ends of `pieces` in `part`, where they occur in order. Strings that do not occur are skipped. */
function* endsOf(pieces: readonly string[], part: string): Generator<number> {
  let from = 0
  for (const piece of pieces) {
    const found = part.indexOf(piece, from)
    if (found < 0) continue
    from = found + piece.length
    yield from
  }
}
