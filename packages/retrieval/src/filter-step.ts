/**
 * @module
 * A metadata filter as a step of a pipeline.
 */
import type { NodeWithScore } from '@x/core-model'
import { type FiltersInput, nodeFilter } from './metadata-filters.ts'

/**
 * Returns a postprocessor that keeps the nodes that meet the conditions, in their order, without a query: a step of `PostprocessorPipeline` of
 * `@x/postprocessors`, or of an answer engine. A retriever with `filters` finds more, because it filters before it selects the best nodes.
 * @throws {ModelValidationError} if the conditions are not valid.
 * @example
 * const recent = filterStep([{ key: 'year', operator: '>=', value: 2020 }])
 * const nodes = [2019, 2021].map((year) => new NodeWithScore({ node: new TextNode({ metadata: { year } }) }))
 * const kept = await recent.postprocessNodes(nodes)
 * kept.map(({ metadata }) => metadata.year) // => [2021]
 */
export function filterStep(filters: FiltersInput): {
  postprocessNodes(nodes: readonly NodeWithScore[], options?: unknown): readonly NodeWithScore[]
} {
  const accepts = nodeFilter(filters)
  return { postprocessNodes: (nodes) => nodes.filter(({ node }) => accepts(node)) }
}
