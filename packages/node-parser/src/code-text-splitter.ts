/**
 * @module
 * Splits source code between classes, functions and statements.
 */
import { CHARACTERS, type PieceEnds, piecesOf } from './chunk-text.ts'
import { countTokens } from './count-tokens.ts'
import { CodeTextSplitterModel, type CodeTextSplitterOptions } from './generated/code-text-splitter.ts'
import { checkOverlap } from './metadata-aware-text-splitter.ts'
import { syntaxBreaks, syntaxPieces } from './syntax-pieces.ts'

/**
 * Splits source code into chunks of at most `chunkSize` tokens, between the largest parts of its syntax tree that fit: classes, functions,
 * statements, then lines. Comments stay with what follows. Chunks are exact slices with offsets. Code with errors is split too.
 * @throws {ModelValidationError} if an option is invalid, or `chunkOverlap` is greater than `chunkSize`.
 */
export class CodeTextSplitter extends CodeTextSplitterModel {
  constructor(options: CodeTextSplitterOptions) {
    super(options)
    checkOverlap('CodeTextSplitter', this)
  }

  protected override levels(): PieceEnds[] {
    return [
      syntaxPieces(this.parser, this.fits(this.chunkSize)),
      piecesOf(/\r\n|\n|\r/g),
      piecesOf(/\s+/g),
      piecesOf(CHARACTERS),
    ]
  }

  protected override breaksOf(text: string, chunkSize: number): ReadonlySet<number> {
    return syntaxBreaks(this.parser, text, this.fits(chunkSize))
  }

  private fits(chunkSize: number): (part: string) => boolean {
    return (part) => countTokens(part, this.tokenizer) <= chunkSize
  }
}
