/**
 * @module
 * Collects elements, dividing the text between tables into sections or blocks. Each element is returned as soon as it is final.
 */
import type { Block, BlockStructure } from '../markdown/block.ts'
import type { Element } from './element.ts'
import { ElementCollector, type ExtractOptions } from './extract-elements.ts'

/** White space of one line, up to its last character that Markdown reads as text, such as U+00A0. */
const TEXT_SPACE = /[^\S\r\n]*[^\S \t\r\n]/y

/** The parts into which the text between tables is divided. */
export type TextUnit = 'all' | 'section' | 'block'

/** Divides the text between tables at the starts of root blocks. */
export class UnitCollector extends ElementCollector {
  private readonly unit: TextUnit
  /** The starts of the parts, in order. Those before `next` were processed. */
  private starts: number[] = []
  private next = 0
  /** The start of the last block that was read. */
  private last = -1

  constructor(options: ExtractOptions, unit: TextUnit) {
    super(options)
    this.unit = unit
  }

  /** Reads the blocks that start before `end`. */
  readBlocks({ blocks }: BlockStructure, end: number): void {
    for (const { start, kind } of blocks) {
      if (start <= this.last || start >= end) continue
      this.last = start
      if (this.isStart(kind)) this.starts.push(start)
    }
  }

  /** Returns the parts that end before `limit`, or at `limit` if a part starts there. */
  takeText(text: string, limit: number, isStart: boolean): Element[] {
    const elements: Element[] = []
    const last = isStart && this.unit === 'block' ? limit : this.starts.findLast((start) => start <= limit)
    if (last !== undefined && last > this.from) {
      this.addText(elements, text, last)
      this.from = last
    }
    return elements
  }

  /** The start of an HTML table whose end is not yet known; infinity if no table is open. */
  get openHtmlStart(): number {
    return this.html?.finder.openStart ?? Number.POSITIVE_INFINITY
  }

  /** Adjusts offsets after the first `count` characters of the text were dropped. */
  drop(count: number): void {
    this.from -= count
    this.passed -= count
    this.base += count
    this.html?.drop(count)
    this.starts = this.starts.slice(this.next).map((start) => start - count)
    this.next = 0
    this.last -= count
  }

  protected override addText(elements: Element[], text: string, end: number): void {
    while (this.next < this.starts.length && (this.starts[this.next] as number) < end) {
      const start = this.starts[this.next++] as number
      if (start <= this.from) continue
      super.addText(elements, text, start)
      this.from = start
    }
    super.addText(elements, text, end)
  }

  /**
   * Keeps white space that Markdown reads as text: without it, what is beside it would mean something else, such as `===` below a line with
   * U+00A0.
   */
  protected override trim(text: string, start: number, end: number): { start: number; end: number } | null {
    const kept = super.trim(text, start, end)
    if (kept === null || this.unit === 'all') return kept
    const textEnd = spaceEnd(text, kept.end)
    return { start: spaceEnd(text, start) > start ? start : kept.start, end: textEnd <= end ? textEnd : kept.end }
  }

  private isStart(kind: Block['kind']): boolean {
    return this.unit === 'block' || (this.unit === 'section' && kind === 'heading')
  }
}

/** Returns the offset after white space at `at` that Markdown reads as text; `at` if there is none. */
function spaceEnd(text: string, at: number): number {
  TEXT_SPACE.lastIndex = at
  return TEXT_SPACE.test(text) ? TEXT_SPACE.lastIndex : at
}
