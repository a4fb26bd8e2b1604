/**
 * @module
 * Raises the score of recently used nodes.
 */
import type { NodeWithScore } from '@x/core-model'
import { InvalidMetadataError } from '../errors.ts'
// biome-ignore lint/suspicious/noImportCycles: only the generated types name the class
import { TimeWeightedPostprocessorModel } from '../generated/time-weighted-postprocessor.ts'
import type { PostprocessRun } from '../node-postprocessor.ts'
import { byRelevance } from '../relevance.ts'
import { hiddenMetadata, withNode } from '../rewrite.ts'

/** Receives the returned nodes, with their new access time. */
export type AccessListener = (nodes: readonly NodeWithScore[]) => void | Promise<void>

/**
 * Adds a bonus of `(1 - timeDecay) ** hours since the last access` to each score and returns the first `topK`, best first.
 * A missing score counts as 1. A node that was never used, or whose access time is in the future, gets the full bonus of 1.
 * The returned nodes are copies with `now` as their last access time; `onAccess` can save them in a store.
 * The access time is ordinary metadata and visible to models, unless `hideAccessTime` is set or the key is excluded.
 * With the default `timeDecay` of 0.99 the bonus loses 99 % per hour; with 0 it stays 1.
 * @throws {ModelValidationError} for a `timeDecay` outside 0 to 1 or a `topK` below 0.
 * @example
 * const lately = new TimeWeightedPostprocessor({ timeDecay: 0.5, now: 7200, topK: 2 })
 * const nodes = [0, 3600].map((time) => new NodeWithScore({ node: new TextNode({ metadata: { __last_accessed__: time } }), score: 0 }))
 * ;(await lately.postprocessNodes(nodes)).map(({ score }) => score) // => [0.5, 0.25]
 */
export class TimeWeightedPostprocessor extends TimeWeightedPostprocessorModel {
  /** @throws {InvalidMetadataError} if the last access time is not a finite number. */
  protected override async process(
    nodes: readonly NodeWithScore[],
    { reasons }: PostprocessRun,
  ): Promise<NodeWithScore[]> {
    const { timeDecay, lastAccessedKey, timeAccessRefresh, topK } = this
    const now = this.now ?? Date.now() / 1000
    const weighted = nodes.map((entry) => {
      const last = Object.hasOwn(entry.node.metadata, lastAccessedKey)
        ? (entry.node.metadata[lastAccessedKey] ?? null)
        : null
      if (last !== null && (typeof last !== 'number' || !Number.isFinite(last))) {
        throw new InvalidMetadataError(
          TimeWeightedPostprocessor.className(),
          entry.nodeId,
          lastAccessedKey,
          'a number of seconds since 1970-01-01 UTC',
        )
      }
      const hours = last === null ? 0 : Math.max(0, (now - last) / 3600)
      const bonus = (1 - timeDecay) ** hours
      reasons?.set(entry, `score with bonus ${bonus} is not among the first ${topK}`)
      return {
        entry,
        score: (entry.score ?? 1) + bonus,
        reason: `bonus ${bonus} for ${hours} hours since the last access`,
      }
    })
    const best = byRelevance(weighted)
      .slice(0, topK)
      .map(({ entry, score, reason }) => {
        const hidden = hiddenMetadata(entry, lastAccessedKey, now)
        const refresh = !timeAccessRefresh ? {} : this.hideAccessTime ? hidden : { metadata: hidden.metadata }
        const rescored = withNode(entry, refresh, score)
        reasons?.set(rescored, reason)
        return rescored
      })
    if (timeAccessRefresh) await this.onAccess?.(best)
    return best
  }
}
