/**
 * @module
 * Masks the named entities that a model found in a string.
 */
import { checkOption, listOf, required, text as string } from '@x/core/options'
import { maskPlaces, type PlacedEntity } from './mask-places.ts'
import { readEncoded, sourceRange } from './patterns/read-encoded.ts'
import { isWord } from './pii-mapping.ts'

/** An entity as a token classification model reports it. Models omit different fields. */
export interface NamedEntity {
  /** The kind of entity: `PER`, `LOC`. */
  entity_group?: string | null
  /** The kind of a single token: `B-PER`. Used when `entity_group` is missing. */
  entity?: string | null
  /** The entity in the spelling of the model, which may differ from the input. Without it, `start` and `end` are required. */
  word?: string | null
  /** The start offset, in UTF-16 code units. */
  start?: number | null
  /** The end offset (exclusive), in UTF-16 code units. */
  end?: number | null
  score?: number
}

/** Finds the entities in a string. Offsets are relative to the start of that string. */
export type EntityRecognizer = (
  text: string,
  options?: { signal?: AbortSignal | undefined },
) => readonly NamedEntity[] | Promise<readonly NamedEntity[]>

/**
 * Replaces entities by tags such as `[PER_5]`. Returns the masked string and the mapping from tags to originals.
 * Each original has one tag per group, and its other whole-word occurrences are masked too. Of overlapping entities the
 * earlier one is used, then the longer one. Nothing else changes: `unmask` restores `text` exactly.
 */
export function maskEntities(
  text: string,
  entities: readonly NamedEntity[],
): { text: string; mapping: Record<string, unknown> } {
  checkOption('maskEntities', 'text', text, required(string))
  checkOption('maskEntities', 'entities', entities, listOf('a named entity', 'word'))
  const { texts, mapping } = maskPlaces(
    { texts: [text], source: text, spans: [{ start: 0, text: 0 }] },
    placeEntities(text, entities),
  )
  return { text: texts[0]!, mapping }
}

/** Returns what is wrong with the answer of a recognizer: the first item that is not an entity. */
export function entityFault(entities: readonly unknown[]): string | undefined {
  for (const [at, entity] of entities.entries()) {
    if (typeof entity !== 'object' || entity === null)
      return `has at [${at}] ${entity === null ? 'null' : typeof entity}, not an entity`
    for (const field of ['word', 'entity_group', 'entity'] as const) {
      const value = (entity as NamedEntity)[field] ?? ''
      if (typeof value !== 'string') return `has at [${at}].${field} ${typeof value}, not a string`
    }
  }
  return undefined
}

/** Returns the entities with their offsets. Blank entities and entities that do not occur in the string are omitted. */
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

/** Returns the reported offsets if they are valid for the string. */
function placeOf(text: string, { word, start, end }: NamedEntity): [number, number] | undefined {
  if (!Number.isInteger(start) || start! < 0) return undefined
  if (Number.isInteger(end) && end! > start! && end! <= text.length) return [start!, end!]
  return word?.trim() && text.startsWith(word, start!) ? [start!, start! + word.length] : undefined
}

/**
 * Finds a word without offsets: its first occurrence after a position, otherwise its first occurrence. Whole words have
 * precedence over parts of words. A word that the model spells differently (`J . Smith`, lower case, a `##` prefix) is
 * searched ignoring blanks, case and the escapes of Markdown.
 */
export function wordFinder(text: string): (word: string, after: number) => [number, number] | undefined {
  const missing = new Set<string>()
  let loose: ReturnType<typeof squeeze> | undefined
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
    return [loose.starts[looseAt]!, loose.ends[last]!]
  }
}

/** Returns `text` as it is read, in lower case and without white space, and the start and end in `text` of each of its code units. */
function squeeze(text: string): { text: string; starts: number[]; ends: number[] } {
  const read = readEncoded(text)
  let squeezed = ''
  const starts: number[] = []
  const ends: number[] = []
  for (let at = 0; at < read.text.length; at++) {
    const char = read.text[at]!
    if (/\s/.test(char)) continue
    const lower = char.toLowerCase()
    // A longer lower-case form would shift all later offsets.
    squeezed += lower.length === 1 ? lower : char
    const { start, end } = sourceRange(read, at, at + 1)
    starts.push(start)
    ends.push(end)
  }
  return { text: squeezed, starts, ends }
}
