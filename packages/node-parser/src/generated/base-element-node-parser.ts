// Generated from the schema of the model by x-codegen. Do not edit.
import type { FrontMatterReader } from '../front-matter-metadata.ts'
import type { TableSummarizer } from '../markdown-element/summarize-table.ts'
import type { RowNodes } from '../markdown-element/table-rows.ts'
import type { ElementDivider } from '../markdown-element/typed-elements.ts'
import type { MarkdownSyntax } from '../markdown/mdx.ts'
import { NodeParser } from '../node-parser.ts'
import type { NodeParserFields, NodeParserOptions } from './node-parser.ts'
import { type BaseLLM, type Tokenizer, modelOf } from '@x/core-model'

/** The fields of {@link BaseElementNodeParser}. */
export interface BaseElementNodeParserFields extends NodeParserFields {
  /** The language model that summarizes tables; required if summarizer is llm and there is a table. */
  llm: BaseLLM | null
  /** The question that the model is asked about each table. @defaultValue a string of 218 characters, 'Tell very concisely, as a capt…' */
  summaryQueryStr: string
  /** The maximum number of tables summarized at the same time. @defaultValue 4 */
  readonly numWorkers: number
  /** Whether `onProgress` is called. @defaultValue true */
  showProgress: boolean
  /** The maximum size of a text node, in tokens; null never splits text. @defaultValue 1024 */
  readonly chunkSize: number | null
  /** The maximum overlap of two adjacent text nodes, in tokens. @defaultValue 200 */
  readonly chunkOverlap: number
  /** How tables are summarized: by the model, or from the caption or heading and the header cells. @defaultValue 'llm' */
  summarizer: 'llm' | 'headers'
  /** Summarizes tables; overrides summarizer. */
  tableSummarizer: TableSummarizer | null
  /** What to do when the summarizer fails: reject with its error, or summarize the table from its headers. @defaultValue 'throw' */
  onError: 'throw' | 'headers'
  /** The maximum size of table nodes and their index nodes, in tokens; null never splits tables. @defaultValue null */
  readonly maxTableTokens: number | null
  /** Creates a node for each row of a table, such as `tableRows()`. */
  rowNodes: RowNodes | null
  /** Finds code, images, math and footnotes, such as `typedElements()`. */
  elementTypes: ElementDivider | null
  /** Whether a `<table>` in an HTML block becomes a table or text. @defaultValue 'text' */
  htmlTables: 'text' | 'table'
  /** What becomes of a table that the summarizer decides not to keep. @defaultValue 'keep' */
  onReject: 'keep' | 'text' | 'drop'
  /** Whether the cells are in the metadata `table_df` of the table node, or only in its text. @defaultValue 'metadata' */
  tableData: 'metadata' | 'node'
  /** Whether nodes have the metadata `header_path`, the headings above them. @defaultValue false */
  headerPath: boolean
  /** The separator between headings in `header_path`. @defaultValue ' > ' */
  headerPathSeparator: string
  /** Whether nodes have the metadata `start_line` and `end_line`, starting at 1. @defaultValue false */
  lineNumbers: boolean
  /** A regular expression for page breaks; nodes then have the metadata `page_label`. Its first group is the label of the page that begins. @defaultValue null */
  pageBreak: string | null
  /** Reads front matter into metadata, such as `readFrontMatter`; null keeps it as text. */
  frontMatter: FrontMatterReader | null
  /** A syntax other than Markdown alone, such as `mdx`. */
  syntax: MarkdownSyntax | null
  /** Counts the tokens of a string, or splits it into them; null assumes one token per 4 UTF-8 bytes. */
  tokenizer: Tokenizer | null
  /** Splits the text between tables instead of `chunkSize`. */
  nestedNodeParser: NodeParser | null
}

