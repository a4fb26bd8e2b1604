/**
 * @module
 * Splits Markdown into text nodes and tables, with summaries of the tables for retrieval.
 */
import { MarkdownElementNodeParserModel } from '../generated/markdown-element-node-parser.ts'
import type { Element } from './element.ts'
import { type ExtractOptions, extractMarkdownElements } from './extract-elements.ts'

/**
 * Splits Markdown into text nodes and, for each table, an index node with its summary and a text node with the table.
 * Finds GFM tables at any depth of quotes and lists. Every text node is an exact slice of the document.
 * @throws {ModelValidationError} if a field is invalid, or the overlap is not less than the size.
 * @example
 * const parser = new MarkdownElementNodeParser({ summarizer: 'headers' })
 * const text = '# Fruit\n\n| name | price |\n|---|---|\n| apple | 2 |'
 * const nodes = await parser.getNodesFromDocuments([new Document({ text })])
 * nodes.map((node) => node.constructor.name) // => ['TextNode', 'IndexNode', 'TextNode']
 */
export class MarkdownElementNodeParser extends MarkdownElementNodeParserModel {
  /**
   * Returns the text elements and tables of a document, in order. Without filters every table becomes a table element.
   * Every string is valid Markdown. Errors of filters are thrown unchanged.
   * @throws {ModelValidationError} if `text` is not a string, or an option is unknown or invalid.
   */
  override extractElements(
    text: string,
    options: Pick<ExtractOptions, 'nodeId' | 'tableFilters' | 'isLater'> = {},
  ): Element[] {
    const { htmlTables, syntax, elementTypes, frontMatter } = this
    const skipFrontMatter = frontMatter !== null
    return extractMarkdownElements(text, { ...options, htmlTables, syntax, elementTypes, skipFrontMatter })
  }
}
