/**
 * @module
 * The ranges of the sections of a document.
 */

import { checkGiven, checkOptions, text as string } from '@x/core/options'
import { scanBlocks } from './markdown/block-scanner.ts'
import { trimText } from './markdown/characters.ts'
import { markdownStart } from './markdown/front-matter.ts'
import { aSyntax } from './markdown/mdx.ts'
import type { ReadBlocksOptions } from './markdown/read-blocks.ts'
import { outlineOf } from './markdown/sections.ts'

/** A section with all sections below it. */
export interface SectionRange {
  /** The offset of its heading, in UTF-16 code units. */
  start: number
  /** The offset after its last character that is not blank. */
  end: number
  /** The level of its heading, 1 to 6; 0 for the text before the first heading. */
  level: number
  /** The plain text of the headings that contain it, outermost first; the last one is its own. */
  headerPath: readonly string[]
}

/**
 * Returns the sections of a Markdown document in order, each with those below it: a section ends before the next heading of its level or a
 * higher one. Takes linear time; every string is valid Markdown.
 * @example
 * const text = '# Fruit\n\n## Pears\n\nGreen.\n\n# Bread'
 * sectionRanges(text).map(({ start, end }) => text.slice(start, end))
 * // => ['# Fruit\n\n## Pears\n\nGreen.', '## Pears\n\nGreen.', '# Bread']
 */
export function sectionRanges(text: string, options: ReadBlocksOptions = {}): SectionRange[] {
  checkGiven('sectionRanges', { text }, string)
  checkOptions('sectionRanges', options, { syntax: aSyntax })
  const { syntax = null } = options
  const markdown = markdownStart(text)
  const outline = outlineOf(text, scanBlocks(text, markdown, syntax))
  const sections: SectionRange[] = []
  /** The sections that contain the next heading, unless its level is at most theirs. */
  let open: SectionRange[] = []
  const close = (end: number, level: number) => {
    for (const section of open) if (section.level >= level) section.end = trimText(text, section.start, end)?.end ?? end
    open = open.filter((section) => section.level < level)
  }
  const lead = trimText(text, markdown, outline[0]?.block.start ?? text.length)
  if (lead !== null) sections.push({ ...lead, level: 0, headerPath: [] })
  for (const { block, path } of outline) {
    close(block.start, block.depth)
    const headerPath = path.map(({ text: title }) => title)
    const section = { start: block.start, end: block.end, level: block.depth, headerPath }
    sections.push(section)
    open.push(section)
  }
  close(text.length, 0)
  return sections
}
