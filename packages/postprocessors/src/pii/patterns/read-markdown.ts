/**
 * @module
 * Reads the escapes and character references of Markdown, and returns where each character is in the source.
 */
import { lazy } from '@x/core/values'
import type { Range } from './plain-signs.ts'

/** A string as a reader of Markdown sees it. */
export interface ReadText {
  text: string
  /** The offset in the source of each character of `text`, and of its end. Missing if `text` is the source. */
  starts?: Uint32Array
}

/** The characters that personal data contains, each before its name; blanks stand apart, letters with marks are read by rule. */
const characters =
  '@commat .period +plus _lowbar _UnderBar -hyphen -dash -ndash -mdash -minus (lpar )rpar /sol \\bsol :colon ,comma ;semi #num !excl "quot ' +
  "'apos &amp &AMP <lt >gt *ast *midast $dollar %percnt =equals ?quest [lsqb [lbrack ]rsqb ]rbrack {lcub }rcub |verbar |vert ^Hat `grave " +
  'ßszlig æaelig ÆAElig œoelig ŒOElig ðeth ÐETH þthorn ÞTHORN'

const named = /* @__PURE__ */ lazy(() => {
  const blanks = { nbsp: ' ', ensp: ' ', emsp: ' ', thinsp: ' ', shy: '\u00AD', Tab: '\t', NewLine: '\n' }
  const names: Record<string, string> = {
    ...blanks,
    ...Object.fromEntries(characters.split(' ').map((item) => [item.slice(1), item[0]!])),
  }
  const marks = 'uml|acute|grave|circ|tilde|cedil|ring|slash|caron|breve|macr|ogon|dot|strok|dblac'
  return {
    names,
    form: new RegExp(
      String.raw`\\([!-/:-@[-\x60{-~])|&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z])(?:${marks})|(${Object.keys(names).join('|')}));`,
      'g',
    ),
  }
})

/**
 * Returns a string without the escapes and character references of Markdown: `ann\_b&#64;example.org` is `ann_b@example.org`. Only the names
 * of characters that personal data contains are read; a letter with a mark is read as the letter.
 */
export function readMarkdown(source: string): ReadText {
  if (!/\\[!-/:-@[-`{-~]|&[#a-zA-Z]/.test(source)) return { text: source }
  const { form, names } = named()
  const edits = [...source.matchAll(form)].map(
    ({ 0: mark, 1: escaped, 2: decimal, 3: hexadecimal, 4: letter, 5: name, index }) => {
      const code = decimal ? Number(decimal) : Number.parseInt(hexadecimal ?? '', 16)
      const char = escaped ?? letter ?? (name ? names[name]! : code <= 0x10ffff ? String.fromCodePoint(code) : '\uFFFD')
      return { start: index, end: index + mark.length, by: char }
    },
  )
  return replaceRanges(source, edits)
}

/** Returns a string with some ranges replaced, which are in ascending order and not shorter than what replaces them. */
export function replaceRanges(source: string, edits: readonly (Range & { by: string })[]): ReadText {
  const starts = new Uint32Array(source.length + 1)
  const parts: string[] = []
  let length = 0
  let copied = 0
  const copy = (until: number) => {
    for (let at = copied; at < until; at++) starts[length++] = at
    parts.push(source.slice(copied, until))
  }
  for (const { start, end, by } of edits) {
    copy(start)
    starts.fill(start, length, length + by.length)
    parts.push(by)
    length += by.length
    copied = end
  }
  copy(source.length)
  starts[length] = source.length
  return { text: parts.join(''), starts: starts.subarray(0, length + 1) }
}

/** Returns the range in the source of a range of the text. */
export function sourceRange({ starts }: ReadText, start: number, end: number): Range {
  return starts ? { start: starts[start]!, end: starts[end]! } : { start, end }
}

/** Returns the offset in the text of the first character that begins at an offset of the source or behind it. */
export function readOffset({ text, starts }: ReadText, at: number): number {
  if (!starts) return at
  let low = 0
  let high = text.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (starts[middle]! < at) low = middle + 1
    else high = middle
  }
  return low
}
