// Generated from the schemas by tools/codegen. Do not edit.
import type { IdFunc } from '../build-nodes.ts'
import type { Tokenizer } from '../count-tokens.ts'
import type { TableSummarizer } from '../markdown-element/summarize-table.ts'
import type { NodeParser } from '../node-parser.ts'
import type { BaseLLM, CallbackManager, ModelSpec } from '@x/core-model'

/** The fields of {@link MarkdownElementNodeParser}. */
export interface MarkdownElementNodeParserFields {
  /** Give nodes the metadata of what they are made from. */
  includeMetadata: boolean
  /** Link neighbours of the same source. */
  includePrevNextRel: boolean
  /** Who is told of the parsing. */
  callbackManager: CallbackManager | null
  /** Makes the ids of nodes; random UUIDs when it is null. */
  idFunc: IdFunc | null
  /** Summarizes tables; not needed for documents without tables, nor with another summarizer. */
  llm: BaseLLM | null
  /** What the model is asked about each table. */
  summaryQueryStr: string
  /** Tables in work at the same time. */
  readonly numWorkers: number
  /** Whether `onProgress` is told. */
  showProgress: boolean
  /** Texts with more tokens are cut; null never cuts. */
  readonly chunkSize: number | null
  /** Most tokens that two chunks of a text share. */
  readonly chunkOverlap: number
  /** Who summarizes tables: the model, or the caption or heading with the header cells. */
  summarizer: 'llm' | 'headers'
  /** A function that summarizes tables instead. */
  tableSummarizer: TableSummarizer | null
  /** Tables with more tokens become several nodes, cut between rows, each with the header. */
  readonly maxTableTokens: number | null
  /** What `<table>` in HTML blocks becomes. */
  htmlTables: 'text' | 'table'
  /** What becomes of a table that its summary finds not worth keeping. */
  onReject: 'keep' | 'text' | 'drop'
  /** Whether the cells are in the metadata `table_df` of the table node, or in its text only. */
  tableData: 'metadata' | 'node'
  /** Give nodes the headings above them as one text, `header_path`. */
  headerPath: boolean
  /** What stands between headings in `header_path`. */
  headerPathSeparator: string
  /** Give nodes `start_line` and `end_line`, from 1. */
  lineNumbers: boolean
  /** Pattern of the marks between pages, such as `^<!-- page break -->$`: nodes get `page_label`. A first group names the page that begins. */
  pageBreak: string | null
  /** Gives the tokens of a text as a list; one token per 4 UTF-8 bytes is assumed when it is null. */
  tokenizer: Tokenizer | null
  /** Cuts the texts between tables instead of `chunkSize`. */
  nestedNodeParser: NodeParser | null
}

/** What {@link MarkdownElementNodeParser} is built from. */
export interface MarkdownElementNodeParserOptions {
  /** Give nodes the metadata of what they are made from. @defaultValue true */
  includeMetadata?: boolean | undefined
  /** Link neighbours of the same source. @defaultValue true */
  includePrevNextRel?: boolean | undefined
  /** Who is told of the parsing. */
  callbackManager?: CallbackManager | null | undefined
  /** Makes the ids of nodes; random UUIDs when it is null. */
  idFunc?: IdFunc | null | undefined
  /** Summarizes tables; not needed for documents without tables, nor with another summarizer. */
  llm?: BaseLLM | null | undefined
  /** What the model is asked about each table. @defaultValue "Tell very concisely, as a caption and a summary, what this table is about. If a title or caption of the table, or an id such as a number, is given, report them as they are. Also decide whether the table should be kept." */
  summaryQueryStr?: string | undefined
  /** Tables in work at the same time. @defaultValue 4 */
  numWorkers?: number | undefined
  /** Whether `onProgress` is told. @defaultValue true */
  showProgress?: boolean | undefined
  /** Texts with more tokens are cut; null never cuts. @defaultValue 1024 */
  chunkSize?: number | null | undefined
  /** Most tokens that two chunks of a text share. @defaultValue 200 */
  chunkOverlap?: number | undefined
  /** Who summarizes tables: the model, or the caption or heading with the header cells. @defaultValue "llm" */
  summarizer?: 'llm' | 'headers' | undefined
  /** A function that summarizes tables instead. */
  tableSummarizer?: TableSummarizer | null | undefined
  /** Tables with more tokens become several nodes, cut between rows, each with the header. @defaultValue null */
  maxTableTokens?: number | null | undefined
  /** What `<table>` in HTML blocks becomes. @defaultValue "text" */
  htmlTables?: 'text' | 'table' | undefined
  /** What becomes of a table that its summary finds not worth keeping. @defaultValue "keep" */
  onReject?: 'keep' | 'text' | 'drop' | undefined
  /** Whether the cells are in the metadata `table_df` of the table node, or in its text only. @defaultValue "metadata" */
  tableData?: 'metadata' | 'node' | undefined
  /** Give nodes the headings above them as one text, `header_path`. @defaultValue false */
  headerPath?: boolean | undefined
  /** What stands between headings in `header_path`. @defaultValue " > " */
  headerPathSeparator?: string | undefined
  /** Give nodes `start_line` and `end_line`, from 1. @defaultValue false */
  lineNumbers?: boolean | undefined
  /** Pattern of the marks between pages, such as `^<!-- page break -->$`: nodes get `page_label`. A first group names the page that begins. @defaultValue null */
  pageBreak?: string | null | undefined
  /** Gives the tokens of a text as a list; one token per 4 UTF-8 bytes is assumed when it is null. */
  tokenizer?: Tokenizer | null | undefined
  /** Cuts the texts between tables instead of `chunkSize`. */
  nestedNodeParser?: NodeParser | null | undefined
}