/** Constructor options of {@link BaseElementNodeParser}. */
export interface BaseElementNodeParserOptions extends NodeParserOptions {
  /** The language model that summarizes tables; required if summarizer is llm and there is a table. */
  llm?: BaseLLM | null | undefined
  /** The question that the model is asked about each table. @defaultValue a string of 218 characters, 'Tell very concisely, as a capt…' */
  summaryQueryStr?: string | undefined
  /** The maximum number of tables summarized at the same time. @defaultValue 4 */
  numWorkers?: number | undefined
  /** Whether `onProgress` is called. @defaultValue true */
  showProgress?: boolean | undefined
  /** The maximum size of a text node, in tokens; null never splits text. @defaultValue 1024 */
  chunkSize?: number | null | undefined
  /** The maximum overlap of two adjacent text nodes, in tokens. @defaultValue 200 */
  chunkOverlap?: number | undefined
  /** How tables are summarized: by the model, or from the caption or heading and the header cells. @defaultValue 'llm' */
  summarizer?: 'llm' | 'headers' | undefined
  /** Summarizes tables; overrides summarizer. */
  tableSummarizer?: TableSummarizer | null | undefined
  /** What to do when the summarizer fails: reject with its error, or summarize the table from its headers. @defaultValue 'throw' */
  onError?: 'throw' | 'headers' | undefined
  /** The maximum size of table nodes and their index nodes, in tokens; null never splits tables. @defaultValue null */
  maxTableTokens?: number | null | undefined
  /** Creates a node for each row of a table, such as `tableRows()`. */
  rowNodes?: RowNodes | null | undefined
  /** Finds code, images, math and footnotes, such as `typedElements()`. */
  elementTypes?: ElementDivider | null | undefined
  /** Whether a `<table>` in an HTML block becomes a table or text. @defaultValue 'text' */
  htmlTables?: 'text' | 'table' | undefined
  /** What becomes of a table that the summarizer decides not to keep. @defaultValue 'keep' */
  onReject?: 'keep' | 'text' | 'drop' | undefined
  /** Whether the cells are in the metadata `table_df` of the table node, or only in its text. @defaultValue 'metadata' */
  tableData?: 'metadata' | 'node' | undefined
  /** Whether nodes have the metadata `header_path`, the headings above them. @defaultValue false */
  headerPath?: boolean | undefined
  /** The separator between headings in `header_path`. @defaultValue ' > ' */
  headerPathSeparator?: string | undefined
  /** Whether nodes have the metadata `start_line` and `end_line`, starting at 1. @defaultValue false */
  lineNumbers?: boolean | undefined
  /** A regular expression for page breaks; nodes then have the metadata `page_label`. Its first group is the label of the page that begins. @defaultValue null */
  pageBreak?: string | null | undefined
  /** Reads front matter into metadata, such as `readFrontMatter`; null keeps it as text. */
  frontMatter?: FrontMatterReader | null | undefined
  /** A syntax other than Markdown alone, such as `mdx`. */
  syntax?: MarkdownSyntax | null | undefined
  /** Counts the tokens of a string, or splits it into them; null assumes one token per 4 UTF-8 bytes. */
  tokenizer?: Tokenizer | null | undefined
  /** Splits the text between tables instead of `chunkSize`. */
  nestedNodeParser?: NodeParser | null | undefined
}

declare abstract class Declared extends NodeParser {
  constructor(options?: BaseElementNodeParserOptions)
}
interface Declared extends BaseElementNodeParserFields {}

