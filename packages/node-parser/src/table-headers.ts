/**
 * @module
 * The headers of split tables, which are repeated in further chunks.
 */
import type { Tokenizer } from '@x/core-model'
import type { Chunk, RepeatedText } from './chunk-text.ts'
import { countTokens } from './count-tokens.ts'
import type { InputText } from './input-text.ts'
import type { TableSpan } from './markdown/block.ts'
import { countUpTo } from './markdown/places.ts'
import { isLineEnd } from './markdown/white-space.ts'

interface Limits {
  chunkSize: number | null
  tokenizer: Tokenizer | null
}

/** Finds the header of the table that a chunk continues. */
export class TableHeaders implements RepeatedText {
  private readonly input: InputText
  private readonly limits: Limits
  /** The header that was found last. */
  private last: { table: TableSpan; text: string; tokens: number } | null = null

  constructor(input: InputText, limits: Limits) {
    this.input = input
    this.limits = limits
  }

  tokensAt(start: number): number {
    return this.headerAt(start)?.tokens ?? 0
  }

  /** Returns the header to repeat in front of a chunk below `above`; an empty string if there is no header, or no room for it. */
  before({ start, end }: Chunk, above: string): string {
    const text = this.headerAt(start)?.text
    const { chunkSize, tokenizer } = this.limits
    if (text === undefined) return ''
    const whole = above + text + this.input.text.slice(start, end)
    return countTokens(whole, tokenizer) <= (chunkSize as number) ? text : ''
  }

  /** Returns the header and the delimiter row of the table with a body row at an offset; null if they are larger than half a chunk. */
  private headerAt(offset: number): { text: string; tokens: number } | null {
    const { text, structure } = this.input
    const { tables } = structure
    // A row that is larger than a chunk is cut. Only its first piece gets a header.
    if (!isLineEnd(text, offset - 1)) return null
    const table = tables[countUpTo(tables, offset, ({ rowEnds }) => rowEnds[1] as number) - 1]
    if (table === undefined || offset >= (table.rowEnds.at(-1) as number)) return null
    if (this.last?.table !== table) {
      let start = table.rowStarts[0] as number
      while (start > 0 && !isLineEnd(text, start - 1)) start--
      const header = `${text.slice(start, table.rowEnds[1])}\n`
      this.last = { table, text: header, tokens: countTokens(header, this.limits.tokenizer) }
    }
    return this.last.tokens <= (this.limits.chunkSize as number) / 2 ? this.last : null
  }
}
