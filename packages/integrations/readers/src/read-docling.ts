/**
 * @module
 * Documents of Docling: its JSON as Markdown with page breaks.
 */
import { checkOptions, dict, type OptionTable, text } from '@x/core/options'
import { Document, ModelValidationError } from '@x/core-model'
import { markdownTable, tableOfCells } from '@x/node-parser/tables'

/** The options of {@link readDocling}. */
interface DoclingOptions {
  /** The id of the document. @defaultValue the name of the file that was converted */
  id?: string | undefined
  /** Further metadata. @defaultValue none */
  metadata?: Record<string, unknown> | undefined
}

const doclingOptions: OptionTable<DoclingOptions> = { id: text, metadata: dict }

type Item = Readonly<Record<string, unknown>>

/** Parts of each page that are not its content. */
const FURNITURE: readonly string[] = ['page_header', 'page_footer']

/**
 * Returns a document of Docling (the JSON of `DoclingDocument`) as a document in Markdown. Where a page begins, it contains the line
 * `<!-- page 2 -->`: with `pageBreak: '^<!-- page (.+) -->$'`, the parsers of `@x/node-parser` add the metadata `page_label` to their nodes.
 * @throws {ModelValidationError} if the data is not that of a document of Docling.
 * @example
 * const text = { self_ref: '#/texts/0', label: 'section_header', text: 'Pears', prov: [{ page_no: 2 }] }
 * const data = { schema_name: 'DoclingDocument', name: 'fruit', body: { children: [{ $ref: '#/texts/0' }] }, texts: [text] }
 * readDocling(data).text // => '<!-- page 2 -->\n\n## Pears\n'
 */
export function readDocling(data: unknown, options: DoclingOptions = {}): Document {
  checkOptions('readDocling', options, doclingOptions)
  const markdown = doclingToMarkdown(data)
  const { name, origin } = data as { name?: unknown; origin?: { filename?: unknown } | null }
  const id = options.id ?? origin?.filename ?? name
  return new Document({
    ...(typeof id === 'string' && { id }),
    text: markdown,
    ...(options.metadata && { metadata: options.metadata }),
  })
}

/**
 * Returns the content of a document of Docling as Markdown, with a line such as `<!-- page 2 -->` where a page begins.
 * @throws {ModelValidationError} if the data is not that of a document of Docling.
 */
export function doclingToMarkdown(data: unknown): string {
  const document = data as Item | null
  if (typeof document !== 'object' || document === null || !isItem(document['body']))
    throw new ModelValidationError('DoclingDocument', [
      { path: 'body', message: 'expected the JSON of a DoclingDocument, which has a body', code: 'type' },
    ])
  const writer = new DoclingWriter(document)
  writer.write(document['body'])
  return writer.blocks.length === 0 ? '' : `${writer.blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

class DoclingWriter {
  /** The blocks and their lines: the items of a list are one block. */
  readonly blocks: string[][] = []
  private readonly document: Item
  private readonly seen = new Set<unknown>()
  private page: unknown = null
  private isList = false

  constructor(document: Item) {
    this.document = document
  }

  /** Writes the items inside of a body. */
  write(body: Item): void {
    /** The items that are being written, with their children that follow. `depth` is that of lists. */
    const open = [{ children: listOf(body['children']).values(), depth: 0, number: 0 }]
    for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
      const { done, value } = last.children.next()
      if (done) {
        open.pop()
        continue
      }
      const item = this.resolve(value)
      // A circle of references is followed once.
      if (item === null || this.seen.has(item)) continue
      this.seen.add(item)
      const isListItem = item['label'] === 'list_item'
      if (isListItem) last.number++
      if (FURNITURE.some((label) => label === item['label']) || item['content_layer'] === 'furniture') continue
      this.turnPage(item)
      if (isListItem) this.add(listItem(item, last.depth, last.number), true)
      else this.add(blockOf(item), false)
      const depth = isListItem ? last.depth + 1 : last.depth
      open.push({ children: listOf(item['children']).values(), depth, number: 0 })
    }
  }

  private add(text: string, isList: boolean): void {
    if (text === '') return
    if (isList && this.isList) this.blocks.at(-1)!.push(text)
    else this.blocks.push([text])
    this.isList = isList
  }

  private turnPage(item: Item): void {
    const [place] = listOf(item['prov'])
    const page = isItem(place) ? place['page_no'] : undefined
    if (typeof page !== 'number' || page === this.page) return
    this.page = page
    this.add(`<!-- page ${page} -->`, false)
  }

  /** Returns what a reference such as `#/texts/3` stands for. */
  private resolve(reference: unknown): Item | null {
    const path = isItem(reference) ? (reference['$ref'] ?? reference['cref']) : undefined
    if (typeof path !== 'string') return null
    let found: unknown = this.document
    for (const part of path.replace(/^#\//, '').split('/'))
      found =
        typeof found === 'object' && found !== null && Object.hasOwn(found, part) ? (found as Item)[part] : undefined
    return isItem(found) ? found : null
  }
}

function blockOf(item: Item): string {
  const own = textOf(item['text'])
  if (isItem(item['data']) && Array.isArray(item['data']['grid'])) return tableOf(item['data']['grid'])
  switch (item['label']) {
    case 'title':
      return own && `# ${own.replace(/\s+/g, ' ')}`
    case 'section_header':
      return own && `${'#'.repeat(levelOf(item) + 1)} ${own.replace(/\s+/g, ' ')}`
    case 'code': {
      let fence = '```'
      for (const [marks] of own.matchAll(/`{3,}/g)) if (marks.length >= fence.length) fence = `${marks}\``
      const language = /^[^\r\n`]+$/.exec(textOf(item['code_language']).toLowerCase())?.[0] ?? ''
      return own && `${fence}${language === 'unknown' ? '' : language}\n${own}\n${fence}`
    }
    case 'formula':
      return own && `$$\n${own}\n$$`
    case 'checkbox_selected':
      return own && `- [x] ${own}`
    case 'checkbox_unselected':
      return own && `- [ ] ${own}`
    default:
      return own
  }
}

function listItem(item: Item, depth: number, number: number): string {
  const mark = item['enumerated'] === true ? `${number}.` : '-'
  return `${'   '.repeat(depth)}${mark} ${lineOf(item['text'])}`
}

function levelOf({ level }: Item): number {
  return typeof level === 'number' ? Math.max(0, Math.min(5, level)) : 1
}

/** Returns a table; its cells that span rows or columns are in the grid once for each. */
function tableOf(grid: readonly unknown[]): string {
  const rows = grid.map((row) => listOf(row).filter(isItem))
  const cells = (row: readonly Item[]) =>
    row.map((cell) => ({ text: lineOf(cell['text']).replace(/\\\|/g, '|'), isHeader: cell['column_header'] === true }))
  const firstBody = rows.findIndex((row) => !row.some((cell) => cell['column_header'] === true))
  // Without marks, the first row names the columns: Docling's own models find tables in pictures of pages.
  const heads = firstBody < 0 ? rows.length : Math.max(1, firstBody)
  const groups = [
    { kind: 'head' as const, rows: rows.slice(0, heads).map(cells) },
    { kind: 'body' as const, rows: rows.slice(heads).map(cells) },
  ]
  const table = tableOfCells(groups)
  return table === null ? '' : markdownTable(table)
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/** Returns a string on one line. */
const lineOf = (value: unknown): string =>
  textOf(value).replace(/\s+/g, (space) => (space.includes('\n') ? ' ' : space))

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null && !Array.isArray(value)
