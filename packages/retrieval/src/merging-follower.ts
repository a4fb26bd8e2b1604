/**
 * @module
 * Replaces nodes by the section that contains them, if they cover enough of it.
 */
import { callback, checkOptions, choice, numberFrom, type OptionTable, required, wholeNumber } from '@x/core/options'
import type { NodeWithScore } from '@x/core-model'
import type { CancelOptions } from './retriever.ts'
import {
  followSources,
  type RangeGroup,
  type RangesOf,
  type SourceOptions,
  type SourcePlaces,
  type SourceRange,
  trimmed,
} from './source-ranges.ts'

/** The options of {@link MergingFollower}. */
interface MergingFollowerOptions extends SourceOptions {
  /** Returns the parents: ranges that may be nested, such as `sectionRanges` of `@x/node-parser`. */
  ranges: RangesOf
  /** The share of a range, from 0 to 1, that nodes must cover to be replaced by it. @defaultValue 0.5 */
  minCovered?: number | undefined
  /** The maximum length of a range that replaces nodes, in characters; null for any. @defaultValue null */
  maxLength?: number | null | undefined
}

const mergingOptions: OptionTable<MergingFollowerOptions> = {
  source: required(callback),
  onMissing: choice('throw', 'keep', 'drop'),
  ranges: required(callback),
  minCovered: numberFrom(0, 1),
  maxLength: wholeNumber(1, 'or null'),
}

/**
 * A postprocessor that replaces nodes by the section that contains them, if they cover at least `minCovered` of it, from the innermost
 * sections outwards: auto-merging retrieval without stored parents. New nodes are exact slices of the source, as those of
 * {@link WindowFollower}.
 * @throws {ModelValidationError} if an option is invalid.
 * @example
 * const text = 'one two. three four.'
 * const relationships = { 1: { nodeId: 'a.txt' } } // 1 is the source document
 * const node = new TextNode({ text: 'two. three', startCharIdx: 4, endCharIdx: 14, relationships })
 * const follower = new MergingFollower({ source: () => text, ranges: () => [{ start: 0, end: 20 }] })
 * const [merged] = await follower.postprocessNodes([new NodeWithScore({ node })])
 * merged?.text // => 'one two. three four.'
 */
export class MergingFollower {
  private readonly options: MergingFollowerOptions

  constructor(options: MergingFollowerOptions) {
    checkOptions('MergingFollower', options, mergingOptions)
    this.options = options
  }

  /**
   * Returns the nodes with the sections that replace them.
   * @throws {SourceTextError} if a source is missing or has changed and `onMissing` is `throw`.
   */
  async postprocessNodes(nodes: readonly NodeWithScore[], { signal }: CancelOptions = {}): Promise<NodeWithScore[]> {
    return followSources(nodes, this.options, signal, (places) => this.merge(places))
  }

  private merge({ text, placed }: SourcePlaces): RangeGroup[] {
    const { ranges, minCovered = 0.5, maxLength = null } = this.options
    const ink = new InkCounter(text)
    let groups: RangeGroup[] = placed.map((place) => ({ start: place.start, end: place.end, members: [place] }))
    // Inner ranges begin after those that contain them.
    for (const range of [...ranges(text)].reverse()) {
      const parent = trimmed(text, range)
      if (parent === null || (maxLength !== null && parent.end - parent.start > maxLength)) continue
      const inside = groups.filter(({ start, end }) => start >= parent.start && end <= parent.end)
      const members = inside.flatMap((group) => group.members)
      if (members.length === 0 || ink.in(members) < minCovered * ink.in([parent])) continue
      groups = [...groups.filter((group) => !inside.includes(group)), { ...parent, members }]
    }
    return groups.filter(
      ({ members, start, end }) => members.length > 1 || start < members[0]!.start || end > members[0]!.end,
    )
  }
}

/** Counts the characters of a string that are not white space. */
class InkCounter {
  /** The number of such characters before each offset. */
  private readonly before: Uint32Array

  constructor(text: string) {
    this.before = new Uint32Array(text.length + 1)
    let count = 0
    for (let at = 0; at < text.length; at++) {
      if (!/\s/.test(text[at] as string)) count++
      this.before[at + 1] = count
    }
  }

  /** Returns the number in at least one of the ranges. */
  in(ranges: readonly SourceRange[]): number {
    let covered = 0
    let until = 0
    for (const { start, end } of [...ranges].sort((one, other) => one.start - other.start)) {
      if (end <= until) continue
      covered += (this.before[end] as number) - (this.before[Math.max(start, until)] as number)
      until = end
    }
    return covered
  }
}
