/**
 * @module
 * A part of an index in a file, of which a search reads only what it needs: a few megabytes of numbers, and the postings and sections of a
 * question.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type { MarkdownSection } from '@x/node-parser'
import type { IndexPart, IndexTotals } from './index-part.ts'
import type { SectionIndexData } from './section-index.ts'

/** A file whose sections a segment contains. */
export interface SegmentFile {
  path: string
  title: string | null
  /** The number of lines. */
  lines: number
  /** Changes when the file has to be read again. */
  stamp: string
  /** The number of its sections. */
  sections: number
}

/** The parts of a segment's file, in this order, each with its length in bytes. */
interface Layout {
  files: SegmentFile[]
  /** The terms, in the order of their bytes, each with a line feed; then those of added words. */
  terms: number
  addedTerms: number
  /** Per term: the end of its posting, in numbers of 4 bytes. */
  ends: number
  addedEnds: number
  /** Per section: the number of terms of its headings and of its text, and the end of its JSON. */
  sections: number
  postings: number
  addedPostings: number
  texts: number
}

/** The first bytes of a file: the length of its {@link Layout} as JSON. */
const HEAD = 8

/** Writes an index into a file that only the user may read. */
export async function writeSegment(
  path: string,
  { files, postings, added = [] }: SectionIndexData,
  infos: ReadonlyMap<string, { lines: number; stamp: string }>,
): Promise<void> {
  const terms = sortedTerms(postings)
  const addedTerms = sortedTerms(added)
  const sections = files.flatMap(([, document, lengths]) =>
    document.sections.map((section, at) => ({ text: Buffer.from(JSON.stringify(section)), lengths: lengths[at]! })),
  )
  let end = 0
  const numbers = sections.flatMap(({ text, lengths }) => [...lengths, (end += text.length)])
  const pieces = {
    terms: Buffer.from(terms.map(([term]) => `${term}\n`).join('')),
    addedTerms: Buffer.from(addedTerms.map(([term]) => `${term}\n`).join('')),
    ends: numbersOf(endsOf(terms)),
    addedEnds: numbersOf(endsOf(addedTerms)),
    sections: numbersOf(numbers),
    postings: Buffer.concat(terms.map(([, posting]) => numbersOf(posting))),
    addedPostings: Buffer.concat(addedTerms.map(([, posting]) => numbersOf(posting))),
    texts: Buffer.concat(sections.map(({ text }) => text)),
  }
  const layout: Layout = {
    files: files.map(([path, { title, sections }]) => ({
      ...{ path, title, sections: sections.length },
      ...(infos.get(path) ?? { lines: 0, stamp: '' }),
    })),
    ...(Object.fromEntries(Object.entries(pieces).map(([name, { length }]) => [name, length])) as Omit<
      Layout,
      'files'
    >),
  }
  const text = Buffer.from(JSON.stringify(layout))
  const head = Buffer.alloc(HEAD)
  head.writeDoubleLE(text.length)
  const file = await open(path, 'wx', 0o600)
  try {
    for (const piece of [head, text, ...Object.values(pieces)]) await file.appendFile(piece)
  } finally {
    await file.close()
  }
}

/** The terms with their postings, in the order of the bytes. */
function sortedTerms(postings: SectionIndexData['postings']): [term: string, posting: number[]][] {
  const keyed = postings.map((entry) => ({ key: Buffer.from(entry[0]), entry }))
  return keyed.sort((one, other) => Buffer.compare(one.key, other.key)).map(({ entry }) => entry)
}

function endsOf(terms: readonly [string, readonly number[]][]): number[] {
  let end = 0
  return terms.map(([, posting]) => (end += posting.length))
}

const numbersOf = (values: readonly number[]): Buffer => Buffer.from(Uint32Array.from(values).buffer)

/** Terms with the ranges of their postings. */
class TermTable {
  private readonly bytes: Buffer
  private readonly starts: Uint32Array
  private readonly ends: Uint32Array

  constructor(bytes: Buffer, ends: Uint32Array) {
    this.bytes = bytes
    this.ends = ends
    this.starts = new Uint32Array(ends.length + 1)
    for (let at = 0, start = 0; at < ends.length; at++) this.starts[at + 1] = start = bytes.indexOf(10, start) + 1
  }

