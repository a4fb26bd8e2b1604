import { component } from '@x/core-model/schemas'
import { BaseElementNodeParser } from './base-element-node-parser.schema.ts'

export const MarkdownElementNodeParser = component(
  'MarkdownElementNodeParser',
  'Splits Markdown into text nodes and tables, with summaries of the tables for retrieval.',
  {},
  { extends: BaseElementNodeParser, options: 'inherited' },
)
