/**
 * @module
 * The sources of an answer: the places that it cites, among those that the tools have returned.
 */
import type { ToolOutput } from '@x/core-model'
import { type Place, readPlace } from '@x/retrieval/tables'

/** A place with the headings above it. */
export interface Source extends Place {
  heading: string
}

/** Returns the places that an answer cites, each once, in the order of the answer. */
export function citedSources(answer: string, outputs: readonly ToolOutput[]): Source[] {
  const cited = shownSources(outputs).flatMap((source) =>
    mentions(answer, source.file).flatMap(({ at, place }) => {
      const isInside = place.line <= source.endLine && place.endLine >= source.line
      return isInside ? [{ at, source: { ...place, heading: source.heading } }] : []
    }),
  )
  cited.sort((one, other) => one.at - other.at)
  return unique(cited.map(({ source }) => source))
}

/** Returns the places that an answer cites and that no tool has returned, each once. */
export function unreadPlaces(answer: string, outputs: readonly ToolOutput[], files: readonly string[]): Place[] {
  const read = shownSources(outputs)
  const isRead = ({ file, line, endLine }: Place) =>
    read.some((source) => file.endsWith(source.file) && line <= source.endLine && endLine >= source.line)
  const cited = [...answer.matchAll(/(?<![\w/:])((?:[^\s()[\]"'`“”<>:,;]+))(:\d+(?:-\d+)?)(?!\d)/g)].flatMap(
    ([, file, lines]) => {
      const place = /\.(?:md|mdx|markdown)$/i.test(file!) || files.includes(file!) ? readPlace(`${file}${lines}`) : null
      return place && !isRead(place) ? [{ ...place, heading: '' }] : []
    },
  )
  return unique(cited).map(({ file, line, endLine }) => ({ file, line, endLine }))
}

/** Returns all places that the tools have returned, in order. */
export function shownSources(outputs: readonly ToolOutput[]): Source[] {
  return unique(outputs.flatMap(({ rawOutput }) => placesIn(rawOutput, '')))
}

/** Returns the places in the result of a tool; a row inherits the heading of its table. */
function placesIn(value: unknown, headingAbove: string): Source[] {
  if (Array.isArray(value)) return value.flatMap((item) => placesIn(item, headingAbove))
  if (typeof value !== 'object' || value === null) return []
  const { place, heading = headingAbove } = value as { place?: string; heading?: string }
  const own = typeof place === 'string' ? readPlace(place) : null
  const inner = Object.values(value).flatMap((part) => (typeof part === 'object' ? placesIn(part, heading) : []))
  return [...inner, ...(own ? [{ ...own, heading }] : [])]
}

/** Finds the citations of a file in a string. */
function mentions(text: string, file: string): { at: number; place: Place }[] {
  const found: { at: number; place: Place }[] = []
  for (let at = text.indexOf(`${file}:`); at >= 0; at = text.indexOf(`${file}:`, at + 1)) {
    const lines = /^\d+(?:-\d+)?/.exec(text.slice(at + file.length + 1))?.[0]
    const place = lines === undefined ? null : readPlace(`${file}:${lines}`)
    if (place) found.push({ at, place })
  }
  return found
}

function unique(sources: readonly Source[]): Source[] {
  const seen = new Map<string, Source>()
  for (const source of sources) {
    const key = `${source.file}:${source.line}-${source.endLine}`
    if (!seen.has(key)) seen.set(key, source)
  }
  return [...seen.values()]
}
