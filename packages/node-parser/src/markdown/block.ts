/**
 * @module
 * What a parse of Markdown gives: the blocks that are children of the document, and every table at any depth.
 */
export type BlockKind = 'paragraph' | 'heading' | 'table' | 'code' | 'html' | 'break' | 'list' | 'quote'

/** A child of the document. `start` is the start of its first line, `end` is after its last character that is not blank. */
export interface Block {
  kind: BlockKind
  start: number
  end: number
  /** Level 1 to 6 of a heading, 0 for anything else. */
  depth: number
  /** Source range of a heading's text. */
  textStart: number
  textEnd: number
}

/** A table: for each line, the delimiter row being the second, the range without container marks, indentation and trailing blanks. */
export interface TableSpan {
  rowStarts: number[]
  rowEnds: number[]
  /** True when the table is a child of the document, not inside a quote or list. */
  root: boolean
}

/** Lines of a block, without container marks and indentation: start of line, start and end of its text, for each line. */
export type ContentLines = readonly number[]

/** A document's blocks and tables, each in document order. */
export interface BlockStructure {
  blocks: Block[]
  tables: TableSpan[]
  /** Paragraphs at any depth that start with `[` and so may hold link definitions. */
  bracketParagraphs: ContentLines[]
  /** HTML blocks inside quotes and lists. */
  containedHtml: ContentLines[]
}

export function newBlock(kind: BlockKind, start: number, end: number): Block {
  return { kind, start, end, depth: 0, textStart: 0, textEnd: 0 }
}

/** The lines of a block as one text. */
export function contentText(text: string, lines: ContentLines): string {
  const parts: string[] = []
  for (let index = 0; index < lines.length; index += 3) parts.push(text.slice(lines[index + 1], lines[index + 2]))
  return parts.join('\n')
}
