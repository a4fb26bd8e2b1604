/**
 * @module
 * Bold, italic, deleted text and code of a page, such that Markdown reads them as such.
 */
import type { Element, ElementContent, Root } from 'hast'
import type { Options } from 'rehype-remark'

export type Handle = NonNullable<NonNullable<Options['handlers']>[string]>

/** Elements that are marks of Markdown, with the type of the mark. */
const MARKS: Readonly<Record<string, string>> = {
  b: 'strong',
  strong: 'strong',
  i: 'emphasis',
  em: 'emphasis',
  mark: 'emphasis',
  u: 'emphasis',
  del: 'delete',
  s: 'delete',
  strike: 'delete',
  code: 'inlineCode',
  kbd: 'inlineCode',
  samp: 'inlineCode',
  tt: 'inlineCode',
  var: 'inlineCode',
}

/**
 * Replaces an anchor, which is no link, and a mark inside of the same mark by their content: it means the same, and nested marks are
 * written in more than linear time.
 */
export function unwrapPlain(node: Root | Element, open: readonly string[] = []): void {
  node.children = (node.children as ElementContent[]).flatMap((child) => {
    if (child.type !== 'element') return [child]
    const mark = Object.hasOwn(MARKS, child.tagName) ? MARKS[child.tagName] : undefined
    const isRepeated = mark !== undefined && open.includes(mark)
    unwrapPlain(child, mark === undefined || isRepeated ? open : [...open, mark])
    const isAnchor = child.tagName === 'a' && child.properties['href'] === undefined
    return isRepeated || isAnchor ? child.children : [child]
  }) as typeof node.children
}

const BLOCK = /^(?:paragraph|heading|list|blockquote|code|tableText|thematicBreak)$/

/** Writes a mark. One around blocks, such as that around all of a page of Google Docs, is replaced by them. */
const mark: Handle = (state, element) => {
  const children = state.all(element)
  return children.some(({ type }) => BLOCK.test(type))
    ? children
    : ({ type: MARKS[element.tagName], children } as never)
}

/** The handlers of the elements whose content is not plain text. */
export const markHandlers = (): Record<string, Handle> =>
  Object.fromEntries(
    Object.keys(MARKS)
      .filter((name) => MARKS[name] !== 'inlineCode')
      .map((name) => [name, mark]),
  )

/** What is read of a node of Markdown. */
interface MarkdownNode {
  type: string
  value?: string
  children?: MarkdownNode[]
}

const isMark = ({ type }: MarkdownNode): boolean => /^(?:strong|emphasis|delete)$/.test(type)

/**
 * Places marks where Markdown reads them: blanks and breaks at their edges are beside them, the same mark beside a mark continues it, and
 * one whose edge is a sign beside a letter is left out. They would be written with references instead of letters (`&#x74;ext`), which no
 * search finds.
 */
export function placeMarks(parent: MarkdownNode): void {
  if (parent.children === undefined) return
  const joined: MarkdownNode[] = []
  for (const child of parent.children) {
    const last = joined.at(-1)
    if (last?.type === child.type && isMark(child)) for (const inner of child.children!) last.children!.push(inner)
    else if (last?.type === child.type && child.type === 'inlineCode') last.value += child.value!
    else joined.push(child)
  }
  const placed = joined.flatMap(withoutEdges)
  parent.children = placed.flatMap((child, index) => {
    if (!isMark(child)) return [child]
    const [first, last] = [child.children![0], child.children!.at(-1)]
    const isRead = fits(endOf(placed[index - 1]), startOf(first)) && fits(startOf(placed[index + 1]), endOf(last))
    return isRead ? [child] : child.children!
  })
}

/** Returns a mark between the blanks and breaks of its edges, and any other node as it is. The marks inside are placed. */
function withoutEdges(node: MarkdownNode): MarkdownNode[] {
  placeMarks(node)
  if (!isMark(node)) return [node]
  const children = node.children!
  const start = children.findIndex(isShown)
  if (start === -1) return children
  const end = children.findLastIndex(isShown) + 1
  node.children = children.slice(start, end)
  const [first, last] = [node.children[0]!, node.children.at(-1)!]
  const before = cut(first, 'trimStart')
  const after = cut(last, 'trimEnd')
  return [...children.slice(0, start), ...before, node, ...after, ...children.slice(end)]
}

const isShown = ({ type, value }: MarkdownNode): boolean =>
  type !== 'break' && (type !== 'text' || value!.trim() !== '')

/** Removes the white space at one end of a text node, and returns it as a text node. */
function cut(node: MarkdownNode, trim: 'trimStart' | 'trimEnd'): MarkdownNode[] {
  const { type, value = '' } = node
  const kept = type === 'text' ? value[trim]() : value
  if (kept === value) return []
  node.value = kept
  return [{ type: 'text', value: trim === 'trimStart' ? value.slice(0, -kept.length) : value.slice(kept.length) }]
}

/** Whether Markdown reads a mark between two characters. */
const fits = (outside: string, inside: string): boolean =>
  !(/[^\s\p{P}\p{S}]/u.test(outside) && /[\p{P}\p{S}]/u.test(inside))

/** The first character of a node; `*` stands for the sign with which other nodes begin. */
const startOf = (node: MarkdownNode | undefined): string => [...textOf(node).slice(0, 2)][0] ?? ''
const endOf = (node: MarkdownNode | undefined): string => [...textOf(node).slice(-2)].at(-1) ?? ''

/** A number with a sign above or below the line is text, too. */
const textOf = (node: MarkdownNode | undefined): string =>
  node === undefined ? '' : node.type === 'text' || node.type === 'inlineMath' ? node.value! : '*'
