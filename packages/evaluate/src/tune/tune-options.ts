/**
 * @module
 * The options of `tune`.
 */
import {
  callback,
  choice,
  group,
  list,
  numberFrom,
  type OptionTable,
  required,
  unchecked,
  wholeNumber,
} from '@x/core/options'
import type { TextNode } from '@x/core-model'
import type { RetrieverLike } from '@x/retrieval'
import { type ResamplingOptions, resamplingOptions } from '../evaluate-retriever.ts'
import { type MeasureName, measureNames } from '../measures.ts'
import type { SourceText } from '../places.ts'
import type { QuestionOrigin, TestQuestion } from '../test-set.ts'
import type { RetrievalSettings } from './settings.ts'

/** The options of `tune`. */
export interface TuneOptions extends ResamplingOptions {
  testSet: readonly TestQuestion[]
  /** The nodes to search. Pass these, or `parse`. */
  nodes?: readonly TextNode[] | undefined
  /** Returns the nodes for a chunk size; for undefined, with the own size of the parser. */
  parse?: ((chunkSize: number | undefined) => readonly TextNode[] | Promise<readonly TextNode[]>) | undefined
  /** The sizes to try with `parse`, in addition to that of the baseline. @defaultValue no others */
  chunkSizes?: readonly number[] | undefined
  /**
   * The settings that you use today: others are compared with them. What is absent is the default; without `chunkSize`, the own size of the
   * parser. @defaultValue the default settings
   */
  baseline?: Partial<RetrievalSettings> | undefined
  /** Returns the vector search over nodes, such as a `VectorRetriever`; its weight is chosen then. @defaultValue keyword search alone */
  vectors?: ((nodes: readonly TextNode[]) => RetrieverLike | Promise<RetrieverLike>) | undefined
  /** The tokenizers to try in addition to that of the baseline. */
  tokenizers?: readonly RetrievalSettings['tokenizer'][] | undefined
  /** The pairs of `k1` and `b` to try in addition to those of the baseline. */
  bm25?: readonly (readonly [k1: number, b: number])[] | undefined
  /** The weights to try in addition to those of the baseline, with `vectors`. */
  weights?: readonly (readonly [words: number, vectors: number])[] | undefined
  /** The questions that count, by their origin. Generated questions choose worse settings than the default on many collections. @defaultValue ['person'] */
  origins?: readonly QuestionOrigin[] | undefined
  /** @defaultValue 'ndcg' */
  measure?: MeasureName | undefined
  /** The number of nodes that count. @defaultValue 10 */
  k?: number | undefined
  /** The number of parts into which the questions are divided. @defaultValue 5 */
  folds?: number | undefined
  sourceText?: SourceText | undefined
  signal?: AbortSignal | undefined
  /** Called after each setting that was tried. */
  onProgress?: ((progress: { done: number; settings: RetrievalSettings }) => void) | undefined
}

export const tuneOptions: OptionTable<TuneOptions> = {
  ...resamplingOptions,
  testSet: required('an array of questions', 'length'),
  nodes: list,
  parse: callback,
  chunkSizes: list,
  baseline: group({
    tokenizer: unchecked,
    k1: numberFrom(0),
    b: numberFrom(0, 1),
    weights: list,
    chunkSize: wholeNumber(1),
  }),
  vectors: callback,
  tokenizers: list,
  bm25: list,
  weights: list,
  origins: list,
  measure: choice(...measureNames),
  k: wholeNumber(1),
  folds: wholeNumber(2),
  sourceText: callback,
  signal: unchecked,
  onProgress: callback,
}
