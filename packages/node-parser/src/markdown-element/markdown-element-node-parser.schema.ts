import { component } from '@x/core-model/schemas'
import { BaseElementNodeParser } from './base-element-node-parser.schema.ts'

export const MarkdownElementNodeParser = component(
  'MarkdownElementNodeParser',
  'Splits Markdown into text nodes and tables that queries find by their summaries.',
  {},
  { extends: BaseElementNodeParser, options: 'inherited' },
)
