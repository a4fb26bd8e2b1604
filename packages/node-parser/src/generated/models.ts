// Generated from the schemas by tools/codegen. Do not edit.
import type { IdFunc } from '../build-nodes.ts'
import type { Tokenizer } from '../count-tokens.ts'
import type { TableSummarizer } from '../markdown-element/summarize-table.ts'
import type { NodeParser } from '../node-parser.ts'
import type { BaseLLM, CallbackManager, ModelSpec } from '@x/core-model'

/** The fields of {@link MarkdownElementNodeParser}. */
export interface MarkdownElementNodeParserFields {
  /** Whether nodes inherit the metadata of their document. */
  includeMetadata: boolean
  /** Whether adjacent nodes of one document are linked as previous and next node. */
  includePrevNextRel: boolean
  /** Receives the events of the parser. */
  callbackManager: CallbackManager | null
  /** Returns the id of each node; null uses random UUIDs. */
  idFunc: IdFunc | null
  /** The language model that summarizes tables. Required only if a document contains a table and summarizer is llm. */
  llm: BaseLLM | null
  /** The question that the model is asked about each table. */
  summaryQueryStr: string
  /** The maximum number of tables summarized at the same time. */
  readonly numWorkers: number
  /** Whether `onProgress` is called. */
  showProgress: boolean
  /** The maximum size of a text node, in tokens; null never splits text. */
  readonly chunkSize: number | null
  /** The maximum overlap of two adjacent text nodes, in tokens. */
  readonly chunkOverlap: number
  /** How tables are summarized: by the model (llm), or from the caption or heading and the header cells (headers). */
  summarizer: 'llm' | 'headers'
  /** A function that summarizes tables; overrides summarizer. */
  tableSummarizer: TableSummarizer | null
  /** The maximum size of a table node, in tokens. Larger tables are split between rows, each part with the header; null never splits tables. */
  readonly maxTableTokens: number | null
  /** Whether a `<table>` in an HTML block becomes a table or text. */
  htmlTables: 'text' | 'table'
  /** How to handle a table that the summarizer decides not to keep: keep it, turn it into text, or drop it. */
  onReject: 'keep' | 'text' | 'drop'
  /** Whether the cells are stored in the metadata `table_df` of the table node, or only in its text. */
  tableData: 'metadata' | 'node'
  /** Whether nodes have the metadata `header_path`, the headings above them as one string. */
  headerPath: boolean
  /** The separator between headings in `header_path`. */
  headerPathSeparator: string
  /** Whether nodes have the metadata `start_line` and `end_line`, starting at 1. */
  lineNumbers: boolean
  /** A regular expression for page breaks, such as `^<!-- page break -->$`; nodes then have the metadata `page_label`. Its first group, if any, is the label of the page that begins. */
  pageBreak: string | null
  /** Splits a string into tokens, which are counted; null assumes one token per 4 UTF-8 bytes. */
  tokenizer: Tokenizer | null
  /** Splits the text between tables instead of `chunkSize`. */
  nestedNodeParser: NodeParser | null
}

/** What {@link MarkdownElementNodeParser} is built from. */
export interface MarkdownElementNodeParserOptions {
  /** Whether nodes inherit the metadata of their document. @defaultValue true */
  includeMetadata?: boolean | undefined
  /** Whether adjacent nodes of one document are linked as previous and next node. @defaultValue true */
  includePrevNextRel?: boolean | undefined
  /** Receives the events of the parser. */
  callbackManager?: CallbackManager | null | undefined
  /** Returns the id of each node; null uses random UUIDs. */
  idFunc?: IdFunc | null | undefined
  /** The language model that summarizes tables. Required only if a document contains a table and summarizer is llm. */
  llm?: BaseLLM | null | undefined
  /** The question that the model is asked about each table. @defaultValue "Tell very concisely, as a caption and a summary, what this table is about. If a title or caption of the table, or an id such as a number, is given, report them as they are. Also decide whether the table should be kept." */
  summaryQueryStr?: string | undefined
  /** The maximum number of tables summarized at the same time. @defaultValue 4 */
  numWorkers?: number | undefined
  /** Whether `onProgress` is called. @defaultValue true */
  showProgress?: boolean | undefined
  /** The maximum size of a text node, in tokens; null never splits text. @defaultValue 1024 */
  chunkSize?: number | null | undefined
  /** The maximum overlap of two adjacent text nodes, in tokens. @defaultValue 200 */
  chunkOverlap?: number | undefined
  /** How tables are summarized: by the model (llm), or from the caption or heading and the header cells (headers). @defaultValue "llm" */
  summarizer?: 'llm' | 'headers' | undefined
  /** A function that summarizes tables; overrides summarizer. */
  tableSummarizer?: TableSummarizer | null | undefined
  /** The maximum size of a table node, in tokens. Larger tables are split between rows, each part with the header; null never splits tables. @defaultValue null */
  maxTableTokens?: number | null | undefined
  /** Whether a `<table>` in an HTML block becomes a table or text. @defaultValue "text" */
  htmlTables?: 'text' | 'table' | undefined
  /** How to handle a table that the summarizer decides not to keep: keep it, turn it into text, or drop it. @defaultValue "keep" */
  onReject?: 'keep' | 'text' | 'drop' | undefined
  /** Whether the cells are stored in the metadata `table_df` of the table node, or only in its text. @defaultValue "metadata" */
  tableData?: 'metadata' | 'node' | undefined
  /** Whether nodes have the metadata `header_path`, the headings above them as one string. @defaultValue false */
  headerPath?: boolean | undefined
  /** The separator between headings in `header_path`. @defaultValue " > " */
  headerPathSeparator?: string | undefined
  /** Whether nodes have the metadata `start_line` and `end_line`, starting at 1. @defaultValue false */
  lineNumbers?: boolean | undefined
  /** A regular expression for page breaks, such as `^<!-- page break -->$`; nodes then have the metadata `page_label`. Its first group, if any, is the label of the page that begins. @defaultValue null */
  pageBreak?: string | null | undefined
  /** Splits a string into tokens, which are counted; null assumes one token per 4 UTF-8 bytes. */
  tokenizer?: Tokenizer | null | undefined
  /** Splits the text between tables instead of `chunkSize`. */
  nestedNodeParser?: NodeParser | null | undefined
}