  /** Returns the range of the posting of a term, or null. */
  rangeOf(term: string): [start: number, end: number] | null {
    const wanted = Buffer.from(term)
    let [low, high] = [0, this.ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const order = this.bytes.compare(wanted, 0, wanted.length, this.starts[middle]!, this.starts[middle + 1]! - 1)
      if (order === 0) return [middle === 0 ? 0 : this.ends[middle - 1]!, this.ends[middle]!]
      if (order < 0) low = middle + 1
      else high = middle
    }
    return null
  }

  terms(): string[] {
    return this.bytes.toString('utf8').split('\n').slice(0, -1)
  }

  /** Returns all terms with their postings. */
  entries(postings: ArrayLike<number>): [string, number[]][] {
    return this.terms().map((term, at) => [
      term,
      Array.prototype.slice.call(postings, at === 0 ? 0 : this.ends[at - 1]!, this.ends[at]!),
    ])
  }
}

/** A segment in a file, which stays open. */
export class IndexSegment implements IndexPart {
  readonly path: string
  readonly totals: IndexTotals = { sections: 0, head: 0, text: 0 }
  /** The files that it still contains, by path, with the positions of their first sections. */
  readonly files = new Map<string, SegmentFile & { first: number }>()
  /** The paths of the files that were removed. */
  readonly removed: string[] = []
  private removedSections = 0
  private readonly fd: number
  private readonly layout: Layout
  private readonly table: TermTable
  private readonly addedTable: TermTable
  /** Per section: the number of terms of its headings and of its text, and the end of its JSON. */
  private readonly numbers: Uint32Array
  /** Per section: the file; null if it was removed. */
  private readonly owners: (SegmentFile | null)[] = []
  private readonly starts: { postings: number; addedPostings: number; texts: number }
  private readonly known = new Map<string, ArrayLike<number>>()

  /** Opens a segment. @throws when the file cannot be read, or is damaged. */
  constructor(path: string) {
    this.path = path
    this.fd = openSync(path, 'r')
    try {
      const length = this.read(0, HEAD).readDoubleLE()
      this.layout = JSON.parse(this.read(HEAD, length).toString()) as Layout
      const { files, postings, addedPostings, ...sizes } = this.layout
      let at = HEAD + length
      const next = (size: number) => this.read((at += size) - size, size)
      const [terms, addedTerms] = [next(sizes.terms), next(sizes.addedTerms)]
      this.table = new TermTable(terms, uint32(next(sizes.ends)))
      this.addedTable = new TermTable(addedTerms, uint32(next(sizes.addedEnds)))
      this.numbers = uint32(next(sizes.sections))
      this.starts = { postings: at, addedPostings: at + postings, texts: at + postings + addedPostings }
      if (fstatSync(this.fd).size !== this.starts.texts + sizes.texts)
        throw new Error(`${path}: the file is not whole.`)
      for (const file of files) {
        this.files.set(file.path, { ...file, first: this.owners.length })
        for (let count = 0; count < file.sections; count++) this.owners.push(file)
      }
      for (let at = 0; at < this.numbers.length; at += 3) this.count(at / 3, 1)
    } catch (error) {
      closeSync(this.fd)
      throw error
    }
  }

  /** The share of its sections that were removed, from 0 to 1. */
  get removedShare(): number {
    return this.owners.length === 0 ? 1 : this.removedSections / this.owners.length
  }

  /** The size of its sections, in bytes. */
  get size(): number {
    return this.layout.texts
  }

  /** Removes the sections of a file. */
  delete(path: string): void {
    const file = this.files.get(path)
    if (!file) return
    this.files.delete(path)
    this.removed.push(path)
    this.known.clear()
    for (let position = file.first; position < file.first + file.sections; position++) {
      this.count(position, -1)
      this.owners[position] = null
      this.removedSections++
    }
  }

  posting(term: string): ArrayLike<number> {
    return this.remembered(`t${term}`, () => {
      const posting = this.postingAt(this.table.rangeOf(term), this.starts.postings)
      if (this.removed.length === 0) return posting
      return posting.filter((_, at) => this.owners[posting[at - (at % 3)]!] !== null)
    })
  }

  added(term: string): ArrayLike<number> {
    return this.remembered(`a${term}`, () =>
      this.postingAt(this.addedTable.rangeOf(term), this.starts.addedPostings).filter(
        (position) => this.owners[position] !== null,
      ),
    )
  }

