/**
 * @module
 * Shortens each node to the sentences that are relevant to the query.
 */

import {
  callback,
  checkOption,
  checkOptions,
  list,
  type OptionCheck,
  type OptionTable,
  required,
  unchecked,
} from '@x/core/options'
import { type EmbeddingModel, ModelValidationError, type NodeWithScore, similarity } from '@x/core-model'
import { mapConcurrently, mapInTurns } from '@x/core-model/async'
import { embedQuery } from '@x/core-model/components'
import { embedTexts } from '../embed.ts'
import { MissingDependencyError, MissingQueryError, ZeroSentencesError } from '../errors.ts'
import {
  SentenceEmbeddingOptimizerModel,
  type SentenceEmbeddingOptimizerOptions,
} from '../generated/sentence-embedding-optimizer.ts'
import { ModelCalls } from '../model-calls.ts'
import type { PostprocessRun } from '../node-postprocessor.ts'
import { withNode } from '../rewrite.ts'
import { languageFaults } from '../segmenter.ts'
import { splitSentences } from '../windows/text-windows.ts'

/** Maximum number of sentences per embedding request. */
const sentencesPerRequest = 256

/**
 * Shortens each node to the sentences that are most similar to the query, and their neighbours, in document order.
 * Without a query, and for nodes without sentences, nodes are returned unchanged. The sentences of all nodes are embedded together.
 * @throws {ModelValidationError} if a count or a share is out of range, or `lang` is not a language tag.
 * @example
 * const embedModel = new TableEmbedding({ texts: { 'Cats purr.': [1, 0], 'Dogs bark.': [0, 1] }, queries: { cats: [1, 0] } })
 * const shorter = new SentenceEmbeddingOptimizer({ embedModel, percentileCutoff: 0.5, contextBefore: 0, contextAfter: 0 })
 * const node = new NodeWithScore({ node: new TextNode({ text: 'Cats purr. Dogs bark.' }) })
 * ;(await shorter.postprocessNodes([node], { queryStr: 'cats' }))[0].text // => 'Cats purr.'
 */
export class SentenceEmbeddingOptimizer extends SentenceEmbeddingOptimizerModel {
  constructor(options?: SentenceEmbeddingOptimizerOptions) {
    super(options)
    const faults = languageFaults(this.lang)
    if (faults.length > 0) throw new ModelValidationError('SentenceEmbeddingOptimizer', faults)
  }

  /**
   * @throws {MissingDependencyError} if `embedModel` is missing.
   * @throws {MissingQueryError} for an empty query.
   * @throws {ZeroSentencesError} if no sentence of a node is above the threshold and `onEmpty` is `throw`.
   */
  protected override async process(nodes: readonly NodeWithScore[], run: PostprocessRun): Promise<NodeWithScore[]> {
    const { query, reasons, signal } = run
    if (query === null) return [...nodes]
    const { embedModel, lang, onEmpty } = this
    const className = SentenceEmbeddingOptimizer.className()
    if (!embedModel) throw new MissingDependencyError(className, 'pass embedModel.')
    const split = this.tokenizerFn ?? ((text: string) => splitSentences(text, lang))
    const queryCalls = query.embedding === null ? query.embeddingStrs.length : 0
    if (query.embedding === null && queryCalls === 0)
      throw new MissingQueryError(className, 'an empty query cannot be embedded.')
    const sentencesOf = await mapInTurns(nodes, signal, ({ node }) => {
      const sentences = split(node.getContent('none'))
      checkOption(className, 'tokenizerFn()', sentences, sentenceList)
      return sentences
    })
    const requests = inRequests(sentencesOf)
    const calls = new ModelCalls(this, run, requests.length + queryCalls)
    const target = await embedQuery(embedModel, query, (work) => calls.run(work))
    const embedded = await mapConcurrently(requests, this.maxConcurrency, (sentences) =>
      embedTexts(calls, embedModel, sentences),
    )
    const allVectors = embedded.flat()
    let first = 0
    const results = await mapInTurns(nodes, signal, (entry, index) => {
      const sentences = sentencesOf[index]!
      if (sentences.length === 0) return entry
      const vectors = allVectors.slice(first, first + sentences.length)
      first += sentences.length
      const chosen = this.choose(target, vectors, embedModel)
      if (chosen.length === 0) {
        if (onEmpty === 'throw') throw new ZeroSentencesError(className, entry.nodeId)
        reasons?.set(entry, 'no sentence is above the threshold')
        return onEmpty === 'keep' ? entry : null
      }
      const shown = withContext(chosen, sentences.length, this.contextBefore ?? 1, this.contextAfter ?? 1)
      const shortened = withNode(entry, { text: shown.map((index) => sentences[index]!).join(' ') })
      reasons?.set(shortened, `${chosen.length} of ${sentences.length} sentences chosen, ${shown.length} kept`)
      return shortened
    })
    return results.filter((entry) => entry !== null)
  }

