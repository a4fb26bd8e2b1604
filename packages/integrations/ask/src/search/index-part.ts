/**
 * @module
 * A search over the parts of an index: sections in memory, and segments in files.
 */
import type { MarkdownSection } from '@x/node-parser'
import { excerptOf, rateBlocks } from './excerpt.ts'
import type { FoundSection, SectionSearchOptions } from './found-section.ts'
import { languageOf, languageOfTexts } from './languages.ts'
import { formOf, questionTerms, related, termsOf, wordsOf } from './words.ts'

/** The numbers of a part, or of several. */
export interface IndexTotals {
  sections: number
  /** The number of terms of all headings, and of all bodies. */
  head: number
  text: number
}

/** A part of an index. Its sections have positions. */
export interface IndexPart {
  readonly totals: IndexTotals
  /** Returns the positions of the sections with a term, each followed by how often its headings and its text contain it. */
  posting(term: string): ArrayLike<number>
  /** Returns the positions of the sections with a term among their added words. */
  added(term: string): ArrayLike<number>
  /** All terms, also those of added words; some may be repeated. */
  terms(): Iterable<string>
  /** Returns the numbers of terms of a section. */
  headLength(position: number): number
  textLength(position: number): number
  /** Returns the file of a section, with its title. */
  fileOf(position: number): { file: string; title: string | null }
  section(position: number): MarkdownSection
}

/** The weight of title, file name and headings, compared with the text below them. */
const HEAD_WEIGHT = 3
/** The weight of a word that was added to a section, compared with a word of its text. */
const ADDED_WEIGHT = 0.6
/** How far long headings and long bodies count less: 0 not at all, 1 fully. */
const HEAD_LENGTH = 0.5
const TEXT_LENGTH = 0.75
/** Term frequency saturation. */
const SATURATION = 1.5
/** The weight of a related word, such as `limit` for `maximum`, and of a similar word for a word that no document contains. */
const RELATED_WEIGHT = 0.5

/** How much more a section counts whose own heading has the words of the question and no others, among this number of best sections. */
const SAME_HEADING = 1.25
const COMPARED = 50

/** A section of a part with its rate. */
interface Rated {
  part: IndexPart
  position: number
  score: number
}

/** The parts of an index at the time of one search. */
class Parts {
  private readonly parts: readonly IndexPart[]
  private readonly totals: IndexTotals = { sections: 0, head: 0, text: 0 }
  private readonly counts = new Map<string, number>()

  private readonly hasAdded: boolean

  constructor(parts: readonly IndexPart[], hasAdded = true) {
    this.parts = parts
    this.hasAdded = hasAdded
    for (const { totals } of parts) {
      this.totals.sections += totals.sections
      this.totals.head += totals.head
      this.totals.text += totals.text
    }
  }

  /** The number of sections that contain a term. */
  count(term: string): number {
    let count = this.counts.get(term)
    if (count === undefined) {
      let [written, added] = [0, 0]
      for (const part of this.parts) {
        written += part.posting(term).length / 3
        added += this.added(part, term).length
      }
      count = written || added
      this.counts.set(term, count)
    }
    return count
  }

  private added(part: IndexPart, term: string): ArrayLike<number> {
    return this.hasAdded ? part.added(term) : []
  }

  /** How rare a term is. */
  weightOf(term: string): number {
    const having = this.count(term)
    return Math.log(1 + (this.totals.sections - having + 0.5) / (having + 0.5))
  }

  /** The related terms of a term; for one that no document contains, also similar ones. */
  othersOf(term: string): Set<string> {
    const others = related.get(term) ?? new Set()
    return this.count(term) > 0 ? others : new Set([...others, ...nearTerms(term, this.terms())])
  }

  get sections(): number {
    return this.totals.sections
  }

  /** All terms; some may be repeated. */
  *terms(): Generator<string> {
    for (const part of this.parts) yield* part.terms()
  }

  /** Rates the sections of a part that contain a term by BM25 over three fields; keeps the higher rate of a section. */
  rate(part: IndexPart, term: string, weight: number, rates: Map<number, number>): void {
    const { sections, head, text } = this.totals
    const added = new Set(Array.from(this.added(part, term)))
    const keep = (position: number, inText: number) => {
      const frequency = inText + (added.delete(position) ? ADDED_WEIGHT : 0)
      const rate = (weight * frequency * (SATURATION + 1)) / (frequency + SATURATION)
      if (rate > (rates.get(position) ?? 0)) rates.set(position, rate)
    }
    const posting = part.posting(term)
    for (let at = 0; at < posting.length; at += 3) {
      const position = posting[at]!
      const inHead =
        posting[at + 1]! / (1 - HEAD_LENGTH + (HEAD_LENGTH * part.headLength(position) * sections) / (head || 1))
      const inText =
        posting[at + 2]! / (1 - TEXT_LENGTH + (TEXT_LENGTH * part.textLength(position) * sections) / (text || 1))
      keep(position, HEAD_WEIGHT * inHead + inText)
    }
    for (const position of [...added]) keep(position, 0)
  }
}

