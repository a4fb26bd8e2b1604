/**
 * @module
 * The block structure according to plain micromark with GFM tables, the reference for the scanner.
 */
import { parse, postprocess, preprocess } from 'micromark'
import { gfmTable } from 'micromark-extension-gfm-table'
import type { Event } from 'micromark-util-types'
import { type Block, type BlockKind, type BlockStructure, newBlock, type TableSpan } from '../src/markdown/block.ts'

const SPACE = 32
const TAB = 9

const KINDS: ReadonlyMap<string, BlockKind> = new Map([
  // Link definitions and the paragraph after them.
  ['content', 'paragraph'],
  ['atxHeading', 'heading'],
  ['setextHeading', 'heading'],
  ['table', 'table'],
  ['codeFenced', 'code'],
  ['codeIndented', 'code'],
  ['htmlFlow', 'html'],
  ['thematicBreak', 'break'],
  ['listOrdered', 'list'],
  ['listUnordered', 'list'],
  ['blockQuote', 'quote'],
])

/** The result of a parse, with the cells of each row as a flat array of start and end offsets. */
export interface PlainStructure extends Pick<BlockStructure, 'blocks' | 'tables'> {
  cells: number[][][]
}

/** Parses a document from `start`, after a byte-order mark or front matter. */
export function plainMicromark(text: string, start = 0): PlainStructure {
  const events = postprocess(
    parse({ extensions: [gfmTable()] })
      .document()
      .write(preprocess()(text.slice(start), undefined, true)),
  )
  return collectBlocks(text, start, events)
}

/** Converts micromark's events, whose offsets are relative to `base`, into blocks and tables. */
function collectBlocks(text: string, base: number, events: Event[]): PlainStructure {
  const blocks: Block[] = []
  const tables: TableSpan[] = []
  const cells: number[][][] = []
  let depth = 0
  let containers = 0
  let block: Block | null = null
  let table: TableSpan | null = null
  for (const [type, token] of events) {
    const name = token.type
    if (type === 'exit') {
      depth--
      if (name === 'listOrdered' || name === 'listUnordered' || name === 'blockQuote') containers--
      continue
    }
    if (depth === 0) {
      const kind = KINDS.get(name)
      block = null
      if (kind !== undefined) {
        const from = lineStart(text, base + token.start.offset, base)
        block = newBlock(kind, from, trimEnd(text, from, base + token.end.offset))
        blocks.push(block)
      }
    }
    depth++
    if (name === 'listOrdered' || name === 'listUnordered' || name === 'blockQuote') containers++
    else if (name === 'table') {
      table = { rowStarts: [], rowEnds: [], root: containers === 0 }
      tables.push(table)
      cells.push([])
    } else if ((name === 'tableRow' || name === 'tableDelimiterRow') && table !== null) {
      const from = skipBlanks(text, base + token.start.offset)
      table.rowStarts.push(from)
      table.rowEnds.push(trimEnd(text, from, base + token.end.offset))
      cells.at(-1)?.push([])
    } else if (name === 'tableHeader' || name === 'tableData' || name === 'tableDelimiter') {
      cells.at(-1)?.at(-1)?.push(-1, -1)
    } else if (name === 'tableContent') {
      cells
        .at(-1)
        ?.at(-1)
        ?.splice(-2, 2, base + token.start.offset, base + token.end.offset)
    } else if (block !== null && block.kind === 'heading') {
      if (name === 'atxHeadingSequence' && block.depth === 0) {
        block.depth = token.end.offset - token.start.offset
        block.textStart = block.textEnd = base + token.end.offset
      } else if (name === 'setextHeadingLineSequence') {
        block.depth = text.charCodeAt(base + token.start.offset) === 61 ? 1 : 2
      } else if (name === 'atxHeadingText' || name === 'setextHeadingText') {
        block.textStart = base + token.start.offset
        block.textEnd = trimEnd(text, block.textStart, base + token.end.offset)
        // With definitions before it, the heading's own token starts at the first definition.
        if (name === 'setextHeadingText') block.start = lineStart(text, block.textStart, base)
      }
    }
  }
  return { blocks, tables, cells }
}

function lineStart(text: string, offset: number, floor: number): number {
  let position = offset
  while (position > floor) {
    const code = text.charCodeAt(position - 1)
    if (code === 10 || code === 13) break
    position--
  }
  return position
}

/** Returns `end` without the white space and line endings before it; at least `start`. */
function trimEnd(text: string, start: number, end: number): number {
  let position = end
  while (position > start) {
    const code = text.charCodeAt(position - 1)
    if (code !== SPACE && code !== TAB && code !== 10 && code !== 13) break
    position--
  }
  return position
}

function skipBlanks(text: string, start: number): number {
  let position = start
  while (text.charCodeAt(position) === SPACE || text.charCodeAt(position) === TAB) position++
  return position
}
