/**
 * @module
 * Places in the sources of nodes: the text of a source, and nodes for ranges of it.
 */
import { checkOption, listOf, required, text as string } from '@x/core/options'
import { addToList, deepEqual, pick } from '@x/core/values'
import {
  ConfigurationError,
  isNode,
  NodeRelationship,
  NodeWithScore,
  type RelatedNodeInfo,
  TextNode,
  ToolkitError,
} from '@x/core-model'
import { turns, untilAborted } from '@x/core-model/async'
import { sentenceEnds } from '@x/core-model/text'
import type { CancelOptions } from './retriever.ts'

/** A range of a string; `end` is exclusive. */
export interface SourceRange {
  /** The first offset, in UTF-16 code units. */
  start: number
  /** The offset after the last character. */
  end: number
}

/**
 * Returns ranges of a string in the order of their starts, such as `readBlocks` and `sectionRanges` of `@x/node-parser`. They may be
 * nested.
 */
export type RangesOf = (text: string) => readonly SourceRange[]

/** Returns the text of the document that nodes name as their source, or the document; null if they name neither. */
type SourceReader = (
  id: string,
  options: CancelOptions,
) => string | TextNode | null | undefined | Promise<string | TextNode | null | undefined>

/** The options of every follower of places. */
export interface SourceOptions {
  /** Reads the document with an id, such as a file or an entry of a store. It is read once per call. */
  source: SourceReader
  /**
   * How to handle a node whose source is missing or has changed, so that its offsets do not fit: throw, keep the node or drop it.
   * @defaultValue 'throw'
   */
  onMissing?: 'throw' | 'keep' | 'drop' | undefined
}

declare module '@x/core' {
  interface ToolkitErrors {
    source_not_found: SourceTextError
    source_changed: SourceTextError
  }
}

/** The source of a node does not exist, or its text is different from the one that the node was made from. */
export class SourceTextError extends ToolkitError {
  readonly sourceId: string
  readonly nodeId: string

  constructor(code: 'source_not_found' | 'source_changed', sourceId: string, nodeId: string) {
    const problem =
      code === 'source_not_found'
        ? 'expected its text from `source`, received none'
        : 'its text is not that of the node at the offsets of the node; ingest the document again'
    super(
      'SourceTextError',
      code,
      `Source ${sourceId} of node ${nodeId}: ${problem}. Or pass onMissing: 'keep' or 'drop'.`,
    )
    this.sourceId = sourceId
    this.nodeId = nodeId
  }
}

/** An entry with a place: its node is a range of a source. */
export interface Placed extends SourceRange {
  entry: NodeWithScore
}

/** The entries with places of one source, and the text of the source. */
export interface SourcePlaces {
  text: string
  placed: Placed[]
}

/** Accepts an array of scored nodes. */
export const scoredNodes = listOf('a scored node (NodeWithScore)', 'node')

/**
 * Returns entries in their order, with those that `follow` replaced. `follow` receives the entries of one source, sorted by their start,
 * and returns the entries for the ranges that it wants; an entry stands where the first of its nodes was. Other entries are kept.
 */
export async function followSources(
  entries: readonly NodeWithScore[],
  { source, onMissing = 'throw' }: SourceOptions,
  signal: AbortSignal | undefined,
  follow: (places: SourcePlaces) => RangeGroup[],
): Promise<NodeWithScore[]> {
  checkOption('postprocessNodes', 'nodes', entries, scoredNodes)
  const bySource = new Map<string, Placed[]>()
  for (const place of entries.flatMap((entry) => placeIn(entry) ?? [])) {
    addToList(bySource, place.entry.node.refDocId as string, place)
  }
  /** The entries that replace others; null for those that are dropped. */
  const replaced = new Map<NodeWithScore, NodeWithScore | null>()
  const turn = turns(signal)
  for (const [id, all] of bySource) {
    await turn()
    const found = await untilAborted(signal, () => source(id, { signal }))
    const text = isNode(found) ? (found as TextNode).text : found
    const placed: Placed[] = []
    for (const place of all) {
      const code = typeof text !== 'string' ? 'source_not_found' : isIn(text, place) ? null : 'source_changed'
      if (code === null) placed.push(place)
      else if (onMissing === 'throw') throw new SourceTextError(code, id, place.entry.nodeId)
      else if (onMissing === 'drop') replaced.set(place.entry, null)
    }
    if (typeof text !== 'string' || placed.length === 0) continue
    placed.sort((one, other) => one.start - other.start || other.end - one.end)
    const lineAt = lineCounter(text)
    for (const group of follow({ text, placed })) {
      const entry = entryOf(group, id, text, lineAt)
      for (const { entry: member } of group.members) replaced.set(member, entry)
    }
  }
  signal?.throwIfAborted()
  return [...new Set(entries.map((entry) => replaced.get(entry) ?? (replaced.has(entry) ? null : entry)))].filter(
    (entry) => entry !== null,
  )
}

/** A range of a source that stands for several entries. */
export interface RangeGroup extends SourceRange {
  members: readonly Placed[]
}

