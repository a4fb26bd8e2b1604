/**
 * @module
 * The TypeBox schemas of the node parsers: entry `@x/node-parser/schemas`.
 */

export {
  BaseElementNodeParser,
  MarkdownElementNodeParser,
  TableColumnRecord,
  TableOutputRecord,
} from './markdown-element/markdown-element.schema.ts'
export type { TableColumn } from './markdown-element/table-column.ts'
export { MarkdownNodeParser } from './markdown-node-parser.schema.ts'
export { NodeParser, nodeParser, nodeParserFields } from './node-parser.schema.ts'
export { SemanticSplitterNodeParser } from './semantic-splitter-node-parser.schema.ts'
export {
  CodeTextSplitter,
  MetadataAwareTextSplitter,
  SentenceSplitter,
  TextSplitter,
  TokenTextSplitter,
} from './text-splitters.schema.ts'
