/**
 * @module
 * The index of a folder: what has changed in memory, and the rest in segments, which are files.
 */
import type { DocumentSections, MarkdownSection } from '@x/node-parser'
import type { FoundSection, SectionSearchOptions } from './found-section.ts'
import { type IndexPart, missingInParts, type OtherLanguage, otherLanguageIn, searchParts } from './index-part.ts'
import type { IndexSegment } from './index-segment.ts'
import { SectionIndex, type SectionIndexData } from './section-index.ts'

/** An index in several parts. */
export class SegmentedIndex {
  /** What is not yet in a segment. */
  recent = new SectionIndex()
  private segments: IndexSegment[] = []

  /** The parts in files. */
  get stored(): readonly IndexSegment[] {
    return this.segments
  }

  /** Adds a part, or puts it in the place of others and of what is in memory. */
  addSegment(segment: IndexSegment, replaced: readonly IndexSegment[] = []): void {
    for (const one of replaced) one.close()
    this.segments = [...this.segments.filter((one) => !replaced.includes(one)), segment]
  }

  /** Closes the files. */
  close(): void {
    for (const segment of this.segments) segment.close()
    this.segments = []
  }

  /** Adds the sections of a file, or replaces them. */
  set(file: string, document: DocumentSections, words?: readonly (readonly string[])[]): void {
    this.delete(file)
    this.recent.set(file, document, words)
  }

  /** Removes the sections of a file. */
  delete(file: string): void {
    for (const segment of this.segments) segment.delete(file)
    this.recent.delete(file)
  }

  /** Returns the sections of a file; none if the index does not contain it. */
  sectionsOf(file: string): MarkdownSection[] {
    for (const segment of this.segments) if (segment.files.has(file)) return segment.sectionsOf(file)
    return this.recent.sectionsOf(file)
  }

  search(question: string, options?: SectionSearchOptions): FoundSection[] {
    return searchParts(this.parts, question, options)
  }

  missing(question: string): string[] {
    return missingInParts(this.parts, question)
  }

  otherLanguage(question: string): OtherLanguage | null {
    return otherLanguageIn(this.parts, question)
  }

  /** Returns the whole index as that of one part. */
  toJSON(): SectionIndexData {
    return mergedData([...this.segments.map((segment) => segment.toJSON()), this.recent.toJSON()])
  }

  private get parts(): IndexPart[] {
    return [...this.segments, this.recent]
  }
}

/** Returns several indexes as one, in their order. */
export function mergedData(parts: readonly SectionIndexData[]): SectionIndexData {
  const merged: SectionIndexData = { files: [], postings: [] }
  const postings = new Map<string, number[]>()
  const added = new Map<string, number[]>()
  let sections = 0
  for (const part of parts) {
    const shift = sections
    for (const [term, posting] of part.postings) {
      const moved = posting.map((value, at) => (at % 3 === 0 ? value + shift : value))
      postings.set(term, [...(postings.get(term) ?? []), ...moved])
    }
    for (const [term, positions] of part.added ?? [])
      added.set(term, [...(added.get(term) ?? []), ...positions.map((position) => position + shift)])
    merged.files.push(...part.files)
    for (const [, document] of part.files) sections += document.sections.length
  }
  merged.postings = [...postings]
  if (added.size > 0) merged.added = [...added]
  return merged
}
