/**
 * @module
 * HTML pages as Markdown.
 */
import { checkOptions, choice, dict, type OptionTable, text } from '@x/core/options'
import { invalid } from '@x/core/reading'
import { lazy } from '@x/core/values'
import { Document, ModelValidationError } from '@x/core-model'
import type { Element, ElementContent, Root } from 'hast'
import rehypeParse from 'rehype-parse'
import rehypeRemark from 'rehype-remark'
import remarkGfm from 'remark-gfm'
import remarkStringify from 'remark-stringify'
import { unified } from 'unified'
import { textOf } from './cell-lines.ts'
import { writeTables } from './html-tables.ts'
import { type Handle, markHandlers, placeMarks, unwrapPlain } from './marks.ts'

/** The options of {@link htmlToMarkdown}. */
interface HtmlOptions {
  /**
   * `main`: the content of `<main>`, or of the only `<article>`, without navigation, footers and side notes; the body of a page without
   * them. `body`: the whole body. @defaultValue 'main'
   */
  content?: 'main' | 'body' | undefined
  /** The address of the page, which relative links and images are completed with. @defaultValue they stay relative */
  url?: string | undefined
}

/** The options of {@link readHtml}. */
interface ReadHtmlOptions extends HtmlOptions {
  /** The id of the document. @defaultValue the address, or else a random id */
  id?: string | undefined
  /** Further metadata. @defaultValue none */
  metadata?: Record<string, unknown> | undefined
}

const htmlOptions: OptionTable<ReadHtmlOptions> = {
  content: choice('main', 'body'),
  url: text,
  id: text,
  metadata: dict,
}

/** Elements without text of the page. */
const NEVER: readonly string[] = [
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'iframe',
  'canvas',
  'col',
  'colgroup',
  'dialog',
  'button',
  'select',
]
/** Elements around the content of the page. */
const AROUND: readonly string[] = ['nav', 'footer', 'aside']
/** Elements deeper than that are replaced by their content: the time for nested ones is more than linear. */
const DEEPEST = 100

/**
 * Returns a page as Markdown: headings, lists, code, links, images and tables. Cells that span rows or columns are repeated in each; their
 * blocks, items and lines are separated by semicolons. `10<sup>6</sup>` is `10^6`, `H<sub>2</sub>O` is `H_2O`. The page is parsed according
 * to the HTML standard; every string is a valid page.
 * @throws {ModelValidationError} if an option is not valid, or more than about 1,000 elements are nested.
 * @example
 * htmlToMarkdown('<nav>Home</nav><h1>Pears</h1><p>They are <b>green</b>.') // => '# Pears\n\nThey are **green**.\n'
 */
export function htmlToMarkdown(html: string, options: HtmlOptions = {}): string {
  return convert('htmlToMarkdown', html, options).markdown
}

/**
 * Returns a page as a document in Markdown, with its `<title>` as metadata `title`, and its address as metadata `url`.
 * @throws {ModelValidationError} if an option is not valid, or more than about 1,000 elements are nested.
 * @example
 * const { text, metadata } = readHtml('<title>Fruit</title><h1>Pears</h1>')
 * text // => '# Pears\n'
 * metadata // => { title: 'Fruit' }
 */
export function readHtml(html: string, options: ReadHtmlOptions = {}): Document {
  const { title, markdown } = convert('readHtml', html, options)
  const { url, id = url, metadata = {} } = options
  return new Document({
    ...(id !== undefined && { id }),
    text: markdown,
    metadata: { ...(title !== '' && { title }), ...(url !== undefined && { url }), ...metadata },
  })
}

function convert(name: string, html: string, options: ReadHtmlOptions): { title: string; markdown: string } {
  checkOptions(name, options, htmlOptions)
  if (typeof html !== 'string') throw invalid(name, 'a string', html, ['html'])
  try {
    const root = unified()
      .use(rehypeParse)
      .parse(html.replace(/^\uFEFF/, ''))
    const title = find(root, ({ tagName }) => tagName === 'title')[0]
    const text = title === undefined ? '' : textOf(title).replace(/\s+/g, ' ').trim()
    return { title: text, markdown: markdownOf(root, options) }
  } catch (cause) {
    // The parser and the conversion are recursive.
    if (!(cause instanceof RangeError)) throw cause
    const message = 'expected a page of fewer nested elements'
    throw new ModelValidationError(name, [{ path: 'html', message, code: 'depth' }], { cause })
  }
}