/** @internal */
export const markdownElementNodeParserSpec: ModelSpec = {"name":"MarkdownElementNodeParser","description":"Cuts Markdown into text, and tables that are found by their summaries.","className":"MarkdownElementNodeParser","fields":{"includeMetadata":{"wire":"include_metadata","schema":{"type":"boolean"},"default":true},"includePrevNextRel":{"wire":"include_prev_next_rel","schema":{"type":"boolean"},"default":true},"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]},"idFunc":{"wire":"id_func","schema":{},"runtime":true,"holds":"function"},"llm":{"schema":{"x-nested":true},"holds":["complete","chat"]},"summaryQueryStr":{"wire":"summary_query_str","schema":{"type":"string"},"default":"Tell very concisely, as a caption and a summary, what this table is about. If a title or caption of the table, or an id such as a number, is given, report them as they are. Also decide whether the table should be kept."},"numWorkers":{"wire":"num_workers","schema":{"type":"integer","minimum":1},"default":4,"bounded":true},"showProgress":{"wire":"show_progress","schema":{"type":"boolean"},"default":true},"chunkSize":{"wire":"chunk_size","schema":{"minimum":1,"type":["integer","null"]},"default":1024,"bounded":true,"extension":true},"chunkOverlap":{"wire":"chunk_overlap","schema":{"type":"integer","minimum":0},"default":200,"bounded":true,"extension":true},"summarizer":{"schema":{"type":"string","enum":["llm","headers"]},"default":"llm","extension":true},"tableSummarizer":{"wire":"table_summarizer","schema":{},"runtime":true,"holds":"function"},"maxTableTokens":{"wire":"max_table_tokens","schema":{"minimum":1,"type":["integer","null"]},"bounded":true,"extension":true},"htmlTables":{"wire":"html_tables","schema":{"type":"string","enum":["text","table"]},"default":"text","extension":true},"onReject":{"wire":"on_reject","schema":{"type":"string","enum":["keep","text","drop"]},"default":"keep","extension":true},"tableData":{"wire":"table_data","schema":{"type":"string","enum":["metadata","node"]},"default":"metadata","extension":true},"headerPath":{"wire":"header_path","schema":{"type":"boolean"},"default":false,"extension":true},"headerPathSeparator":{"wire":"header_path_separator","schema":{"type":"string"},"default":" > ","extension":true},"lineNumbers":{"wire":"line_numbers","schema":{"type":"boolean"},"default":false,"extension":true},"pageBreak":{"wire":"page_break","schema":{"type":["string","null"]},"extension":true},"tokenizer":{"schema":{},"runtime":true,"holds":"function"},"nestedNodeParser":{"wire":"nested_node_parser","schema":{},"runtime":true,"holds":["getNodesFromDocuments"]}}}

/** The fields of {@link MarkdownNodeParser}. */
export interface MarkdownNodeParserFields {
  /** Give nodes the metadata of what they are made from. */
  includeMetadata: boolean
  /** Link neighbours of the same source. */
  includePrevNextRel: boolean
  /** Who is told of the parsing. */
  callbackManager: CallbackManager | null
  /** Makes the ids of nodes; random UUIDs when it is null. */
  idFunc: IdFunc | null
  /** Sections with more tokens are cut at blocks, lines, sentences or words; null never cuts. */
  readonly chunkSize: number | null
  /** Most tokens that two pieces of a section share. */
  readonly chunkOverlap: number
  /** Put the heading of a cut section in front of its further pieces, in their text only. */
  repeatHeading: boolean
  /** Give nodes the headings above them as one text, `header_path`. */
  headerPath: boolean
  /** What stands between headings in `header_path`. */
  headerPathSeparator: string
  /** Give nodes `start_line` and `end_line`, from 1. */
  lineNumbers: boolean
  /** Pattern of the marks between pages, such as `^<!-- page break -->$`: nodes get `page_label`. A first group names the page that begins. */
  pageBreak: string | null
  /** Gives the tokens of a text as a list; one token per 4 UTF-8 bytes is assumed when it is null. */
  tokenizer: Tokenizer | null
}

/** What {@link MarkdownNodeParser} is built from. */
export interface MarkdownNodeParserOptions {
  /** Give nodes the metadata of what they are made from. @defaultValue true */
  includeMetadata?: boolean | undefined
  /** Link neighbours of the same source. @defaultValue true */
  includePrevNextRel?: boolean | undefined
  /** Who is told of the parsing. */
  callbackManager?: CallbackManager | null | undefined
  /** Makes the ids of nodes; random UUIDs when it is null. */
  idFunc?: IdFunc | null | undefined
  /** Sections with more tokens are cut at blocks, lines, sentences or words; null never cuts. @defaultValue null */
  chunkSize?: number | null | undefined
  /** Most tokens that two pieces of a section share. @defaultValue 0 */
  chunkOverlap?: number | undefined
  /** Put the heading of a cut section in front of its further pieces, in their text only. @defaultValue false */
  repeatHeading?: boolean | undefined
  /** Give nodes the headings above them as one text, `header_path`. @defaultValue false */
  headerPath?: boolean | undefined
  /** What stands between headings in `header_path`. @defaultValue " > " */
  headerPathSeparator?: string | undefined
  /** Give nodes `start_line` and `end_line`, from 1. @defaultValue false */
  lineNumbers?: boolean | undefined
  /** Pattern of the marks between pages, such as `^<!-- page break -->$`: nodes get `page_label`. A first group names the page that begins. @defaultValue null */
  pageBreak?: string | null | undefined
  /** Gives the tokens of a text as a list; one token per 4 UTF-8 bytes is assumed when it is null. */
  tokenizer?: Tokenizer | null | undefined
}

/** @internal */
export const markdownNodeParserSpec: ModelSpec = {"name":"MarkdownNodeParser","description":"Cuts Markdown at its headings.","className":"MarkdownNodeParser","fields":{"includeMetadata":{"wire":"include_metadata","schema":{"type":"boolean"},"default":true},"includePrevNextRel":{"wire":"include_prev_next_rel","schema":{"type":"boolean"},"default":true},"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]},"idFunc":{"wire":"id_func","schema":{},"runtime":true,"holds":"function"},"chunkSize":{"wire":"chunk_size","schema":{"minimum":1,"type":["integer","null"]},"bounded":true,"extension":true},"chunkOverlap":{"wire":"chunk_overlap","schema":{"type":"integer","minimum":0},"default":0,"bounded":true,"extension":true},"repeatHeading":{"wire":"repeat_heading","schema":{"type":"boolean"},"default":false,"extension":true},"headerPath":{"wire":"header_path","schema":{"type":"boolean"},"default":false,"extension":true},"headerPathSeparator":{"wire":"header_path_separator","schema":{"type":"string"},"default":" > ","extension":true},"lineNumbers":{"wire":"line_numbers","schema":{"type":"boolean"},"default":false,"extension":true},"pageBreak":{"wire":"page_break","schema":{"type":["string","null"]},"extension":true},"tokenizer":{"schema":{},"runtime":true,"holds":"function"}}}

/** The fields of {@link NodeParser}. */
export interface NodeParserFields {
  /** Give nodes the metadata of what they are made from. */
  includeMetadata: boolean
  /** Link neighbours of the same source. */
  includePrevNextRel: boolean
  /** Who is told of the parsing. */
  callbackManager: CallbackManager | null
  /** Makes the ids of nodes; random UUIDs when it is null. */
  idFunc: IdFunc | null
}

/** What {@link NodeParser} is built from. */
export interface NodeParserOptions {
  /** Give nodes the metadata of what they are made from. @defaultValue true */
  includeMetadata?: boolean | undefined
  /** Link neighbours of the same source. @defaultValue true */
  includePrevNextRel?: boolean | undefined
  /** Who is told of the parsing. */
  callbackManager?: CallbackManager | null | undefined
  /** Makes the ids of nodes; random UUIDs when it is null. */
  idFunc?: IdFunc | null | undefined
}

/** @internal */
export const nodeParserSpec: ModelSpec = {"name":"NodeParser","description":"Makes nodes of documents.","fields":{"includeMetadata":{"wire":"include_metadata","schema":{"type":"boolean"},"default":true},"includePrevNextRel":{"wire":"include_prev_next_rel","schema":{"type":"boolean"},"default":true},"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]},"idFunc":{"wire":"id_func","schema":{},"runtime":true,"holds":"function"}}}
