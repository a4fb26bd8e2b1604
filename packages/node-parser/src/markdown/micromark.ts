/**
 * @module
 * The parts of micromark that are used: link definitions at the start of a paragraph, and inline markup.
 *
 * Only its tokenizer and its constructs for content and text are imported, because the main entry includes all block constructs.
 * They are not exported by `micromark`, so the build inlines these files (docs/decisions/0021-micromark-inside.md).
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

/** Returns the offset after the link definitions at the start of a paragraph; -1 if nothing follows them. */
export function afterDefinitions(paragraph: string): number {
  const events = run(contentStart, paragraph, [])
  const left = events.find(([type, token]) => type === 'enter' && token.type === 'paragraph')
  return left === undefined ? -1 : left[1].start.offset
}

/** Returns the identifiers, normalized by micromark, of the link definitions at the start of paragraphs. */
export function definedIdentifiers(paragraphs: Iterable<string>): ReadonlySet<string> {
  const defined = new Set<string>()
  for (const paragraph of paragraphs) {
    const found: string[] = []
    run(contentStart, paragraph, found)
    for (const identifier of found) defined.add(identifier)
  }
  return defined
}

/** Returns the micromark events of inline text. References to identifiers in `defined` are links. */
export function inlineEvents(source: string, defined: ReadonlySet<string>): Event[] {
  // micromark calls `includes` of an array once per closing bracket; the set makes it constant time.
  const list = Object.assign<string[], Pick<string[], 'includes'>>([], { includes: (name) => defined.has(name) })
  return run(textStart, source, list)
}

function run(start: typeof contentStart, source: string, defined: string[]): Event[] {
  const lists = Object.entries(text).map(([code, constructs]) => [code, [constructs].flat()])
  const constructs = { attentionMarkers, contentInitial, disable, insideSpan, text: Object.fromEntries(lists) }
  const parser = { constructs, defined } as unknown as ParseContext
  return createTokenizer(parser, start, undefined).write(preprocess()(source, undefined, true))
}
