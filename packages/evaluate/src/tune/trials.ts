/**
 * @module
 * Settings that are tried on questions, each once.
 */
import type { NodeWithScore, TextNode } from '@x/core-model'
import { turns } from '@x/core-model/async'
import { Bm25Retriever, HybridRetriever, type RetrieverLike, type WordTokenizer } from '@x/retrieval'
import { evaluateRetriever } from '../evaluate-retriever.ts'
import type { MeasureName } from '../measures.ts'
import type { TestQuestion } from '../test-set.ts'
import type { TuneOptions } from './settings.ts'
import { bm25OptionsOf, type RetrievalSettings } from './settings.ts'

/** The least number of nodes that each retriever of a hybrid search contributes. */
const FUSED = 50

export class Trials {
  private readonly options: TuneOptions
  private readonly questions: readonly TestQuestion[]
  private readonly measure: MeasureName
  private readonly k: number
  private readonly tried = new Map<string, { settings: RetrievalSettings; scores: readonly number[] }>()
  private readonly parsed = new Map<number | undefined, Promise<readonly TextNode[]>>()
  private readonly turn: () => Promise<void>
  private readonly tokenizers = new Map<string, WordTokenizer>()
  private readonly vectors = new Map<number | undefined, Promise<RetrieverLike>>()

  constructor(options: TuneOptions, questions: readonly TestQuestion[], measure: MeasureName, k: number) {
    this.options = options
    this.questions = questions
    this.measure = measure
    this.k = k
    this.turn = turns(options.signal)
  }

  /** All settings that were tried, in order. */
  all(): { settings: RetrievalSettings; scores: readonly number[] }[] {
    return [...this.tried.values()]
  }

  /** The measure of each question. */
  async scoresOf(settings: RetrievalSettings): Promise<readonly number[]> {
    const key = JSON.stringify(settings)
    const known = this.tried.get(key)
    if (known) return known.scores
    const { signal, sourceText, onProgress } = this.options
    const retriever = await this.retrieverOf(settings)
    const { k, questions: testSet } = this
    const run = await evaluateRetriever({ retriever, testSet, k, rounds: 1, signal, sourceText })
    const scores = run.questions.map(({ measures }) => measures[this.measure])
    this.tried.set(key, { settings, scores })
    await this.turn()
    await onProgress?.({ done: this.tried.size, settings })
    return scores
  }

  private async retrieverOf(settings: RetrievalSettings): Promise<RetrieverLike> {
    const { chunkSize, weights } = settings
    const nodes = await this.nodesOf(chunkSize)
    const options = { ...bm25OptionsOf(settings), tokenize: this.tokenizerOf(settings) }
    if (weights === undefined) return new Bm25Retriever({ ...options, nodes, similarityTopK: this.k })
    const words = new Bm25Retriever({ ...options, nodes, similarityTopK: Math.max(FUSED, this.k) })
    return new HybridRetriever({
      retrievers: [words, await this.vectorsOf(chunkSize, nodes)],
      weights,
      similarityTopK: this.k,
    })
  }

  private nodesOf(chunkSize: number | undefined): Promise<readonly TextNode[]> {
    const { nodes, parse } = this.options
    return remember(this.parsed, chunkSize, async () => nodes ?? (await parse!(chunkSize)))
  }

  private vectorsOf(chunkSize: number | undefined, nodes: readonly TextNode[]): Promise<RetrieverLike> {
    return remember(this.vectors, chunkSize, async () => rememberingRetriever(await this.options.vectors!(nodes)))
  }

  private tokenizerOf(settings: RetrievalSettings): WordTokenizer {
    const key = JSON.stringify(settings.tokenizer)
    return remember(this.tokenizers, key, () => rememberingTokenizer(bm25OptionsOf(settings).tokenize))
  }
}

function remember<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

/** A tokenizer that caches the terms of indexed strings, for several indexes of the same strings. */
function rememberingTokenizer(tokenize: WordTokenizer): WordTokenizer {
  const known = new Map<string, string[]>()
  const remembered = (text: string) => remember(known, text, () => tokenize(text))
  return Object.assign(remembered, { query: tokenize.query ?? tokenize })
}

/** A retriever that searches once per question, so that a model embeds each question once. */
function rememberingRetriever(retriever: RetrieverLike): RetrieverLike {
  const found = new Map<string, Promise<NodeWithScore[]>>()
  return {
    retrieve: (query, options) =>
      remember(found, typeof query === 'string' ? query : query.queryStr, () => retriever.retrieve(query, options)),
  }
}
