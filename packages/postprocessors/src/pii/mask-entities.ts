/**
 * @module
 * Mask the named entities that a model found in a text.
 */
import { isWord, replacer } from './pii-mapping.ts'

/** An entity as a token classification model reports it; models differ in what they leave out. */
export interface NamedEntity {
  /** The kind of entity: `PER`, `LOC`. */
  entity_group?: string | null
  /** The kind of a single token: `B-PER`. Read when there is no `entity_group`. */
  entity?: string | null
  /** The entity's text as the model spells it, which may differ from the text it read. Without it the offsets must tell the place. */
  word?: string | null
  /** Where the entity begins, in UTF-16 units. */
  start?: number | null
  /** Where it ends. */
  end?: number | null
  score?: number
}

/** Finds the entities of a text; offsets count from the start of the text given. */
export type EntityRecognizer = (
  text: string,
  options?: { signal?: AbortSignal | undefined },
) => readonly NamedEntity[] | Promise<readonly NamedEntity[]>

/** An entity at its place in the text. */
export interface PlacedEntity {
  group: string
  start: number
  end: number
}

/**
 * `text` with its entities replaced by tags such as `[PER_5]`, and what each tag stands for.
 * One tag per text and group; other whole-word occurrences of the same texts are masked too. Overlapping entities:
 * the earlier, then the longer one counts. Nothing else changes, so `unmask` gives `text` back.
 */
export function maskEntities(
  text: string,
  entities: readonly NamedEntity[],
): { text: string; mapping: Record<string, string> } {
  return maskPlaced(text, placeEntities(text, entities))
}

/** As `maskEntities`, for entities whose places are known, in any order. */
export function maskPlaced(
  text: string,
  entities: readonly PlacedEntity[],
): { text: string; mapping: Record<string, string> } {
  const placed = withoutOverlaps(entities)
  const taken = new Set(text.match(/\[[^[\]]*\]/g))
  const tags = new Map<string, string>()
  const originals = new Map<string, string>()
  const mapping = new Map<string, string>()
  for (const { group, start, end } of placed) {
    const original = text.slice(start, end)
    const key = `${group}\n${original}`
    if (tags.has(key)) continue
    const tag = freeTag(`${group}_${start}`, taken)
    tags.set(key, tag)
    mapping.set(tag, original)
    if (!originals.has(original)) originals.set(original, tag)
  }
  const maskRest = replacer(originals)
  let masked = ''
  let copied = 0
  for (const { group, start, end } of placed) {
    masked += maskRest(text, copied, start) + tags.get(`${group}\n${text.slice(start, end)}`)
    copied = end
  }
  return { text: masked + maskRest(text, copied), mapping: Object.fromEntries(mapping) }
}

/** The entities with their places; one that is blank, or that the text does not hold, is left out. */
export function placeEntities(text: string, entities: readonly NamedEntity[]): PlacedEntity[] {
  const find = wordFinder(text)
  const found: PlacedEntity[] = []
  let after = 0
  for (const entity of entities) {
    const [start, end] = placeOf(text, entity) ?? find(entity.word ?? '', after) ?? [0, 0]
    if (text.slice(start, end).trim() === '') continue
    const label = entity.entity_group ?? (entity.entity ?? 'ENTITY').replace(/^[BIES]-/, '')
    found.push({ group: label.replace(/[[\]\s]+/g, '_'), start, end })
    after = end
  }
  return found
}

/** In text order; of overlapping entities the earlier, then the longer one. */
function withoutOverlaps(entities: readonly PlacedEntity[]): PlacedEntity[] {
  let until = 0
  return [...entities]
    .sort((a, b) => a.start - b.start || b.end - a.end)
    .filter(({ start, end }) => {
      if (start < until) return false
      until = end
      return true
    })
}

/** The place that the offsets tell, when they fit the text. */
function placeOf(text: string, { word, start, end }: NamedEntity): [number, number] | undefined {
  if (!Number.isInteger(start) || start! < 0) return undefined
  if (Number.isInteger(end) && end! > start! && end! <= text.length) return [start!, end!]
  return word?.trim() && text.startsWith(word, start!) ? [start!, start! + word.length] : undefined
}

/**
 * Finds a word without offsets: its first occurrence after a place, else the first one; whole words before parts of words.
 * A word that the model spelled otherwise (`J . Smith`, lower case, `##` before a part) is looked for without blanks and case.
 */
function wordFinder(text: string): (word: string, after: number) => [number, number] | undefined {
  const missing = new Set<string>()
  let loose: { text: string; starts: number[] } | undefined
  const findIn = (haystack: string, word: string, after: number) => {
    const whole = (from: number) => {
      for (let at = haystack.indexOf(word, from); at !== -1; at = haystack.indexOf(word, at + 1)) {
        if (isWord(haystack, at, at + word.length)) return at
      }
      return -1
    }
    for (const search of [whole, (from: number) => haystack.indexOf(word, from)]) {
      const at = search(after)
      if (at !== -1) return at
      const first = after > 0 ? search(0) : -1
      if (first !== -1) return first
    }
    return -1
  }
  return (word, after) => {
    const exact = word.trim()
    if (exact === '' || missing.has(exact)) return undefined
    const at = findIn(text, exact, after)
    if (at !== -1) return [at, at + exact.length]
    loose ??= squeeze(text)
    const squeezed = squeeze(exact.replace(/(^| )##/g, '')).text
    const from = loose.starts.findIndex((start) => start >= after)
    let looseAt = squeezed === '' ? -1 : loose.text.indexOf(squeezed, from === -1 ? 0 : from)
    if (looseAt === -1 && squeezed !== '') looseAt = loose.text.indexOf(squeezed)
    if (looseAt === -1) {
      missing.add(exact)
      return undefined
    }
    const last = looseAt + squeezed.length - 1
    return [loose.starts[looseAt]!, loose.starts[last]! + 1]
  }
}

/** `text` in lower case without white space, and where each unit of it stands in `text`. */
function squeeze(text: string): { text: string; starts: number[] } {
  let squeezed = ''
  const starts: number[] = []
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!
    if (/\s/.test(char)) continue
    const lower = char.toLowerCase()
    // A unit whose lower case is longer would put the places out of step.
    squeezed += lower.length === 1 ? lower : char
    starts.push(at)
  }
  return { text: squeezed, starts }
}

/** A tag that is not taken; takes it. */
function freeTag(name: string, taken: Set<string>): string {
  let tag = `[${name}]`
  for (let count = 2; taken.has(tag); count++) tag = `[${name}_${count}]`
  taken.add(tag)
  return tag
}
