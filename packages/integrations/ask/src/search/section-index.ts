/**
 * @module
 * An index of sections, which ranks them by the words that they share with a question.
 */
import type { DocumentSections, MarkdownSection } from '@x/node-parser'
import { type Excerpt, excerptOf, rateBlocks } from './excerpt.ts'
import { nearTerms } from './near-terms.ts'
import { plainText } from './plain-text.ts'
import { formOf, questionTerms, related, termsOf, wordsOf } from './words.ts'

/** A section that matches a question. */
export interface FoundSection extends Excerpt {
  /** The path of the file within the folder, with `/` as separator. */
  file: string
  /** The first line of the section, starting at 1. */
  from: number
  /** The last line of the section. */
  to: number
  /** The headings that contain the section, outermost first. */
  path: readonly string[]
  /** Greater than 0. Comparable only within one search. */
  score: number
}

/** The options of {@link SectionIndex.search}. */
export interface SectionSearchOptions {
  /** The maximum number of sections. @defaultValue 10 */
  limit?: number | undefined
  /** Whether a section of this file may be returned. @defaultValue all files */
  accepts?: ((file: string, section: MarkdownSection) => boolean) | undefined
}

/** The weight of title, file name and headings, compared with the text below them. */
const HEAD_WEIGHT = 3
/** How far long headings and long texts count less: 0 not at all, 1 fully. */
const HEAD_LENGTH = 0.5
const TEXT_LENGTH = 0.75
/** Term frequency saturation. */
const SATURATION = 1.5
/** The weight of a related word, such as `limit` for `maximum`, and of a similar word for a word that no document contains. */
const RELATED_WEIGHT = 0.5

interface Entry {
  file: string
  title: string | null
  section: MarkdownSection
  headLength: number
  textLength: number
}

/** An index as JSON, so that files need not be read again. */
export interface SectionIndexData {
  files: [path: string, document: DocumentSections, lengths: [head: number, text: number][]][]
  /** Per term: numbers of sections in the order of `files`, each followed by two counts. */
  postings: [term: string, posting: number[]][]
}

/**
 * An index of the sections of Markdown files.
 * @example
 * import { readSections } from '@x/node-parser'
 *
 * const index = new SectionIndex()
 * index.set('server.md', readSections('# Server\n\n## bodyLimit\n\n- Default: `1048576` bytes\n\n## logger\n\nLogs requests.'))
 * const [best] = index.search('What is the default size limit of a body?')
 * best?.path // => ['Server', 'bodyLimit']
 * best?.line // => 5
 * index.missing('Who wrote the logger in Fortran?') // => ['wrote', 'Fortran']
 */
export class SectionIndex {
  /** Per position: a section; null if it was removed. */
  private readonly entries: (Entry | null)[] = []
  /** Per file: the positions of its sections. */
  private readonly files = new Map<string, number[]>()
  /** Per term: the positions of sections, each followed by how often its headings and its text contain the term. */
  private readonly postings = new Map<string, number[]>()
  /** The terms of removed sections: their postings are cleaned before the next use, all at once. */
  private readonly stale = new Set<string>()
  private readonly total = { sections: 0, head: 0, text: 0 }

  /** Returns the index that {@link toJSON} has returned. */
  static from({ files, postings }: SectionIndexData): SectionIndex {
    const index = new SectionIndex()
    for (const [file, { title, sections }, lengths] of files) {
      const positions = sections.map((section, at) => {
        const [headLength, textLength] = lengths[at] as [number, number]
        return index.place({ file, title, section, headLength, textLength })
      })
      index.files.set(file, positions)
    }
    for (const [term, posting] of postings) index.postings.set(term, posting)
    return index
  }

  /** Returns the index as JSON. */
  toJSON(): SectionIndexData {
    this.clean()
    const numbers = new Map<number, number>()
    const files = Array.from(this.files, ([file, positions]): SectionIndexData['files'][number] => {
      const entries = positions.map((position) => {
        numbers.set(position, numbers.size)
        return this.entries[position] as Entry
      })
      const document = { title: entries[0]?.title ?? null, sections: entries.map(({ section }) => section) }
      return [file, document, entries.map(({ headLength, textLength }) => [headLength, textLength])]
    })
    const postings = Array.from(this.postings, ([term, posting]): [string, number[]] => [
      term,
      posting.map((value, at) => (at % 3 === 0 ? (numbers.get(value) as number) : value)),
    ])
    return { files, postings }
  }

  /** The number of sections. */
  get size(): number {
    return this.total.sections
  }

  /** Adds the sections of a file, or replaces them. */
  set(file: string, { title, sections }: DocumentSections): void {
    this.delete(file)
    this.files.set(
      file,
      sections.map((section) => this.add({ file, title, section, headLength: 0, textLength: 0 })),
    )
  }

  /** The paths of the files. */
  get paths(): IterableIterator<string> {
    return this.files.keys()
  }

  /** Returns the sections of a file; none if the index does not contain it. */
  sectionsOf(file: string): MarkdownSection[] {
    return (this.files.get(file) ?? []).map((position) => (this.entries[position] as Entry).section)
  }

  /** Removes the sections of a file. */
  delete(file: string): void {
    for (const position of this.files.get(file) ?? []) {
      const entry = this.entries[position] as Entry
      for (const term of termsOf(`${headOf(entry)}\n${textOf(entry.section)}`)) this.stale.add(term)
      this.total.sections--
      this.total.head -= entry.headLength
      this.total.text -= entry.textLength
      this.entries[position] = null
    }
    this.files.delete(file)
  }

