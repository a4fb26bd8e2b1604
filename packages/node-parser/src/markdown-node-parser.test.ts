import { CallbackManager, Document, ImageDocument, ImageNode, TextNode } from '@x/core-model'
import { RecordingCallbackHandler } from '@x/core-model/testing'
import { describe, expect, it } from 'vitest'
import { countTokens } from './count-tokens.ts'
import { MarkdownNodeParser } from './markdown-node-parser.ts'

const parse = (text: string, options: ConstructorParameters<typeof MarkdownNodeParser>[0] = {}) =>
  new MarkdownNodeParser(options).getNodesFromDocuments([new Document({ id: 'd', text })])
const headers = async (text: string) => (await parse(text)).map(({ metadata }) => metadata)

describe('MarkdownNodeParser', () => {
  it('has a callback manager whose handlers can be added later', async () => {
    const [parser, handler] = [new MarkdownNodeParser(), new RecordingCallbackHandler()]
    parser.callbackManager.addHandler(handler)
    await parser.getNodesFromDocuments([new Document({ text: 'a' })])
    expect(handler.events).not.toEqual([])
    expect(new MarkdownNodeParser({ callbackManager: null }).callbackManager.handlers).toEqual([])
  })

  it('starts a section at each heading, with its headings in the metadata', async () => {
    expect(await headers('lead\n# A\n### B\n## C\nD\n===\n')).toEqual([
      {},
      { Header_1: 'A' },
      { Header_1: 'A', Header_3: 'B' },
      { Header_1: 'A', Header_2: 'C' },
      { Header_1: 'D' },
    ])
  })

  it('starts no section at headings in code, HTML, quotes, list items and front matter', async () => {
    const text =
      '---\na: 1\n# x\n---\n```\n# x\n```\n~~~~\n# x\n~~~\n~~~~\n\n<div>\n# x\n</div>\n\n> # x\n\n- # x\n\n    # x\n#x\n'
    expect(await parse(text)).toHaveLength(1)
  })

  it('stores headings as plain text', async () => {
    const cases: [source: string, text: string][] = [
      ['# **a** _b_ `c` &amp; \\# #', 'a b c & #'],
      ['# [text](url "title") ![alt *x*](u) <http://e.org> <b>x</b>', 'text alt x http://e.org x'],
      ['# Use <a name="use" id="use"></a> {#use .wide}', 'Use'],
      ['# Sets {a} and {b}', 'Sets {a} and {b}'],
      ['# [a][def] [b] [c]\n\n> [def]: u\n\n[b]: u', 'a b [c]'],
      ['# `` a`b `` &#65; &#x42; &nope;', 'a`b A B &nope;'],
      ['a *b\nc* \nd\n===', 'a b\nc\nd'],
      ['#', ''],
      ['# a\\*b*', 'a*b*'],
    ]
    for (const [source, text] of cases) expect((await headers(source))[0], source).toEqual({ Header_1: text })
  })

  it('splits sections that are too large, and repeats the heading with repeatHeading', async () => {
    const text = `# Long\n\n${'alpha beta\n\n'.repeat(6)}# Short\n\nx`
    const tokenizer = (part: string) => part.split(/\s+/).filter(Boolean)
    const nodes = await parse(text, { chunkSize: 6, tokenizer })
    expect(nodes.map((node) => node.text)).toEqual([
      '# Long\n\nalpha beta\n\nalpha beta',
      'alpha beta\n\nalpha beta\n\nalpha beta',
      'alpha beta',
      '# Short\n\nx',
    ])
    for (const node of nodes) expect(text.slice(node.startCharIdx ?? 0, node.endCharIdx ?? 0)).toBe(node.text)
    const repeated = await parse(text, { chunkSize: 8, tokenizer, repeatHeading: true })
    expect(repeated[1]?.text).toBe('# Long\n\nalpha beta\n\nalpha beta')
    expect(text.slice(repeated[1]?.startCharIdx ?? 0, repeated[1]?.endCharIdx ?? 0)).toBe('alpha beta\n\nalpha beta')
    for (const { text: piece } of repeated) expect(tokenizer(piece).length).toBeLessThanOrEqual(8)
  })

  it('does not repeat a heading that takes half of a chunk', async () => {
    const nodes = await parse(`# ${'long '.repeat(60)}\n\n${'alpha beta\n\n'.repeat(60)}`, {
      chunkSize: 40,
      repeatHeading: true,
    })
    expect(nodes.length).toBeGreaterThan(5)
    for (const { text } of nodes) expect(text.length).toBeLessThanOrEqual(160)
    expect(nodes.at(-1)?.text.startsWith('alpha')).toBe(true)
  })

  it('emits a chunking event', async () => {
    const handler = new RecordingCallbackHandler()
    await parse('a b\n\nc d', { chunkSize: 1, callbackManager: new CallbackManager([handler]) })
    expect(handler.summary().map(([phase, type]) => `${phase} ${type}`)).toEqual([
      'start node_parsing',
      'start chunking',
      'end chunking',
      'end node_parsing',
    ])
  })

  it('ends its event with the error that its work throws', async () => {
    const handler = new RecordingCallbackHandler()
    const options = { signal: AbortSignal.abort(new Error('enough')) }
    const parser = new MarkdownNodeParser({ callbackManager: new CallbackManager([handler]) })
    await expect(parser.getNodesFromDocuments([new Document({ text: 'a' })], options)).rejects.toThrow('enough')
    expect(handler.events.at(-1)).toMatchObject({ phase: 'end', payload: { exception: { message: 'enough' } } })
  })

  it('adds header path and line numbers', async () => {
    const [, node] = await parse('# A\r\n\r\n## B\r\nb\r\n', { headerPath: true, lineNumbers: true })
    expect(node?.metadata).toEqual({ Header_1: 'A', Header_2: 'B', header_path: 'A > B', start_line: 3, end_line: 4 })
    expect(node?.excludedEmbedMetadataKeys).toEqual(['start_line', 'end_line'])
  })

  it('adds no headings without includeMetadata', async () => {
    expect((await parse('# A', { includeMetadata: false }))[0]?.metadata).toEqual({})
  })

  it('keeps the image of an image document', async () => {
    const nodes = await new MarkdownNodeParser().getNodesFromDocuments([
      new ImageDocument({ text: '# A', imageUrl: 'u', imageMimetype: 'image/png' }),
    ])
    expect(nodes[0]).toBeInstanceOf(ImageNode)
    expect(nodes[0]).toMatchObject({ imageUrl: 'u', imageMimetype: 'image/png' })
  })

  it('sets offsets to null when the offsets of the input are unknown', async () => {
    const chunk = new TextNode({ text: '# A', relationships: { 1: { nodeId: 'whole' } } })
    const [node] = await new MarkdownNodeParser().getNodesFromDocuments([chunk])
    expect(node).toMatchObject({ startCharIdx: null, endCharIdx: null, refDocId: 'whole' })
  })

  it('writes and reads extension options, only if they differ from their default', () => {
    const plain = new MarkdownNodeParser()
    expect(plain.toDict()).toEqual({
      include_metadata: true,
      include_prev_next_rel: true,
      class_name: 'MarkdownNodeParser',
    })
    const parser = new MarkdownNodeParser({ chunkSize: 5, chunkOverlap: 2, repeatHeading: true, lineNumbers: true })
    expect(MarkdownNodeParser.fromJson(parser.toJson()).equals(parser)).toBe(true)
    expect(() => new MarkdownNodeParser({ chunkSize: 5, chunkOverlap: 5 })).toThrow('chunkOverlap')
  })
})

