/**
 * @module
 * Rows of tables as nodes of their own.
 */
import { type IndexNode, NodeRelationship, RelatedNodeInfo, type TextNode } from '@x/core-model'

/** A body row of a table. */
export interface TableRow {
  /** The header cells. */
  columns: readonly string[]
  /** The cells of the row; as many as `columns`. */
  cells: readonly string[]
  /** The number of the row in its table, starting at 1. */
  row: number
  /** The summary of the table. */
  summary: string
}

/** Creates the nodes of rows; see {@link tableRows}. */
export interface RowNodes {
  /** Returns the text of the node of a row; null or a blank string creates none. */
  textOf(row: TableRow): string | null
  /** Records that a node is a row of a table. */
  add(row: IndexNode, table: TextNode): void
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
 * Returns the `rowNodes` of an element parser: each row of a table becomes an index node with its cells and their columns, so that a
 * question about one cell finds it. Its `indexId` is the index node of the table, its parent is the table node, and the table node has
 * the rows as children. Rows are not part of the chain of previous and next nodes.
 * @example
 * const parser = new MarkdownElementNodeParser({ summarizer: 'headers', rowNodes: tableRows() })
 * const text = '| fruit | price |\n|---|---|\n| apple | 2 |\n| pear | 3 |'
 * const [index, table, apple, pear] = await parser.getNodesFromDocuments([new Document({ text })])
 * apple?.text // => 'fruit: apple\nprice: 2'
 * pear?.parentNode?.nodeId === table?.id // => true
 * pear instanceof IndexNode && pear.indexId === index?.id // => true
 */
export function tableRows({ text = cellsWithColumns }: TableRowsOptions = {}): RowNodes {
  const tables = new WeakMap<TextNode, TextNode>()
  return {
    textOf: text,
    add: (row, table) => tables.set(row, table),
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

/** Returns a record without metadata: that of the table contains all of its cells, and each row would repeat it. */
function recordOf(node: TextNode): RelatedNodeInfo {
  return new RelatedNodeInfo({ nodeId: node.id, nodeType: node.getType(), hash: node.hash })
}
