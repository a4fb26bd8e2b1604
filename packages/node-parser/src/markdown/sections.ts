/**
 * @module
 * The sections of a Markdown document: ranges that start at headings.
 */
import type { Block, BlockStructure } from './block.ts'
import { HeadingTexts } from './heading-text.ts'
import { trimText } from './trim-text.ts'

/** A heading above a position: its level and its plain text. */
export interface HeadingInForce {
  depth: number
  text: string
}

/** The range from a heading to the next, or the text before the first heading. */
export interface Section {
  start: number
  end: number
  /** The heading of the section; null for the text before the first heading. */
  heading: Block | null
}

/** Returns the sections from `start` that are not empty, in order. Headings in quotes, lists, code and HTML start no section. */
export function sectionsOf(text: string, outline: readonly OutlineEntry[], start: number): Section[] {
  const sections: Section[] = []
  let from = start
  let open: OutlineEntry | null = null
  const close = (end: number) => {
    const kept = trimText(text, from, end)
    if (kept !== null) sections.push({ ...kept, heading: open?.block ?? null })
  }
  for (const entry of outline) {
    close(entry.block.start)
    from = entry.block.start
    open = entry
  }
  close(text.length)
  return sections
}

/** A heading, and the path of headings that ends with it. */
export interface OutlineEntry {
  block: Block
  path: readonly HeadingInForce[]
}

/** Returns the headings at the root of the document, below those in `above`. A heading of level n closes those of level n and deeper. */
export function outlineOf(
  text: string,
  structure: BlockStructure,
  above: readonly HeadingInForce[] = [],
): OutlineEntry[] {
  const texts = new HeadingTexts(text, structure)
  let path = above
  return structure.blocks
    .filter(({ kind }) => kind === 'heading')
    .map((block) => {
      path = [...path.filter(({ depth }) => depth < block.depth), { depth: block.depth, text: texts.of(block) }]
      return { block, path }
    })
}
