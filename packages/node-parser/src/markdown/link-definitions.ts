/**
 * @module
 * What micromark decides for us: link definitions at the start of a paragraph, and inline markup.
 */
import { parse, preprocess } from 'micromark'
import type { Event } from 'micromark-util-types'

/** Lines of a paragraph that starts with `[`: start of line, start and end of its text, for each line. */
export type ParagraphLines = readonly number[]

/** Enough of micromark to read content; made once, on first use. */
let parser: ReturnType<typeof parse> | undefined

/** The lines of a paragraph as one text, without container marks and indentation. */
export function paragraphText(text: string, lines: ParagraphLines): string {
  const parts: string[] = []
  for (let index = 0; index < lines.length; index += 3) parts.push(text.slice(lines[index + 1], lines[index + 2]))
  return parts.join('\n')
}

/** Where a paragraph is left after the link definitions that come first, or -1 when nothing is left. */
export function afterDefinitions(paragraph: string): number {
  const events = run('content', paragraph, [])
  const left = events.find(([type, token]) => type === 'enter' && token.type === 'paragraph')
  return left === undefined ? -1 : left[1].start.offset
}

/** The identifiers, normalized by micromark, of the link definitions that paragraphs start with. */
export function definedIdentifiers(text: string, paragraphs: readonly ParagraphLines[]): ReadonlySet<string> {
  const defined = new Set<string>()
  for (const lines of paragraphs) {
    const found: string[] = []
    run('content', paragraphText(text, lines), found)
    for (const identifier of found) defined.add(identifier)
  }
  return defined
}

/** The inline constructs of a text, where references to `defined` are links. */
export function inlineEvents(text: string, defined: ReadonlySet<string>): Event[] {
  // micromark asks a list, once per closing bracket; a set answers without looking through all of it.
  const list = Object.assign<string[], Pick<string[], 'includes'>>([], { includes: (name) => defined.has(name) })
  return run('text', text, list)
}

function run(kind: 'content' | 'text', text: string, defined: string[]): Event[] {
  parser ??= parse()
  parser.defined = defined
  return parser[kind]().write(preprocess()(text, undefined, true))
}
