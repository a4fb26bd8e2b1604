/**
 * @module
 * Documents of Docling: its JSON as Markdown with page breaks.
 */
import { checkOptions, type OptionTable, text, unchecked } from '@x/core/options'
import { Document, ModelValidationError } from '@x/core-model'

/** The options of {@link readDocling}. */
export interface DoclingOptions {
  /** The id of the document. @defaultValue the name of the file that was converted */
  id?: string | undefined
  /** Further metadata. @defaultValue none */
  metadata?: Record<string, unknown> | undefined
}

const doclingOptions: OptionTable<DoclingOptions> = { id: text, metadata: unchecked }

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
  writer.children(document['body'], 0)
  return writer.blocks.length === 0 ? '' : `${writer.blocks.join('\n\n')}\n`
}

class DoclingWriter {
  readonly blocks: string[] = []
  private readonly document: Item
  private readonly seen = new Set<unknown>()
  private page: unknown = null

  constructor(document: Item) {
    this.document = document
  }

  /** Writes the children of an item. `depth` is that of lists. */
  children(item: Item, depth: number): void {
    let number = 0
    for (const reference of listOf(item['children'])) {
      const child = this.resolve(reference)
      // A circle of references is followed once.
      if (child === null || this.seen.has(child)) continue
      this.seen.add(child)
      if (child['label'] === 'list_item') number++
      this.write(child, depth, number)
    }
  }

  private write(item: Item, depth: number, number: number): void {
    const { label } = item
    if (FURNITURE.includes(String(label)) || item['content_layer'] === 'furniture') return
    this.turnPage(item)
    const block = label === 'list_item' ? listItem(item, depth, number) : blockOf(item)
    const last = this.blocks.at(-1) ?? ''
    // Items of one list are one block.
    if (label === 'list_item' && /^ *(?:-|\d+\.) /.test(last)) this.blocks[this.blocks.length - 1] = `${last}\n${block}`
    else if (block !== '') this.blocks.push(block)
    this.children(item, label === 'list_item' ? depth + 1 : depth)
  }

  private turnPage(item: Item): void {
    const [place] = listOf(item['prov'])
    const page = isItem(place) ? place['page_no'] : undefined
    if (typeof page !== 'number' || page === this.page) return
    this.page = page
    this.blocks.push(`<!-- page ${page} -->`)
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
  const own = typeof item['text'] === 'string' ? item['text'].trim() : ''
  if (isItem(item['data']) && Array.isArray(item['data']['grid'])) return tableOf(item['data']['grid'])
  switch (item['label']) {
    case 'title':
      return own && `# ${own.replace(/\s+/g, ' ')}`
    case 'section_header':
      return own && `${'#'.repeat(Math.min(6, Number(item['level'] ?? 1) + 1))} ${own.replace(/\s+/g, ' ')}`
    case 'code': {
      const fence = '`'.repeat(Math.max(3, ...Array.from(own.matchAll(/`+/g), ([marks]) => marks.length + 1)))
      const language = String(item['code_language'] ?? '').toLowerCase()
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
  const own = typeof item['text'] === 'string' ? item['text'].trim().replace(/\s*\n\s*/g, ' ') : ''
  return `${'   '.repeat(depth)}${mark} ${own}`
}

/** Returns a table; its cells that span rows or columns are in the grid once for each. */
function tableOf(grid: readonly unknown[]): string {
  const cell = (value: unknown) =>
    isItem(value) && typeof value['text'] === 'string'
      ? value['text']
          .trim()
          .replace(/\s*\n\s*/g, ' ')
          .replace(/(?<!\\)\|/g, '\\|')
      : ''
  const rows = grid.map((row) => listOf(row).map(cell))
  const width = Math.max(0, ...rows.map(({ length }) => length))
  const line = (cells: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, at) => cells[at] ?? '').join(' | ')} |`
  const [header, ...others] = rows
  if (header === undefined || width === 0) return ''
  return [line(header), `|${'---|'.repeat(width)}`, ...others.map(line)].join('\n')
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null && !Array.isArray(value)
