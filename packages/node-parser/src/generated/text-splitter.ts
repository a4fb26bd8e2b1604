// Generated from the schema of the model by x-codegen. Do not edit.
import { NodeParser } from '../node-parser.ts'
import type { NodeParserFields, NodeParserOptions } from './node-parser.ts'
import { modelOf } from '@x/core-model'

/** The fields of {@link TextSplitter}. */
export interface TextSplitterFields extends NodeParserFields {}

/** Constructor options of {@link TextSplitter}. */
export interface TextSplitterOptions extends NodeParserOptions {}

declare abstract class Declared extends NodeParser {
  constructor(options?: TextSplitterOptions)
}
interface Declared extends TextSplitterFields {}

/** The typed base class of {@link TextSplitter}. */
export const TextSplitterModel = /* @__PURE__ */ modelOf<typeof Declared>(NodeParser, {
  name: 'TextSplitter',
  description: 'Splits text into strings.',
  fields: {},
})
