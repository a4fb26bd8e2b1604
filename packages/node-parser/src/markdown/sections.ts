/**
 * @module
 * The sections of a Markdown document: stretches that start at headings.
 */
import type { Block, BlockStructure } from './block.ts'
import { HeadingTexts } from './heading-text.ts'
import { trimText } from './trim-text.ts'

/** A heading in force: its level and its plain text. */
export interface HeadingInForce {
  depth: number
  text: string
}

/** A stretch from a heading to the next, or the text before the first heading. */
export interface Section {
  start: number
  end: number
  /** The heading itself, or null for the text before the first one. */
  heading: Block | null
  /** This heading and those above it, outermost first. */
  path: readonly HeadingInForce[]
}

/** The sections that hold anything, in order, from `start` on; headings inside quotes, lists, code and HTML start none. */
export function sectionsOf(text: string, outline: readonly OutlineEntry[], start: number): Section[] {
  const sections: Section[] = []
  let from = start
  let open: OutlineEntry | null = null
  const close = (end: number) => {
    const kept = trimText(text, from, end)
    if (kept !== null) sections.push({ ...kept, heading: open?.block ?? null, path: open?.path ?? [] })
  }
  for (const entry of outline) {
    close(entry.block.start)
    from = entry.block.start
    open = entry
  }
  close(text.length)
  return sections
}

/** A heading and the headings in force from it on. */
export interface OutlineEntry {
  block: Block
  path: readonly HeadingInForce[]
}

/** All headings of the document itself, below those `above` it; one of level n ends those of level n and deeper. */
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