function markdownOf(root: Root, { content = 'main', url }: HtmlOptions): string {
  const [main, ...others] = find(root, ({ tagName, properties }) => tagName === 'main' || properties['role'] === 'main')
  const articles = find(root, ({ tagName }) => tagName === 'article')
  const found = main !== undefined && others.length === 0 ? main : articles.length === 1 ? articles[0] : undefined
  const body = find(root, ({ tagName }) => tagName === 'body')[0]
  const part = content === 'main' ? (found ?? body) : body
  const shown: Root = { type: 'root', children: part?.children ?? root.children }
  unwrapPlain(shown)
  remove(shown, content === 'main' ? [...NEVER, ...AROUND] : NEVER)
  const base = find(root, ({ tagName }) => tagName === 'base')[0]?.properties['href']
  complete(shown, completed(base, url) ?? url)
  writeScripts(shown)
  writeTables(shown, writeLine)
  return write(shown)
}

/** Returns the content of a line of a cell as Markdown. Words and numbers are what they are, so that many small cells are read quickly. */
function writeLine(children: readonly ElementContent[]): string {
  const [first, ...others] = children
  if (first?.type === 'text' && others.length === 0) {
    const words = first.value.split(/[ \t\n\f\r]+/).filter((word) => word !== '')
    if (words.every((word) => isPlain().test(word))) return words.join(' ')
  }
  return write({ type: 'root', children: [...children] })
    .split('\n')
    .map((line) => line.trim())
    .join(' ')
    .trim()
}

/** A word or a number that Markdown never reads as a mark. */
const isPlain = lazy(() => /^(?:[\p{L}\p{N},]+|\d+\.\d+)$/u)

/** Returns content as Markdown. Tables, and signs beside text, are already written. */
function write(content: Root): string {
  const { toTree, toText } = processors()
  return toText.stringify(toTree.runSync(content) as never)
}

/** Made once: a cell with many lines writes each of them alone. */
const processors = lazy(() => ({
  toTree: unified()
    .use(rehypeRemark, { handlers: { ...markHandlers(), table: writtenTable, sup: sign, sub: sign } })
    .use(() => placeMarks)
    .freeze(),
  toText: unified()
    .use(remarkGfm, { tablePipeAlign: false })
    .use(remarkStringify, {
      bullet: '-',
      handlers: { tableText: asWritten, inlineMath: asWritten, text: plainText } as never,
      join: [(left, right) => ([left.type, right.type].includes('tableText' as never) ? 1 : undefined)],
    })
    .freeze(),
}))

const asWritten = ({ value }: { value: string }): string => value

/**
 * Text is escaped only where Markdown would read something else. An address is not escaped: what reads it as a link shows the same text,
 * and searches and masks find it as it is on the page.
 */
const plainText: TextHandle = ({ value }, _, state, info) =>
  state.safe(value, info).replace(/\\[\s\S]/g, (pair, at: number, text: string) => {
    const char = pair[1]!
    if (char === '@' || (char === ':' && text.startsWith('//', at + 2))) return char
    if (char === '.' && /^www$/i.test(text.slice(Math.max(0, at - 3), at))) return char
    if (char === '~' && wordBefore(text, at).includes('://')) return char
    const { reference, brackets } = plainMarks()
    if (char === '&') return reference.test(text.slice(at + 2, at + 36)) ? pair : char
    // `[x]` alone is no link: there are no definitions of references. One character may be the mark of a task.
    return char === '[' && brackets.test(`${text.slice(at + 2, at + 66)}${at + 66 < text.length ? '' : info.after}`)
      ? char
      : pair
  })

const wordBefore = (text: string, at: number) =>
  text
    .slice(Math.max(0, at - 64), at)
    .split(/\s/)
    .at(-1)!

