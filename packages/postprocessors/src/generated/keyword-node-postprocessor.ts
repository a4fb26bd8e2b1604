// Generated from the schema of the model by x-codegen. Do not edit.
import { NodePostprocessor } from '../node-postprocessor.ts'
import type { NodePostprocessorFields, NodePostprocessorOptions } from './node-postprocessor.ts'
import { modelOf } from '@x/core-model'

/** The fields of {@link KeywordNodePostprocessor}. */
export interface KeywordNodePostprocessorFields extends NodePostprocessorFields {
  /** A node must contain one of these keywords, or all of them (see match). An empty list accepts every node. @defaultValue [] */
  requiredKeywords: string[]
  /** A node that contains one of these keywords is dropped. @defaultValue [] */
  excludeKeywords: string[]
  /** The language tag of the nodes; it determines word boundaries. @defaultValue 'en' */
  lang: string
  /** Whether any required keyword is enough, or all must occur. @defaultValue 'any' */
  match: 'any' | 'all'
  /** Whether Red and red are different keywords. @defaultValue true */
  caseSensitive: boolean
  /** Whether a keyword must match whole words; false also matches inside words. @defaultValue true */
  wordBoundaries: boolean
}

/** Constructor options of {@link KeywordNodePostprocessor}. */
export interface KeywordNodePostprocessorOptions extends NodePostprocessorOptions {
  /** A node must contain one of these keywords, or all of them (see match). An empty list accepts every node. @defaultValue [] */
  requiredKeywords?: readonly string[] | undefined
  /** A node that contains one of these keywords is dropped. @defaultValue [] */
  excludeKeywords?: readonly string[] | undefined
  /** The language tag of the nodes; it determines word boundaries. @defaultValue 'en' */
  lang?: string | undefined
  /** Whether any required keyword is enough, or all must occur. @defaultValue 'any' */
  match?: 'any' | 'all' | undefined
  /** Whether Red and red are different keywords. @defaultValue true */
  caseSensitive?: boolean | undefined
  /** Whether a keyword must match whole words; false also matches inside words. @defaultValue true */
  wordBoundaries?: boolean | undefined
}

declare abstract class Declared extends NodePostprocessor {
  constructor(options?: KeywordNodePostprocessorOptions)
}
interface Declared extends KeywordNodePostprocessorFields {}

/** The typed base class of {@link KeywordNodePostprocessor}. */
export const KeywordNodePostprocessorModel = /* @__PURE__ */ modelOf<typeof Declared>(NodePostprocessor, {
  name: 'KeywordNodePostprocessor',
  description: 'Filters nodes by the words in their text.',
  className: 'KeywordNodePostprocessor',
  fields: {
    requiredKeywords: { schema: { type: 'array', items: { type: 'string' }, description: 'A node must contain one of these keywords, or all of them (see match). An empty list accepts every node.' }, default: [] },
    excludeKeywords: { schema: { type: 'array', items: { type: 'string' }, description: 'A node that contains one of these keywords is dropped.' }, default: [] },
    lang: { schema: { type: 'string', description: 'The language tag of the nodes; it determines word boundaries.' }, default: 'en' },
    match: { schema: { type: 'string', enum: ['any', 'all'], description: 'Whether any required keyword is enough, or all must occur.' }, default: 'any', extension: true },
    caseSensitive: { schema: { type: 'boolean', description: 'Whether Red and red are different keywords.' }, default: true, extension: true },
    wordBoundaries: { schema: { type: 'boolean', description: 'Whether a keyword must match whole words; false also matches inside words.' }, default: true, extension: true },
  },
})