  /** Returns the sections that match a question, best first, each with its best part. Equal ones keep the order of the files. */
  search(question: string, { limit = 10, accepts = () => true }: SectionSearchOptions = {}): FoundSection[] {
    this.clean()
    const terms = questionTerms(question).map((term) => ({
      term,
      weight: this.weightOf(term),
      others: this.othersOf(term),
    }))
    const asked = new Set(terms.map(({ term }) => term))
    const scores = new Map<number, number>()
    for (const { term, weight, others } of terms) {
      const own = new Map<number, number>()
      this.rate(term, weight, own)
      for (const other of others) {
        if (!asked.has(other)) this.rate(other, RELATED_WEIGHT * Math.min(weight, this.weightOf(other)), own)
      }
      for (const [position, score] of own) scores.set(position, (scores.get(position) ?? 0) + score)
    }
    const weights = new Map(
      terms.flatMap(({ term, weight, others }) => [
        ...[...others].map((other) => [other, weight * RELATED_WEIGHT] as const),
        [term, weight] as const,
      ]),
    )
    const form = formOf(question)
    return [...scores]
      .sort(([a, one], [b, other]) => other - one || a - b)
      .map(([position, score]) => ({ ...(this.entries[position] as Entry), score }))
      .filter(({ file, section }) => accepts(file, section))
      .slice(0, limit)
      .map(({ file, title, section, score }) => {
        const { path, from, to, blocks } = section
        const rated = rateBlocks(section, `${title ?? ''} ${nameOf(file)}`, weights, form)
        return { file, from, to, path, score, ...excerptOf(blocks, rated, { weights, form, from }) }
      })
  }

  /** Returns the words of a question that are in no document, as they are written. Words such as "the" are not among them. */
  missing(question: string): string[] {
    this.clean()
    const unknown = new Set(questionTerms(question).filter((term) => !this.postings.has(term)))
    const words = wordsOf(question).map(([word]) => word)
    return [
      ...new Set(words.filter((word) => termsOf(word).length > 0 && termsOf(word).every((term) => unknown.has(term)))),
    ]
  }

  private add(entry: Entry): number {
    const counts = new Map<string, [number, number]>()
    const count = (text: string, field: 0 | 1) => {
      const terms = termsOf(text)
      for (const term of terms) {
        const own = counts.get(term)
        if (own) own[field]++
        else counts.set(term, field === 0 ? [1, 0] : [0, 1])
      }
      return terms.length
    }
    entry.headLength = count(headOf(entry), 0)
    entry.textLength = count(textOf(entry.section), 1)
    const position = this.place(entry)
    for (const [term, [head, text]] of counts) {
      const posting = this.postings.get(term)
      if (posting) posting.push(position, head, text)
      else this.postings.set(term, [position, head, text])
    }
    return position
  }

  private place(entry: Entry): number {
    this.total.sections++
    this.total.head += entry.headLength
    this.total.text += entry.textLength
    return this.entries.push(entry) - 1
  }

  /** Removes the sections that no longer exist from the postings. */
  private clean(): void {
    for (const term of this.stale) {
      const posting = this.postings.get(term) ?? []
      const kept = posting.filter((_, at) => this.entries[posting[at - (at % 3)] as number] !== null)
      if (kept.length > 0) this.postings.set(term, kept)
      else this.postings.delete(term)
    }
    this.stale.clear()
  }

  /** How rare a term is. */
  private weightOf(term: string): number {
    const having = (this.postings.get(term)?.length ?? 0) / 3
    return Math.log(1 + (this.total.sections - having + 0.5) / (having + 0.5))
  }

  /** The related terms of a term; for one that no document contains, also similar ones. */
  private othersOf(term: string): Set<string> {
    const others = related.get(term) ?? new Set()
    return this.postings.has(term) ? others : new Set([...others, ...nearTerms(term, this.postings.keys())])
  }

  /** Rates the sections that contain a term by BM25 over two fields; keeps the higher rate of a section. */
  private rate(term: string, weight: number, rates: Map<number, number>): void {
    const { sections, head, text } = this.total
    const posting = this.postings.get(term) ?? []
    for (let at = 0; at < posting.length; at += 3) {
      const position = posting[at] as number
      const { headLength, textLength } = this.entries[position] as Entry
      const inHead =
        (posting[at + 1] as number) / (1 - HEAD_LENGTH + (HEAD_LENGTH * headLength * sections) / (head || 1))
      const inText =
        (posting[at + 2] as number) / (1 - TEXT_LENGTH + (TEXT_LENGTH * textLength * sections) / (text || 1))
      const frequency = HEAD_WEIGHT * inHead + inText
      const rate = (weight * frequency * (SATURATION + 1)) / (frequency + SATURATION)
      if (rate > (rates.get(position) ?? 0)) rates.set(position, rate)
    }
  }
}

/** The file name as words: without its ending, and without numbers that only order files. */
function nameOf(file: string): string {
  return file
    .replace(/\.\w+$/, '')
    .split('/')
    .map((part) => part.replace(/^\d+[-_.]/, ''))
    .join(' / ')
}

function headOf({ file, title, section }: Entry): string {
  return [...section.path, title ?? '', nameOf(file)].join('\n')
}

function textOf({ blocks }: MarkdownSection): string {
  const columns = new Set(blocks.map((block) => block.columns?.join(' ') ?? ''))
  return [...blocks.map(({ text }) => plainText(text)), ...columns].join('\n')
}
