/**
 * @module
 * Settings of retrieval as plain data, and the options that they stand for.
 */
import { checkGiven, checkOption, type OptionCheck, wholeNumber } from '@x/core/options'
import {
  type Bm25Options,
  englishStem,
  englishStopWords,
  frenchStopWords,
  germanStopWords,
  spanishStopWords,
  tokenizeText,
  type WordTokenizer,
  wordTokenizer,
} from '@x/retrieval'

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
