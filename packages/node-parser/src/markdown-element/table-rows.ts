/**
 * @module
 * Creates nodes for the rows of tables.
 */
import { callback, checkOptions } from '@x/core/options'
import { type IndexNode, NodeRelationship, RelatedNodeInfo, type TextNode } from '@x/core-model'
import { cellsOf, type Element } from './element.ts'
import { rowPlace, type TablePart } from './table-parts.ts'

/** A body row of a table. */
interface TableRow {
  /** The header cells. */
  columns: readonly string[]
  /** The cells of the row; as many as `columns`, or more in a row with surplus cells. */
  cells: readonly string[]
  /** The number of the row in its table, starting at 1. */
  row: number
  /** The summary of the table. */
  summary: string
}

/** A table, or a part of it, whose nodes were just created. */
interface BuiltTable {
  element: Element
  part: TablePart
  summary: string
  table: TextNode
  /** The nodes that were created so far. */
  nodes: TextNode[]
}

/** Returns the index node of a row, which refers to the index node of its table. */
type NewRowNode = (row: number, text: string, start: number | null, end: number | null) => IndexNode

/** Creates the nodes of rows; see {@link tableRows}. */
export interface RowNodes {
  /** Adds the nodes of the rows of a table. */
  build(built: BuiltTable, newNode: NewRowNode): void
  /** Whether a node is a row of a table. */
  has(node: TextNode): boolean
  /** Links rows and their tables as child and parent nodes. */
  link(nodes: readonly TextNode[]): void
}

/** The options of {@link tableRows}. */
export interface TableRowsOptions {
  /** Returns the text of a row; null creates no node for it. @defaultValue each cell with its column, such as `price: 2` */
  text?: ((row: TableRow) => string | null) | undefined
}

/**
 * Returns a value for the option `rowNodes` of an element parser: each row of a table becomes an index node with its cells and their
 * columns, so that a question about one cell finds it. Its `indexId` is the index node of the table, its parent is the table node, and the
 * table node has the rows as children. Rows have no previous and next nodes.
 * @example
 * const parser = new MarkdownElementNodeParser({ summarizer: 'headers', rowNodes: tableRows() })
 * const text = '| fruit | price |\n|---|---|\n| apple | 2 |\n| pear | 3 |'
 * const [index, table, apple, pear] = await parser.getNodesFromDocuments([new Document({ text })])
 * apple?.text // => 'fruit: apple\nprice: 2'
 * pear?.parentNode?.nodeId === table?.id // => true
 * pear instanceof IndexNode && pear.indexId === index?.id // => true
 */
export function tableRows(options: TableRowsOptions = {}): RowNodes {
  checkOptions('tableRows', options, { text: callback })
  const { text = cellsWithColumns } = options
  const tables = new WeakMap<TextNode, TextNode>()
  return {
    build({ element, part, summary, table, nodes }, newNode) {
      const { columns, rows } = cellsOf(element) ?? { columns: [], rows: [] }
      for (let index = part.firstRow; index < Math.min(part.endRow, rows.length); index++) {
        const rowText = text({ columns, cells: rows[index] as string[], row: index + 1, summary }) ?? ''
        if (rowText.trim() === '') continue
        const { start, end } = rowPlace(element, index)
        const node = newNode(index + 1, rowText, start, end)
        tables.set(node, table)
        nodes.push(node)
      }
    },
    has: (node) => tables.has(node),
    link(nodes) {
      const children = new Map<TextNode, { record: RelatedNodeInfo; rows: RelatedNodeInfo[] }>()
      for (const node of nodes) {
        const table = tables.get(node)
        if (table === undefined) continue
        const known = children.get(table) ?? { record: recordOf(table), rows: [] }
        children.set(table, known)
        known.rows.push(recordOf(node))
        node.relationships = { ...node.relationships, [NodeRelationship.parent]: known.record.copy() }
      }
      for (const [table, { rows }] of children)
        table.relationships = { ...table.relationships, [NodeRelationship.child]: rows }
    },
  }
}

function cellsWithColumns({ columns, cells }: TableRow): string {
  return cells
    .map((cell, index) => (cell === '' || !columns[index] ? cell : `${columns[index]}: ${cell}`))
    .filter((line) => line !== '')
    .join('\n')
}

/** Returns a record without metadata. The metadata of a table contains all its cells, which each row would repeat. */
function recordOf(node: TextNode): RelatedNodeInfo {
  return new RelatedNodeInfo({ nodeId: node.id, nodeType: node.getType(), hash: node.hash })
}
