/**
 * @module
 * Rerankers of `@x` as reranking models of the AI SDK.
 */
import { checkOption, checkOptions, required } from '@x/core/options'
import {
  ConfigurationError,
  type CrossEncoder,
  type NodesPostprocessor,
  NodeWithScore,
  QueryBundle,
  TextNode,
} from '@x/core-model'
import { queryFor } from '@x/core-model/components'
import { explained, type ToAiSdkOptions, toAiSdkOptions } from './ai-sdk-model-of-llm.ts'

/** The options of one call of a reranking model, of specification v3 or v4. */
export interface RerankRequest {
  documents: { type: 'text'; values: string[] } | { type: 'object'; values: object[] }
  query: string
  topN?: number | undefined
  abortSignal?: AbortSignal | undefined
}

/** A document of a ranking: its index among the given ones, and its score. */
export interface RankedDocument {
  index: number
  relevanceScore: number
}

/**
 * A postprocessor that scores nodes, or a cross-encoder, as a reranking model of the AI SDK: `rerank` of `ai` 6 and 7 works with it.
 * Documents that are objects are ranked as JSON, with a warning. A postprocessor returns at most its own `topN` documents; other
 * documents are not in the ranking.
 * @throws {ConfigurationError} in a call, when the postprocessor returns nodes without scores, or nodes that are not documents.
 * @example
 * import { rerank } from 'ai'
 *
 * const byLength = { predict: async (pairs: readonly (readonly string[])[]) => pairs.map(([, text]) => text!.length) }
 * const model = toAiSdkRerankingModel(byLength)
 * const { rerankedDocuments } = await rerank({ model, query: 'fruit', documents: ['fig', 'banana', 'pear'], topN: 2 })
 * rerankedDocuments // => ['banana', 'pear']
 */
export function toAiSdkRerankingModel<const Version extends 'v3' | 'v4' = 'v4'>(
  reranker: NodesPostprocessor | CrossEncoder,
  options: ToAiSdkOptions<Version> = {},
) {
  checkOptions('toAiSdkRerankingModel', options, toAiSdkOptions)
  const { specificationVersion = 'v4' as Version, provider = 'x' } = options
  if (!('predict' in Object(reranker)))
    checkOption('toAiSdkRerankingModel', 'reranker', reranker, required('a reranker', 'postprocessNodes'))
  const isCrossEncoder = 'predict' in reranker
  return {
    specificationVersion,
    provider,
    modelId: (isCrossEncoder ? reranker.modelName : undefined) ?? 'reranking',
    doRerank: async ({ documents, query, topN, abortSignal }: RerankRequest) => {
      const texts = documents.values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
      const options = abortSignal ? { signal: abortSignal } : {}
      const ranked = await explained(() =>
        isCrossEncoder ? scoredPairs(reranker, query, texts, options) : scoredNodes(reranker, query, texts, options),
      )
      const ranking = ranked.sort((one, other) => other.relevanceScore - one.relevanceScore)
      return { ranking: ranking.slice(0, topN), warnings: documents.type === 'object' ? [asJson] : [] }
    },
  }
}

const asJson = { type: 'compatibility' as const, feature: 'object documents', details: 'They are ranked as JSON.' }

async function scoredPairs(
  scorer: CrossEncoder,
  query: string,
  texts: readonly string[],
  options: { signal?: AbortSignal },
): Promise<RankedDocument[]> {
  const scores = await scorer.predict(
    texts.map((text) => [query, text] as const),
    options,
  )
  return scores.map((relevanceScore, index) => ({ index, relevanceScore }))
}

async function scoredNodes(
  postprocessor: NodesPostprocessor,
  queryStr: string,
  texts: readonly string[],
  options: { signal?: AbortSignal },
): Promise<RankedDocument[]> {
  const nodes = texts.map((text, index) => new NodeWithScore({ node: new TextNode({ id: String(index), text }) }))
  const found = await postprocessor.postprocessNodes(nodes, {
    ...queryFor(postprocessor, new QueryBundle({ queryStr })),
    ...options,
  })
  return found.map(({ node, score }) => {
    const index = Number(node.id)
    if (texts[index] === undefined)
      throw new ConfigurationError(`toAiSdkRerankingModel: expected nodes of documents, received the node ${node.id}.`)
    if (score === null)
      throw new ConfigurationError(
        `toAiSdkRerankingModel: expected a postprocessor that scores nodes, such as LLMRerank; document ${index} has no score.`,
      )
    return { index, relevanceScore: score }
  })
}
