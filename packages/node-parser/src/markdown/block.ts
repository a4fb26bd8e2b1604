/**
 * @module
 * The result of scanning Markdown: the root blocks of the document, and the tables at any depth.
 */

/** The kind of a root block. */
export type BlockKind = 'paragraph' | 'heading' | 'table' | 'code' | 'html' | 'break' | 'list' | 'quote' | 'mdx'

/** A root block. `start` is the start of its first line; `end` is after its last character that is not blank. */
export interface Block {
  kind: BlockKind
  start: number
  end: number
  /** The level of a heading, 1 to 6; 0 for other blocks. */
  depth: number
  /** The source range of the text of a heading. */
  textStart: number
  textEnd: number
}

/** A table: the range of each line without container marks, indentation and trailing blanks. The second line is the delimiter row. */
export interface TableSpan {
  rowStarts: number[]
  rowEnds: number[]
  /** Whether the table is a root block, not inside a quote or list. */
  root: boolean
}

/** The lines of a block; three numbers per line: start of the line, start and end of its text without container marks and indentation. */
export type ContentLines = readonly number[]

/** The blocks and tables of a document, each in document order. */
export interface BlockStructure {
  blocks: Block[]
  tables: TableSpan[]
  /** The paragraphs at any depth that start with `[` and may therefore contain link definitions. */
  bracketParagraphs: ContentLines[]
  /** The HTML blocks inside quotes and lists. */
  containedHtml: ContentLines[]
}

export function newBlock(kind: BlockKind, start: number, end: number): Block {
  return { kind, start, end, depth: 0, textStart: 0, textEnd: 0 }
}

/** Returns the lines of a block as one string. */
export function contentText(text: string, lines: ContentLines): string {
  const parts: string[] = []
  for (let index = 0; index < lines.length; index += 3) parts.push(text.slice(lines[index + 1], lines[index + 2]))
  return parts.join('\n')
}
