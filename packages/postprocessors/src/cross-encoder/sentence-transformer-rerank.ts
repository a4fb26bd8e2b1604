/**
 * @module
 * Rerank with a model that reads query and text together.
 */
import { type NodeWithScore, withEvent } from '@x/core-model'
import { MissingDependencyError, RerankScoreError } from '../errors.ts'
import {
  type SentenceTransformerRerankOptions as GeneratedOptions,
  type SentenceTransformerRerankFields,
  sentenceTransformerRerankSpec,
} from '../generated/models.ts'
import { ModelCalls } from '../model-calls.ts'
import { NodePostprocessor, type PostprocessRun } from '../node-postprocessor.ts'
import { byRelevance } from '../relevance.ts'
import { withScore } from '../rewrite.ts'
import { textWindows } from '../windows/text-windows.ts'
import type { CrossEncoder } from './cross-encoder.ts'

export interface SentenceTransformerRerank extends SentenceTransformerRerankFields {}

/** What a {@link SentenceTransformerRerank} is built from. */
export interface SentenceTransformerRerankOptions extends Omit<GeneratedOptions, 'model' | 'topN' | 'device'> {
  /** Name of the model. @defaultValue 'cross-encoder/stsb-distilroberta-base' */
  model?: string | undefined
  /** How many nodes are kept at most. @defaultValue 2 */
  topN?: number | undefined
  /** Where the model computes. @defaultValue what the loaded model says, else 'cpu' */
  device?: string | null | undefined
}

/** Tokens that a model puts around query and text. */
const specialTokens = 4
/** Units of text that two windows share. */
const windowOverlap = 100

/**
 * Orders nodes by the scores of a cross-encoder, best first, and keeps the first `topN`; needs a query.
 * A text longer than the model reads is scored in windows and its best window counts, when the model tells its limits.
 * @example
 * const crossEncoder = { predict: async (pairs) => pairs.map(([query, text]) => (text.includes(query) ? 0.9 : 0.1)) }
 * const rerank = new SentenceTransformerRerank({ crossEncoder, topN: 1 })
 * const nodes = ['dogs bark', 'cats purr'].map((text) => new NodeWithScore({ node: new TextNode({ text }) }))
 * ;(await rerank.postprocessNodes(nodes, { queryStr: 'cats' })).map(({ text, score }) => [text, score]) // => [['cats purr', 0.9]]
 */
export class SentenceTransformerRerank extends NodePostprocessor {
  /** @throws {ModelValidationError} for a `topN` below 0. */
  constructor({
    model = 'cross-encoder/stsb-distilroberta-base',
    topN = 2,
    device,
    ...options
  }: SentenceTransformerRerankOptions = {}) {
    super({ ...options, model, topN, device: device ?? options.crossEncoder?.device ?? 'cpu' })
  }

  static override spec() {
    return sentenceTransformerRerankSpec
  }

  override needsQuery() {
    return true
  }

  /**
   * @throws {MissingDependencyError} when no model was given.
   * @throws {RerankScoreError} when the model gives another number of scores, or one that is no finite number.
   */
  protected override async process(nodes: readonly NodeWithScore[], run: PostprocessRun): Promise<NodeWithScore[]> {
    const { topN, crossEncoder, keepRetrievalScore } = this
    const { queryStr } = run.query!
    if (!crossEncoder)
      throw new MissingDependencyError(
        SentenceTransformerRerank.className(),
        'pass crossEncoder; @x/transformers makes one from a model name.',
      )
    if (topN === 0) return []
    const start = () => ({ nodes, model_name: this.model, query_str: queryStr, top_k: topN })
    return withEvent(this.callbackManager, 'reranking', start, async (event) => {
      const texts = nodes.map(({ node }) => partsThatFit(node.getContent('embed'), queryStr, crossEncoder))
      const pairs = texts.flatMap((parts) => parts.map((part) => [queryStr, part] as const))
      const scores = checkScores(
        await new ModelCalls(this, run, 1).run((options) => crossEncoder.predict(pairs, options)),
        pairs.length,
      )
      let at = 0
      const scored = nodes.map((entry, index) => {
        const score = Math.max(...scores.slice(at, at + texts[index]!.length))
        at += texts[index]!.length
        run.reasons?.set(entry, `cross-encoder score ${score} is not among the first ${topN}`)
        return { entry, score }
      })
      const best = byRelevance(scored)
        .slice(0, topN)
        .map(({ entry, score }) => {
          const rescored = withScore(entry, score, keepRetrievalScore)
          run.reasons?.set(rescored, `cross-encoder score ${score}`)
          return rescored
        })
      event.end({ nodes: best })
      return best
    })
  }
}

/** The text, or its windows when the model would cut it off. */
function partsThatFit(text: string, query: string, model: CrossEncoder): string[] {
  const { maxTokens } = model
  if (maxTokens === undefined || !model.countTokens) return [text]
  const countTokens = (part: string) => model.countTokens!(part)
  const size = maxTokens - specialTokens - countTokens(query)
  // Also when the model gives no number.
  if (!(size >= 1) || countTokens(text) <= size) return [text]
  return textWindows(text, { size, overlap: windowOverlap, measure: countTokens }).map(({ start, end }) =>
    text.slice(start, end),
  )
}

function checkScores(scores: readonly number[], expected: number): readonly number[] {
  const className = SentenceTransformerRerank.className()
  const received = scores?.length
  if (received !== expected)
    throw new RerankScoreError(className, `expected ${expected} scores, got ${received ?? 'none'}.`)
  const broken = scores.findIndex((score) => !Number.isFinite(score))
  if (broken !== -1) throw new RerankScoreError(className, `score ${broken + 1} is no finite number.`)
  return scores
}
