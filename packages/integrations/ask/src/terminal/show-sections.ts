/**
 * @module
 * Sections as text for a terminal or a pipe.
 */

import type { FoundSection } from '../search/found-section.ts'
import type { OtherLanguage } from '../search/index-part.ts'
import type { Mark } from '../search/marks.ts'
import { withoutControls, wrap } from './text-width.ts'

/** How text is written. */
export interface TextStyle {
  /** The number of columns. */
  width: number
  /** Whether colors may be used. Without them, a value is marked »like this«. */
  color: boolean
}

/** The widest text, in columns: longer lines are hard to read. */
const WIDEST = 100
const INDENT = 3

/** Returns the style for a stream. */
export function styleOf(
  stream: { isTTY?: boolean; columns?: number },
  env: Readonly<Record<string, string | undefined>>,
): TextStyle {
  const columns = stream.columns || Number(env['COLUMNS']) || 80
  const color = stream.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
  return { width: Math.max(20, Math.min(WIDEST, columns)), color }
}

const codes = { bold: ['1', '22'], dim: ['2', '22'], place: ['36', '39'], value: ['1;7', '22;27'] } as const

function styled({ color }: TextStyle, code: keyof typeof codes, text: string): string {
  const [on, off] = codes[code]
  return color && text !== '' ? `\u001b[${on}m${text}\u001b[${off}m` : text
}

/** Returns the lines of a section: its place, its headings, and its excerpt. @param place - the file as a terminal can open it */
export function sectionLines(section: FoundSection, place: string, style: TextStyle, number = ''): string[] {
  const { excerpt, marks, path, added } = section
  const prefix = ' '.repeat(INDENT)
  const at = withoutControls(`${place}:${section.line}`)
  const headings = withoutControls(path.join(' > '))
  const lines = [`${number.padEnd(INDENT)}${styled(style, 'place', at)}`]
  for (const { start, end } of wrap(headings, style.width - INDENT))
    lines.push(prefix + styled(style, 'bold', headings.slice(start, end)))
  if (added && added.length > 0) {
    const words = added.map((word) => `“${withoutControls(word)}”`).join(', ')
    const note = `found by the added ${added.length === 1 ? 'word' : 'words'} ${words}`
    for (const { start, end } of wrap(note, style.width - INDENT))
      lines.push(prefix + styled(style, 'dim', note.slice(start, end)))
  }
  const text = withoutControls(excerpt)
  const room = style.width - INDENT - (style.color ? 0 : 2 * marks.filter(({ kind }) => kind === 'value').length)
  for (const { start, end, indent } of wrap(text, Math.max(10, room)))
    lines.push(prefix + ' '.repeat(indent) + marked(text, start, end, marks, style))
  return lines
}

/** A range of a string with its marks. */
function marked(text: string, start: number, end: number, marks: readonly Mark[], style: TextStyle): string {
  let line = ''
  let at = start
  for (const mark of marks) {
    const from = Math.max(at, mark.start)
    const to = Math.min(end, mark.end)
    if (to <= from) continue
    line += text.slice(at, from)
    const part = text.slice(from, to)
    if (mark.kind === 'word') line += styled(style, 'bold', part)
    else if (style.color) line += styled(style, 'value', part)
    else line += `${mark.start === from ? '»' : ''}${part}${mark.end === to ? '«' : ''}`
    at = to
  }
  return line + text.slice(at, end)
}

/** Returns sections with numbers, or a sentence that says that nothing was found, and the words that no document contains. */
export function sectionsText(
  sections: readonly FoundSection[],
  { missing, language }: Unfound,
  placeOf: (file: string) => string,
  style: TextStyle,
): string {
  const shown = sections.map((section, index) =>
    sectionLines(section, placeOf(section.file), style, `${index + 1}`).join('\n'),
  )
  return [...shown, ...missingText(sections.length, { missing, language }, style)].join('\n\n')
}

/** What a search says beside its sections. */
export interface Unfound {
  /** The words that no document contains. */
  missing: readonly string[]
  /** The languages of question and documents, if they differ. */
  language: OtherLanguage | null
}

/** Returns a sentence about a question in another language than the documents; empty for null. */
function languageText(language: OtherLanguage | null): string {
  if (language === null) return ''
  const { question, documents } = language
  return `The question is in ${question}, the documents are in ${documents}: ask in ${documents}, or with --model, which translates.`
}

/** Says which words are missing, and that the documents are in another language. */
export function missingText(found: number, { missing, language }: Unfound, style: TextStyle): string[] {
  const words = missing.map((word) => `“${withoutControls(word)}”`).join(', ')
  const about =
    found === 0
      ? words === ''
        ? 'Nothing found.'
        : `Nothing found: no document contains ${words}.`
      : words === ''
        ? ''
        : `No document contains ${words}.`
  const text = [about, languageText(language)].filter((part) => part !== '').join(' ')
  return text === ''
    ? []
    : [
        wrap(text, style.width)
          .map(({ start, end }) => styled(style, 'dim', text.slice(start, end)))
          .join('\n'),
      ]
}
