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

/** A citation in an answer. */
export interface CitedPlace extends Source {
  /** The offsets of the place in the answer. */
  start: number
  end: number
  /** Whether a tool has returned lines of the place; `unknown` if there is no such file. */
  state: 'read' | 'unread' | 'unknown'
}

/** Lines behind the name of a file: `:3-9`, or `#L3-L9` as in addresses of GitHub. */
const LINES = /(?::|#L)(\d{1,9})(?:[-–]L?(\d{1,9}))?(?![\d–-])/g
/** What stands before these lines, up to white space, brackets or quotation marks. */
const NAME = /[^\s()[\]"'`“”<>,;]{0,500}$/
/** The maximum length of a name that no file has, in characters. */
const LONGEST = 500

/**
 * Returns the citations of an answer, in its order; a place may be cited several times. A name may begin with the end of the path of the
 * folder: `docs/a.md` for `a.md` in `/project/docs`.
 * @param folder - the folder of the documents: its path with `/` as separator, and its files.
 */
export function citedPlaces(
  answer: string,
  outputs: readonly ToolOutput[],
  { root, files }: { root: string; files: readonly string[] },
): CitedPlace[] {
  const shown = shownSources(outputs)
  const names = new Set([...shown.map(({ file }) => file), ...files])
  return [...answer.matchAll(LINES)].flatMap(({ index, 0: text, 1: from, 2: to = from }): CitedPlace[] => {
    const before = answer.slice(Math.max(0, index - LONGEST), index)
    const known = knownFile(before, names, `${root}/`)
    const written = NAME.exec(before)![0]
    if (known === null && (!/[^/]\.(?:md|mdx|markdown)$/i.test(written) || written.includes(':'))) return []
    const [line, endLine] = [Number(from), Math.max(Number(from), Number(to))]
    const file = known ?? written
    const source = shown.find((one) => one.file === file && line <= one.endLine && endLine >= one.line)
    const start = index - (known !== null && known.length > written.length ? known : written).length
    const state = source ? 'read' : known === null ? 'unknown' : 'unread'
    return [{ file, line, endLine, heading: source?.heading ?? '', start, end: index + text.length, state }]
  })
}

/** Returns the longest name of a file at the end of a string, at the start of a word or behind the path of the folder. */
function knownFile(before: string, names: ReadonlySet<string>, root: string): string | null {
  let longest: string | null = null
  for (const name of names) {
    if (name.length <= (longest?.length ?? 0) || !before.endsWith(name)) continue
    const prefix = NAME.exec(before.slice(0, -name.length))![0]
    const isStart = prefix.includes('/') ? prefix === './' || root.endsWith(prefix) : !/[\w.-]$/.test(prefix)
    if (isStart) longest = name
  }
  return longest
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

function unique(sources: readonly Source[]): Source[] {
  const seen = new Map<string, Source>()
  for (const source of sources) {
    const key = `${source.file}:${source.line}-${source.endLine}`
    if (!seen.has(key)) seen.set(key, source)
  }
  return [...seen.values()]
}
