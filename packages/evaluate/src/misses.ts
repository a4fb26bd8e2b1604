/**
 * @module
 * The reasons why right places are not among the first nodes.
 */
import type { NodesPostprocessor, NodeWithScore, TextNode } from '@x/core-model'
import { searchableText, tokenizeText, type WordTokenizer } from '@x/retrieval'
import type { Miss } from './run.ts'

/** What a ledger of postprocessors reports of a node, such as `ExplanationLedger` of `@x/postprocessors`. */
export interface NodeLedger {
  of(nodeId: string): readonly { step: number; className: string; change: string; reason: string }[]
}

/** The lists of nodes of one question: of the retriever, and after each step. */
export interface Ranking {
  question: string
  /** The list of the retriever, then the list after each step. */
  lists: readonly (readonly NodeWithScore[])[]
  steps: readonly NodesPostprocessor[]
  ledger: NodeLedger | null
  k: number
}

/**
 * Returns why a right place was missed.
 * @param holds - whether a node contains a part of the place.
 * @param nodes - the nodes of the source of the place, if they are known.
 */
export function missOf(
  ranking: Ranking,
  holds: (node: TextNode) => boolean,
  nodes: readonly TextNode[] | null,
  tokenize: WordTokenizer = tokenizeText,
): Omit<Miss, 'place'> {
  const { lists, k } = ranking
  const late = lists.at(-1)!.findIndex(({ node }) => holds(node))
  if (late >= 0) return { kind: 'ranked_low', reason: `ranked ${late + 1}, after the first ${k}` }
  const retrieved = lists[0]!.find(({ node }) => holds(node))
  if (retrieved) return droppedBy(ranking, holds)
  if (nodes === null) return { kind: 'not_retrieved', reason: `not among the ${lists[0]!.length} nodes retrieved` }
  const holding = nodes.filter(holds)
  if (holding.length === 0) return { kind: 'no_node', reason: 'no node contains this place' }
  const asked = new Set((tokenize.query ?? tokenize)(ranking.question))
  const shared = new Set(holding.flatMap((node) => tokenize(searchableText(node)).filter((term) => asked.has(term))))
  if (shared.size === 0) return { kind: 'no_common_term', reason: 'no term in common with the question' }
  const terms = [...shared].slice(0, 5).join(', ')
  return {
    kind: 'not_retrieved',
    reason: `not among the ${lists[0]!.length} nodes retrieved; ${shared.size} of ${asked.size} terms in common (${terms})`,
  }
}

/** The first step after which no node contains the place. */
function droppedBy({ lists, steps, ledger }: Ranking, holds: (node: TextNode) => boolean): Omit<Miss, 'place'> {
  const step = lists.findIndex((list) => !list.some(({ node }) => holds(node)))
  const lost = lists[step - 1]!.find(({ node }) => holds(node))!
  const entry = ledger?.of(lost.nodeId).findLast(({ change }) => change === 'dropped')
  const name = entry?.className ?? classNameOf(steps[step - 1]!)
  const reason = `dropped by step ${step} (${name})`
  return { kind: 'dropped', reason: entry?.reason ? `${reason}: ${entry.reason}` : reason }
}

function classNameOf(step: NodesPostprocessor): string {
  const { constructor } = step as { constructor: { name: string; className?: () => string } }
  return constructor.className?.() ?? constructor.name
}
