/**
 * @module
 * A ledger that records the effect of each postprocessor on each node, and the reason.
 */

import { addToList, deepEqual } from '@x/core/values'
import type { NodeWithScore } from '@x/core-model'

/** The effect of a step on a node. A node that was both rewritten and moved counts as rewritten; its ranks show the move. */
type NodeChange = 'kept' | 'dropped' | 'moved' | 'rewritten' | 'added'

/** The effect of one step on one node. */
export interface ExplanationEntry {
  /** The number of the step, starting at 1. */
  step: number
  /** The class name of the postprocessor. */
  className: string
  nodeId: string
  change: NodeChange
  /** The reason as a sentence; empty if the step reported no reason. */
  reason: string
  /** The position in the input, starting at 1; null for a node that was added. */
  rankBefore: number | null
  /** The position in the result, starting at 1; null for a node that was dropped. */
  rankAfter: number | null
  scoreBefore: number | null
  scoreAfter: number | null
}

/** The reasons of a step, by input entry or by the entry that it created. */
export type Reasons = Map<NodeWithScore, string>

/**
 * Records the effects of postprocessors on each node. Pass it to `postprocessNodes` as `ledger`; a pipeline records all its steps.
 * @example
 * const ledger = new ExplanationLedger()
 * const nodes = [0.9, 0.2].map((score) => new NodeWithScore({ node: new TextNode(), score }))
 * await new SimilarityPostprocessor({ similarityCutoff: 0.5 }).postprocessNodes(nodes, { ledger })
 * ledger.entries.map(({ change, reason }) => `${change}: ${reason}`)
 * // => ['kept: score 0.9 reaches the cutoff 0.5', 'dropped: score 0.2 is below the cutoff 0.5']
 */
export class ExplanationLedger {
  /** All entries by step: within a step first the result in its order, then the dropped nodes. */
  readonly entries: ExplanationEntry[] = []
  private steps = 0

  /** Records one step: its input, its result and its reasons. Postprocessors call this. */
  record(className: string, before: readonly NodeWithScore[], after: readonly NodeWithScore[], reasons: Reasons): void {
    this.steps++
    const pairs = pairUp(before, after)
    // The nodes that were kept, in their old order. A node has moved if another node now has its position.
    const order = pairs.flatMap(({ from }) => (from === null ? [] : [from])).sort((a, b) => a - b)
    let place = 0
    for (const { from, to } of pairs) {
      const old = from === null ? null : before[from]!
      const now = after[to]!
      const moved = from !== null && order[place++] !== from
      const change = old === null ? 'added' : rewritten(old, now) ? 'rewritten' : moved ? 'moved' : 'kept'
      this.add(className, change, from, to, old, now, reasons)
    }
    const kept = new Set(order)
    before.forEach((old, from) => {
      if (!kept.has(from)) this.add(className, 'dropped', from, null, old, null, reasons)
    })
  }

  /** Returns the entries of one node, by step. */
  of(nodeId: string): ExplanationEntry[] {
    return this.entries.filter((entry) => entry.nodeId === nodeId)
  }

  /** Returns the entries as a plain-text table. */
  toString(): string {
    const rows = this.entries.map((entry) => [
      `${entry.step} ${entry.className}`,
      entry.nodeId,
      entry.change,
      arrow(entry.rankBefore, entry.rankAfter),
      arrow(rounded(entry.scoreBefore), rounded(entry.scoreAfter)),
      entry.reason,
    ])
    return table([['step', 'node', 'change', 'rank', 'score', 'reason'], ...rows])
  }

  private add(
    className: string,
    change: NodeChange,
    from: number | null,
    to: number | null,
    old: NodeWithScore | null,
    now: NodeWithScore | null,
    reasons: Reasons,
  ): void {
    this.entries.push({
      step: this.steps,
      className,
      nodeId: (now ?? old)!.nodeId,
      change,
      reason: (now && reasons.get(now)) ?? (old && reasons.get(old)) ?? '',
      rankBefore: from === null ? null : from + 1,
      rankAfter: to === null ? null : to + 1,
      scoreBefore: old?.score ?? null,
      scoreAfter: now?.score ?? null,
    })
  }
}

/** Finds for each entry of the result its position in the input: the same object, otherwise the first unused entry with its id. */
function pairUp(
  before: readonly NodeWithScore[],
  after: readonly NodeWithScore[],
): { from: number | null; to: number }[] {
  const byEntry = new Map<NodeWithScore, number[]>()
  const byId = new Map<string, number[]>()
  // From last to first, so that `pop` returns the first position.
  for (let index = before.length - 1; index >= 0; index--) {
    addToList(byEntry, before[index]!, index)
    addToList(byId, before[index]!.nodeId, index)
  }
  const taken = new Set<number>()
  const take = (places: number[] | undefined) => {
    for (let place = places?.pop(); place !== undefined; place = places?.pop()) {
      if (!taken.has(place)) {
        taken.add(place)
        return place
      }
    }
    return null
  }
  const same = after.map((entry) => take(byEntry.get(entry)))
  return after.map((entry, to) => ({ from: same[to] ?? take(byId.get(entry.nodeId)), to }))
}

function rewritten(old: NodeWithScore, now: NodeWithScore): boolean {
  if (old.node === now.node) return false
  return old.node.text !== now.node.text || !deepEqual(old.node.metadata, now.node.metadata)
}

function arrow(before: number | string | null, after: number | string | null): string {
  return before === after ? String(before ?? '') : `${before ?? '–'} → ${after ?? '–'}`
}

function rounded(score: number | null): string | null {
  return score === null ? null : String(Number(score.toPrecision(4)))
}

function table(rows: readonly (readonly string[])[]): string {
  // Ids and keys may contain line breaks; a cell must not.
  const cells = rows.map((row) => row.map((cell) => cell.replace(/\s+/g, ' ')))
  const widths = cells[0]!.map(() => 0)
  for (const row of cells)
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column]!, cell.length)
    })
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd()
  const [head, ...body] = cells
  return [line(head!), widths.map((width) => '-'.repeat(width)).join('  '), ...body.map(line)].join('\n')
}
