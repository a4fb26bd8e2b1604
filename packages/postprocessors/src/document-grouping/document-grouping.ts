/**
 * @module
 * Groups nodes by document.
 */

import { addToList, compactJson } from '@x/core/values'
import type { NodeWithScore } from '@x/core-model'
import { DocumentGroupingModel } from '../generated/document-grouping.ts'
import type { PostprocessRun } from '../node-postprocessor.ts'
import { type Links, orderRuns } from '../prev-next/order-runs.ts'
import { byRelevance } from '../relevance.ts'

/**
 * Groups nodes by document. Within a document, nodes are ordered by their start offset if all have one, otherwise by their
 * previous and next links, otherwise as in the input. `maxPerGroup` limits the share of one long document.
 * A node without a document is a separate group.
 * @throws {ModelValidationError} for a count out of range.
 * @example
 * const entry = (id: string, source: string, startCharIdx: number) =>
 *   new NodeWithScore({ node: new TextNode({ id, startCharIdx, relationships: { 1: { nodeId: source } } }) })
 * const grouped = new DocumentGrouping()
 * const nodes = [entry('a2', 'A', 50), entry('b1', 'B', 0), entry('a1', 'A', 0)]
 * ;(await grouped.postprocessNodes(nodes)).map(({ id }) => id) // => ['a1', 'a2', 'b1']
 */
export class DocumentGrouping extends DocumentGroupingModel {
  protected override async process(
    nodes: readonly NodeWithScore[],
    { reasons }: PostprocessRun,
  ): Promise<NodeWithScore[]> {
    const { groupKey, groupOrder, maxPerGroup, maxGroups } = this
    const groups = new Map<unknown, NodeWithScore[]>()
    for (const entry of nodes) {
      const name =
        groupKey === null
          ? entry.node.refDocId
          : Object.hasOwn(entry.metadata, groupKey)
            ? (entry.metadata[groupKey] ?? null)
            : null
      // A node without a document is a separate group.
      const key = name === null ? entry : typeof name === 'object' ? compactJson(name) : name
      addToList(groups, key, entry)
      reasons?.set(entry, name === null ? 'has no document' : `document ${compactJson(name)}`)
    }
    const ordered = groupOrder === 'first' ? [...groups.values()] : byBest([...groups.values()])
    return ordered.flatMap((group, index) => {
      const isOverLimit = maxGroups !== null && index >= maxGroups
      const kept = isOverLimit ? [] : mostRelevant(group, maxPerGroup ?? group.length)
      if (reasons && kept.length < group.length) {
        const limit = isOverLimit
          ? `not among the first ${maxGroups} documents`
          : `not among the best ${maxPerGroup} of its document`
        const isKept = new Set(kept)
        for (const entry of group) if (!isKept.has(entry)) reasons.set(entry, `${reasons.get(entry)}, ${limit}`)
      }
      return inDocumentOrder(kept)
    })
  }
}

/** Returns the groups ordered by the score of their best entry. */
function byBest(groups: readonly NodeWithScore[][]): NodeWithScore[][] {
  const scored = groups.map((group) => ({ group, score: byRelevance(group)[0]!.score }))
  return byRelevance(scored).map(({ group }) => group)
}

/** Returns the most relevant entries, in input order. */
function mostRelevant(group: readonly NodeWithScore[], count: number): readonly NodeWithScore[] {
  if (group.length <= count) return group
  const placed = group.map((entry, place) => ({ entry, place, score: entry.score }))
  const best = byRelevance(placed).slice(0, count)
  return best.sort((a, b) => a.place - b.place).map(({ entry }) => entry)
}

function inDocumentOrder(group: readonly NodeWithScore[]): NodeWithScore[] {
  if (group.every(({ node }) => node.startCharIdx !== null))
    return [...group].sort((a, b) => a.node.startCharIdx! - b.node.startCharIdx!)
  const byId = new Map<string, NodeWithScore[]>()
  const links = new Map<string, Links>()
  for (const entry of group) {
    const { node } = entry
    addToList(byId, node.id, entry)
    links.set(node.id, { next: node.nextNode?.nodeId ?? null, previous: node.prevNode?.nodeId ?? null })
  }
  return orderRuns(links).flatMap((id) => byId.get(id)!)
}
