/**
 * @module
 * What is repeated around the chunks of a block that is cut: the header of a table, the fences of code.
 */
import type { Tokenizer } from '@x/core-model'
import type { Chunk, RepeatedText } from './chunk-text.ts'
import { CodeFences } from './code-fences.ts'
import { countTokens } from './count-tokens.ts'
import type { InputText } from './input-text.ts'
import { tableHeaders } from './table-headers.ts'

/** The options of a parser that decide what is repeated. */
interface CutOptions {
  chunkSize: number | null
  tokenizer: Tokenizer | null
  repeatTableHeader: boolean
  repeatCodeFence: boolean
}

/** Repeats the headers of tables and the fences of code that take at most half of a chunk. */
export class CutBlocks implements RepeatedText {
  private readonly input: InputText
  private readonly chunkSize: number
  private readonly count: (text: string) => number
  /** Counts a header or a fence once, because it is repeated around many chunks. */
  private readonly countRepeated: (text: string) => number
  private readonly headerAt: (start: number) => string
  private readonly fences: CodeFences | null

  constructor(input: InputText, { chunkSize, tokenizer, repeatTableHeader, repeatCodeFence }: CutOptions) {
    this.input = input
    this.chunkSize = chunkSize ?? Number.POSITIVE_INFINITY
    this.headerAt = repeatTableHeader ? tableHeaders(input) : () => ''
    this.fences = repeatCodeFence ? new CodeFences(input) : null
    this.count = (text) => countTokens(text, tokenizer)
    const counts = new Map<string, number>()
    this.countRepeated = (text) => {
      const tokens = counts.get(text) ?? this.count(text)
      counts.set(text, tokens)
      return tokens
    }
  }

  tokensBefore(start: number): number {
    return this.countRepeated(this.before(start))
  }

  tokensAfter(end: number): number {
    return this.countRepeated(this.after(end))
  }

  /** Returns the text of a chunk below `above`, with what is repeated around it, as far as there is room. */
  textOf({ start, end }: Chunk, above: string): string {
    const slice = this.input.text.slice(start, end)
    const whole = above + this.before(start) + slice + this.after(end)
    return this.count(whole) <= this.chunkSize ? whole : above + slice
  }

  private before(start: number): string {
    return this.short(this.fences?.openAt(start) || this.headerAt(start))
  }

  private after(end: number): string {
    return this.short(this.fences?.closeAt(end) ?? '')
  }

  private short(text: string): string {
    return text !== '' && this.countRepeated(text) > this.chunkSize / 2 ? '' : text
  }
}