/** Returns the sections of all parts that match a question, best first. Equal ones keep the order of the parts and their files. */
export function searchParts(
  parts: readonly IndexPart[],
  question: string,
  { limit = 10, accepts = () => true, addedWords: hasAdded = true }: SectionSearchOptions = {},
): FoundSection[] {
  const all = new Parts(parts, hasAdded)
  const terms = questionTerms(question).map((term) => ({
    term,
    weight: all.weightOf(term),
    others: all.othersOf(term),
  }))
  const asked = new Set(terms.map(({ term }) => term))
  const rated = parts.flatMap((part): Rated[] => {
    const scores = new Map<number, number>()
    for (const { term, weight, others } of terms) {
      const own = new Map<number, number>()
      all.rate(part, term, weight, own)
      for (const other of others)
        if (!asked.has(other)) all.rate(part, other, RELATED_WEIGHT * Math.min(weight, all.weightOf(other)), own)
      for (const [position, score] of own) scores.set(position, (scores.get(position) ?? 0) + score)
    }
    return Array.from(scores, ([position, score]) => ({ part, position, score })).sort(
      (one, other) => one.position - other.position,
    )
  })
  const weights = new Map(
    terms.flatMap(({ term, weight, others }) => [
      ...[...others].map((other) => [other, weight * RELATED_WEIGHT] as const),
      [term, weight] as const,
    ]),
  )
  const form = formOf(question)
  const found: FoundSection[] = []
  for (const { part, position, score } of withSameHeadings(rated, asked)) {
    if (found.length >= limit) break
    const { file, title } = part.fileOf(position)
    const section = part.section(position)
    if (!accepts(file, section)) continue
    const { path, from, to, blocks } = section
    const inBlocks = rateBlocks(section, `${title ?? ''} ${nameOf(file)}`, weights, form)
    const added = hasAdded ? addedWords(question, part, position) : []
    found.push({
      ...{ file, from, to, path, score },
      ...excerptOf(blocks, inBlocks, { weights, form, from }),
      ...(added.length > 0 && { added }),
    })
  }
  return found
}

/**
 * Returns rated sections, best first. A question such as `Which packages are there?` asks for the section `Packages`, if it is a good one.
 */
function withSameHeadings(rated: Rated[], asked: ReadonlySet<string>): Rated[] {
  rated.sort((one, other) => other.score - one.score)
  const best = rated.slice(0, COMPARED).map((one) => {
    const heading = new Set(termsOf(one.part.section(one.position).path.at(-1) ?? ''))
    const isSame = heading.size === asked.size && [...heading].every((term) => asked.has(term))
    return isSame ? { ...one, score: one.score * SAME_HEADING } : one
  })
  return [...best.sort((one, other) => other.score - one.score), ...rated.slice(COMPARED)]
}

/** Returns the words of a question that a section has only among its added words, as they are written. */
function addedWords(question: string, part: IndexPart, position: number): string[] {
  const isOnlyAdded = (term: string) =>
    Array.prototype.includes.call(part.added(term), position) &&
    !Array.from(part.posting(term)).some((value, at) => at % 3 === 0 && value === position)
  const asked = new Set(questionTerms(question).filter(isOnlyAdded))
  if (asked.size === 0) return []
  const words = wordsOf(question).map(([word]) => word)
  return [...new Set(words.filter((word) => termsOf(word).some((term) => asked.has(term))))]
}

/** Returns the words of a question that are in no document, as they are written. Words such as "the" are not among them. */
export function missingInParts(parts: readonly IndexPart[], question: string): string[] {
  const all = new Parts(parts)
  const unknown = new Set(questionTerms(question).filter((term) => all.count(term) === 0))
  const words = wordsOf(question).map(([word]) => word)
  return [
    ...new Set(words.filter((word) => termsOf(word).length > 0 && termsOf(word).every((term) => unknown.has(term)))),
  ]
}

/** The language of a question, and that of the documents. */
export interface OtherLanguage {
  question: string
  documents: string
}

/** Returns the languages of a question and of the documents if they differ; null if they do not, or are not clear. */
export function otherLanguageIn(parts: readonly IndexPart[], question: string): OtherLanguage | null {
  const all = new Parts(parts)
  const terms = questionTerms(question)
  const asked = languageOf(question, 2 * terms.filter((term) => all.count(term) === 0).length > terms.length)
  if (asked === null) return null
  const documents = languageOfTexts((term) => all.count(term), all.sections, all.terms())
  return documents === null || documents === asked ? null : { question: asked, documents }
}

/** The file name as words: without its ending, and without numbers that only order files. */
export function nameOf(file: string): string {
  return file
    .replace(/\.\w+$/, '')
    .split('/')
    .map((part) => part.replace(/^\d+[-_.]/, ''))
    .join(' / ')
}

/**
 * @module
 * Similar words, for a word that no document contains: another form of it, a compound, or the word without a misspelling.
 */

/**
 * The shortest term that is compared, the shortest that may be part of a compound, and the number of characters in which endings differ.
 */
const SHORTEST = 3
const SHORTEST_PART = 4
const ENDING = 2
/** The maximum number of similar terms. */
const MOST = 8

/** Returns the terms that begin like a term or contain it; without such terms, those that differ by one letter. */
export function nearTerms(term: string, terms: Iterable<string>): string[] {
  if (term.length < SHORTEST) return []
  const start = term.slice(0, Math.max(SHORTEST, term.length - ENDING))
  const forms = new Set<string>()
  const misspelt = new Set<string>()
  for (const other of terms) {
    if (
      other.startsWith(start) ||
      (term.length >= SHORTEST_PART && other.length <= 2 * term.length && other.includes(term))
    )
      forms.add(other)
    else if (term.length > SHORTEST_PART && differsByOne(term, other)) misspelt.add(other)
  }
  const found = [...(forms.size > 0 ? forms : misspelt)]
  return found.sort((one, other) => one.length - other.length || (one < other ? -1 : 1)).slice(0, MOST)
}

/** Whether one letter is changed, added, missing, or two neighbours are swapped. */
function differsByOne(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false
  let start = 0
  while (start < one.length && one[start] === other[start]) start++
  let end = 0
  while (end < Math.min(one.length, other.length) - start && one.at(-1 - end) === other.at(-1 - end)) end++
  const left = one.slice(start, one.length - end)
  const right = other.slice(start, other.length - end)
  return (left.length <= 1 && right.length <= 1) || (left.length === 2 && left === [...right].reverse().join(''))
}
