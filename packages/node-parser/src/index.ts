/**
 * @module
 * Node parsers for Markdown: text, tables and sections with exact offsets.
 */
export { buildNodesFromSplits, type IdFunc, isSliceOfSource } from './build-nodes.ts'
export { CodeTextSplitter } from './code-text-splitter.ts'
export {
  DanglingIndexNodeError,
  MetadataTooLongError,
  MissingModelError,
  MissingTableOutputError,
  SummaryFormatError,
} from './errors.ts'
export type { FrontMatterReader } from './input-text.ts'
export type { Block } from './markdown/block.ts'
export { type MarkdownSyntax, mdx } from './markdown/mdx.ts'
export { type MarkdownBlock, readBlocks } from './markdown/read-blocks.ts'
export {
  BaseElementNodeParser,
  type NodesAndObjects,
} from './markdown-element/base-element-node-parser.ts'
export type { Element, ElementDivider, TableCandidate, TableData, TableFilter } from './markdown-element/element.ts'
export { extractMarkdownElements } from './markdown-element/extract-elements.ts'
export { MarkdownElementNodeParser } from './markdown-element/markdown-element-node-parser.ts'
export { streamMarkdownElements } from './markdown-element/stream-elements.ts'
export {
  summarizeByHeaders,
  summarizeByModel,
  type TableSummarizer,
} from './markdown-element/summarize-table.ts'
export { TableOutput } from './markdown-element/table-output.ts'
export { type RowNodes, tableRows } from './markdown-element/table-rows.ts'
export { typedElements } from './markdown-element/typed-elements.ts'
export { MarkdownNodeParser } from './markdown-node-parser.ts'
export { MetadataAwareTextSplitter } from './metadata-aware-text-splitter.ts'
export { compareNodes, fromContent, fromSource, type NodeChanges } from './node-ids.ts'
export { NodeParser } from './node-parser.ts'
export { readFrontMatter } from './read-front-matter.ts'
export {
  type DocumentSections,
  type MarkdownSection,
  readSections,
} from './read-sections.ts'
export type { SectionBlock } from './section-blocks.ts'
export { type SectionRange, sectionRanges } from './section-ranges.ts'
export { SemanticSplitterNodeParser } from './semantic-splitter-node-parser.ts'
export { SentenceSplitter } from './sentence-splitter.ts'
export { streamNodes } from './stream-nodes.ts'
export type { SyntaxNode, SyntaxParser } from './syntax-pieces.ts'
export { TextSplitter } from './text-splitter.ts'
export { TokenTextSplitter } from './token-text-splitter.ts'
