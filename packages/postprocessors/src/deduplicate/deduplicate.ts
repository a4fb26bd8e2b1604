/**
 * @module
 * Removes duplicate nodes.
 */
import type { NodeWithScore } from '@x/core-model'
import { DeduplicateModel } from '../generated/deduplicate.ts'
import type { PostprocessRun } from '../node-postprocessor.ts'
import { isMoreRelevant } from '../relevance.ts'
import { sketchSimilarity, wordSketch } from './word-sketch.ts'

/**
 * Removes duplicate nodes. Of equal nodes, the one with the highest score is returned, at the position of the first.
 * `by: 'similar'` also finds texts that differ in a few words, in punctuation or at their ends: the share of common sequences of three words
 * is at least `minSimilarity`. Each node is compared with the first of each group; long texts by a sample of 256 sequences.
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
    const keys =
      this.by === 'similar' ? similarKeys(nodes, this.minSimilarity) : nodes.map((entry) => keyOf(entry, this.by))
    const best = new Map<string, NodeWithScore>()
    for (const [at, entry] of nodes.entries()) {
      const known = best.get(keys[at]!)
      if (!known || isMoreRelevant(entry.score, known.score)) best.set(keys[at]!, entry)
    }
    if (reasons) {
      for (const [at, entry] of nodes.entries()) {
        const kept = best.get(keys[at]!)!
        const same = this.by === 'similar' ? 'nearly the words of' : `the same ${this.by} as`
        reasons.set(entry, kept === entry ? 'the first or best of its duplicates' : `${same} node "${kept.nodeId}"`)
      }
    }
    return [...best.values()]
  }
}

/** Returns for each node the key of the first node that is similar to it. */
function similarKeys(nodes: readonly NodeWithScore[], minSimilarity: number): string[] {
  const known: (readonly [key: string, sketch: readonly number[]])[] = []
  return nodes.map(({ node }, at) => {
    const sketch = wordSketch(node.getContent('none'))
    const similar = known.find(([, other]) => sketchSimilarity(sketch, other) >= minSimilarity)
    if (!similar) known.push([`${at}`, sketch])
    return similar?.[0] ?? `${at}`
  })
}

function keyOf({ node }: NodeWithScore, by: Deduplicate['by']): string {
  if (by === 'id') return node.id
  return by === 'hash' ? node.hash : node.getContent('none').normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
}
