/**
 * @module
 * Extracts elements from a streamed document, such as a model's answer or a large file.
 */

import {
  checkOption,
  checkOptions,
  choice,
  invalidOption,
  type OptionTable,
  required,
  text as string,
} from '@x/core/options'
import type { TableSpan } from '../markdown/block.ts'
import { BlockScanner, HTML, NONE, TABLE } from '../markdown/block-scanner.ts'
import { FrontMatter } from '../markdown/front-matter.ts'
import type { Element } from './element.ts'
import { type ExtractOptions, extractOptions } from './extract-elements.ts'
import { type TextUnit, UnitCollector } from './text-units.ts'

/** A buffer up to this length is scanned after every line; a longer one each time it has grown by a sixteenth. */
const SMALL = 1 << 16

/** The options of {@link streamMarkdownElements}. */
interface StreamOptions extends Omit<ExtractOptions, 'elementTypes' | 'isLater'> {
  /**
   * The parts into which the text between tables is divided: `section` and `block` are yielded as soon as they end, without waiting for
   * the next table. @defaultValue 'all': one text element between two tables
   */
  textUnit?: TextUnit | undefined
}

/**
 * Yields each element as soon as no later text can change it: a table when it ends, together with the text before it, and the
 * last text at the end. The elements equal those that `extractElements` returns for the whole document.
 * @throws {ModelValidationError} if an option is unknown or invalid.
 * @example
 * const pieces = ['Fruit:\n\n| a | b |\n|--', '-|---|\n| 1 | 2 |\n', '\nEnd']
 * const found: Element[] = []
 * for await (const element of streamMarkdownElements(pieces)) found.push(element)
 * found.map(({ type }) => type) // => ['text', 'table', 'text']
 * found[0].element // => 'Fruit:'
 * found[1].table?.rows // => [['1', '2']]
 */
export async function* streamMarkdownElements(
  source: AsyncIterable<string> | Iterable<string>,
  options: StreamOptions = {},
): AsyncGenerator<Element, void, undefined> {
  checkOptions('streamMarkdownElements', options, {
    ...extractOptions(),
    textUnit: choice('all', 'section', 'block'),
  } satisfies OptionTable<StreamOptions>)
  if (!(Symbol.asyncIterator in Object(source) || Symbol.iterator in Object(source)))
    throw invalidOption('streamMarkdownElements', 'source', 'an iterable of strings', source)
  const stream = new ElementStream(options)
  for await (const piece of source) {
    checkOption('streamMarkdownElements', 'source', piece, required(string))
    yield* stream.push(piece)
  }
  yield* stream.end()
}

/** Receives chunks of a document and returns the elements that are final. */
export class ElementStream {
  private readonly scanner: StreamScanner
  private readonly frontMatter = new FrontMatter()
  private readonly collector: UnitCollector
  private readonly withHtml: boolean
  private readonly unit: TextUnit
  /** Whether the document is parsed at its end, because constructs of its syntax may extend over any number of lines. */
  private readonly isWhole: boolean
  private buffer = ''
  private waiting: string[] = []
  private waitingLength = 0
  /** The end of the scanned part of the buffer; -1 until the end of the front matter is known. */
  private scanned = -1
  /** Whether a line ended since the last scan. A carriage return at the end may be the first half of a line ending. */
  private lineEnded = false
  private afterReturn = false
  /** The offset up to which elements were final after the last scan. */
  private final = -1

  constructor(options: StreamOptions = {}) {
    this.unit = options.textUnit ?? 'all'
    this.collector = new UnitCollector(options, this.unit)
    this.scanner = new StreamScanner(options.syntax)
    this.isWhole = Boolean(options.syntax)
    this.withHtml = options.htmlTables === 'table'
  }

  /** Adds a chunk and returns the elements that are now final. */
  push(piece: string): Element[] {
    this.waiting.push(piece)
    this.waitingLength += piece.length
    if (piece === '' || this.isWhole) return []
    this.lineEnded ||= this.afterReturn || /[\r\n]/.test(piece)
    this.afterReturn = piece.endsWith('\r')
    // Joining a long buffer with every short chunk would take quadratic time.
    if (!this.lineEnded || (this.buffer.length > SMALL && this.waitingLength < this.buffer.length / 16)) return []
    this.lineEnded = false
    this.join()
    return this.read(false)
  }

  /** Ends the document and returns the remaining elements. */
  end(): Element[] {
    this.join()
    return this.read(true)
  }

  private join(): void {
    this.buffer += this.waiting.join('')
    this.waiting = []
    this.waitingLength = 0
  }

  private read(complete: boolean): Element[] {
    const { buffer, scanner, collector } = this
    if (this.scanned < 0) {
      const start = this.frontMatter.read(buffer, complete)
      if (start === null) return []
      this.scanned = start
      collector.start(buffer, start)
    }
    const end = complete ? buffer.length : lastLineEnd(buffer, this.scanned)
    if (end > this.scanned) {
      scanner.scan(buffer, this.scanned, end)
      this.scanned = end
    }
    if (complete) {
      collector.readBlocks(scanner, Number.POSITIVE_INFINITY)
      collector.readHtml(buffer, scanner)
      return [...collector.take(buffer, scanner, Number.POSITIVE_INFINITY), ...collector.finish(buffer)]
    }
    const open = scanner.openBlockStart
    collector.readBlocks(scanner, open)
    collector.readHtml(buffer, scanner, open, scanner.openHtmlStart)
    const final = this.finalEnd()
    const isKnown = this.unit === 'all' && final === this.final && final < Number.POSITIVE_INFINITY
    const elements = isKnown ? [] : collector.take(buffer, scanner, final)
    this.final = final
    if (this.unit !== 'all') {
      const limit = Math.min(open, final, this.scanned)
      elements.push(...collector.takeText(buffer, limit, limit === open || limit === this.scanned))
    }
    // The scanner drops tables and blocks that were already processed.
    scanner.dropBefore(final)
    const drop = collector.from
    if (elements.length > 0 && drop > 0) {
      this.buffer = buffer.slice(drop)
      this.scanned -= drop
      this.final -= drop
      scanner.rebase(drop)
      collector.drop(drop)
    }
    return elements
  }

  /** Tables that start before this offset are final. */
  private finalEnd(): number {
    const { scanner, collector, withHtml } = this
    if (!withHtml) return scanner.openTableStart
    return Math.min(scanner.openTableStart, scanner.openHtmlStart, collector.openHtmlStart)
  }
}

/** Returns the offset after the last complete line. A carriage return at the end may be the first half of a line ending. */
function lastLineEnd(text: string, start: number): number {
  for (let at = text.length; at > start; at--) {
    const code = text.charCodeAt(at - 1)
    if (code === 10 || (code === 13 && at < text.length)) return at
  }
  return start
}

/** A scanner that reports which blocks may still change, and drops complete ones. */
class StreamScanner extends BlockScanner {
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
