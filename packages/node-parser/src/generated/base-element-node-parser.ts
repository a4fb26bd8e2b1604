// Generated from the schema of the model by x-codegen. Do not edit.
import type { FrontMatterReader } from '../front-matter-metadata.ts'
import type { ElementDivider } from '../markdown-element/element.ts'
import type { TableSummarizer } from '../markdown-element/summarize-table.ts'
import type { RowNodes } from '../markdown-element/table-rows.ts'
import type { MarkdownSyntax } from '../markdown/mdx.ts'
import { NodeParser } from '../node-parser.ts'
import type { NodeParserFields, NodeParserOptions } from './node-parser.ts'
import { type BaseLLM, type Tokenizer, modelOf } from '@x/core-model'

/** The fields of {@link BaseElementNodeParser}. */
export interface BaseElementNodeParserFields extends NodeParserFields {
  /** The language model that summarizes tables. */
  llm: BaseLLM | null
  /** The question about each table. @defaultValue a string of 217 characters, 'Say very concisely, as a capti…' */
  summaryQueryStr: string
  /** The maximum number of tables summarized at once. @defaultValue 4 */
  readonly numWorkers: number
  /** Whether `onProgress` is called. @defaultValue true */
  showProgress: boolean
  /** The maximum size of a text node, in tokens; null never splits text. @defaultValue 1024 */
  readonly chunkSize: number | null
  /** The maximum overlap of text nodes, in tokens. @defaultValue 200 */
  readonly chunkOverlap: number
  /** How tables are summarized: by the model, or from the headers. @defaultValue 'llm' */
  summarizer: 'llm' | 'headers'
  /** Summarizes tables; overrides summarizer. */
  tableSummarizer: TableSummarizer | null
  /** What happens when the summarizer fails. @defaultValue 'throw' */
  onError: 'throw' | 'headers'
  /** The maximum size of what is embedded of table and index nodes, in tokens, with metadata; null never splits tables. @defaultValue null */
  readonly maxTableTokens: number | null
  /** Creates the nodes of rows, such as `tableRows()`. */
  rowNodes: RowNodes | null
  /** Divides text into elements, such as `typedElements()`. */
  elementTypes: ElementDivider | null
  /** Whether a `<table>` in an HTML block becomes a table or text. @defaultValue 'text' */
  htmlTables: 'text' | 'table'
  /** What happens to tables that the summarizer rejects. @defaultValue 'keep' */
  onReject: 'keep' | 'text' | 'drop'
  /** Whether the cells are also in the metadata `table_df`. @defaultValue 'metadata' */
  tableData: 'metadata' | 'node'
  /** Whether nodes have the metadata `header_path`, the headings above them. @defaultValue false */
  headerPath: boolean
  /** The separator between headings in `header_path`. @defaultValue ' > ' */
  headerPathSeparator: string
  /** Whether nodes have the metadata `start_line` and `end_line`. @defaultValue false */
  lineNumbers: boolean
  /** A regular expression for page breaks, for the metadata `page_label`. @defaultValue null */
  pageBreak: string | null
  /** Reads front matter into metadata, such as `readFrontMatter`. */
  frontMatter: FrontMatterReader | null
  /** The syntax, such as `mdx`; null is Markdown. */
  syntax: MarkdownSyntax | null
  /** Counts the tokens of a string; null assumes one per 4 UTF-8 bytes. */
  tokenizer: Tokenizer | null
  /** Splits the text between tables. */
  nestedNodeParser: NodeParser | null
}

/** Constructor options of {@link BaseElementNodeParser}. */
export interface BaseElementNodeParserOptions extends NodeParserOptions {
  /** The language model that summarizes tables. */
  llm?: BaseLLM | null | undefined
  /** The question about each table. @defaultValue a string of 217 characters, 'Say very concisely, as a capti…' */
  summaryQueryStr?: string | undefined
  /** The maximum number of tables summarized at once. @defaultValue 4 */
  numWorkers?: number | undefined
  /** Whether `onProgress` is called. @defaultValue true */
  showProgress?: boolean | undefined
  /** The maximum size of a text node, in tokens; null never splits text. @defaultValue 1024 */
  chunkSize?: number | null | undefined
  /** The maximum overlap of text nodes, in tokens. @defaultValue 200 */
  chunkOverlap?: number | undefined
  /** How tables are summarized: by the model, or from the headers. @defaultValue 'llm' */
  summarizer?: 'llm' | 'headers' | undefined
  /** Summarizes tables; overrides summarizer. */
  tableSummarizer?: TableSummarizer | null | undefined
  /** What happens when the summarizer fails. @defaultValue 'throw' */
  onError?: 'throw' | 'headers' | undefined
  /** The maximum size of what is embedded of table and index nodes, in tokens, with metadata; null never splits tables. @defaultValue null */
  maxTableTokens?: number | null | undefined
  /** Creates the nodes of rows, such as `tableRows()`. */
  rowNodes?: RowNodes | null | undefined
  /** Divides text into elements, such as `typedElements()`. */
  elementTypes?: ElementDivider | null | undefined
  /** Whether a `<table>` in an HTML block becomes a table or text. @defaultValue 'text' */
  htmlTables?: 'text' | 'table' | undefined
  /** What happens to tables that the summarizer rejects. @defaultValue 'keep' */
  onReject?: 'keep' | 'text' | 'drop' | undefined
  /** Whether the cells are also in the metadata `table_df`. @defaultValue 'metadata' */
  tableData?: 'metadata' | 'node' | undefined
  /** Whether nodes have the metadata `header_path`, the headings above them. @defaultValue false */
  headerPath?: boolean | undefined
  /** The separator between headings in `header_path`. @defaultValue ' > ' */
  headerPathSeparator?: string | undefined
  /** Whether nodes have the metadata `start_line` and `end_line`. @defaultValue false */
  lineNumbers?: boolean | undefined
  /** A regular expression for page breaks, for the metadata `page_label`. @defaultValue null */
  pageBreak?: string | null | undefined
  /** Reads front matter into metadata, such as `readFrontMatter`. */
  frontMatter?: FrontMatterReader | null | undefined
  /** The syntax, such as `mdx`; null is Markdown. */
  syntax?: MarkdownSyntax | null | undefined
  /** Counts the tokens of a string; null assumes one per 4 UTF-8 bytes. */
  tokenizer?: Tokenizer | null | undefined
  /** Splits the text between tables. */
  nestedNodeParser?: NodeParser | null | undefined
}

