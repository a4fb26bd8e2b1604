/**
 * @module
 * Favour nodes that were used lately.
 */
import type { NodeWithScore } from '@x/core-model'
import { InvalidMetadataError } from '../errors.ts'
import {
  type TimeWeightedPostprocessorFields,
  type TimeWeightedPostprocessorOptions,
  timeWeightedPostprocessorSpec,
} from '../generated/models.ts'
import { NodePostprocessor, type PostprocessRun } from '../node-postprocessor.ts'
import { byRelevance } from '../relevance.ts'
import { hiddenMetadata, withNode } from '../rewrite.ts'

export interface TimeWeightedPostprocessor extends TimeWeightedPostprocessorFields {}

/** Told of the nodes that were returned, which carry their new time of access. */
export type AccessListener = (nodes: readonly NodeWithScore[]) => void | Promise<void>

/**
 * Adds `(1 - timeDecay) ^ hours since the last access` to each score, orders by it and keeps the first `topK`; needs no query.
 * A node without a score counts as 1; one that was never used, or has a time in the future, gets the whole bonus.
 * The nodes returned are copies that carry `now` as their last access; `onAccess` can write them to a store.
 * That time is ordinary metadata, which models are shown: set `hideAccessTime`, or exclude the key on the nodes.
 * The default `timeDecay` loses 99 % of the bonus in an hour; 0 loses nothing.
 * @example
 * const lately = new TimeWeightedPostprocessor({ timeDecay: 0.5, now: 7200, topK: 2 })
 * const nodes = [0, 3600].map((time) => new NodeWithScore({ node: new TextNode({ metadata: { __last_accessed__: time } }), score: 0 }))
 * ;(await lately.postprocessNodes(nodes)).map(({ score }) => score) // => [0.5, 0.25]
 */
export class TimeWeightedPostprocessor extends NodePostprocessor {
  /** @throws {ModelValidationError} for a `timeDecay` outside 0 to 1 or a `topK` below 0. */
  constructor(options?: TimeWeightedPostprocessorOptions) {
    super(options)
  }

  static override spec() {
    return timeWeightedPostprocessorSpec
  }

  /** @throws {InvalidMetadataError} for a time of access that is no number. */
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
          'seconds since 1970',
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
