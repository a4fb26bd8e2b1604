/**
 * @module
 * The tool that reads a document: all of it, some lines, or a section.
 */
import { FunctionTool } from '@x/agents'
import type { MarkdownBlock } from '@x/node-parser'
import { tokenizeWords } from '@x/retrieval'
import { type Place, placeText, plainText, readPlace } from '@x/retrieval/tables'
import type { Docs } from '../docs.ts'
import { linesOf } from '../document-list.ts'
import { place, readOnly, whenRead } from './tool-parts.ts'

/** The maximum number of lines, and of characters, in one result. */
const MOST_LINES = 400
const MOST_CHARACTERS = 20_000

/** A section: a heading with everything below it. */
export interface Section {
  /** The headings, outermost first, such as `Install > On Linux`. */
  heading: string
  level: number
  line: number
  endLine: number
}

/** Reads a document by place. */
export function readTool(docs: Docs): FunctionTool {
  return FunctionTool.fromDefaults({
    name: 'read',
    title: 'Read a document',
    description: `Reads a document as it is now, or a part of it: by a place that another tool has returned (guides/install.md:10-20), or by the path and a heading. Returns at most ${MOST_LINES} lines, and the place of the next ones.`,
    annotations: readOnly,
    schema: {
      type: 'object',
      properties: {
        place: {
          type: 'string',
          description: 'a path, with or without lines: guides/install.md or guides/install.md:10-20',
        },
        heading: { type: 'string', description: 'a heading of the document, such as On Linux, or Install > On Linux' },
      },
      required: ['place'],
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: {
        place,
        heading: { type: 'string', description: 'the headings that the first line is below' },
        lines: { type: 'integer', description: 'the number of lines of the document' },
        text: { type: 'string' },
        next: { type: 'string', description: 'the place of the next lines, if there are more' },
        note: { type: 'string' },
      },
      required: ['place', 'heading', 'lines', 'text'],
    },
    fn: ({ place: wanted, heading }, context) => whenRead(docs, context, () => read(docs, wanted, heading)),
  })
}

interface ReadResult {
  place: string
  heading: string
  lines: number
  text: string
  next?: string
  note?: string
}

async function read(docs: Docs, wanted: string, heading: string | undefined): Promise<ReadResult> {
  const lined = readPlace(wanted)
  if (lined && heading !== undefined) throw new Error('read takes lines or a heading, not both.')
  const { path: file, text, blocks } = await docs.blocks(lined?.file ?? wanted)
  const lines = linesOf(text)
  const sections = sectionsOf(blocks, lines.length)
  const [section, ...others] = heading === undefined ? [] : matching(sections, heading, file)
  const { line, endLine } = section ?? lined ?? { line: 1, endLine: lines.length }
  const last = Math.min(endLine, lines.length)
  if (lines.length > 0 && (line < 1 || line > last))
    throw new Error(`${file} has ${lines.length} lines, received the lines ${line} to ${endLine}.`)
  const shown = excerpt(lines.slice(line - 1, last))
  const end = line + Math.max(shown.count, 1) - 1
  const at = (from: number, to: number) => placeText({ file, line: from, endLine: to } satisfies Place)
  const notes = [
    ...others.map((other) => `Another section "${other.heading}" is at ${at(other.line, other.endLine)}.`),
    ...(shown.isCut ? [`Line ${line} is cut: it has ${lines[line - 1]!.length} characters.`] : []),
  ]
  return {
    place: at(line, end),
    heading: headingAt(sections, line),
    lines: lines.length,
    text: shown.text,
    ...(end < last && { next: at(end + 1, last) }),
    ...(notes.length > 0 && { note: notes.join(' ') }),
  }
}

/** Returns the first lines that fit into one result: at least one, which is cut if it is too long. */
function excerpt(lines: readonly string[]): { text: string; count: number; isCut: boolean } {
  let size = 0
  let count = 0
  while (count < Math.min(lines.length, MOST_LINES)) {
    size += lines[count]!.length + 1
    if (count > 0 && size > MOST_CHARACTERS) break
    count++
  }
  const text = lines.slice(0, count).join('\n')
  const isCut = text.length > MOST_CHARACTERS
  return { text: isCut ? `${text.slice(0, MOST_CHARACTERS)}…` : text, count, isCut }
}

/** Returns the sections of a document, in order. A section ends before the next heading of its level or above. */
export function sectionsOf(blocks: readonly MarkdownBlock[], lineCount: number): Section[] {
  const headings = blocks.filter(({ level }) => level !== null)
  return headings.map(({ level, startLine, headerPath }, index) => {
    const following = headings.slice(index + 1).find((other) => other.level! <= level!)
    const endLine = following ? following.startLine - 1 : lineCount
    return { heading: headerPath.join(' > '), level: level!, line: startLine, endLine }
  })
}

function headingAt(sections: readonly Section[], line: number): string {
  return sections.filter((section) => section.line <= line).at(-1)?.heading ?? ''
}

/** Returns the sections with a heading: those with exactly this one, or else those whose last heading has the same words. */
function matching(sections: readonly Section[], heading: string, file: string): Section[] {
  const words = (text: string) => tokenizeWords(plainText(text)).join(' ')
  const own = (section: Section) => section.heading.split(' > ').at(-1)!
  const wanted = words(heading)
  const ways: ((section: Section) => boolean)[] = [
    (section) => section.heading === heading.trim() || own(section) === heading.trim(),
    (section) => words(own(section)) === wanted || words(section.heading) === wanted,
  ]
  for (const way of ways) {
    const found = sections.filter(way)
    if (found.length > 0) return found
  }
  const known = sections.slice(0, 20).map((section) => JSON.stringify(own(section)))
  throw new Error(
    `${file} has no heading ${JSON.stringify(heading)}; it has ${known.length > 0 ? known.join(', ') : 'no headings'}.`,
  )
}