declare abstract class Declared extends NodeParser {
  constructor(options?: BaseElementNodeParserOptions)
}
interface Declared extends BaseElementNodeParserFields {}

/** The typed base class of {@link BaseElementNodeParser}. */
export const BaseElementNodeParserModel = /* @__PURE__ */ modelOf<typeof Declared>(NodeParser, {
  name: 'BaseElementNodeParser',
  description: 'Splits documents into text nodes and tables, with summaries of the tables for retrieval.',
  fields: {
    llm: { schema: { 'x-nested': true, description: 'The language model that summarizes tables.' }, holds: ['complete', 'chat'] },
    summaryQueryStr: { schema: { type: 'string', description: 'The question about each table.' }, default: 'Say very concisely, as a caption and a summary, what this table is about. If a title or caption of the table, or an id such as a number, is given, report them as they are. Also decide whether the table should be kept.' },
    numWorkers: { schema: { type: 'integer', minimum: 1, description: 'The maximum number of tables summarized at once.' }, default: 4, bounded: true },
    showProgress: { schema: { type: 'boolean', description: 'Whether `onProgress` is called.' }, default: true },
    chunkSize: { schema: { minimum: 1, type: ['integer', 'null'], description: 'The maximum size of a text node, in tokens; null never splits text.' }, default: 1024, bounded: true, extension: true },
    chunkOverlap: { schema: { type: 'integer', minimum: 0, description: 'The maximum overlap of text nodes, in tokens.' }, default: 200, bounded: true, extension: true },
    summarizer: { schema: { type: 'string', enum: ['llm', 'headers'], description: 'How tables are summarized: by the model, or from the headers.' }, default: 'llm', extension: true },
    tableSummarizer: { schema: { description: 'Summarizes tables; overrides summarizer.' }, runtime: true, holds: 'function' },
    onError: { schema: { type: 'string', enum: ['throw', 'headers'], description: 'What happens when the summarizer fails.' }, default: 'throw', extension: true },
    maxTableTokens: { schema: { minimum: 1, type: ['integer', 'null'], description: 'The maximum size of what is embedded of table and index nodes, in tokens, with metadata; null never splits tables.' }, bounded: true, extension: true },
    rowNodes: { schema: { description: 'Creates the nodes of rows, such as `tableRows()`.' }, runtime: true, holds: ['build', 'link'] },
    elementTypes: { schema: { description: 'Divides text into elements, such as `typedElements()`.' }, runtime: true, holds: 'function' },
    htmlTables: { schema: { type: 'string', enum: ['text', 'table'], description: 'Whether a `<table>` in an HTML block becomes a table or text.' }, default: 'text', extension: true },
    onReject: { schema: { type: 'string', enum: ['keep', 'text', 'drop'], description: 'What happens to tables that the summarizer rejects.' }, default: 'keep', extension: true },
    tableData: { schema: { type: 'string', enum: ['metadata', 'node'], description: 'Whether the cells are also in the metadata `table_df`.' }, default: 'metadata', extension: true },
    headerPath: { schema: { type: 'boolean', description: 'Whether nodes have the metadata `header_path`, the headings above them.' }, default: false, extension: true },
    headerPathSeparator: { schema: { type: 'string', description: 'The separator between headings in `header_path`.' }, default: ' > ', extension: true },
    lineNumbers: { schema: { type: 'boolean', description: 'Whether nodes have the metadata `start_line` and `end_line`.' }, default: false, extension: true },
    pageBreak: { schema: { type: ['string', 'null'], description: 'A regular expression for page breaks, for the metadata `page_label`.' }, extension: true },
    frontMatter: { schema: { description: 'Reads front matter into metadata, such as `readFrontMatter`.' }, runtime: true, holds: 'function' },
    syntax: { schema: { description: 'The syntax, such as `mdx`; null is Markdown.' }, runtime: true, holds: ['reader'] },
    tokenizer: { schema: { description: 'Counts the tokens of a string; null assumes one per 4 UTF-8 bytes.' }, runtime: true, holds: 'function' },
    nestedNodeParser: { schema: { description: 'Splits the text between tables.' }, runtime: true, holds: ['getNodesFromDocuments'] },
  },
})