describe('cut blocks', () => {
  type Options = ConstructorParameters<typeof MarkdownNodeParser>[0]
  const parse = (text: string, options: Options) =>
    new MarkdownNodeParser(options).getNodesFromDocuments([new Document({ text })])

  const rows = Array.from({ length: 30 }, (_, index) => `| item ${index} | ${index} |`)
  const header = '| name | count |\n|------|------:|\n'
  /** The form that is repeated. */
  const compact = '| name | count |\n|---|--:|\n'

  describe('MarkdownNodeParser with tables larger than a chunk', () => {
    it('repeats the header in each further node, within the size, and keeps the offsets of the rows', async () => {
      const text = `# A\n\nText.\n\n${header}${rows.join('\n')}\n\nEnd.`
      for (const options of [{}, { repeatHeading: true }, { chunkOverlap: 10 }]) {
        const nodes = await parse(text, { chunkSize: 40, ...options })
        expect(nodes.length).toBeGreaterThan(3)
        for (const [index, node] of nodes.entries()) {
          expect(countTokens(node.text, null)).toBeLessThanOrEqual(40)
          const slice = text.slice(node.startCharIdx ?? 0, node.endCharIdx ?? 0)
          expect(node.text.endsWith(slice)).toBe(true)
          if (index > 0 && slice.startsWith('|')) expect(node.text.slice(0, -slice.length)).toContain(compact)
        }
        for (const row of rows) expect(nodes.some((node) => node.text.includes(row))).toBe(true)
      }
    })

    it('repeats the header of a table in a quote with its marks, but not in the middle of a row', async () => {
      const quoted = `> ${header.trim().replace('\n', '\n> ')}\n${rows.map((row) => `> ${row}`).join('\n')}`
      const nodes = await parse(quoted, { chunkSize: 40 })
      expect(nodes.length).toBeGreaterThan(3)
      for (const node of nodes.slice(1))
        expect(node.text.startsWith('> | name | count |\n> |---|--:|\n> | item')).toBe(true)

      const long = `${header}| ${'word '.repeat(100)}| 2 |\n| x | y |`
      const pieces = await parse(long, { chunkSize: 40 })
      expect(pieces.filter((node) => node.text.startsWith(compact)).length).toBeLessThan(3)
      expect(pieces.map((node) => node.text).join(' ')).toContain('| x | y |')
      for (const node of pieces) expect(countTokens(node.text, null)).toBeLessThanOrEqual(40)
    })

    it('repeats the header of a table that a formatter has padded, in a compact form', async () => {
      const cell = (text: string) => text.padEnd(60)
      const padded = (...cells: string[]) => `| ${cells.map(cell).join(' | ')} |`
      const table = [
        padded('name', 'count'),
        `| ${'-'.repeat(60)} | ${`${'-'.repeat(58)}:`} |`,
        ...Array.from({ length: 9 }, (_, index) => padded(`item ${index}`, `${index}`)),
      ].join('\n')
      const list = `- ${table.replaceAll('\n', '\n  ')}`
      for (const [text, start] of [
        [table, compact],
        [list, '- | name | count |\n  |---|--:|\n'],
      ] as const) {
        const nodes = await parse(text, { chunkSize: 80 })
        expect(nodes.length).toBeGreaterThan(3)
        for (const node of nodes.slice(1)) {
          expect(node.text.startsWith(start)).toBe(true)
          expect(countTokens(node.text, null)).toBeLessThanOrEqual(80)
          expect((await parse(node.text, {}))[0]?.text).toBe(node.text)
        }
      }
    })

    it('keeps the header together with the first row', async () => {
      const nodes = await parse(`${'Some words of text. '.repeat(6)}\n\n${header}${rows.join('\n')}`, { chunkSize: 42 })
      for (const { text } of nodes) expect(text.trimEnd().endsWith('------:|')).toBe(false)
      expect(nodes[1]?.text.startsWith(header)).toBe(true)
    })

    it('does not repeat a header of more than half a chunk, or with repeatTableHeader: false', async () => {
      const wide = `| ${'name '.repeat(20)} | count |\n|---|---|\n${rows.join('\n')}`
      for (const options of [{ text: wide }, { text: header + rows.join('\n'), repeatTableHeader: false }]) {
        const { text, ...others } = options
        const nodes = await parse(text, { chunkSize: 40, ...others })
        for (const { text: own, startCharIdx, endCharIdx } of nodes)
          expect(text.slice(startCharIdx ?? 0, endCharIdx ?? 0)).toBe(own)
      }
    })
  })
})
