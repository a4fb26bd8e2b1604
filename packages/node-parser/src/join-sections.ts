/**
 * @module
 * Joins small sections of a document.
 */
import type { Tokenizer } from '@x/core-model'
import type { Chunk } from './chunk-text.ts'
import { tokenCounter } from './count-tokens.ts'
import type { InputText } from './input-text.ts'
import type { HeadingInForce, Section } from './markdown/sections.ts'

/** A range of adjacent sections. */
export interface SectionGroup extends Chunk {
  readonly sections: Section[]
  /** Whether all its sections are headings without text. */
  isBare: boolean
  /** The highest level of its sections; 0 for the text before the first heading. */
  depth: number
}

/** The sizes of joined sections, in tokens. */
export interface JoinLimits {
  minChunkSize: number | null
  chunkSize: number | null
  tokenizer: Tokenizer | null
}

/**
 * Returns the sections of a document in groups: each section alone without `minChunkSize`. Otherwise a heading without text is joined to
 * the section that follows, and sections smaller than `minChunkSize` to those that follow or, at the end of a chapter, to the one before,
 * as long as they have at most `chunkSize` tokens. A section is never joined to an earlier one of a lower level.
 */
export function joinSections(
  text: string,
  sections: readonly Section[],
  { minChunkSize, chunkSize, tokenizer }: JoinLimits,
): SectionGroup[] {
  const single = sections.map(
    (section): SectionGroup => ({
      start: section.start,
      end: section.end,
      sections: [section],
      isBare: isBare(section),
      depth: depthOf(section),
    }),
  )
  if (minChunkSize === null) return single
  const count = tokenCounter(text, 0, text.length, tokenizer)
  const size = ({ start, end }: Chunk) => count(start, end)
  const isSmall = (group: SectionGroup) => group.isBare || size(group) < minChunkSize
  const mayJoin = (first: SectionGroup, second: SectionGroup) =>
    second.depth >= first.depth && (chunkSize === null || size({ start: first.start, end: second.end }) <= chunkSize)

  const groups: SectionGroup[] = []
  /** Joins the last group, to which nothing more is added, to the one before if it is small. */
  const close = () => {
    const [before, last] = groups.slice(-2)
    if (before !== undefined && last !== undefined && isSmall(last) && mayJoin(before, last))
      groups.splice(-2, 2, joined(before, last))
  }
  for (const group of withHeadings(single)) {
    const last = groups.at(-1)
    if (last !== undefined && isSmall(last) && mayJoin(last, group)) groups[groups.length - 1] = joined(last, group)
    else {
      close()
      groups.push(group)
    }
  }
  close()
  return groups
}

/** Joins each heading without text to the section that follows, if that has the same level or a lower one. */
function withHeadings(sections: readonly SectionGroup[]): SectionGroup[] {
  const groups: SectionGroup[] = []
  let open: SectionGroup | undefined
  for (const section of sections) {
    const follows = open !== undefined && section.depth >= depthOf(open.sections.at(-1) as Section)
    if (open !== undefined && !follows) groups.push(open)
    const group: SectionGroup = open !== undefined && follows ? joined(open, section) : section
    open = isBare(section.sections[0] as Section) ? group : undefined
    if (open === undefined) groups.push(group)
  }
  if (open !== undefined) groups.push(open)
  return groups
}

/** Returns the end of the headings with which a group begins; null if it begins with text. */
export function headEndOf({ sections }: SectionGroup): number | null {
  const first = sections.find((section) => !isBare(section)) ?? sections.at(-1)
  return first?.heading?.end ?? null
}

/**
 * Returns the headings that all sections of a group have. A heading without text counts by the sections below it, and not at all at the
 * end: what it is about, such as a table, is not in the group. Front matter does not count either.
 */
export function commonHeadings(input: InputText, group: SectionGroup): readonly HeadingInForce[] {
  const parts = group.sections.filter(({ end }) => end > input.markdownStart)
  const last = parts.findLastIndex((section) => !isBare(section))
  const sections = last === -1 ? parts : parts.slice(0, last + 1)
  const paths = sections.map(({ start }) => input.headingsAt(start))
  const own = paths.filter((path, index) => {
    const next = paths[index + 1]
    return next === undefined || !isBare(sections[index] as Section) || !next.includes(path.at(-1) as HeadingInForce)
  })
  const [first = []] = own
  const length = first.findIndex((heading, index) => own.some((path) => path[index] !== heading))
  return length === -1 ? first : first.slice(0, length)
}

/** Adds a group to the end of another one, and returns that. */
function joined(one: SectionGroup, other: SectionGroup): SectionGroup {
  for (const section of other.sections) one.sections.push(section)
  one.end = other.end
  one.depth = Math.min(one.depth, other.depth)
  one.isBare &&= other.isBare
  return one
}

const depthOf = ({ heading }: Section): number => heading?.depth ?? 0

/** Whether a section is a heading without text. */
const isBare = ({ heading, end }: Section): boolean => heading !== null && end <= heading.end
