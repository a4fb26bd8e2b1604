/**
 * @module
 * HTML blocks: which of the seven kinds a line opens, and which line ends it.
 */
import { skipBlanks } from './characters.ts'

/**
 * The kinds of CommonMark: 1 raw text element, 2 comment, 3 instruction, 4 declaration, 5 CDATA, 6 block element, 7 any lone tag; 0 is no
 * HTML block.
 */
export type HtmlKind = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7

const RAW_OPEN = /<(?:pre|script|style|textarea)(?:[\t >]|$)/iy
const RAW_CLOSE = /<\/(?:pre|script|style|textarea)>/i
const BLOCK_TAG =
  /<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?:[\t >]|\/>|$)/iy
const TAG_NAME = /<\/?[a-z][a-z0-9-]*(?=[\t />])/iy
const ATTRIBUTE_NAME = /[:_a-z][-.:\w]*/iy
const UNQUOTED = /[^\t "'/<=>`]*/y

/** The kind of a line that is any complete tag. */
export const LONE_TAG = 7

/** Whether an HTML block ends at a blank line: one of a block element or a lone tag. The others end at their own mark. */
export function endsAtBlankLine(kind: HtmlKind): boolean {
  return kind >= 6
}

/**
 * Returns the kind of HTML block that `line` opens; its first character must be `<`. The caller decides whether a lone tag may interrupt
 * a paragraph.
 * @param hasOwnTags - whether the syntax has tags of its own. Only comments, instructions and declarations are HTML then.
 */
export function htmlKind(line: string, hasOwnTags = false): HtmlKind {
  const kind = kindOf(line)
  return hasOwnTags && (kind === 1 || endsAtBlankLine(kind)) ? 0 : kind
}

function kindOf(line: string): HtmlKind {
  const code = line.charCodeAt(1)
  if (code === 63) return 3
  if (code === 33) {
    if (line.startsWith('--', 2)) return 2
    if (line.startsWith('[CDATA[', 2)) return 5
    return /^[a-z]/i.test(line.charAt(2)) ? 4 : 0
  }
  if (matchEnd(RAW_OPEN, line, 0) > 0) return 1
  if (matchEnd(BLOCK_TAG, line, 0) > 0) return 6
  return isLoneTag(line) ? 7 : 0
}

/** Whether an HTML block of `kind` ends in `line`. `from` is 0, or the offset after the opening on the first line. */
export function endsHtml(kind: HtmlKind, line: string, from = 0): boolean {
  switch (kind) {
    case 1:
      return RAW_CLOSE.test(line)
    case 2:
      return line.includes('-->', from)
    case 3:
      return line.includes('?>', from)
    case 4:
      return line.includes('>', from)
    case 5:
      return endsCdata(line, from)
    default:
      return false
  }
}

/** Returns the offset from which to search for the end of a block on its first line: `<!-->` and `<?>` are complete blocks. */
export function htmlEndSearchStart(kind: HtmlKind): number {
  return kind === 2 ? 2 : kind === 3 ? 1 : kind === 4 ? 3 : kind === 5 ? 9 : 0
}

/** Whether the line contains `]]>`. micromark reads brackets in pairs: `]]]>` does not end the block, `]]]]>` does. */
function endsCdata(line: string, from: number): boolean {
  for (let end = line.indexOf(']>', from); end >= 0; end = line.indexOf(']>', end + 1)) {
    let start = end
    while (start > from && line[start - 1] === ']') start--
    if ((end - start) % 2 === 1) return true
  }
  return false
}

/** Whether the line is a complete opening or closing tag, followed by blanks only. */
function isLoneTag(line: string): boolean {
  const nameEnd = matchEnd(TAG_NAME, line, 0)
  if (nameEnd < 0) return false
  let position = nameEnd
  if (line[1] === '/') {
    position = skipBlanks(line, position, line.length)
  } else {
    for (;;) {
      position = skipBlanks(line, position, line.length)
      const name = matchEnd(ATTRIBUTE_NAME, line, position)
      if (name < 0) break
      position = name
      // micromark accepts another `=value` after an unquoted value.
      for (;;) {
        const equals = skipBlanks(line, position, line.length)
        if (line[equals] !== '=') break
        position = skipBlanks(line, equals + 1, line.length)
        const quote = line[position]
        if (quote === undefined || '<=>`'.includes(quote)) return false
        if (quote === '"' || quote === "'") {
          position = line.indexOf(quote, position + 1) + 1
          if (position === 0) return false
          const after = line[position]
          if (after !== '/' && after !== '>' && after !== ' ' && after !== '\t') return false
          break
        }
        position = matchEnd(UNQUOTED, line, position)
      }
    }
    if (line[position] === '/') position++
  }
  return line[position] === '>' && skipBlanks(line, position + 1, line.length) === line.length
}

function matchEnd(pattern: RegExp, line: string, from: number): number {
  pattern.lastIndex = from
  return pattern.test(line) ? pattern.lastIndex : -1
}
