/**
 * @module
 * The TypeBox schemas of the node parsers: entry `@x/node-parser/schemas`.
 */
export { CodeTextSplitter } from './code-text-splitter.schema.ts'
export { BaseElementNodeParser } from './markdown-element/base-element-node-parser.schema.ts'
export { MarkdownElementNodeParser } from './markdown-element/markdown-element-node-parser.schema.ts'
export type { TableColumn } from './markdown-element/table-column.ts'
export { TableColumnRecord, TableOutputRecord } from './markdown-element/table-output.schema.ts'
export { MarkdownNodeParser } from './markdown-node-parser.schema.ts'
export { MetadataAwareTextSplitter } from './metadata-aware-text-splitter.schema.ts'
export { NodeParser, nodeParser, nodeParserFields } from './node-parser.schema.ts'
export { SemanticSplitterNodeParser } from './semantic-splitter-node-parser.schema.ts'
export { SentenceSplitter } from './sentence-splitter.schema.ts'
export { TextSplitter } from './text-splitter.schema.ts'
export { TokenTextSplitter } from './token-text-splitter.schema.ts'
