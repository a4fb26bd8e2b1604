/**
 * @module
 * Replaces small nodes by what is around them in their source: sentences, blocks or sections.
 */
import { callback, checkOptions, choice, type OptionTable, required, wholeNumber } from '@x/core/options'
import { countWhile } from '@x/core/values'
import type { NodeWithScore } from '@x/core-model'
import type { CancelOptions } from './retriever.ts'
import {
  followSources,
  type Placed,
  type RangeGroup,
  type RangesOf,
  type SourceOptions,
  type SourcePlaces,
  type SourceRange,
  sentenceRanges,
  trimmed,
} from './source-ranges.ts'

/** The options of {@link WindowFollower}. */
interface WindowFollowerOptions extends SourceOptions {
  /**
   * Returns the units of a string: sentences, blocks or sections. Of nested ranges, each ends where the next begins. @defaultValue
   * sentences
   */
  ranges?: RangesOf | undefined
  /** The number of units before those that a node touches. @defaultValue 0 */
  before?: number | undefined
  /** The number of units after them. @defaultValue 0 */
  after?: number | undefined
}

const windowOptions: OptionTable<WindowFollowerOptions> = {
  source: required(callback),
  onMissing: choice('throw', 'keep', 'drop'),
  ranges: callback,
  before: wholeNumber(0),
  after: wholeNumber(0),
}

/**
 * A postprocessor that replaces each node by the sentences, blocks or sections of its source that it touches, and their neighbours: search
 * sentences and read paragraphs, search rows and read tables. Nothing is stored twice: windows are ranges of the source.
 *
 * Windows of one source that overlap become one, with the best score. New nodes are exact slices with offsets, and with lines if the nodes
 * have lines; they have the metadata that is common to their nodes, and the id `<source>:<start>-<end>`. Nodes without offsets are kept.
 * @throws {ModelValidationError} if an option is invalid.
 * @example
 * const text = 'Cats came. They purr. They sleep. Dogs bark.'
 * const relationships = { 1: { nodeId: 'pets.txt' } } // 1 is the source document
 * const node = new TextNode({ text: 'They purr.', startCharIdx: 11, endCharIdx: 21, relationships })
 * const follower = new WindowFollower({ source: () => text, before: 1, after: 1 })
 * const [window] = await follower.postprocessNodes([new NodeWithScore({ node })])
 * window?.text // => 'Cats came. They purr. They sleep.'
 */
export class WindowFollower {
  private readonly options: WindowFollowerOptions

  constructor(options: WindowFollowerOptions) {
    checkOptions('WindowFollower', options, windowOptions)
    this.options = options
  }

  /**
   * Returns the nodes with their windows.
   * @throws {SourceTextError} if a source is missing or has changed and `onMissing` is `throw`.
   */
  async postprocessNodes(nodes: readonly NodeWithScore[], { signal }: CancelOptions = {}): Promise<NodeWithScore[]> {
    return followSources(nodes, this.options, signal, (places) => this.windowsOf(places))
  }

  private windowsOf({ text, placed }: SourcePlaces): RangeGroup[] {
    const { ranges = sentenceRanges, before = 0, after = 0 } = this.options
    const units = unitsOf(text, ranges(text))
    const groups: (SourceRange & { members: Placed[] })[] = []
    const at = (index: number) => units[Math.max(0, Math.min(index, units.length - 1))]
    for (const place of placed) {
      const first = countWhile(units.length, (index) => units[index]!.end <= place.start)
      const last = countWhile(units.length, (index) => units[index]!.start < place.end) - 1
      const start = Math.min(place.start, at(first - before)?.start ?? place.start)
      const end = Math.max(place.end, at(last + after)?.end ?? place.end)
      const open = groups.at(-1)
      if (open === undefined || open.end <= start) {
        groups.push({ start, end, members: [place] })
        continue
      }
      open.start = Math.min(open.start, start)
      open.end = Math.max(open.end, end)
      open.members.push(place)
    }
    return groups
  }
}

/** Returns ranges that do not overlap: each ends where the next begins. */
function unitsOf(text: string, ranges: readonly SourceRange[]): SourceRange[] {
  return ranges.flatMap((range, index) => {
    const next = ranges[index + 1]?.start ?? range.end
    return trimmed(text, { start: range.start, end: Math.min(range.end, next) }) ?? []
  })
}
