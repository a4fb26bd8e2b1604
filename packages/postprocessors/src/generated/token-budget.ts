// Generated from the schema of the model by x-codegen. Do not edit.
import { NodePostprocessor } from '../node-postprocessor.ts'
import type { NodePostprocessorFields, NodePostprocessorOptions } from './node-postprocessor.ts'
import { type Tokenizer, modelOf } from '@x/core-model'

/** The fields of {@link TokenBudget}. */
export interface TokenBudgetFields extends NodePostprocessorFields {
  /** The maximum number of tokens of all returned nodes together, counted on the content visible to language models. */
  readonly maxTokens: number
  /** The number of tokens between two nodes. @defaultValue 2 */
  readonly separatorTokens: number
  /** How to handle a node that does not fit: skip it and try less relevant nodes, stop, or truncate its text and stop. @defaultValue 'skip' */
  overflow: 'skip' | 'stop' | 'cut'
  /** Counts the tokens of a string, or splits it into them; default estimateTokens. */
  countTokens: Tokenizer | null
}

/** Constructor options of {@link TokenBudget}. */
export interface TokenBudgetOptions extends NodePostprocessorOptions {
  /** The maximum number of tokens of all returned nodes together, counted on the content visible to language models. */
  maxTokens: number
  /** The number of tokens between two nodes. @defaultValue 2 */
  separatorTokens?: number | undefined
  /** How to handle a node that does not fit: skip it and try less relevant nodes, stop, or truncate its text and stop. @defaultValue 'skip' */
  overflow?: 'skip' | 'stop' | 'cut' | undefined
  /** Counts the tokens of a string, or splits it into them; default estimateTokens. */
  countTokens?: Tokenizer | null | undefined
}

declare abstract class Declared extends NodePostprocessor {
  constructor(options: TokenBudgetOptions)
}
interface Declared extends TokenBudgetFields {}

/** The typed base class of {@link TokenBudget}. */
export const TokenBudgetModel = /* @__PURE__ */ modelOf<typeof Declared>(NodePostprocessor, {
  name: 'TokenBudget',
  description: 'Keeps the most relevant nodes that fit a token budget.',
  className: 'TokenBudget',
  fields: {
    maxTokens: { schema: { type: 'integer', minimum: 1, description: 'The maximum number of tokens of all returned nodes together, counted on the content visible to language models.' }, required: true, bounded: true },
    separatorTokens: { schema: { type: 'integer', minimum: 0, description: 'The number of tokens between two nodes.' }, default: 2, bounded: true },
    overflow: { schema: { type: 'string', enum: ['skip', 'stop', 'cut'], description: 'How to handle a node that does not fit: skip it and try less relevant nodes, stop, or truncate its text and stop.' }, default: 'skip' },
    countTokens: { schema: { description: 'Counts the tokens of a string, or splits it into them; default estimateTokens.' }, runtime: true, holds: 'function' },
  },
})
