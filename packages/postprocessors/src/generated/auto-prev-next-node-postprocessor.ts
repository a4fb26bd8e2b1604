// Generated from the schema of the model by x-codegen. Do not edit.
import { NodePostprocessor } from '../node-postprocessor.ts'
import type { ServiceContext } from '../prev-next/auto-prev-next-node-postprocessor.ts'
import type { NodePostprocessorFields, NodePostprocessorOptions } from './node-postprocessor.ts'
import { type DocumentStore, type PredictingLLM, modelOf } from '@x/core-model'

/** The fields of {@link AutoPrevNextNodePostprocessor}. */
export interface AutoPrevNextNodePostprocessorFields extends NodePostprocessorFields {
  /** The store in which neighbours are looked up by id. */
  docstore: DocumentStore
  /** Contains the language model. Alternatively, pass llm. */
  serviceContext: ServiceContext | null
  /** The language model that chooses the direction. */
  llm: PredictingLLM | null
  /** The maximum number of neighbours fetched per node and direction. @defaultValue 1 */
  readonly numNodes: number
  /** The prompt that asks for the direction; variables context_str and query_str. @defaultValue a string of 753 characters, 'You are given a passage of a d…' */
  inferPrevNextTmpl: string
  /** The prompt for each further part of a long node; variables context_msg, query_str and existing_answer. @defaultValue a string of 466 characters, 'You are reading a long passage…' */
  refinePrevNextTmpl: string
  /** Whether the directions are logged to logger. @defaultValue false */
  verbose: boolean
  /** Receives one message per node with its direction when verbose is set. */
  logger: ((message: string) => void) | null
  /** How to handle a neighbour that is not in the store: throw, or stop fetching in that direction. @defaultValue 'throw' */
  onMissing: 'throw' | 'stop'
  /** How to handle an answer that names no direction: throw, or add no neighbours. @defaultValue 'throw' */
  onInvalidPrediction: 'throw' | 'none'
  /** The maximum number of nodes that the model is asked about at the same time. @defaultValue 1 */
  readonly maxConcurrency: number
}

/** Constructor options of {@link AutoPrevNextNodePostprocessor}. */
export interface AutoPrevNextNodePostprocessorOptions extends NodePostprocessorOptions {
  /** The store in which neighbours are looked up by id. */
  docstore: DocumentStore
  /** Contains the language model. Alternatively, pass llm. */
  serviceContext?: ServiceContext | null | undefined
  /** The language model that chooses the direction. */
  llm?: PredictingLLM | null | undefined
  /** The maximum number of neighbours fetched per node and direction. @defaultValue 1 */
  numNodes?: number | undefined
  /** The prompt that asks for the direction; variables context_str and query_str. @defaultValue a string of 753 characters, 'You are given a passage of a d…' */
  inferPrevNextTmpl?: string | undefined
  /** The prompt for each further part of a long node; variables context_msg, query_str and existing_answer. @defaultValue a string of 466 characters, 'You are reading a long passage…' */
  refinePrevNextTmpl?: string | undefined
  /** Whether the directions are logged to logger. @defaultValue false */
  verbose?: boolean | undefined
  /** Receives one message per node with its direction when verbose is set. */
  logger?: ((message: string) => void) | null | undefined
  /** How to handle a neighbour that is not in the store: throw, or stop fetching in that direction. @defaultValue 'throw' */
  onMissing?: 'throw' | 'stop' | undefined
  /** How to handle an answer that names no direction: throw, or add no neighbours. @defaultValue 'throw' */
  onInvalidPrediction?: 'throw' | 'none' | undefined
  /** The maximum number of nodes that the model is asked about at the same time. @defaultValue 1 */
  maxConcurrency?: number | undefined
}

declare abstract class Declared extends NodePostprocessor {
  constructor(options: AutoPrevNextNodePostprocessorOptions)
}
interface Declared extends AutoPrevNextNodePostprocessorFields {}

/** The typed base class of {@link AutoPrevNextNodePostprocessor}. */
export const AutoPrevNextNodePostprocessorModel = /* @__PURE__ */ modelOf<typeof Declared>(NodePostprocessor, {
  name: 'AutoPrevNextNodePostprocessor',
  description: 'Adds the nodes before or after each node, in the direction that a language model chooses.',
  className: 'AutoPrevNextNodePostprocessor',
  fields: {
    docstore: { schema: { type: 'object', description: 'The store in which neighbours are looked up by id.' }, required: true, runtime: true, holds: ['getNode'] },
    serviceContext: { schema: { type: 'object', description: 'Contains the language model. Alternatively, pass llm.' }, runtime: true, holds: [] },
    llm: { schema: { type: 'object', description: 'The language model that chooses the direction.' }, runtime: true, holds: ['predict'], extension: true },
    numNodes: { schema: { type: 'integer', minimum: 0, description: 'The maximum number of neighbours fetched per node and direction.' }, default: 1, bounded: true },
    inferPrevNextTmpl: { schema: { type: 'string', description: 'The prompt that asks for the direction; variables context_str and query_str.' }, default: `You are given a passage of a document and a question. Decide which text has to be read in addition to the passage to answer the question.
Answer with one word:
PREVIOUS when the text before the passage is needed,
NEXT when the text after the passage is needed,
NONE when the passage is enough or no neighbouring text would help.

Example
Passage: Because of that, the committee rejected the plan.
Question: Why was the plan rejected?
Answer: PREVIOUS

Example
Passage: The bridge was opened in 1932. The following years brought three changes.
Question: What changed after the bridge was opened?
Answer: NEXT

Example
Passage: The lake is 42 metres deep.
Question: How deep is the lake?
Answer: NONE

Passage: {context_str}
Question: {query_str}
Answer: ` },
    refinePrevNextTmpl: { schema: { type: 'string', description: 'The prompt for each further part of a long node; variables context_msg, query_str and existing_answer.' }, default: `You are reading a long passage of a document part by part, to decide which text has to be read in addition to the passage to answer a question.
Answer with one word: PREVIOUS when the text before the passage is needed, NEXT when the text after it is needed, NONE when neither is.

Your answer for the parts so far: {existing_answer}
The next part of the passage: {context_msg}
Question: {query_str}
Keep your answer, or correct it in the light of this part.
Answer: ` },
    verbose: { schema: { type: 'boolean', description: 'Whether the directions are logged to logger.' }, default: false },
    logger: { schema: { description: 'Receives one message per node with its direction when verbose is set.' }, runtime: true, holds: 'function' },
    onMissing: { schema: { type: 'string', enum: ['throw', 'stop'], description: 'How to handle a neighbour that is not in the store: throw, or stop fetching in that direction.' }, default: 'throw', extension: true },
    onInvalidPrediction: { schema: { type: 'string', enum: ['throw', 'none'], description: 'How to handle an answer that names no direction: throw, or add no neighbours.' }, default: 'throw', extension: true },
    maxConcurrency: { schema: { type: 'integer', minimum: 1, description: 'The maximum number of nodes that the model is asked about at the same time.' }, default: 1, bounded: true, extension: true },
  },
})
