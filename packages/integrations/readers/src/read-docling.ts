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

/** Items with captions. */
const FIGURES: readonly string[] = ['table', 'document_index', 'picture', 'chart']

/** Labels and layers of what is not the content of a page. */
const FURNITURE: readonly string[] = ['page_header', 'page_footer', 'furniture', 'background', 'invisible']

/**
 * Returns a document of Docling (the JSON of `DoclingDocument`) as a document in Markdown. Where a page begins, it contains the line
 * `<!-- page 2 -->`: with `pageBreak: '^<!-- page (.+) -->$'`, the parsers of `@x/node-parser` add the metadata `page_label` to their
 * nodes.
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
    const open = [{ children: listOf(body['children']).values(), depth: 0, number: 0, isFigure: false }]
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
      if ([item['label'], item['content_layer']].some((name) => FURNITURE.includes(name as string))) continue
      const isFigure = FIGURES.includes(item['label'] as string)
      const children = listOf(item['children']).values()
      // Cells contain the texts inside of a table, and those of a picture are words such as the labels of axes.
      if (last.isFigure && !isFigure) {
        open.push({ ...last, children })
        continue
      }
      this.turnPage(item)
      const text = this.textOf(item)
      if (isListItem) this.add(listItem(item, text, last.depth, last.number), true)
      else this.add(blockOf(item, text), false)
      const below = { depth: isListItem ? last.depth + 1 : last.depth, number: 0 }
      open.push({ ...below, children, isFigure })
      if (!isFigure) continue
      const captions = [...listOf(item['captions']), ...listOf(item['footnotes'])].values()
      open.push({ ...below, children: captions, isFigure: false })
    }
  }

  /** Returns the text of an item: its own, or that of the inline group that it is or begins with. */
  private textOf(item: Item): string {
    const own = textOf(item['text'])
    if (own !== '') return own
    const group = item['label'] === 'inline' ? item : this.resolve(listOf(item['children'])[0])
    if (group?.['label'] !== 'inline') return ''
    let line = ''
    for (const child of listOf(group['children'])) {
      const part = this.resolve(child)
      const text = textOf(part?.['text'])
      if (part === null || text === '' || this.seen.has(part)) continue
      this.seen.add(part)
      if (line === '') this.turnPage(part)
      else if (!/[([]$/.test(line) && !/^[.,;:!?)\]]/.test(text)) line += ' '
      line += part['label'] === 'code' ? `\`${text}\`` : part['label'] === 'formula' ? `$${text}$` : text
    }
    return line
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

/** Returns the rows of a table, or those of a chart that Docling has read. */
function gridOf({ data, meta }: Item): readonly unknown[] | undefined {
  const chart = isItem(meta) && isItem(meta['tabular_chart']) ? meta['tabular_chart']['chart_data'] : undefined
  const { grid } = (isItem(data) ? data : isItem(chart) ? chart : {}) as Item
  return Array.isArray(grid) ? grid : undefined
}

function blockOf(item: Item, own: string): string {
  const grid = gridOf(item)
  if (grid !== undefined) return tableOf(grid)
  switch (item['label']) {
    case 'sheet':
      return `## ${textOf(item['name'])}`
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

/** A number of another form than that of Markdown, such as `1.1.` or `[1]`, is part of the text. */
function listItem({ enumerated, marker }: Item, text: string, depth: number, number: number): string {
  const own = lineOf(marker) || `${number}.`
  const mark = enumerated !== true ? '-' : /^\d{1,9}[.)]$/.test(own) ? own : `- ${own}`
  return `${'   '.repeat(depth)}${mark} ${lineOf(text)}`
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
