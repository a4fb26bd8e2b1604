/**
 * @module
 * Removes duplicate nodes.
 */
import type { NodeWithScore } from '@x/core-model'
import { DeduplicateModel } from '../generated/deduplicate.ts'
import type { PostprocessRun } from '../node-postprocessor.ts'
import { isMoreRelevant } from '../relevance.ts'

/**
 * Removes duplicate nodes. Of equal nodes, the one with the highest score is returned, at the position of the first.
 * @throws {ModelValidationError} for an unknown `by`.
 * @example
 * const entry = (text: string, score: number) => new NodeWithScore({ node: new TextNode({ text }), score })
 * const once = new Deduplicate()
 * ;(await once.postprocessNodes([entry('A cat.', 0.5), entry('A dog.', 0.4), entry('a  cat.', 0.9)])).map(({ score }) => score) // => [0.9, 0.4]
 */
export class Deduplicate extends DeduplicateModel {
  protected override async process(
    nodes: readonly NodeWithScore[],
    { reasons }: PostprocessRun,
  ): Promise<NodeWithScore[]> {
    const best = new Map<string, NodeWithScore>()
    for (const entry of nodes) {
      const key = keyOf(entry, this.by)
      const known = best.get(key)
      if (!known || isMoreRelevant(entry.score, known.score)) best.set(key, entry)
    }
    if (reasons) {
      for (const entry of nodes) {
        const kept = best.get(keyOf(entry, this.by))!
        reasons.set(
          entry,
          kept === entry ? 'the first or best of its duplicates' : `the same ${this.by} as node "${kept.nodeId}"`,
        )
      }
    }
    return [...best.values()]
  }
}

function keyOf({ node }: NodeWithScore, by: Deduplicate['by']): string {
  if (by === 'id') return node.id
  return by === 'hash' ? node.hash : node.getContent('none').normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
}
