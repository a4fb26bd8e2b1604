/**
 * @module
 * Scans a growing document whose processed beginning is dropped.
 */
import type { TableSpan } from './block.ts'
import { BlockScanner, HTML, NONE, TABLE } from './block-scanner.ts'

/** A scanner that reports which blocks may still change, and drops complete ones. */
export class StreamScanner extends BlockScanner {
  /** The start of the open table, which may still grow; otherwise infinity. */
  get openTableStart(): number {
    return this.leaf === TABLE ? ((this.table as TableSpan).rowStarts[0] as number) : Number.POSITIVE_INFINITY
  }

  /** The start of the root block that may still change; infinity if all blocks are complete. */
  get openBlockStart(): number {
    const open = this.container ?? (this.leaf === NONE ? null : this.block)
    return open?.start ?? Number.POSITIVE_INFINITY
  }

  /** The start of the HTML block that may still grow, at any depth; otherwise infinity. */
  get openHtmlStart(): number {
    if (this.leaf !== HTML) return Number.POSITIVE_INFINITY
    return (this.containers.count === 0 ? this.block?.start : this.htmlLines?.[0]) ?? Number.POSITIVE_INFINITY
  }

  /** Removes the blocks that are complete, and the tables and HTML blocks that start before `offset`. */
  dropBefore(offset: number): void {
    const open = this.openBlockStart
    this.tables = this.tables.filter(({ rowStarts }) => (rowStarts[0] as number) >= offset)
    this.blocks = this.blocks.filter(({ start }) => start >= open)
    this.bracketParagraphs = []
    this.containedHtml = this.containedHtml.filter(([start]) => (start as number) >= offset)
  }

  /** Subtracts `count` from all offsets, after that many characters were removed from the start of the text. */
  rebase(count: number): void {
    const move = (offsets: number[]) => {
      for (let index = 0; index < offsets.length; index++) offsets[index] = (offsets[index] as number) - count
    }
    for (const { rowStarts, rowEnds } of this.tables) {
      move(rowStarts)
      move(rowEnds)
    }
    this.containedHtml.forEach(move)
    move(this.lines)
    for (const block of this.blocks) {
      block.start -= count
      block.end -= count
      block.textStart -= count
      block.textEnd -= count
    }
  }
}
