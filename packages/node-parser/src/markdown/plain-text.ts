/**
 * @module
 * The plain text of inline Markdown: of headings, cells and captions.
 */
import { decodeReference } from './character-reference.ts'
import { inlineEvents } from './micromark.ts'

/** A string without any of these is plain text. */
const MARKUP = /[&*\\_[\]<`!\r\n\0]|[ \t]{2}/

/**
 * Returns the visible text of inline Markdown: markup and character references are resolved, code and the descriptions of images are kept.
 * References to identifiers in `defined` are links. Takes quadratic time in the number of emphasis marks.
 * @param textOf - returns what is visible of an HTML tag.
 */
export function plainText(
  source: string,
  defined: ReadonlySet<string>,
  textOf: (tag: string) => string = () => '',
): string {
  if (!MARKUP.test(source)) return source
  let text = ''
  let silent = 0
  let inCode = false
  let radix: 0 | 10 | 16 = 0
  for (const [type, token, context] of inlineEvents(source, defined)) {
    const { type: name } = token
    const enter = type === 'enter'
    if (name === 'htmlText' && enter) text += textOf(context.sliceSerialize(token))
    if (name === 'resource' || name === 'reference' || name === 'htmlText') silent += enter ? 1 : -1
    else if (name === 'codeText') inCode = enter
    if (silent > 0 || !enter) continue
    switch (name) {
      case 'data':
      case 'codeTextData':
      case 'characterEscapeValue':
      case 'autolinkEmail':
      case 'autolinkProtocol':
        text += context.sliceSerialize(token)
        break
      case 'lineEnding':
        text += inCode ? ' ' : '\n'
        break
      case 'characterReference':
        radix = 0
        break
      case 'characterReferenceMarkerNumeric':
        radix = 10
        break
      case 'characterReferenceMarkerHexadecimal':
        radix = 16
        break
      case 'characterReferenceValue':
        text += decodeReference(context.sliceSerialize(token), radix)
    }
  }
  return text
}
