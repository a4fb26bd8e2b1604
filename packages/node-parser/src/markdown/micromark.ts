/**
 * @module
 * What micromark decides for us: link definitions at the start of a paragraph, and inline markup.
 *
 * Only its tokenizer and the constructs of content and text are used. `micromark` itself would bring those of blocks, and they are
 * not on its list of exports; the build takes them into our own file (docs/decisions/0021-micromark-inside.md).
 */
import type { Event, ParseContext } from 'micromark-util-types'
import {
  attentionMarkers,
  contentInitial,
  disable,
  insideSpan,
  text,
} from '../../node_modules/micromark/lib/constructs.js'
import { createTokenizer } from '../../node_modules/micromark/lib/create-tokenizer.js'
import { content as contentStart } from '../../node_modules/micromark/lib/initialize/content.js'
import { text as textStart } from '../../node_modules/micromark/lib/initialize/text.js'
import { preprocess } from '../../node_modules/micromark/lib/preprocess.js'

/** Where a paragraph is left after the link definitions that come first, or -1 when nothing is left. */
export function afterDefinitions(paragraph: string): number {
  const events = run(contentStart, paragraph, [])
  const left = events.find(([type, token]) => type === 'enter' && token.type === 'paragraph')
  return left === undefined ? -1 : left[1].start.offset
}

/** The identifiers, normalized by micromark, of the link definitions that paragraphs start with. */
export function definedIdentifiers(paragraphs: Iterable<string>): ReadonlySet<string> {
  const defined = new Set<string>()
  for (const paragraph of paragraphs) {
    const found: string[] = []
    run(contentStart, paragraph, found)
    for (const identifier of found) defined.add(identifier)
  }
  return defined
}

/** The inline constructs of a text, where references to `defined` are links. */
export function inlineEvents(source: string, defined: ReadonlySet<string>): Event[] {
  // micromark asks a list, once per closing bracket; a set answers without looking through all of it.
  const list = Object.assign<string[], Pick<string[], 'includes'>>([], { includes: (name) => defined.has(name) })
  return run(textStart, source, list)
}

function run(start: typeof contentStart, source: string, defined: string[]): Event[] {
  const lists = Object.entries(text).map(([code, constructs]) => [code, [constructs].flat()])
  const constructs = { attentionMarkers, contentInitial, disable, insideSpan, text: Object.fromEntries(lists) }
  const parser = { constructs, defined } as unknown as ParseContext
  return createTokenizer(parser, start, undefined).write(preprocess()(source, undefined, true))
}
