import type { BaseLLM } from '@x/core-model'
import { component, live, nested, nullable, oneOf, plainRecord } from '@x/core-model/schemas'
import { Boolean as Bool, Integer, Array as List, String as Text } from 'typebox'
import { NodeParser as base, frontMatter, place, syntax, tokenizer } from '../node-parser.schema.ts'
import type { NodeParser } from '../node-parser.ts'
import type { ElementDivider } from './element.ts'
import { summaryQuestion } from './prompts.ts'
import type { TableSummarizer } from './summarize-table.ts'
import type { TableColumn } from './table-column.ts'
import type { RowNodes } from './table-rows.ts'

export const BaseElementNodeParser = component(
  'BaseElementNodeParser',
  'Splits documents into text nodes and tables, with summaries of the tables for retrieval.',
  {
    llm: nested<BaseLLM>({
      holds: ['complete', 'chat'],
      required: false,
      description: 'The language model that summarizes tables.',
    }),
    summaryQueryStr: Text({
      description: 'The question about each table.',
      default: summaryQuestion,
    }),
    numWorkers: Integer({
      minimum: 1,
      description: 'The maximum number of tables summarized at once.',
      default: 4,
    }),
    showProgress: Bool({ description: 'Whether `onProgress` is called.', default: true }),
    chunkSize: nullable(Integer({ minimum: 1 }), {
      extension: true,
      description: 'The maximum size of a text node, in tokens; null never splits text.',
      default: 1024,
    }),
    chunkOverlap: Integer({
      minimum: 0,
      extension: true,
      description: 'The maximum overlap of text nodes, in tokens.',
      default: 200,
    }),
    summarizer: oneOf(['llm', 'headers'], {
      extension: true,
      description: 'How tables are summarized: by the model, or from the headers.',
      default: 'llm',
    }),
    tableSummarizer: live<TableSummarizer>({
      holds: 'function',
      description: 'Summarizes tables; overrides summarizer.',
    }),
    onError: oneOf(['throw', 'headers'], {
      extension: true,
      description: 'What happens when the summarizer fails.',
      default: 'throw',
    }),
    maxTableTokens: nullable(Integer({ minimum: 1 }), {
      extension: true,
      description:
        'The maximum size of what is embedded of table and index nodes, in tokens, with metadata; null never splits tables.',
    }),
    rowNodes: live<RowNodes>({
      holds: ['build', 'link'],
      description: 'Creates the nodes of rows, such as `tableRows()`.',
    }),
    elementTypes: live<ElementDivider>({
      holds: 'function',
      description: 'Divides text into elements, such as `typedElements()`.',
    }),
    htmlTables: oneOf(['text', 'table'], {
      extension: true,
      description: 'Whether a `<table>` in an HTML block becomes a table or text.',
      default: 'text',
    }),
    onReject: oneOf(['keep', 'text', 'drop'], {
      extension: true,
      description: 'What happens to tables that the summarizer rejects.',
      default: 'keep',
    }),
    tableData: oneOf(['metadata', 'node'], {
      extension: true,
      description: 'Whether the cells are also in the metadata `table_df`.',
      default: 'metadata',
    }),
    ...place,
    frontMatter,
    syntax,
    tokenizer,
    nestedNodeParser: live<NodeParser>({
      holds: ['getNodesFromDocuments'],
      description: 'Splits the text between tables.',
    }),
  },
  { className: null, extends: base },
)

export const MarkdownElementNodeParser = component(
  'MarkdownElementNodeParser',
  'Splits Markdown into text nodes and tables, with summaries of the tables for retrieval.',
  {},
  { extends: BaseElementNodeParser, options: 'inherited' },
)

export const TableColumnRecord = plainRecord('TableColumnRecord', 'One column in the summary of a table.', {
  colName: Text({ description: 'The name.' }),
  colType: Text({ description: 'The type of the values.' }),
  summary: nullable(Text({ description: 'What the column contains.' })),
})

export const TableOutputRecord = plainRecord('TableOutputRecord', 'The summary of a table.', {
  summary: Text({ description: 'What the table is about.' }),
  tableTitle: nullable(Text({ description: 'The title or caption.' })),
  tableId: nullable(Text({ description: 'The number or identifier.' })),
  columns: List(nested<TableColumn>(), { description: 'The columns, in their order.' }),
  shouldKeep: nullable(Bool({ description: 'Whether the table should be kept.' }), { extension: true }),
})
