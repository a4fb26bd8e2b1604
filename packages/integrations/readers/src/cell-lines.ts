/**
 * @module
 * The content of a table cell as lines of phrasing content, because a cell of Markdown has no blocks.
 */
import type { Element, ElementContent } from 'hast'

/** Elements that are lines of their own. */
const BLOCKS = new Set(
  (
    'address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 ' +
    'h5 h6 header hgroup hr legend li main menu nav ol p pre section summary table tbody tfoot thead tr ul'
  ).split(' '),
)

/** Returns the lines of a cell. Code is inline code, the cells of a table inside are separated by blanks, and a term has a colon. */
export function cellLines(cell: Element): ElementContent[][] {
  const lines = linesOf(cell.children)
  return lines.filter((line) => line.some(hasContent))
}

function linesOf(children: readonly ElementContent[]): ElementContent[][] {
  const lines: ElementContent[][] = [[]]
  for (const child of children) {
    if (child.type !== 'element') {
      add(lines.at(-1)!, child)
      continue
    }
    const own = linesOfElement(child)
    const isBlock = BLOCKS.has(child.tagName)
    if (isBlock) lines.push([])
    own.forEach((line, index) => {
      if (index > 0) lines.push([])
      for (const part of line) add(lines.at(-1)!, part)
    })
    if (isBlock) lines.push([])
  }
  return lines
}

/** Adds a part to a line. Adjacent strings become one: their conversion takes more than linear time. */
function add(line: ElementContent[], part: ElementContent): void {
  const last = line.at(-1)
  if (part.type === 'text' && last?.type === 'text')
    line[line.length - 1] = { type: 'text', value: last.value + part.value }
  else line.push(part)
}

function linesOfElement(element: Element): ElementContent[][] {
  const { tagName, children } = element
  if (tagName === 'br') return [[{ type: 'text', value: ' ' }]]
  if (tagName === 'hr') return [[]]
  if (tagName === 'pre')
    return textOf(element)
      .replace(/\n$/, '')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => [{ type: 'element', tagName: 'code', properties: {}, children: [{ type: 'text', value: line }] }])
  const lines = linesOf(children).filter((line) => line.length > 0)
  if (tagName === 'td' || tagName === 'th') return [[...joined(lines), { type: 'text', value: ' ' }]]
  if (tagName === 'dt') return [[...joined(lines), { type: 'text', value: ':' }]]
  if (BLOCKS.has(tagName)) return lines
  // An inline element around blocks is around each of their lines.
  return lines.length === 0 ? [[element]] : lines.map((line) => [{ ...element, children: line }])
}

function joined(lines: readonly ElementContent[][]): ElementContent[] {
  return lines.flatMap((line, index) => (index === 0 ? line : [{ type: 'text' as const, value: ' ' }, ...line]))
}

/** Joins lines of Markdown: with a semicolon, unless a line ends with a mark of its own. */
export function joinLines(lines: readonly string[]): string {
  return lines
    .filter((line) => line !== '')
    .reduce(
      (text, line) => (text === '' ? line : `${text}${/[.,;:!?…。、！？：；]$/u.test(text) ? '' : ';'} ${line}`),
      '',
    )
}

function hasContent(node: ElementContent): boolean {
  if (node.type === 'text') return node.value.trim() !== ''
  if (node.type !== 'element') return false
  return ['img', 'input', 'sup', 'sub'].includes(node.tagName) || node.children.some(hasContent)
}

export function textOf({ children }: Pick<Element, 'children'>): string {
  return children
    .map((child) =>
      child.type === 'text'
        ? child.value
        : child.type === 'element'
          ? child.tagName === 'br'
            ? '\n'
            : textOf(child)
          : '',
    )
    .join('')
}
