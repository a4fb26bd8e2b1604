// Generated from the schema of the model by x-codegen. Do not edit.
import { BaseElementNodeParser } from '../markdown-element/base-element-node-parser.ts'
import type { BaseElementNodeParserFields } from './base-element-node-parser.ts'
import { modelOf } from '@x/core-model'

/** The fields of {@link MarkdownElementNodeParser}. */
export interface MarkdownElementNodeParserFields extends BaseElementNodeParserFields {}

declare abstract class Declared extends BaseElementNodeParser {}
interface Declared extends MarkdownElementNodeParserFields {}

/** The typed base class of {@link MarkdownElementNodeParser}. */
export const MarkdownElementNodeParserModel = /* @__PURE__ */ modelOf<typeof Declared>(BaseElementNodeParser, {
  name: 'MarkdownElementNodeParser',
  description: 'Splits Markdown into text nodes and tables, with summaries of the tables for retrieval.',
  className: 'MarkdownElementNodeParser',
  fields: {},
})
