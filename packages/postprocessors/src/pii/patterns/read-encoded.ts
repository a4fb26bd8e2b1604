/**
 * @module
 * Reads the spellings in which the same data occurs in documents, and stores where each character is in the source: escapes and character
 * references of Markdown, HTML, JSON and addresses, and invisible characters.
 */
import { countWhile, lazy } from '@x/core/values'
import type { Range } from './plain-signs.ts'

/** A string as a reader of Markdown sees it. */
export interface ReadText {
  text: string
  /** The offset in the source of each character of `text`, and of its end. Missing if `text` is the source. */
  starts?: Uint32Array
  /** The offset in the source where each character of `text` ends. */
  ends?: Uint32Array
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
      [
        String.raw`\\(?<escaped>[!-/:-@[-\x60{-~])`,
        // A character of an encoded address is encoded twice.
        String.raw`&(?:amp;){0,2}(?:#(?<decimal>\d{1,7})|#[xX](?<hex>[\da-fA-F]{1,6})|(?<letter>[A-Za-z])(?:${marks})|(?<name>${Object.keys(names).join('|')}));`,
        // JSON and programs.
        String.raw`\\(?:u(?<unicode>[\da-fA-F]{4})|u\{0{0,4}(?<point>[\da-fA-F]{1,6})\}|x(?<byte>[2-7][\da-fA-F]))`,
        String.raw`(?<line>\\(?:r\\)?n)`,
        // Addresses: UTF-8, and a plus between digits of a query.
        String.raw`(?<utf8>%[c-fC-F][\da-fA-F](?:%[89abAB][\da-fA-F]){1,3})|%(?:25){0,2}(?<percent>[2-7][\da-fA-F])`,
        String.raw`(?<plus>(?<=[?&][\w.-]{1,40}=[^&\s#]{0,60}\d)\+(?=\d))`,
        `(?<gone>${gone})`,
      ].join('|'),
      'gu',
    ),
    quoted: /=(?:(?<sign>[2-7][\dA-F])|(?<gone>\r?\n))/g,
  }
})

/** What a reader does not see: soft hyphens, blanks without width, marks of direction, and a comment without data within a word. */
const gone = String.raw`[\u00AD\u061C\u200B-\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]|<wbr ?\/?>|(?<=[\p{L}\p{N}.@])<!--[^@\d<>]{0,80}-->(?=[\p{L}\p{N}.@])`
const mayBeEncoded = /* @__PURE__ */ lazy(
  () => new RegExp(String.raw`\\[!-/:-@[-\x60{-~nrux]|&[#a-zA-Z]|%[2-7c-fC-F]|\d\+\d|${gone}`, 'u'),
)
/** What only quoted-printable text contains. */
const isQuotedPrintable = /* @__PURE__ */ lazy(() => /=3D|=[C-F][\dA-F]=[89AB][\dA-F]|quoted-printable/)

/**
 * Returns a string as its reader sees it: `ann\\_b&#64;example.org`, `ann_b%40example.org` and `ann_b\\u0040example.org` are
 * `ann_b@example.org`. Only the names of characters that personal data contains are read; a letter with a mark is read as the letter.
 */
export function readEncoded(source: string): ReadText {
  const isQuoted = isQuotedPrintable().test(source)
  if (!isQuoted && !mayBeEncoded().test(source)) return { text: source }
  const { form, quoted } = named()
  const read = replaceRanges(source, editsIn(source, form))
  if (!isQuoted) return read
  const signs = replaceRanges(read.text, editsIn(read.text, quoted))
  const places = (offsets: Uint32Array, of: Uint32Array | undefined) =>
    of ? offsets.map((at) => of[at] ?? at) : offsets
  return {
    text: signs.text,
    starts: places(signs.starts!, read.starts),
    ends: read.ends ? signs.ends!.map((at) => read.ends![at - 1]!) : signs.ends!,
  }
}

function editsIn(source: string, form: RegExp): (Range & { by: string })[] {
  return [...source.matchAll(form)].map(({ 0: mark, index, groups = {} }) => {
    const { escaped, letter, name, line, plus, utf8, decimal, hex, unicode, point, byte, percent, sign } = groups
    const code = decimal
      ? Number(decimal)
      : Number.parseInt(hex ?? unicode ?? point ?? byte ?? percent ?? sign ?? '', 16)
    const char = () => (code <= 0x10ffff ? String.fromCodePoint(code) : '\uFFFD')
    const by =
      groups['gone'] !== undefined
        ? ''
        : (escaped ??
          letter ??
          (line && '\n') ??
          (plus && ' ') ??
          (utf8 && decodedUtf8(utf8)) ??
          (name ? named().names[name]! : char()))
    return { start: index, end: index + mark.length, by }
  })
}

function decodedUtf8(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return '\uFFFD'
  }
}

/** Returns a string with some ranges replaced, which are in ascending order and not shorter than what replaces them. */
export function replaceRanges(source: string, edits: readonly (Range & { by: string })[]): ReadText {
  const starts = new Uint32Array(source.length + 1)
  const ends = new Uint32Array(source.length)
  const parts: string[] = []
  let length = 0
  let copied = 0
  const copy = (until: number) => {
    for (let at = copied; at < until; at++) {
      starts[length] = at
      ends[length++] = at + 1
    }
    parts.push(source.slice(copied, until))
  }
  for (const { start, end, by } of edits) {
    copy(start)
    starts.fill(start, length, length + by.length)
    ends.fill(end, length, length + by.length)
    parts.push(by)
    length += by.length
    copied = end
  }
  copy(source.length)
  starts[length] = source.length
  return { text: parts.join(''), starts: starts.subarray(0, length + 1), ends: ends.subarray(0, length) }
}

/** Returns the range in the source of a range of the text, without what a reader does not see at its end. */
export function sourceRange({ starts, ends }: ReadText, start: number, end: number): Range {
  if (!starts || !ends) return { start, end }
  return { start: starts[start]!, end: end > start ? ends[end - 1]! : starts[end]! }
}

/** Returns the offset in the text of the first character that begins at an offset of the source or behind it. */
export function readOffset({ text, starts }: ReadText, at: number): number {
  if (!starts) return at
  return countWhile(text.length, (index) => starts[index]! < at)
}