const plainMarks = lazy(() => ({ reference: /^#?\w{1,31};/, brackets: /^[^\][\\^!][^\][\\]{1,60}\](?![([:\\])/ }))

type TextHandle = (
  node: { value: string },
  parent: unknown,
  state: { safe(value: string, info: { before: string; after: string }): string },
  info: { before: string; after: string },
) => string

const writtenTable: Handle = (_, { properties }: Element) =>
  ({ type: 'tableText', value: properties['value'] }) as never

/** A sign is not escaped. What is no sign, such as a link to a note, is written as usual. */
const sign: Handle = (state, element: Element) =>
  typeof element.properties['value'] === 'string'
    ? ({ type: 'inlineMath', value: element.properties['value'] } as never)
    : (state.all(element) as never)

function find(node: Root | Element, accepts: (element: Element) => boolean): Element[] {
  return node.children.flatMap((child) => {
    if (child.type !== 'element') return []
    return accepts(child) ? [child] : find(child, accepts)
  })
}

function remove(node: Root | Element, names: readonly string[], depth = 0): void {
  const isKept = (child: (typeof node.children)[number]) =>
    child.type !== 'element' ||
    !(names.includes(child.tagName) || child.properties['hidden'] === true || child.properties['ariaHidden'] === 'true')
  node.children = node.children.filter(isKept).map(withoutData) as typeof node.children
  for (const child of node.children) if (child.type === 'element') remove(child, names, depth + 1)
  node.children = node.children.filter((child) => !isNothing(child)) as typeof node.children
  if (depth < DEEPEST) return
  node.children = node.children.flatMap((child) =>
    child.type === 'element' && child.children.length > 0
      ? [{ type: 'text', value: ' ' }, ...(child.children as Element[])]
      : [child],
  ) as typeof node.children
}

/** Returns the words for an image whose address is its data, and any other node as it is. */
const withoutData = (node: Root['children'][number]): Root['children'][number] =>
  node.type === 'element' && node.tagName === 'img' && /^\s*data:/i.test(String(node.properties['src']))
    ? { type: 'text', value: String(node.properties['alt'] ?? '') }
    : node

/** Elements that are shown, or that separate what is beside them, without content. */
const SHOWN_EMPTY =
  /^(?:img|br|hr|input|textarea|audio|video|picture|source|track|object|embed|area|math|table|caption|colgroup|col|thead|tbody|tfoot|tr|td|th|p|div|h[1-6]|ul|ol|li|menu|dir|dl|dt|dd|blockquote|pre|address|article|section|main|header|figure|figcaption|form|fieldset|legend|details|summary|center|hgroup|search|body|optgroup|option|base|title|meta|link|head|html)$/

/**
 * Whether a node is a comment, a link such as `¶` to its own heading, or an empty element in a line: many of them take more than linear
 * time.
 */
const isNothing = (child: Root['children'][number]): boolean =>
  child.type === 'comment' ||
  (child.type === 'element' &&
    (isPermalink(child) ||
      (child.children.length === 0 && !child.properties['href'] && !SHOWN_EMPTY.test(child.tagName))))

const isPermalink = (element: Element): boolean =>
  element.tagName === 'a' &&
  String(element.properties['href']).startsWith('#') &&
  element.children.every(({ type }) => type === 'text') &&
  /^[\s\u200b¶#§🔗]{0,9}$/u.test(textOf(element))

/** Completes the addresses of links and images. */
function complete(node: Root | Element, base: string | undefined): void {
  for (const child of node.children) {
    if (child.type !== 'element') continue
    for (const name of ['href', 'src'] as const) {
      const address = base === undefined ? undefined : completed(child.properties[name], base)
      if (address !== undefined) child.properties[name] = address
    }
    complete(child, base)
  }
}

/** Returns an address that is completed with another one; undefined for an address within the page, and for what is no address. */
function completed(address: unknown, base: string | undefined): string | undefined {
  if (typeof address !== 'string' || address.startsWith('#')) return undefined
  try {
    return new URL(address, base).href
  } catch {
    return undefined
  }
}

/** Endings of ordinal numbers and marks that belong to the word before them. */
const ENDING = /^(?:st|nd|rd|th|e|er|ère|re|ème|es|o|a|os|as|º|ª|tm|sm|r|c|™|®|©)$/i

/**
 * Writes `<sup>` and `<sub>` with a sign, so that a number does not become another one: `10^6`, `H_2O`. Marks of notes, such as links and
 * asterisks, have a blank before them. A formula becomes its TeX source, or else its text.
 */
function writeScripts(root: Root | Element): void {
  root.children = (root.children as ElementContent[]).flatMap((child): ElementContent[] => {
    if (child.type !== 'element') return [child]
    if (child.tagName === 'math') return [raw(child) ?? { type: 'text', value: textOf(child).replace(/\s+/g, ' ') }]
    writeScripts(child)
    return child.tagName === 'sup' || child.tagName === 'sub' ? script(child) : [child]
  }) as typeof root.children
}

function script(element: Element): ElementContent[] {
  const text = textOf(element).trim()
  const sign = element.tagName === 'sup' ? '^' : '_'
  if (text === '') return element.children
  if (element.tagName === 'sup' && ENDING.test(text)) return element.children
  const isPlain = element.children.every(({ type }) => type === 'text')
  if (isPlain && /^[\p{L}\p{N}+−-][\p{L}\p{N}.,+−-]{0,11}$/u.test(text))
    return [{ ...element, properties: { value: sign + text }, children: [] }]
  return [{ type: 'text', value: ' ' }, ...element.children]
}

/** Returns the TeX source that a formula contains. */
function raw(element: Element): ElementContent | undefined {
  for (const child of element.children) {
    if (child.type !== 'element') continue
    if (child.tagName === 'annotation' && /tex/i.test(String(child.properties['encoding'])))
      return { type: 'text', value: `$${textOf(child).trim()}$` }
    const inner = raw(child)
    if (inner) return inner
  }
  return undefined
}
