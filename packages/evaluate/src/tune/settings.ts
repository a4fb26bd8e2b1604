/**
 * @module
 * Settings of retrieval as plain data, what they stand for, and the options of `tune`.
 */
import {
  callback,
  callOptions,
  checkGiven,
  checkOption,
  choice,
  group,
  list,
  numberFrom,
  type OptionCheck,
  type OptionTable,
  required,
  unchecked,
  wholeNumber,
} from '@x/core/options'
import type { TextNode } from '@x/core-model'
import {
  type Bm25Options,
  englishStem,
  englishStopWords,
  frenchStopWords,
  germanStopWords,
  type RetrieverLike,
  spanishStopWords,
  tokenizeText,
  type WordTokenizer,
  wordTokenizer,
} from '@x/retrieval'
import { type ResamplingOptions, resamplingOptions } from '../evaluate-retriever.ts'
import { type MeasureName, measureNames } from '../measures.ts'
import type { SourceText } from '../places.ts'
import type { QuestionOrigin, TestQuestion } from '../test-set.ts'

const stopWords: Readonly<Record<string, readonly string[]>> = {
  en: englishStopWords,
  de: germanStopWords,
  fr: frenchStopWords,
  es: spanishStopWords,
}

/** A `wordTokenizer` as data. */
interface TokenizerSettings {
  /** The language whose stop words are left out: `en`, `de`, `fr` or `es`. */
  stopWords?: string
  /** Whether words are English stems. */
  stem?: boolean
  /** The number of characters of the parts of words. */
  ngrams?: number
}

/** Settings of a retriever. They are plain JSON, to be committed. */
export interface RetrievalSettings {
  /** `default` is `tokenizeText`. */
  tokenizer: 'default' | TokenizerSettings
  /** Term frequency saturation of BM25. */
  k1: number
  /** Length normalization of BM25. */
  b: number
  /** The weights of keyword search and vector search in a `HybridRetriever`; absent without vectors. */
  weights?: readonly [words: number, vectors: number]
  /** The size that `parse` was called with; absent for the own size of the parser, and if the nodes were given. */
  chunkSize?: number
}

const language: OptionCheck = (value) =>
  typeof value === 'string' && Object.hasOwn(stopWords, value) ? undefined : Object.keys(stopWords).join(', ')

/**
 * Returns the options of `Bm25Retriever`, `Bm25Index` and other keyword indexes for settings.
 * @throws {ModelValidationError} if a tokenizer is not valid.
 * @example
 * const { tokenize, k1 } = bm25OptionsOf({ tokenizer: { stopWords: 'en', stem: true }, k1: 1.2, b: 0.75 })
 * tokenize('the connected parsers') // => ['connect', 'parser']
 * k1 // => 1.2
 */
export function bm25OptionsOf(settings: RetrievalSettings): Required<Bm25Options> {
  checkGiven('bm25OptionsOf', { settings }, 'settings of a search', 'tokenizer', 'k1', 'b')
  const { tokenizer, k1, b } = settings
  return { tokenize: tokenizerOf(tokenizer), k1, b }
}

function tokenizerOf(settings: RetrievalSettings['tokenizer']): WordTokenizer {
  if (settings === 'default') return tokenizeText
  const { stopWords: words, stem, ngrams } = settings
  if (words !== undefined) checkOption('bm25OptionsOf', 'tokenizer.stopWords', words, language)
  if (ngrams !== undefined) checkOption('bm25OptionsOf', 'tokenizer.ngrams', ngrams, wholeNumber(2))
  return wordTokenizer({
    ...(words !== undefined && { stopWords: stopWords[words]! }),
    ...(stem && { stem: englishStem }),
    ...(ngrams !== undefined && { ngrams }),
  })
}

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
  /**
   * The questions that count, by their origin. Generated questions choose worse settings than the default on many collections.
   * @defaultValue ['person']
   */
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
  signal: callOptions.signal,
  onProgress: callback,
}
