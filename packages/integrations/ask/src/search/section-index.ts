/**
 * @module
 * An index of sections, which ranks them by the words that they share with a question.
 */
import { addToList } from '@x/core/values'
import type { DocumentSections, MarkdownSection } from '@x/node-parser'
import type { FoundSection, SectionSearchOptions } from './found-section.ts'
import {
  type IndexPart,
  type IndexTotals,
  missingInParts,
  nameOf,
  type OtherLanguage,
  otherLanguageIn,
  searchParts,
} from './index-part.ts'
import { plainText } from './plain-text.ts'
import { termsOf } from './words.ts'

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
  /** Per term of added words: numbers of sections. Absent without added words. */
  added?: [term: string, sections: number[]][]
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
export class SectionIndex implements IndexPart {
  /** Per position: a section; null if it was removed. */
  private readonly entries: (Entry | null)[] = []
  /** Per file: the positions of its sections. */
  private readonly files = new Map<string, number[]>()
  /** Per term: the positions of sections, each followed by how often its headings and its text contain the term. */
  private readonly postings = new Map<string, number[]>()
  /** Per term of added words: the positions of sections. */
  private readonly addedPostings = new Map<string, number[]>()
  /** The terms of removed sections: their postings are cleaned before the next use, all at once. */
  private readonly stale = new Set<string>()
  /** @internal */
  readonly totals: IndexTotals = { sections: 0, head: 0, text: 0 }

  /** Returns the index that {@link toJSON} has returned. */
  static from({ files, postings, added = [] }: SectionIndexData): SectionIndex {
    const index = new SectionIndex()
    for (const [file, { title, sections }, lengths] of files) {
      const positions = sections.map((section, at) => {
        const [headLength, textLength] = lengths[at] as [number, number]
        return index.place({ file, title, section, headLength, textLength })
      })
      index.files.set(file, positions)
    }
    for (const [term, posting] of postings) index.postings.set(term, posting)
    for (const [term, positions] of added) index.addedPostings.set(term, positions)
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
    const added = Array.from(this.addedPostings, ([term, positions]): [string, number[]] => [
      term,
      positions.map((position) => numbers.get(position) as number),
    ])
    return { files, postings, ...(added.length > 0 && { added }) }
  }

  /** The number of sections. */
  get size(): number {
    return this.totals.sections
  }

  /**
   * Adds the sections of a file, or replaces them.
   * @param words - words and questions of readers per section, which are searched with a low weight.
   */
  set(file: string, { title, sections }: DocumentSections, words: readonly (readonly string[])[] = []): void {
    this.delete(file)
    this.files.set(
      file,
      sections.map((section, at) => this.add({ file, title, section, headLength: 0, textLength: 0 }, words[at] ?? [])),
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
      this.totals.sections--
      this.totals.head -= entry.headLength
      this.totals.text -= entry.textLength
      this.entries[position] = null
    }
    this.files.delete(file)
  }

  /** Returns the sections that match a question, best first, each with its best part. Equal ones keep the order of the files. */
  search(question: string, options?: SectionSearchOptions): FoundSection[] {
    return searchParts([this], question, options)
  }

  /** Returns the words of a question that are in no document, as they are written. Words such as "the" are not among them. */
  missing(question: string): string[] {
    return missingInParts([this], question)
  }

  /** Returns the languages of a question and of the documents, as English words, if they differ; null if they do not, or are not clear. */
  otherLanguage(question: string): OtherLanguage | null {
    return otherLanguageIn([this], question)
  }

  /** @internal */
  posting(term: string): readonly number[] {
    this.clean()
    return this.postings.get(term) ?? []
  }

  /** @internal */
  added(term: string): readonly number[] {
    this.clean()
    return this.addedPostings.get(term) ?? []
  }

  /** @internal */
  *terms(): Generator<string> {
    this.clean()
    yield* this.postings.keys()
    yield* this.addedPostings.keys()
  }

  /** @internal */
  headLength(position: number): number {
    return (this.entries[position] as Entry).headLength
  }

  /** @internal */
  textLength(position: number): number {
    return (this.entries[position] as Entry).textLength
  }

  /** @internal */
  fileOf(position: number): { file: string; title: string | null } {
    return this.entries[position] as Entry
  }

  /** @internal */
  section(position: number): MarkdownSection {
    return (this.entries[position] as Entry).section
  }

  private add(entry: Entry, words: readonly string[]): number {
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
    for (const term of new Set(termsOf(words.join('\n')))) addToList(this.addedPostings, term, position)
    return position
  }

  private place(entry: Entry): number {
    this.totals.sections++
    this.totals.head += entry.headLength
    this.totals.text += entry.textLength
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
    if (this.stale.size > 0)
      for (const [term, positions] of this.addedPostings) {
        const kept = positions.filter((position) => this.entries[position] !== null)
        if (kept.length > 0) this.addedPostings.set(term, kept)
        else this.addedPostings.delete(term)
      }
    this.stale.clear()
  }
}

function headOf({ file, title, section }: Entry): string {
  return [...section.path, title ?? '', nameOf(file)].join('\n')
}

function textOf({ blocks }: MarkdownSection): string {
  const columns = new Set(blocks.map((block) => block.columns?.join(' ') ?? ''))
  return [...blocks.map(({ text }) => plainText(text)), ...columns].join('\n')
}
