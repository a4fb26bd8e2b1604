/**
 * @module
 * Whether a node contains a part of a right passage.
 */
import { addToList, countWhile, kindOf } from '@x/core/values'
import type { TextNode } from '@x/core-model'
import { PlaceError } from './errors.ts'
import type { RightPlace } from './test-set.ts'

/** Returns the text of a source at once, to convert between lines and offsets; undefined if it is not known. */
export type SourceText = (source: string) => string | undefined

/** The range of a node in its source, in the units that are known. */
interface NodeRange {
  source: string
  lines: readonly [number, number] | null
  offsets: readonly [number, number] | null
}

function rangeOf({ metadata, refDocId, startCharIdx, endCharIdx, id }: TextNode): NodeRange {
  const from = metadata['start_line']
  const to = metadata['end_line'] ?? from
  return {
    source: String(metadata['file'] ?? refDocId ?? id),
    lines: typeof from === 'number' && typeof to === 'number' ? [from, to] : null,
    offsets: startCharIdx !== null && endCharIdx !== null ? [startCharIdx, endCharIdx] : null,
  }
}

/** Nodes by the names of their sources: the metadata `file`, and the id of the source document. */
export function bySource(nodes: Iterable<TextNode>): ReadonlyMap<string, readonly TextNode[]> {
  const all = new Map<string, TextNode[]>()
  for (const node of nodes)
    for (const source of new Set([rangeOf(node).source, node.refDocId])) {
      if (source !== null) addToList(all, source, node)
    }
  return all
}

/** Compares nodes with right passages; stores where the lines of the sources start. */
export class PlaceMatcher {
  private readonly sourceText: SourceText
  private readonly quotes = new Map<string, readonly [number, number]>()
  private readonly starts = new Map<string, readonly number[] | null>()

  constructor(sourceText: SourceText = () => undefined) {
    this.sourceText = sourceText
  }

  /**
   * Whether a node and a passage have a line or a character in common.
   * @throws {PlaceError} if one is known by lines, the other by offsets, and the text of the source is not known.
   */
  overlaps(node: TextNode, place: RightPlace): boolean {
    const range = rangeOf(node)
    const isOfSource = range.source === place.source || node.refDocId === place.source
    return isOfSource && this.meets(range, place, `node ${node.id}`)
  }

  /** Whether two passages have a line or a character in common. @throws {PlaceError} as `overlaps` does. */
  overlap(one: RightPlace, place: RightPlace): boolean {
    const { source, lines = null } = one
    const offsets = (one.quote === undefined ? one.offsets : this.quoted(source, one.quote)) ?? null
    // A whole source contains each of its places.
    if (lines === null && offsets === null) return source === place.source
    return source === place.source && this.meets({ source, lines, offsets }, place, rightPlaceText(one))
  }

  private meets(range: NodeRange, place: RightPlace, what: string): boolean {
    const wanted = place.quote === undefined ? place.offsets : this.quoted(place.source, place.quote)
    if (wanted !== undefined) {
      const offsets = range.offsets ?? this.toOffsets(place.source, range.lines)
      if (offsets === null) throw unknown(what, 'offsets')
      return offsets[0] < wanted[1] && wanted[0] < offsets[1]
    }
    if (place.lines === undefined) return true
    const lines = range.lines ?? this.toLines(place.source, range.offsets)
    if (lines === null) throw unknown(what, 'lines')
    return lines[0] <= place.lines[1] && place.lines[0] <= lines[1]
  }

  /** The range of a quote in its source. */
  private quoted(source: string, quote: string): readonly [number, number] {
    const key = JSON.stringify([source, quote])
    const known = this.quotes.get(key)
    if (known) return known
    const text = this.textOf(source)
    if (text === undefined) throw new PlaceError(source, 'its text is not known; pass `sourceText` for places by quote')
    const words = quote.trim().split(/\s+/)
    const pattern = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('\\s+')
    const found = new RegExp(pattern, 'u').exec(text)
    if (found === null) throw new PlaceError(source, `it does not contain the quote "${quote}"`)
    const range = [found.index, found.index + found[0].length] as const
    this.quotes.set(key, range)
    return range
  }

  private toLines(source: string, offsets: NodeRange['offsets']): NodeRange['lines'] {
    const starts = this.startsOf(source)
    if (offsets === null || starts === null) return null
    return [lineOf(starts, offsets[0]), lineOf(starts, Math.max(offsets[0], offsets[1] - 1))]
  }

  private toOffsets(source: string, lines: NodeRange['lines']): NodeRange['offsets'] {
    const starts = this.startsOf(source)
    if (lines === null || starts === null) return null
    return [starts[lines[0] - 1] ?? Number.POSITIVE_INFINITY, starts[lines[1]] ?? Number.POSITIVE_INFINITY]
  }

  private textOf(source: string): string | undefined {
    const text: unknown = this.sourceText(source)
    if (typeof text === 'string' || text === undefined) return text
    throw new PlaceError(
      source,
      `expected its text from \`sourceText\`, which is not asynchronous, received ${kindOf(text)}`,
    )
  }

  /** The offset of each line of a source; null if its text is not known. */
  private startsOf(source: string): readonly number[] | null {
    const known = this.starts.get(source)
    if (known !== undefined) return known
    const text = this.textOf(source)
    const starts = text === undefined ? null : [0, ...Array.from(text.matchAll(/\r\n|\r|\n/g), endOf)]
    this.starts.set(source, starts)
    return starts
  }
}

function unknown(what: string, unit: 'lines' | 'offsets'): PlaceError {
  const advice = unit === 'lines' ? 'parse with `lineNumbers: true`, or pass `sourceText`' : 'pass `sourceText`'
  const problem = `its ${unit} are not known, and a place of its source is stated by ${unit}`
  return new PlaceError(what, `${problem}; ${advice}`)
}

const endOf = ({ index, 0: { length } }: RegExpExecArray): number => index + length

/** The number of the line that contains an offset. */
const lineOf = (starts: readonly number[], offset: number): number =>
  countWhile(starts.length, (index) => starts[index]! <= offset)

/** The passage of a node: its lines, or else its offsets, or else the whole source. */
export function placeOfNode(node: TextNode): RightPlace {
  const { source, lines, offsets } = rangeOf(node)
  return { source, ...(lines ? { lines } : offsets ? { offsets } : {}) }
}

/** A node as `file:lines`, or as its source and offsets, or as its source alone. */
export function nodePlaceText(node: TextNode): string {
  return rightPlaceText(placeOfNode(node))
}

/** A right passage as `file:3-5`, `file[10,20)`, `file "words"` or `file`. */
export function rightPlaceText({ source, lines, offsets, quote }: RightPlace): string {
  if (quote !== undefined) return `${source} "${quote}"`
  if (lines) return lines[0] === lines[1] ? `${source}:${lines[0]}` : `${source}:${lines[0]}-${lines[1]}`
  return offsets ? `${source}[${offsets[0]},${offsets[1]})` : source
}