/** The typed base class of {@link BaseElementNodeParser}. */
export const BaseElementNodeParserModel = /* @__PURE__ */ modelOf<typeof Declared>(NodeParser, {
  name: 'BaseElementNodeParser',
  description: 'Splits documents into text nodes and tables that queries find by their summaries.',
  fields: {
    llm: { schema: { 'x-nested': true, description: 'The language model that summarizes tables; required if summarizer is llm and there is a table.' }, holds: ['complete', 'chat'] },
    summaryQueryStr: { wire: 'summary_query_str', schema: { type: 'string', description: 'The question that the model is asked about each table.' }, default: 'Tell very concisely, as a caption and a summary, what this table is about. If a title or caption of the table, or an id such as a number, is given, report them as they are. Also decide whether the table should be kept.' },
    numWorkers: { wire: 'num_workers', schema: { type: 'integer', minimum: 1, description: 'The maximum number of tables summarized at the same time.' }, default: 4, bounded: true },
    showProgress: { wire: 'show_progress', schema: { type: 'boolean', description: 'Whether `onProgress` is called.' }, default: true },
    chunkSize: { wire: 'chunk_size', schema: { minimum: 1, type: ['integer', 'null'], description: 'The maximum size of a text node, in tokens; null never splits text.' }, default: 1024, bounded: true, extension: true },
    chunkOverlap: { wire: 'chunk_overlap', schema: { type: 'integer', minimum: 0, description: 'The maximum overlap of two adjacent text nodes, in tokens.' }, default: 200, bounded: true, extension: true },
    summarizer: { schema: { type: 'string', enum: ['llm', 'headers'], description: 'How tables are summarized: by the model, or from the caption or heading and the header cells.' }, default: 'llm', extension: true },
    tableSummarizer: { wire: 'table_summarizer', schema: { description: 'Summarizes tables; overrides summarizer.' }, runtime: true, holds: 'function' },
    onError: { wire: 'on_error', schema: { type: 'string', enum: ['throw', 'headers'], description: 'What to do when the summarizer fails: reject with its error, or summarize the table from its headers.' }, default: 'throw', extension: true },
    maxTableTokens: { wire: 'max_table_tokens', schema: { minimum: 1, type: ['integer', 'null'], description: 'The maximum size of table nodes and their index nodes, in tokens; null never splits tables.' }, bounded: true, extension: true },
    rowNodes: { wire: 'row_nodes', schema: { description: 'Creates a node for each row of a table, such as `tableRows()`.' }, runtime: true, holds: ['build', 'link'] },
    elementTypes: { wire: 'element_types', schema: { description: 'Finds code, images, math and footnotes, such as `typedElements()`.' }, runtime: true, holds: 'function' },
    htmlTables: { wire: 'html_tables', schema: { type: 'string', enum: ['text', 'table'], description: 'Whether a `<table>` in an HTML block becomes a table or text.' }, default: 'text', extension: true },
    onReject: { wire: 'on_reject', schema: { type: 'string', enum: ['keep', 'text', 'drop'], description: 'What becomes of a table that the summarizer decides not to keep.' }, default: 'keep', extension: true },
    tableData: { wire: 'table_data', schema: { type: 'string', enum: ['metadata', 'node'], description: 'Whether the cells are in the metadata `table_df` of the table node, or only in its text.' }, default: 'metadata', extension: true },
    headerPath: { wire: 'header_path', schema: { type: 'boolean', description: 'Whether nodes have the metadata `header_path`, the headings above them.' }, default: false, extension: true },
    headerPathSeparator: { wire: 'header_path_separator', schema: { type: 'string', description: 'The separator between headings in `header_path`.' }, default: ' > ', extension: true },
    lineNumbers: { wire: 'line_numbers', schema: { type: 'boolean', description: 'Whether nodes have the metadata `start_line` and `end_line`, starting at 1.' }, default: false, extension: true },
    pageBreak: { wire: 'page_break', schema: { type: ['string', 'null'], description: 'A regular expression for page breaks; nodes then have the metadata `page_label`. Its first group is the label of the page that begins.' }, extension: true },
    frontMatter: { wire: 'front_matter', schema: { description: 'Reads front matter into metadata, such as `readFrontMatter`; null keeps it as text.' }, runtime: true, holds: 'function' },
    syntax: { schema: { description: 'A syntax other than Markdown alone, such as `mdx`.' }, runtime: true, holds: ['reader'] },
    tokenizer: { schema: { description: 'Counts the tokens of a string, or splits it into them; null assumes one token per 4 UTF-8 bytes.' }, runtime: true, holds: 'function' },
    nestedNodeParser: { wire: 'nested_node_parser', schema: { description: 'Splits the text between tables instead of `chunkSize`.' }, runtime: true, holds: ['getNodesFromDocuments'] },
  },
})
