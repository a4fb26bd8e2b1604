/**
 * @module
 * The sections of a document: what stands under each heading, in blocks with exact lines.
 */
import { checkGiven, checkOptions, text as string } from '@x/core/options'
import { frontMatterSource } from './markdown/front-matter.ts'
import { aSyntax, type MarkdownSyntax } from './markdown/mdx.ts'
import { countUpTo, lineStarts } from './markdown/places.ts'
import { type MarkdownBlock, readBlocks } from './markdown/read-blocks.ts'
import { extractMarkdownElements } from './markdown-element/extract-elements.ts'
import { readFrontMatter } from './read-front-matter.ts'
import { rowBlock, type SectionBlock, sectionBlocks } from './section-blocks.ts'

/** A heading with the text up to the next heading, or the text before the first heading. */
export interface MarkdownSection {
  /** The plain text of the headings that contain the section, outermost first; empty for the text before the first heading. */
  path: readonly string[]
  /** Its first line, starting at 1: that of the heading. */
  from: number
  /** Its last line that is not blank. */
  to: number
  /** Paragraphs, items of lists, rows of tables, code and other blocks, in order; without lines that only lead to other sections. */
  blocks: SectionBlock[]
}

/** The sections of a document. */
export interface DocumentSections {
  /** The `title` of the front matter, or else the first heading; null without both. */
  title: string | null
  sections: MarkdownSection[]
}

/** The options of {@link readSections}. */
interface ReadSectionsOptions {
  /** A syntax other than plain Markdown, such as `mdx`. @defaultValue Markdown */
  syntax?: MarkdownSyntax | null | undefined
}

/**
 * Returns the sections of a Markdown document, in order. Each section contains its own text, without that of the sections below it. Rows
 * of tables have their header cells; so do those of HTML tables. Takes linear time; every string is valid Markdown.
 * @throws {ModelValidationError} if `text` is not a string, or an option is unknown or invalid.
 * @example
 * const text = '---\ntitle: Fruit\n---\n# Prices\n\nFor *one* of each.\n\n| name | price |\n|---|---|\n| pear | 3 |'
 * const { title, sections } = readSections(text)
 * title // => 'Fruit'
 * sections.map(({ path, from, to }) => [path, from, to]) // => [[['Prices'], 4, 10]]
 * sections[0]?.blocks.map(({ kind, from, text }) => [kind, from, text])
 * // => [['paragraph', 6, 'For *one* of each.'], ['row', 10, 'pear | 3']]
 * sections[0]?.blocks[1]?.columns // => ['name', 'price']
 */
export function readSections(text: string, options: ReadSectionsOptions = {}): DocumentSections {
  checkGiven('readSections', { text }, string)
  checkOptions('readSections', options, { syntax: aSyntax })
  const { syntax = null } = options
  const sections: MarkdownSection[] = []
  let title: string | null = null
  let heading: string | null = null
  const open = (path: readonly string[], from: number, to: number) => {
    const section: MarkdownSection = { path, from, to, blocks: [] }
    sections.push(section)
    return section
  }
  const htmlRows = syntax === null ? rowsOfHtml(text) : () => null
  for (const block of readBlocks(text, { syntax })) {
    const { kind, start, end, startLine, endLine, headerPath } = block
    const source = text.slice(start, end)
    if (kind === 'front_matter') {
      const matter = matterOf(source)
      title = matter.title
      if (matter.description === null) continue
      const { line, text: description } = matter.description
      const blocks = [{ kind: 'description' as const, text: description, from: line, to: line, name: '' }]
      open([], startLine, endLine).blocks.push(...blocks)
    } else if (kind === 'heading') {
      heading ??= headerPath.at(-1) ?? ''
      open(headerPath, startLine, endLine)
    } else {
      const section = sections.at(-1) ?? open([], startLine, endLine)
      section.to = endLine
      if (kind !== 'break')
        for (const part of htmlRows(block) ?? sectionBlocks(block, source)) section.blocks.push(part)
    }
  }
  return { title: title ?? heading, sections }
}

interface Matter {
  title: string | null
  description: { text: string; line: number } | null
}

/** Returns the title and the description of front matter. */
function matterOf(source: string): Matter {
  const lines = source.split(/\r\n|\r|\n/)
  const entries = readFrontMatter(frontMatterSource(source))
  const textOf = (value: unknown) =>
    typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  const text = textOf(entries['description'])
  const line = Math.max(1, lines.findIndex((one) => /^[ \t]*["']?description["']?[ \t]*[:=]/.test(one)) + 1)
  return { title: textOf(entries['title']) || null, description: text === '' ? null : { text, line } }
}

/** Returns a function that returns the rows of an HTML block; null for one without a table. It must be called in order of the blocks. */
function rowsOfHtml(text: string): (block: MarkdownBlock) => SectionBlock[] | null {
  if (!/<table/i.test(text)) return () => null
  const tables = extractMarkdownElements(text, { htmlTables: 'table' }).filter(
    ({ type, table, element, startCharIdx }) =>
      type === 'table' && table !== null && startCharIdx !== null && /^<table/i.test(element),
  )
  const starts = lineStarts(text)
  const lineOf = (offset: number) => countUpTo(starts, offset, (start) => start)
  let next = 0
  return (block) => {
    const { kind, start, end } = block
    if (kind !== 'html') return null
    while (next < tables.length && (tables[next]?.startCharIdx as number) < start) next++
    const rows: SectionBlock[] = []
    /** The block without its tables, whose line endings are kept. */
    let beside = ''
    let from = start
    for (
      let table = tables[next];
      table !== undefined && (table.startCharIdx as number) < end;
      table = tables[++next]
    ) {
      beside += text.slice(from, table.startCharIdx as number) + table.element.replace(/[^\r\n]+/g, '')
      from = table.endCharIdx as number
      for (const row of htmlRows(table, lineOf)) rows.push(row)
    }
    if (from === start) return null
    beside += text.slice(from, end)
    return beside.replace(/<[^<>]*>/g, '').trim() === '' ? rows : [...sectionBlocks(block, beside), ...rows]
  }
}

/** Returns the rows of a table with their lines: those of its `tr` tags, or those of the whole table where the tags do not show them. */
function htmlRows(
  { element, startCharIdx, table }: ReturnType<typeof extractMarkdownElements>[number],
  lineOf: (offset: number) => number,
): SectionBlock[] {
  const { columns, rows } = table as NonNullable<typeof table>
  const start = startCharIdx as number
  const tags = Array.from(element.matchAll(/<tr[\s>]/gi), ({ index }) => start + index)
  const end = start + element.length - 1
  const isClear = tags.length === rows.length + 1
  return rows.map((cells, index) => {
    const from = isClear ? (tags[index + 1] as number) : start
    const next = isClear ? tags[index + 2] : undefined
    return rowBlock(columns, cells, lineOf(from), lineOf(next === undefined ? end : next - 1))
  })
}