/** Returns the range of the source of an entry; null without offsets or source. */
function placeIn(entry: NodeWithScore): Placed | null {
  const { startCharIdx: start, endCharIdx: end, refDocId } = entry.node
  if (start === null || end === null || refDocId === null) return null
  return start < end ? { entry, start, end } : null
}

/** Whether a node may be at its place in the source. Index nodes, tables and pieces with repeated headers have other texts. */
function isIn(text: string, { entry: { node }, start, end }: Placed): boolean {
  if (end > text.length) return false
  if ('indexId' in node || Object.hasOwn(node.metadata, 'table_summary')) return true
  return node.text.length !== end - start || node.text === text.slice(start, end)
}

/** Returns the entry for a group. A single entry whose text is the whole range is returned itself. */
function entryOf(
  { start, end, members }: RangeGroup,
  sourceId: string,
  text: string,
  lineAt: (offset: number) => number,
): NodeWithScore {
  const [first] = members as readonly [Placed, ...Placed[]]
  const whole = text.slice(start, end)
  const same = members.length === 1 && first.entry.node.text === whole && first.start === start
  if (same) return first.entry
  const nodes = members.map(({ entry }) => entry.node)
  const { node } = first.entry
  const metadata = pick(node.metadata, (key, value) =>
    nodes.every(({ metadata: other }) => Object.hasOwn(other, key) && deepEqual(other[key], value)),
  )
  if (nodes.some(({ metadata: other }) => typeof other['start_line'] === 'number')) {
    const startLine = lineAt(start)
    metadata['start_line'] = startLine
    metadata['end_line'] = startLine + lineCounter(whole)(whole.length) - 1
  }
  const scores = members.flatMap(({ entry }) => entry.score ?? [])
  return new NodeWithScore({
    node: new TextNode({
      id: `${sourceId}:${start}-${end}`,
      text: whole,
      metadata,
      startCharIdx: start,
      endCharIdx: end,
      relationships: { [NodeRelationship.source]: node.sourceNode as RelatedNodeInfo },
      excludedEmbedMetadataKeys: node.excludedEmbedMetadataKeys,
      excludedLlmMetadataKeys: node.excludedLlmMetadataKeys,
      textTemplate: node.textTemplate,
      metadataTemplate: node.metadataTemplate,
      metadataSeparator: node.metadataSeparator,
    }),
    score: scores.length > 0 ? Math.max(...scores) : null,
  })
}

/** Returns a function that returns the line of an offset, starting at 1. For ascending offsets it reads the text once. */
function lineCounter(text: string): (offset: number) => number {
  let at = 0
  let line = 1
  return (offset) => {
    if (offset < at) [at, line] = [0, 1]
    for (; at < offset; at++) {
      const code = text.charCodeAt(at)
      if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) line++
    }
    return line
  }
}

/** Returns a range without white space at its ends; null if nothing is left. */
export function trimmed(text: string, { start, end }: SourceRange): SourceRange | null {
  const inner = text.slice(start, end)
  const length = inner.trimEnd().length
  return length === 0 ? null : { start: start + inner.length - inner.trimStart().length, end: start + length }
}

/** A line end within a paragraph: the line before begins no heading or table row, and the next one with a letter. */
const softBreak = /^(?![ \t]*[#|])(?=.*\S)(.*)(?:\r\n|\r|\n)(?=[ \t]{0,3}\p{L})/gmu

/**
 * Returns the sentences of a string, without white space around them. A sentence may extend over the lines of a paragraph. Takes linear
 * time.
 * @throws {ConfigurationError} if the runtime has no `Intl.Segmenter`.
 * @example
 * const text = 'Dr. Who came\nat noon. He left.'
 * sentenceRanges(text).map(({ start, end }) => text.slice(start, end)) // => ['Dr. Who came\nat noon.', 'He left.']
 */
export function sentenceRanges(text: string): SourceRange[] {
  checkOption('sentenceRanges', 'text', text, required(string))
  if (typeof Intl.Segmenter !== 'function')
    throw new ConfigurationError('sentenceRanges: this runtime has no Intl.Segmenter; pass other ranges.')
  const lines = text.replace(softBreak, (found, line: string) => line.padEnd(found.length))
  const ranges: SourceRange[] = []
  let start = 0
  let lineStart = 0
  let lineEnd = lineEndAt(lines, 0)
  for (const end of sentenceEnds(lines, new Intl.Segmenter('en', { granularity: 'sentence' }))) {
    for (; lineEnd < end - 1 && lineEnd < lines.length; lineEnd = lineEndAt(lines, lineStart)) lineStart = lineEnd + 1
    // A row of a table is one unit.
    if (lines[lineStart] === '|' && !isBlank(lines, end, lineEnd)) continue
    const range = trimmed(text, { start, end })
    if (range !== null) ranges.push(range)
    start = end
  }
  return ranges
}

function isBlank(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (text[at] !== ' ' && text[at] !== '\t' && text[at] !== '\r') return false
  return true
}

function lineEndAt(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}
