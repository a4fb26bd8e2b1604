/**
 * @module
 * The tables of documents, with cells that can be filtered and sorted.
 */
import { Document } from '@x/core-model'
import { MarkdownElementNodeParser, type MarkdownSyntax, mdx } from '@x/node-parser'
import { isTableNode, readTable, type Table } from '@x/retrieval/tables'

/** The maximum number of documents whose tables are kept. */
const KEPT = 200

/** Reads the tables of documents, and keeps those that were asked for last. */
export class TableReader {
  private readonly kept = new Map<string, { text: string; tables: Table[] }>()

  /** Returns the tables of a document, in order, also those in lists, quotes and HTML. */
  async tablesOf(path: string, text: string): Promise<Table[]> {
    const known = this.kept.get(path)
    this.kept.delete(path)
    const tables = known?.text === text ? known.tables : await readTables(path, text)
    this.kept.set(path, { text, tables })
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= KEPT) break
      this.kept.delete(oldest)
    }
    return tables
  }
}

async function readTables(path: string, text: string): Promise<Table[]> {
  if (!text.includes('|') && !/<table/i.test(text)) return []
  const parser = new MarkdownElementNodeParser({
    summarizer: 'headers',
    htmlTables: 'table',
    headerPath: true,
    lineNumbers: true,
    includePrevNextRel: false,
    syntax: syntaxOf(path),
  })
  const nodes = await parser.getNodesFromDocuments([new Document({ id: path, text, metadata: { file: path } })])
  return nodes.filter(isTableNode).map((node, index) => ({ ...readTable(node), id: `${path}#${index + 1}` }))
}

/** Returns the syntax of a document by its name. */
export function syntaxOf(path: string): MarkdownSyntax | undefined {
  return /\.mdx$/i.test(path) ? mdx : undefined
}
