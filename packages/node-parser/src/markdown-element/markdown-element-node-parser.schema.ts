import { live, nested, nullable, oneOf } from '@x/core-model/schemas'
import { Boolean as Flag, Integer, String as Text } from 'typebox'
import { nodeParser } from '../node-parser.schema.ts'
import { tokenizer } from '../tokenizer.schema.ts'
import { summaryQuestion } from './prompts.ts'

export const MarkdownElementNodeParser = nodeParser(
  'MarkdownElementNodeParser',
  'Cuts Markdown into text, and tables that are found by their summaries.',
  {
    llm: nested({
      type: 'BaseLLM',
      imports: { BaseLLM: '@x/core-model' },
      holds: ['complete', 'chat'],
      required: false,
      description: 'Summarizes tables; not needed for documents without tables, nor with another summarizer.',
    }),
    summaryQueryStr: Text({ description: 'What the model is asked about each table.', default: summaryQuestion }),
    numWorkers: Integer({ minimum: 1, description: 'Tables in work at the same time.', default: 4 }),
    showProgress: Flag({ description: 'Whether `onProgress` is told.', default: true }),
    chunkSize: nullable(Integer({ minimum: 1 }), {
      extension: true,
      description: 'Texts with more tokens are cut; null never cuts.',
      default: 1024,
    }),
    chunkOverlap: Integer({
      minimum: 0,
      extension: true,
      description: 'Most tokens that two chunks of a text share.',
      default: 200,
    }),
    summarizer: oneOf(['llm', 'headers'], {
      extension: true,
      description: 'Who summarizes tables: the model, or the caption or heading with the header cells.',
      default: 'llm',
    }),
    tableSummarizer: live({
      type: 'TableSummarizer',
      imports: { TableSummarizer: './markdown-element/summarize-table.ts' },
      holds: 'function',
      description: 'A function that summarizes tables instead.',
    }),
    maxTableTokens: nullable(Integer({ minimum: 1 }), {
      extension: true,
      description: 'Tables with more tokens become several nodes, cut between rows, each with the header.',
    }),
    htmlTables: oneOf(['text', 'table'], {
      extension: true,
      description: 'What `<table>` in HTML blocks becomes.',
      default: 'text',
    }),
    onReject: oneOf(['keep', 'text', 'drop'], {
      extension: true,
      description: 'What becomes of a table that its summary finds not worth keeping.',
      default: 'keep',
    }),
    tableData: oneOf(['metadata', 'node'], {
      extension: true,
      description: 'Whether the cells are in the metadata `table_df` of the table node, or in its text only.',
      default: 'metadata',
    }),
    headerPath: Flag({
      extension: true,
      description: 'Give nodes the headings above them as one text, `header_path`.',
      default: false,
    }),
    headerPathSeparator: Text({
      extension: true,
      description: 'What stands between headings in `header_path`.',
      default: ' > ',
    }),
    lineNumbers: Flag({
      extension: true,
      description: 'Give nodes `start_line` and `end_line`, from 1.',
      default: false,
    }),
    pageBreak: nullable(Text(), {
      extension: true,
      description:
        'Pattern of the marks between pages, such as `^<!-- page break -->$`: nodes get `page_label`. A first group names the page that begins.',
    }),
    tokenizer,
    nestedNodeParser: live({
      type: 'NodeParser',
      imports: { NodeParser: './node-parser.ts' },
      holds: ['getNodesFromDocuments'],
      description: 'Cuts the texts between tables instead of `chunkSize`.',
    }),
  },
)