  private choose(
    target: readonly number[],
    vectors: readonly (readonly number[])[],
    embedModel: EmbeddingModel,
  ): number[] {
    const own = (embedModel as { similarity?: (a: readonly number[], b: readonly number[]) => number }).similarity
    const [, chosen] = getTopKEmbeddings(target, vectors, {
      similarityFn: own ? (a, b) => own.call(embedModel, a, b) : similarity,
      topK: this.percentileCutoff === null ? null : Math.max(1, Math.floor(vectors.length * this.percentileCutoff)),
      cutoff: this.thresholdCutoff,
    })
    return chosen
  }
}

const sentenceList: OptionCheck = (value) =>
  Array.isArray(value) && value.every((item) => typeof item === 'string') ? undefined : 'an array of strings'

/** Returns the sentences of all nodes, in order, in one array per request. */
function inRequests(sentencesOf: readonly (readonly string[])[]): string[][] {
  const all = sentencesOf.flat()
  const requests: string[][] = []
  for (let start = 0; start < all.length; start += sentencesPerRequest)
    requests.push(all.slice(start, start + sentencesPerRequest))
  return requests
}

/** Returns the chosen indexes and their neighbours, each once, in ascending order. */
function withContext(chosen: readonly number[], count: number, before: number, after: number): number[] {
  const shown: number[] = []
  for (const index of [...chosen].sort((a, b) => a - b)) {
    const from = Math.max(index - before, (shown.at(-1) ?? -1) + 1, 0)
    for (let place = from; place <= Math.min(index + after, count - 1); place++) shown.push(place)
  }
  return shown
}

/** The options of {@link getTopKEmbeddings}. */
interface TopKOptions<Id> {
  /** Returns the similarity of two vectors; higher is more similar. @defaultValue cosine similarity */
  similarityFn?: ((a: readonly number[], b: readonly number[]) => number) | undefined
  /** The maximum number of vectors returned. @defaultValue all vectors */
  topK?: number | null | undefined
  /** The ids of the vectors. @defaultValue their positions, starting at 0 */
  ids?: readonly Id[] | undefined
  /** Only vectors with a similarity greater than this are returned. @defaultValue no cutoff */
  cutoff?: number | null | undefined
}

const OPTIONS: OptionTable<TopKOptions<unknown>> = {
  similarityFn: callback,
  // None of the best for a negative number.
  topK: (value) =>
    value === null || (typeof value === 'number' && !Number.isNaN(value)) ? undefined : 'a number or null',
  ids: list,
  cutoff: unchecked,
}

/**
 * Returns the similarities and the ids of the most similar vectors, most similar first. Equal similarities keep the input order;
 * NaN is last.
 * @example
 * getTopKEmbeddings([1, 0], [[0, 1], [2, 0]], { topK: 1 }) // => [[1], [1]]
 */
export function getTopKEmbeddings<Id = number>(
  query: readonly number[],
  embeddings: readonly (readonly number[])[],
  options: TopKOptions<Id> = {},
): [similarities: number[], ids: Id[]] {
  checkOption('getTopKEmbeddings', 'query', query, required('a vector', 'length'))
  checkOption('getTopKEmbeddings', 'embeddings', embeddings, required(list))
  checkOptions('getTopKEmbeddings', options, OPTIONS)
  const { similarityFn = similarity, topK, ids, cutoff } = options
  const found = embeddings.map((embedding, index) => ({ index, score: similarityFn(query, embedding) }))
  const passed = cutoff === null || cutoff === undefined ? found : found.filter(({ score }) => score > cutoff)
  passed.sort((a, b) => {
    if (Number.isNaN(a.score) || Number.isNaN(b.score))
      return Number(Number.isNaN(a.score)) - Number(Number.isNaN(b.score))
    return b.score - a.score || 0
  })
  const best = topK === null || topK === undefined ? passed : passed.slice(0, Math.max(0, topK))
  return [best.map(({ score }) => score), best.map(({ index }) => (ids ? ids[index]! : (index as Id)))]
}
