/**
 * @module
 * Reranks nodes with a cross-encoder, which reads query and document together.
 */
import { type CallbackEvent, type CrossEncoder, type NodeWithScore, withEvent } from '@x/core-model'
import { MissingDependencyError, RerankScoreError } from '../errors.ts'
import {
  type SentenceTransformerRerankOptions as GeneratedOptions,
  SentenceTransformerRerankModel,
} from '../generated/sentence-transformer-rerank.ts'
import { keepingOrder, ModelCalls } from '../model-calls.ts'
import type { PostprocessRun } from '../node-postprocessor.ts'
import { byRelevance, shortNumber } from '../relevance.ts'
import { withScore } from '../rewrite.ts'
import { textWindows } from '../windows/text-windows.ts'

/** The options of {@link SentenceTransformerRerank}. */
export interface SentenceTransformerRerankOptions extends Omit<GeneratedOptions, 'model' | 'topN' | 'device'> {
  /** The name of the model. @defaultValue that of `crossEncoder`, otherwise 'cross-encoder/stsb-distilroberta-base' */
  model?: string | undefined
  /** The maximum number of nodes returned. @defaultValue 2 */
  topN?: number | undefined
  /** The device that the model runs on. @defaultValue the device of `crossEncoder`, otherwise 'cpu' */
  device?: string | null | undefined
}

/** The number of tokens that a model adds around query and document. */
const specialTokens = 4
/** The number of UTF-16 code units that two adjacent windows share. */
const windowOverlap = 100

/**
 * Reranks nodes by the scores of a cross-encoder, best first, and returns the first `topN`. Requires a query.
 * If the model has `maxTokens` and `countTokens`, a document longer than `maxTokens` is scored in windows, and its best score is
 * used. With `onError: 'keep'`, a model that fails leaves the nodes in their order.
 * @throws {ModelValidationError} if `topN` is below 0.
 * @example
 * const crossEncoder: CrossEncoder = { predict: async (pairs) => pairs.map(([query, text]) => (text.includes(query) ? 0.9 : 0.1)) }
 * const rerank = new SentenceTransformerRerank({ crossEncoder, topN: 1 })
 * const nodes = ['dogs bark', 'cats purr'].map((text) => new NodeWithScore({ node: new TextNode({ text }) }))
 * ;(await rerank.postprocessNodes(nodes, { queryStr: 'cats' })).map(({ text, score }) => [text, score]) // => [['cats purr', 0.9]]
 */
export class SentenceTransformerRerank extends SentenceTransformerRerankModel {
  constructor(options: SentenceTransformerRerankOptions = {}) {
    const { model, topN = 2, device, ...rest } = options ?? {}
    const { crossEncoder } = rest
    super({
      ...rest,
      model: model ?? crossEncoder?.modelName ?? 'cross-encoder/stsb-distilroberta-base',
      topN,
      device: device ?? crossEncoder?.device ?? 'cpu',
    })
  }

  override needsQuery() {
    return true
  }

  /**
   * @throws {MissingDependencyError} if `crossEncoder` is missing.
   * @throws {RerankScoreError} unless `onError` is `keep`, if the model returns a wrong number of scores, or a score that is not a finite
   * number.
   */
  protected override async process(nodes: readonly NodeWithScore[], run: PostprocessRun): Promise<NodeWithScore[]> {
    const { topN, crossEncoder, keepRetrievalScore } = this
    const { queryStr } = run.query!
    if (!crossEncoder)
      throw new MissingDependencyError(
        SentenceTransformerRerank.className(),
        'pass crossEncoder, such as a TransformersCrossEncoder of @x/transformers, or an object with predict(pairs).',
      )
    if (topN === 0) return []
    const start = () => ({ nodes, model_name: this.model, query_str: queryStr, top_k: topN })
    const rerank = async (event: CallbackEvent) => {
      const windows = nodes.map(({ node }) => windowsOf(node.getContent('embed'), queryStr, crossEncoder))
      const pairs = windows.flatMap((parts) => parts.map((part) => [queryStr, part] as const))
      const scores = checkScores(
        await new ModelCalls(this, run, 1).run((options) => crossEncoder.predict(pairs, options)),
        pairs.length,
      )
      let at = 0
      const scored = nodes.map((entry, index) => {
        const score = Math.max(...scores.slice(at, at + windows[index]!.length))
        at += windows[index]!.length
        run.reasons?.set(entry, `cross-encoder score ${shortNumber(score)} is not among the first ${topN}`)
        return { entry, score }
      })
      const best = byRelevance(scored)
        .slice(0, topN)
        .map(({ entry, score }) => {
          const rescored = withScore(entry, score, keepRetrievalScore)
          run.reasons?.set(rescored, `cross-encoder score ${shortNumber(score)}`)
          return rescored
        })
      event.end({ nodes: best })
      return best
    }
    const { callbackManager = this.callbackManager, parentId } = run
    return keepingOrder(this, nodes, run, () => withEvent(callbackManager, 'reranking', start, rerank, { parentId }))
  }
}

/** Returns the windows of a string that is longer than the model reads, otherwise the whole string. */
function windowsOf(text: string, query: string, model: CrossEncoder): string[] {
  const { maxTokens } = model
  if (maxTokens === undefined || !model.countTokens) return [text]
  const countTokens = (part: string) => model.countTokens!(part)
  const size = maxTokens - specialTokens - countTokens(query)
  // Negated, so that NaN (a limit or count that is not a number) disables windows.
  if (!(size >= 1) || countTokens(text) <= size) return [text]
  return textWindows(text, { size, overlap: windowOverlap, measure: countTokens }).map(({ start, end }) =>
    text.slice(start, end),
  )
}

function checkScores(scores: readonly number[], expected: number): readonly number[] {
  const className = SentenceTransformerRerank.className()
  const received = scores?.length
  if (received !== expected)
    throw new RerankScoreError(className, `expected ${expected} scores, received ${received ?? 'none'}.`)
  const list = Array.from(scores)
  const invalid = list.findIndex((score) => !Number.isFinite(score))
  if (invalid !== -1)
    throw new RerankScoreError(className, `scores[${invalid}]: expected a finite number, received ${list[invalid]}.`)
  return list
}
