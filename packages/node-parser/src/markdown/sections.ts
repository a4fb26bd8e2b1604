/**
 * @module
 * The sections of a Markdown document: ranges that start at headings.
 */

import { type Block, type BlockStructure, contentText } from './block.ts'
import { trimText } from './characters.ts'
import { definedIdentifiers } from './micromark.ts'
import { plainText } from './plain-text.ts'

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

/** Attributes behind a heading, such as `{#id .class}` of Pandoc and `{: #id}` of kramdown, and roles such as {.unnumbered}. */
const ATTRIBUTES = /\s{0,9}\{:? {0,3}[#.][\w.#:=" -]{0,100}\}\s{0,9}$/

/**
 * Longer headings are truncated to this length and used as written: micromark's time is quadratic in the number of emphasis
 * marks, and the text is stored in the metadata of every node below the heading.
 */
const MAX_LENGTH = 1000

/** Returns the plain text of the headings of one document. */
export class HeadingTexts {
  private readonly text: string
  private readonly structure: BlockStructure
  private defined: ReadonlySet<string> | undefined

  constructor(text: string, structure: BlockStructure) {
    this.text = text
    this.structure = structure
  }

  /**
   * Returns the text of a heading. Inline markup and character references are resolved, HTML tags and attributes such as `{#id}` left out;
   * code and image descriptions are kept.
   */
  of({ textStart, textEnd }: Block): string {
    const source = this.text.slice(textStart, textEnd)
    if (source.length > MAX_LENGTH) return source.slice(0, MAX_LENGTH).trim()
    // It may be a reference to a definition elsewhere in the document.
    if (source.includes('[')) this.defined ??= definedIdentifiers(this.bracketParagraphs())
    return plainText(source, this.defined ?? new Set())
      .replace(ATTRIBUTES, '')
      .trim()
  }

  private bracketParagraphs(): string[] {
    return this.structure.bracketParagraphs.map((lines) => contentText(this.text, lines))
  }
}