  *terms(): Generator<string> {
    // A term of removed sections alone does not count.
    for (const term of this.table.terms()) if (this.removed.length === 0 || this.posting(term).length > 0) yield term
    for (const term of this.addedTable.terms()) if (this.removed.length === 0 || this.added(term).length > 0) yield term
  }

  headLength(position: number): number {
    return this.numbers[3 * position]!
  }

  textLength(position: number): number {
    return this.numbers[3 * position + 1]!
  }

  fileOf(position: number): { file: string; title: string | null } {
    const { path, title } = this.owners[position]!
    return { file: path, title }
  }

  /** Returns a section, which is read when its fields are: many are refused by their file alone. */
  section(position: number): MarkdownSection {
    let read: MarkdownSection | undefined
    const section = () => (read ??= this.readSection(position))
    return {
      get path() {
        return section().path
      },
      get from() {
        return section().from
      },
      get to() {
        return section().to
      },
      get blocks() {
        return section().blocks
      },
    }
  }

  private readSection(position: number): MarkdownSection {
    const start = position === 0 ? 0 : this.numbers[3 * position - 1]!
    return JSON.parse(this.read(this.starts.texts + start, this.numbers[3 * position + 2]! - start).toString())
  }

  /** Returns the sections of a file; none if it does not contain it. */
  sectionsOf(path: string): MarkdownSection[] {
    const { first = 0, sections = 0 } = this.files.get(path) ?? {}
    return Array.from({ length: sections }, (_, at) => this.readSection(first + at))
  }

  /** Returns the index as JSON, without what was removed. */
  toJSON(): SectionIndexData {
    const numbers = new Map<number, number>()
    const files = Array.from(
      this.files.values(),
      ({ path, title, first, sections }): SectionIndexData['files'][number] => {
        const lengths = Array.from({ length: sections }, (_, at): [number, number] => {
          numbers.set(first + at, numbers.size)
          return [this.headLength(first + at), this.textLength(first + at)]
        })
        return [path, { title, sections: this.sectionsOf(path) }, lengths]
      },
    )
    const { postings, addedPostings } = this.layout
    const all = this.table.entries(uint32(this.read(this.starts.postings, postings)))
    const added = this.addedTable.entries(uint32(this.read(this.starts.addedPostings, addedPostings)))
    return {
      files,
      postings: all.flatMap(([term, posting]): [string, number[]][] => {
        const kept = posting.filter((_, at) => numbers.has(posting[at - (at % 3)]!))
        return kept.length === 0 ? [] : [[term, kept.map((value, at) => (at % 3 === 0 ? numbers.get(value)! : value))]]
      }),
      added: added.flatMap(([term, positions]): [string, number[]][] => {
        const kept = positions.flatMap((position) => numbers.get(position) ?? [])
        return kept.length === 0 ? [] : [[term, kept]]
      }),
    }
  }

  close(): void {
    closeSync(this.fd)
  }

  private count(position: number, sign: 1 | -1): void {
    this.totals.sections += sign
    this.totals.head += sign * this.headLength(position)
    this.totals.text += sign * this.textLength(position)
  }

  /** Postings of a question are needed several times. */
  private remembered(key: string, read: () => ArrayLike<number>): ArrayLike<number> {
    let posting = this.known.get(key)
    if (!posting) {
      posting = read()
      if (this.known.size >= KNOWN) this.known.clear()
      this.known.set(key, posting)
    }
    return posting
  }

  private postingAt(range: [number, number] | null, start: number): Uint32Array {
    if (!range) return NOTHING
    return uint32(this.read(start + 4 * range[0], 4 * (range[1] - range[0])))
  }

  private read(position: number, length: number): Buffer {
    const bytes = Buffer.alloc(length)
    let done = 0
    while (done < length) {
      const read = readSync(this.fd, bytes, done, length - done, position + done)
      if (read === 0) throw new Error(`${this.path}: the file is shorter than expected.`)
      done += read
    }
    return bytes
  }
}

/** The number of postings that a segment keeps in memory. */
const KNOWN = 500
const NOTHING = new Uint32Array()

const uint32 = (bytes: Buffer): Uint32Array =>
  new Uint32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 4))
