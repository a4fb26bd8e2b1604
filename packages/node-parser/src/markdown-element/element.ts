/**
 * @module
 * The elements of a Markdown document: text and tables. Before nodes are made of them, rejected tables become text, and adjacent text
 * elements become runs.
 */
import type { BlockStructure } from '../markdown/block.ts'
import type { ColumnAlign } from '../markdown/table-row.ts'
import type { TableOutput } from './table-output.ts'

/** The cells of a table. Every row is as long as the header. */
export interface TableData {
  /** The header cells, as written, trimmed. */
  columns: string[]
  /** The body cells; every row is as long as `columns`. */
  rows: string[][]
  /** The alignment of each column; null if the delimiter row does not set one. */
  align: ColumnAlign[]
  /** The text of an HTML table outside its cells, such as its caption; absent if all text is in cells. */
  caption?: string
}

/**
 * `text` is everything between tables, `table` is a well-formed table, `table_text` is a table with surplus cells. The others exist only
 * with the option `elementTypes`.
 */
type ElementType = 'text' | 'table' | 'table_text' | 'code' | 'image' | 'math' | 'footnote'

/** An element of a Markdown document: a part of the text, or a table. */
export interface Element {
  /** `id_<node id>_<position>`. */
  id: string
  type: ElementType
  /** The source: an exact slice for text; for tables the lines without container marks, indentation and trailing blanks. */
  element: string
  /** Always null; part of the record for compatibility. */
  titleLevel: null
  /** The summary of a table, set by `extractTableSummaries`. */
  tableOutput: TableOutput | null
  /** The cells of an element of type `table`; otherwise null. */
  table: TableData | null
  /** The start offset in the document, in UTF-16 code units. */
  startCharIdx: number | null
  /** The end offset in the document (exclusive), in UTF-16 code units. */
  endCharIdx: number | null
  /** Details of code, an image, math or a footnote; absent for text and tables. */
  info?: Record<string, unknown>
}

/** The cells of tables with surplus cells. */
const keptCells = new WeakMap<Element, TableData>()

/** Removes the cells of a table with surplus cells, which is kept as text. {@link cellsOf} still returns them. */
export function keepAsText(element: Element): void {
  if (element.table !== null) keptCells.set(element, element.table)
  element.table = null
}

/** Returns the cells of a table, also of one with surplus cells: then rows may be longer than the header. */
export function cellsOf(element: Element): TableData | null {
  return element.table ?? keptCells.get(element) ?? null
}

/** Whether an element is a table, well-formed or not. */
export function isTable({ type }: Pick<Element, 'type'>): boolean {
  return type === 'table' || type === 'table_text'
}

/** Returns whether a table becomes a table element; otherwise it becomes text. */
export type TableFilter = (table: Element) => boolean

/** The argument of `filterTable`: the source of an element and, if known, its cells. */
export type TableCandidate = Pick<Element, 'element'> & { table?: TableData | null }

/** Divides the text elements of a document; see {@link typedElements}. */
export type ElementDivider = (text: string, structure: BlockStructure, elements: readonly Element[]) => Element[]

/** Returns an element without cells and summary, which are set later. */
export function newElement(type: Element['type'], element: string, start: number | null, end: number | null): Element {
  return {
    id: '',
    type,
    element,
    titleLevel: null,
    tableOutput: null,
    table: null,
    startCharIdx: start,
    endCharIdx: end,
  }
}

/** Whether the summarizer decided not to keep a table. */
export function isRejected({ tableOutput }: Element): boolean {
  return tableOutput?.shouldKeep === false
}

/** Returns the elements with rejected tables as text, merged with adjacent text. */
export function rejectedAsText(elements: readonly Element[], text: string): Element[] {
  const kept: Element[] = []
  for (const element of elements) {
    if (element.type !== 'text' && !isRejected(element)) {
      kept.push(element)
      continue
    }
    const joined = kept.at(-1)?.type === 'text' ? kept.pop() : undefined
    const start = (joined ?? element).startCharIdx ?? 0
    const end = element.endCharIdx ?? 0
    kept.push(newElement('text', text.slice(start, end), start, end))
  }
  return kept
}

/** Yields runs of adjacent text elements, each with the table after it. Code, images, math and footnotes are separate runs. */
export function* runsOf(elements: readonly Element[]): Generator<{ texts: Element[]; table: Element | null }> {
  let texts: Element[] = []
  for (const element of elements) {
    if (element.type === 'text') texts.push(element)
    else if (element.info !== undefined) {
      yield { texts, table: null }
      yield { texts: [element], table: null }
      texts = []
    } else {
      yield { texts, table: element }
      texts = []
    }
  }
  if (texts.length > 0) yield { texts, table: null }
}