/** @internal */
export const markdownElementNodeParserSpec: ModelSpec = {"name":"MarkdownElementNodeParser","description":"Splits Markdown into text nodes and tables that queries find by their summaries.","className":"MarkdownElementNodeParser","fields":{"includeMetadata":{"wire":"include_metadata","schema":{"type":"boolean"},"default":true},"includePrevNextRel":{"wire":"include_prev_next_rel","schema":{"type":"boolean"},"default":true},"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]},"idFunc":{"wire":"id_func","schema":{},"runtime":true,"holds":"function"},"llm":{"schema":{"x-nested":true},"holds":["complete","chat"]},"summaryQueryStr":{"wire":"summary_query_str","schema":{"type":"string"},"default":"Tell very concisely, as a caption and a summary, what this table is about. If a title or caption of the table, or an id such as a number, is given, report them as they are. Also decide whether the table should be kept."},"numWorkers":{"wire":"num_workers","schema":{"type":"integer","minimum":1},"default":4,"bounded":true},"showProgress":{"wire":"show_progress","schema":{"type":"boolean"},"default":true},"chunkSize":{"wire":"chunk_size","schema":{"minimum":1,"type":["integer","null"]},"default":1024,"bounded":true,"extension":true},"chunkOverlap":{"wire":"chunk_overlap","schema":{"type":"integer","minimum":0},"default":200,"bounded":true,"extension":true},"summarizer":{"schema":{"type":"string","enum":["llm","headers"]},"default":"llm","extension":true},"tableSummarizer":{"wire":"table_summarizer","schema":{},"runtime":true,"holds":"function"},"maxTableTokens":{"wire":"max_table_tokens","schema":{"minimum":1,"type":["integer","null"]},"bounded":true,"extension":true},"htmlTables":{"wire":"html_tables","schema":{"type":"string","enum":["text","table"]},"default":"text","extension":true},"onReject":{"wire":"on_reject","schema":{"type":"string","enum":["keep","text","drop"]},"default":"keep","extension":true},"tableData":{"wire":"table_data","schema":{"type":"string","enum":["metadata","node"]},"default":"metadata","extension":true},"headerPath":{"wire":"header_path","schema":{"type":"boolean"},"default":false,"extension":true},"headerPathSeparator":{"wire":"header_path_separator","schema":{"type":"string"},"default":" > ","extension":true},"lineNumbers":{"wire":"line_numbers","schema":{"type":"boolean"},"default":false,"extension":true},"pageBreak":{"wire":"page_break","schema":{"type":["string","null"]},"extension":true},"tokenizer":{"schema":{},"runtime":true,"holds":"function"},"nestedNodeParser":{"wire":"nested_node_parser","schema":{},"runtime":true,"holds":["getNodesFromDocuments"]}}}

/** The fields of {@link MarkdownNodeParser}. */
export interface MarkdownNodeParserFields {
  /** Whether nodes inherit the metadata of their document. */
  includeMetadata: boolean
  /** Whether adjacent nodes of one document are linked as previous and next node. */
  includePrevNextRel: boolean
  /** Receives the events of the parser. */
  callbackManager: CallbackManager | null
  /** Returns the id of each node; null uses random UUIDs. */
  idFunc: IdFunc | null
  /** The maximum size of a node, in tokens. Larger sections are split at blocks, lines, sentences or words; null never splits sections. */
  readonly chunkSize: number | null
  /** The maximum overlap of two adjacent nodes of a section, in tokens. */
  readonly chunkOverlap: number
  /** Whether the heading of a split section is repeated at the start of its further nodes, in their text only. */
  repeatHeading: boolean
  /** Whether nodes have the metadata `header_path`, the headings above them as one string. */
  headerPath: boolean
  /** The separator between headings in `header_path`. */
  headerPathSeparator: string
  /** Whether nodes have the metadata `start_line` and `end_line`, starting at 1. */
  lineNumbers: boolean
  /** A regular expression for page breaks, such as `^<!-- page break -->$`; nodes then have the metadata `page_label`. Its first group, if any, is the label of the page that begins. */
  pageBreak: string | null
  /** Splits a string into tokens, which are counted; null assumes one token per 4 UTF-8 bytes. */
  tokenizer: Tokenizer | null
}

/** What {@link MarkdownNodeParser} is built from. */
export interface MarkdownNodeParserOptions {
  /** Whether nodes inherit the metadata of their document. @defaultValue true */
  includeMetadata?: boolean | undefined
  /** Whether adjacent nodes of one document are linked as previous and next node. @defaultValue true */
  includePrevNextRel?: boolean | undefined
  /** Receives the events of the parser. */
  callbackManager?: CallbackManager | null | undefined
  /** Returns the id of each node; null uses random UUIDs. */
  idFunc?: IdFunc | null | undefined
  /** The maximum size of a node, in tokens. Larger sections are split at blocks, lines, sentences or words; null never splits sections. @defaultValue null */
  chunkSize?: number | null | undefined
  /** The maximum overlap of two adjacent nodes of a section, in tokens. @defaultValue 0 */
  chunkOverlap?: number | undefined
  /** Whether the heading of a split section is repeated at the start of its further nodes, in their text only. @defaultValue false */
  repeatHeading?: boolean | undefined
  /** Whether nodes have the metadata `header_path`, the headings above them as one string. @defaultValue false */
  headerPath?: boolean | undefined
  /** The separator between headings in `header_path`. @defaultValue " > " */
  headerPathSeparator?: string | undefined
  /** Whether nodes have the metadata `start_line` and `end_line`, starting at 1. @defaultValue false */
  lineNumbers?: boolean | undefined
  /** A regular expression for page breaks, such as `^<!-- page break -->$`; nodes then have the metadata `page_label`. Its first group, if any, is the label of the page that begins. @defaultValue null */
  pageBreak?: string | null | undefined
  /** Splits a string into tokens, which are counted; null assumes one token per 4 UTF-8 bytes. */
  tokenizer?: Tokenizer | null | undefined
}

/** @internal */
export const markdownNodeParserSpec: ModelSpec = {"name":"MarkdownNodeParser","description":"Splits Markdown at its headings.","className":"MarkdownNodeParser","fields":{"includeMetadata":{"wire":"include_metadata","schema":{"type":"boolean"},"default":true},"includePrevNextRel":{"wire":"include_prev_next_rel","schema":{"type":"boolean"},"default":true},"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]},"idFunc":{"wire":"id_func","schema":{},"runtime":true,"holds":"function"},"chunkSize":{"wire":"chunk_size","schema":{"minimum":1,"type":["integer","null"]},"bounded":true,"extension":true},"chunkOverlap":{"wire":"chunk_overlap","schema":{"type":"integer","minimum":0},"default":0,"bounded":true,"extension":true},"repeatHeading":{"wire":"repeat_heading","schema":{"type":"boolean"},"default":false,"extension":true},"headerPath":{"wire":"header_path","schema":{"type":"boolean"},"default":false,"extension":true},"headerPathSeparator":{"wire":"header_path_separator","schema":{"type":"string"},"default":" > ","extension":true},"lineNumbers":{"wire":"line_numbers","schema":{"type":"boolean"},"default":false,"extension":true},"pageBreak":{"wire":"page_break","schema":{"type":["string","null"]},"extension":true},"tokenizer":{"schema":{},"runtime":true,"holds":"function"}}}

/** The fields of {@link NodeParser}. */
export interface NodeParserFields {
  /** Whether nodes inherit the metadata of their document. */
  includeMetadata: boolean
  /** Whether adjacent nodes of one document are linked as previous and next node. */
  includePrevNextRel: boolean
  /** Receives the events of the parser. */
  callbackManager: CallbackManager | null
  /** Returns the id of each node; null uses random UUIDs. */
  idFunc: IdFunc | null
}

/** What {@link NodeParser} is built from. */
export interface NodeParserOptions {
  /** Whether nodes inherit the metadata of their document. @defaultValue true */
  includeMetadata?: boolean | undefined
  /** Whether adjacent nodes of one document are linked as previous and next node. @defaultValue true */
  includePrevNextRel?: boolean | undefined
  /** Receives the events of the parser. */
  callbackManager?: CallbackManager | null | undefined
  /** Returns the id of each node; null uses random UUIDs. */
  idFunc?: IdFunc | null | undefined
}

/** @internal */
export const nodeParserSpec: ModelSpec = {"name":"NodeParser","description":"Creates nodes from documents.","fields":{"includeMetadata":{"wire":"include_metadata","schema":{"type":"boolean"},"default":true},"includePrevNextRel":{"wire":"include_prev_next_rel","schema":{"type":"boolean"},"default":true},"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]},"idFunc":{"wire":"id_func","schema":{},"runtime":true,"holds":"function"}}}
