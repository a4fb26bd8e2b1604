/**
 * @module
 * Splits text into chunks of as many words as fit.
 */
import { CHARACTERS, type PieceEnds, piecesOf } from './chunk-text.ts'
import { TokenTextSplitterModel, type TokenTextSplitterOptions } from './generated/token-text-splitter.ts'
import { checkOverlap, separatedBy } from './metadata-aware-text-splitter.ts'

/**
 * Splits text into chunks of at most `chunkSize` tokens, between words, regardless of sentences. A word that is too large is split at
 * the `backupSeparators`, then into characters.
 * @throws {ModelValidationError} if an option is invalid, or `chunkOverlap` is greater than `chunkSize`.
 * @example
 * const splitter = new TokenTextSplitter({ chunkSize: 3, chunkOverlap: 1, tokenizer: (text) => text.split(/\s+/) })
 * splitter.splitText('one two three four five') // => ['one two three', 'three four five']
 */
export class TokenTextSplitter extends TokenTextSplitterModel {
  /** The tokens that LlamaIndex for Python reserves for the format of metadata. */
  protected override get metadataFormatTokens(): number {
    return 2
  }

  constructor(options?: TokenTextSplitterOptions) {
    super(options)
    checkOverlap('TokenTextSplitter', this)
  }

  protected override levels(): PieceEnds[] {
    return [...[this.separator, ...this.backupSeparators].map(separatedBy), piecesOf(CHARACTERS)]
  }
}
