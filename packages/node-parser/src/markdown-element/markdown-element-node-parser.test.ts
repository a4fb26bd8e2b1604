import { CallbackManager, Document, IndexNode, LLMMetadata, type RelatedNodeInfo, TextNode } from '@x/core-model'
import { RecordingCallbackHandler } from '@x/core-model/testing'
import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../tools/extent.ts'
import { generateMarkdown, seededRandom } from '../../fuzz/generate.ts'
import { mdx } from '../markdown/mdx.ts'
import { MarkdownNodeParser } from '../markdown-node-parser.ts'
import { SentenceSplitter } from '../sentence-splitter.ts'
import type { ElementNodeParserOptions } from './base-element-node-parser.ts'
import { MarkdownElementNodeParser } from './markdown-element-node-parser.ts'
import { streamMarkdownElements } from './stream-elements.ts'
import type { TableOutput } from './table-output.ts'
import { tableRows } from './table-rows.ts'
import { typedElements } from './typed-elements.ts'

const answer = '{"summary": "Fruit", "columns": [{"col_name": "name", "col_type": "text"}]}'
const table = '| name | price |\n|---|---|\n| apple | 2 |\n| pear | 3 |'
const document = (text: string, id = 'd') => new Document({ id, text })
const parse = (text: string, options: ElementNodeParserOptions = {}) =>
  new MarkdownElementNodeParser({ summarizer: 'headers', ...options }).getNodesFromDocuments([document(text)])
const texts = (nodes: readonly TextNode[]) => nodes.map(({ text }) => text)

describe('MarkdownElementNodeParser', () => {
  it('scans a document once, also for headings and long text', async () => {
    let scans = 0
    const syntax = {
      reader(text: string) {
        scans++
        return mdx.reader(text)
      },
    }
    const text = `# A\n\n${'word '.repeat(2000)}\n\n${table}`
    const parser = new MarkdownElementNodeParser({ summarizer: 'headers', headerPath: true, syntax })
    const nodes = await parser.getNodesFromDocuments([document(text)])
    expect(nodes.map(({ metadata }) => metadata['header_path'])).toEqual(nodes.map(() => 'A'))
    expect([nodes.length > 3, scans]).toEqual([true, 1])
  })

  it('reads the headings of the document, even if a subclass changes the text of the elements', async () => {
    class Upper extends MarkdownElementNodeParser {
      override extractElements(text: string, options?: Parameters<MarkdownElementNodeParser['extractElements']>[1]) {
        return super.extractElements(text.replace('# Intro\n\n', ''), options)
      }
    }
    const parser = new Upper({ summarizer: 'headers', headerPath: true })
    const [, index] = await parser.getNodesFromDocuments([document(`# Intro\n\n## Fruit\n\n${table}`)])
    expect(index?.metadata['header_path']).toBe('Intro > Fruit')
  })

  it('refuses options that a method does not have', async () => {
    const parser = new MarkdownElementNodeParser()
    for (const [name, call] of [
      ['getNodesFromElements', () => parser.getNodesFromElements([], { nodes: [] } as never)],
      ['extractTableSummaries', () => parser.extractTableSummaries([], { nodes: [] } as never)],
      ['getNodesFromNode', () => parser.getNodesFromNode(document(''), { nodes: [] } as never)],
    ] as const)
      await expect(call()).rejects.toThrow(`${name}.nodes: unknown option`)
  })

  it('calls a chat model with messages and a completion model with a prompt', async () => {
    for (const isChatModel of [true, false]) {
      const llm = new ScriptedLLM({ answers: [answer], metadata: new LLMMetadata({ isChatModel }) })
      const nodes = await new MarkdownElementNodeParser({ llm }).getNodesFromDocuments([document(table)])
      expect(llm.calls.map(({ kind }) => kind)).toEqual([isChatModel ? 'chat' : 'complete'])
      expect(nodes.map((node) => node.constructor)).toEqual([IndexNode, TextNode])
    }
  })

  it('needs no model for documents without tables, and throws missing_model for a document with a table', async () => {
    expect(texts(await new MarkdownElementNodeParser().getNodesFromDocuments([document('a | b')]))).toEqual(['a | b'])
    await expect(new MarkdownElementNodeParser().getNodesFromDocuments([document(table)])).rejects.toMatchObject({
      name: 'MissingModelError',
      code: 'missing_model',
    })
  })

  it('truncates a table that exceeds the context window of the model, between rows', async () => {
    const rows = Array.from({ length: 500 }, (_, index) => `| row${index} | ${index} |`)
    const llm = new ScriptedLLM({
      answers: [answer],
      metadata: new LLMMetadata({ contextWindow: 1000, numOutput: 100, isChatModel: false }),
    })
    const text = `Table 1: Rows\n\n| name | price |\n|---|---|\n${rows.join('\n')}\n`
    await new MarkdownElementNodeParser({ llm }).getNodesFromDocuments([document(text)])
    const { prompt = '' } = llm.calls[0] ?? {}
    expect(prompt).toContain('Table 1: Rows\n| name | price |\n|---|---|\n| row0 | 0 |')
    expect(prompt).not.toContain('row499')
    expect(new TextEncoder().encode(prompt).length / 4).toBeLessThan(900)
    const unlimited = new ScriptedLLM({ answers: [answer], metadata: new LLMMetadata({ contextWindow: null }) })
    await new MarkdownElementNodeParser({ llm: unlimited }).getNodesFromDocuments([document(text)])
    expect(unlimited.calls[0]?.prompt).toContain('row499')
  })

  it('summarizes at most numWorkers tables at the same time over all documents', async () => {
    let running = 0
    let most = 0
    const summarizer = async (): Promise<TableOutput> => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setTimeout(resolve, 2))
      running--
      return { summary: 'S', tableTitle: null, tableId: null, columns: [] }
    }
    const progress: string[] = []
    const parser = new MarkdownElementNodeParser({ summarizer, numWorkers: 3 })
    const documents = Array.from({ length: 4 }, (_, index) => document(`${table}\n\nx\n\n${table}`, `d${index}`))
    await parser.getNodesFromDocuments(documents, {
      onProgress: ({ done, total }) => progress.push(`${done}/${total}`),
    })
    expect(most).toBe(3)
    expect(progress).toEqual(['1/8', '2/8', '3/8', '4/8', '5/8', '6/8', '7/8', '8/8'])
    await parser.getNodesFromDocuments(documents, { showProgress: false, onProgress: () => progress.push('called') })
    expect(progress).toHaveLength(8)
  })

  it('rejects when the signal is aborted, without a further model call', async () => {
    const controller = new AbortController()
    let calls = 0
    const parser = new MarkdownElementNodeParser({
      numWorkers: 1,
      summarizer: () => {
        calls++
        controller.abort(new Error('enough'))
        return { summary: 'S', tableTitle: null, tableId: null, columns: [] }
      },
    })
    const parsing = parser.getNodesFromDocuments([document(`${table}\n\nx\n\n${table}`)], { signal: controller.signal })
    await expect(parsing).rejects.toThrow('enough')
    expect(calls).toBe(1)
  })

  it('does not wait for a model that ignores the signal', async () => {
    const controller = new AbortController()
    const parser = new MarkdownElementNodeParser({
      summarizer: () => {
        setTimeout(() => controller.abort(new Error('enough')))
        return new Promise(() => {})
      },
    })
    const parsing = parser.getNodesFromDocuments([document(table)], { signal: controller.signal })
    await expect(parsing).rejects.toThrow('enough')
  })

  it('summarizes tables without a model by caption or heading and header cells', async () => {
    const text = `# Shop\n\n${table}\n\n**Table 2:** Prices\nof fruit\n\n${table.replace('apple', 'x')}`
    const found = (await parse(text)).filter((node) => node instanceof IndexNode)
    expect(found.map(({ text: described }) => described.split(',\n')[0])).toEqual([
      'Shop > Table 2: Prices of fruit: name, price; name: apple, pear',
      'Shop > Table 2: Prices of fruit: name, price; name: x, pear',
    ])
    expect(found[0]?.metadata).toEqual({ col_schema: 'Column: name\nType: text\n\nColumn: price\nType: number' })
  })

  it('calls a custom summarizer with the context of the table', async () => {
    const nodes = await parse(`# Shop\n\n## Fruit\n\n${table}`, {
      summarizer: ({ headings, element }) => ({
        summary: `${headings.join('/')}: ${element.table?.rows.length} rows`,
        tableTitle: null,
        tableId: null,
        columns: [],
      }),
    })
    expect(nodes[1]?.text).toBe('Shop/Fruit: 2 rows')
  })

  it('splits a large table between rows, with the header in each part', async () => {
    const rows = Array.from({ length: 20 }, (_, index) => `| row number ${index} | ${index} |`)
    const text = `> intro\n\n| name | price |\n|---|---|\n${rows.join('\n')}\n\nend`
    const nodes = await parse(text, { maxTableTokens: 40 })
    const parts = nodes.filter(({ metadata }) => 'table_df' in metadata)
    expect(parts.length).toBeGreaterThan(3)
    const cells = parts.flatMap(({ metadata }) => JSON.parse(metadata['table_df'] as string).rows)
    expect(cells).toHaveLength(20)
    for (const [index, part] of parts.entries()) {
      const [header] = part.text.split('\n').filter((line) => line.startsWith('|'))
      expect(header).toBe('|name|price|')
      expect(part.metadata['table_part']).toBe(`${index + 1}/${parts.length}`)
      expect(part.excludedEmbedMetadataKeys).toContain('table_part')
      const source = text.slice(part.startCharIdx ?? 0, part.endCharIdx ?? 0)
      for (const [name] of JSON.parse(part.metadata['table_df'] as string).rows) expect(source).toContain(`| ${name} |`)
    }
    expect(nodes.filter((node) => node instanceof IndexNode).map(({ indexId }) => indexId)).toEqual(
      parts.map(({ id }) => id),
    )
  })

  it('splits a large table with surplus cells as written', async () => {
    const rows = Array.from(
      { length: 20 },
      (_, index) => `| row number ${index} | ${index} |${index === 7 ? ' x |' : ''}`,
    )
    const text = `- intro\n\n  | name | price |\n  |:--|--:|\n  ${rows.join('\n  ')}\n\n- end`
    const nodes = await parse(text, { maxTableTokens: 40 })
    const parts = nodes.filter(({ metadata }) => 'table_df' in metadata)
    expect(parts.length).toBeGreaterThan(3)
    const found = parts.map(({ metadata }) => metadata['table_df'] as string)
    for (const part of found) expect(part.split('\n').slice(0, 2)).toEqual(['| name | price |', '|:--|--:|'])
    expect(found.flatMap((part) => part.trimEnd().split('\n').slice(2))).toEqual(rows)
    for (const [index, { startCharIdx, endCharIdx }] of parts.entries()) {
      const source = text.slice(startCharIdx ?? 0, endCharIdx ?? 0).replaceAll('\n  ', '\n')
      expect(found[index]?.trimEnd().endsWith(source)).toBe(true)
    }
    const [part] = parts
    expect(part?.text.endsWith(part.metadata['table_df'] as string)).toBe(true)
  })

  it('sets exact offsets on the parts of a streamed table', async () => {
    const rows = Array.from({ length: 20 }, (_, index) => `| row number ${index} | ${index} |`)
    const text = `${table}\n\nbetween\n\n| name | price |\n|---|---|\n${rows.join('\n')}\n\nend`
    const parser = new MarkdownElementNodeParser({ summarizer: 'headers', maxTableTokens: 40 })
    const elements = []
    for await (const element of streamMarkdownElements(text.match(/[\s\S]{1,9}/g) ?? [])) elements.push(element)
    await parser.extractTableSummaries(elements)
    const nodes = await parser.getNodesFromElements(elements)
    expect(nodes.map(({ startCharIdx, endCharIdx }) => [startCharIdx, endCharIdx])).toEqual(
      (await parse(text, { maxTableTokens: 40 })).map(({ startCharIdx, endCharIdx }) => [startCharIdx, endCharIdx]),
    )
  })

  it('finds a caption inside a quote', async () => {
    const text = `> Prices are high.\n>\n> Table 3: Prices\n> of fruit\n>\n> ${table.replaceAll('\n', '\n> ')}`
    const nodes = await parse(text)
    expect(nodes[1]?.text.split(',\n')[0]).toBe('Table 3: Prices of fruit: name, price; name: apple, pear')
  })

  it('keeps the caption of an HTML table in the summary and the table', async () => {
    const text = '<table><caption>Prices</caption><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>'
    const nodes = await parse(text, { htmlTables: 'table' })
    expect(nodes[0]?.text.split(',\n')[0]).toBe('Prices: a, b; a: 1')
    expect(nodes[1]?.text.endsWith('\nPrices\n\n|a|b|\n|---|---|\n|1|2|\n')).toBe(true)
  })

  it('does not repeat a header that takes more than half of a part', async () => {
    const header = `| ${'long header '.repeat(10)} | b |`
    const nodes = await parse(`${header}\n|---|---|\n${'| x | y |\n'.repeat(12)}`, { maxTableTokens: 50 })
    const parts = nodes.filter(({ metadata }) => 'table_df' in metadata)
    expect(parts.slice(1).every(({ text }) => text.startsWith('|x|y|\n'))).toBe(true)
  })

  it('does not store the cells in metadata with tableData node', async () => {
    const [, node] = await parse(table, { tableData: 'node' })
    expect(Object.keys(node?.metadata ?? {})).toEqual(['table_summary'])
    expect(node?.text).toContain('|apple|2|')
  })

  it('keeps or drops a rejected table, or makes it text, depending on onReject', async () => {
    const summarizer = (): TableOutput => ({
      summary: 'S',
      tableTitle: null,
      tableId: null,
      columns: [],
      shouldKeep: false,
    })
    const text = `a\n\n${table}\n\nb`
    expect(await parse(text, { summarizer })).toHaveLength(4)
    expect(texts(await parse(text, { summarizer, onReject: 'text' }))).toEqual([text])
    const left = await parse(text, { summarizer, onReject: 'drop', lineNumbers: true })
    expect(left.map((node) => [node.text, node.startCharIdx, node.metadata['start_line']])).toEqual([
      ['a', 0, 1],
      ['b', text.length - 1, 8],
    ])
    const quoted = `> ${table.replaceAll('\n', '\n> ')}`
    const [node] = await parse(quoted, { summarizer, onReject: 'text' })
    expect(node?.text).toBe(quoted.slice(2))
    expect(quoted.slice(node?.startCharIdx ?? 0, node?.endCharIdx ?? 0)).toBe(node?.text)
  })

  it('adds header path and line numbers to every node', async () => {
    const nodes = await parse(`# A\n\n## *B* c\n\n${table}\n\nend`, {
      headerPath: true,
      headerPathSeparator: ' / ',
      lineNumbers: true,
    })
    const seen = nodes.map(({ metadata: { header_path: path, start_line: from, end_line: to } }) => [path, from, to])
    expect(seen).toEqual([
      ['A / B c', 1, 3],
      ['A / B c', 5, 8],
      ['A / B c', 5, 8],
      ['A / B c', 10, 10],
    ])
    expect(nodes[0]?.excludedLlmMetadataKeys).toEqual(['start_line', 'end_line'])
    expect(nodes[0]?.getContent('embed')).toBe('header_path: A / B c\n\n# A\n\n## *B* c')
  })

  it('continues from the headings and lines of a chunk', async () => {
    const text = `# A\n\none\n\n## B\n\ntwo\n\n${table}\n\n### C\n\nend`
    const options = { headerPath: true, lineNumbers: true }
    const sections = await new MarkdownNodeParser(options).getNodesFromDocuments([document(text)])
    const seen = async (inputs: readonly TextNode[]) =>
      (await new MarkdownElementNodeParser({ summarizer: 'headers', ...options }).getNodesFromDocuments(inputs)).map(
        ({ metadata, startCharIdx, endCharIdx }) => [
          metadata['header_path'],
          metadata['start_line'],
          metadata['end_line'],
          startCharIdx === null ? null : text.slice(startCharIdx, endCharIdx ?? 0).slice(0, 5),
        ],
      )
    expect(await seen(sections)).toEqual([
      ['A', 1, 3, '# A\n\n'],
      ['A > B', 5, 7, '## B\n'],
      ['A > B', 9, 12, '| nam'],
      ['A > B', 9, 12, '| nam'],
      ['A > B > C', 14, 16, '### C'],
    ])
    // A node of another splitter has a source, but its lines there are unknown.
    const cut = new TextNode({ text: 'x', startCharIdx: 5, endCharIdx: 6, relationships: { 1: { nodeId: 'd' } } })
    expect(await seen([cut])).toEqual([[undefined, undefined, undefined, 'o']])
  })

  it('sets no offsets and lines if a chunk is not a slice of its source', async () => {
    const text = `# A\n\n${'one two three. '.repeat(20)}`
    const pieces = await new MarkdownNodeParser({
      chunkSize: 20,
      repeatHeading: true,
      lineNumbers: true,
    }).getNodesFromDocuments([document(text)])
    const [first, second] = await new MarkdownElementNodeParser({ lineNumbers: true }).getNodesFromDocuments(pieces)
    expect(first).toMatchObject({ startCharIdx: 0, metadata: { start_line: 1 } })
    expect(second?.text.startsWith('# A')).toBe(true)
    expect(second).toMatchObject({ startCharIdx: null, endCharIdx: null })
    expect(second?.metadata).not.toHaveProperty('start_line')
  })

  it('adds page labels to text nodes and tables', async () => {
    const text = `one\n<!-- page -->\ntwo\n\n${table}\n\n<!-- page -->\n\nthree`
    const pages = async (options: object, metadata = {}) =>
      (
        await new MarkdownElementNodeParser({ summarizer: 'headers', ...options }).getNodesFromDocuments([
          new Document({ text, metadata }),
        ])
      ).map((node) => node.metadata['page_label'])
    expect(await pages({ pageBreak: '^<!-- page -->$' })).toEqual(['1-2', '2', '2', '3'])
    expect(await pages({ pageBreak: '^<!-- page -->$', chunkSize: 5, chunkOverlap: 0 }, { page_label: 7 })).toEqual([
      '7',
      '8',
      '8',
      '8',
      '9',
    ])
    expect(await pages({}, { page_label: '7' })).toEqual(['7', '7', '7', '7'])
    expect(await pages({ pageBreak: '^<!-- page -->$' }, { page_label: 'iv' })).toEqual(['iv', 'iv', 'iv', 'iv'])
    const named = await new MarkdownNodeParser({ pageBreak: '^\\{(\\w+)\\}-+$' }).getNodesFromDocuments([
      document('{iv}----\n# A\n{v}----\n# B\n\n{vi}----\n'),
    ])
    expect(named.map(({ metadata }) => metadata['page_label'])).toEqual(['iv', 'iv', 'v'])
    expect(() => new MarkdownElementNodeParser({ pageBreak: '(' })).toThrow(
      expect.objectContaining({ code: 'model_validation', message: expect.stringContaining('pageBreak') }),
    )
  })

  it('includes the section of a table in the prompt', async () => {
    const llm = new ScriptedLLM({ answers: [answer], metadata: new LLMMetadata({ isChatModel: false }) })
    await new MarkdownElementNodeParser({ llm, headerPath: true }).getNodesFromDocuments([document(`# A\n\n${table}`)])
    expect(llm.calls[0]?.prompt).toContain(`Section: A\n${table}`)
  })

  it('names the section of a text by its own heading, not by one before a table', async () => {
    const nestedNodeParser = new MarkdownNodeParser({ chunkSize: 60, minChunkSize: 4, headerPath: true })
    const text =
      '# Team\n\nWe are five people.\n\n## Hours\n\nOpen from 9 to 17 on weekdays.\n\n## People\n\n| a | b |\n|---|---|\n| 1 | 2 |'
    const nodes = await parse(text, { summarizer: 'headers', nestedNodeParser, headerPath: true })
    expect(nodes.map(({ metadata }) => metadata['header_path'])).toEqual([
      'Team',
      'Team > Hours',
      'Team > People',
      'Team > People',
    ])
    expect(nodes[1]?.text).toContain('## People')
  })

  it('has the path of the headings that MarkdownNodeParser states', async () => {
    const nested = { chunkSize: 60, minChunkSize: 16 }
    const fruit = `# Fruit\n\n## Pears\n\nPears keep.\n\n## Plums\n\n${'Plums are blue. '.repeat(9)}`
    for (const text of [
      fruit,
      '# A\n\n## B',
      '# A\n\n## B\n\n## C',
      '# A\n\n## B\n\nb\n\n## C\n\nc',
      'a\n\n# B\n\n## C\n\nc',
    ]) {
      const parsed = await new MarkdownNodeParser({ ...nested, headerPath: true }).getNodesFromDocuments([
        document(text),
      ])
      const nodes = await parse(`${text}\n\n${table}`, {
        summarizer: 'headers',
        nestedNodeParser: new MarkdownNodeParser(nested),
        headerPath: true,
      })
      const placesOf = (all: readonly TextNode[]) =>
        all.map(({ text: own, metadata }) => [own, metadata['header_path']])
      expect(placesOf(nodes.slice(0, -2))).toEqual(placesOf(parsed))
    }
  })

  it('splits text with nestedNodeParser', async () => {
    const nestedNodeParser = new MarkdownNodeParser()
    const text = `# A\n\na\n\n# B\n\n${table}\n\n# C`
    const nodes = await parse(text, { nestedNodeParser, includePrevNextRel: false })
    const cut = nodes.filter(({ metadata }) => 'Header_1' in metadata)
    expect(cut.map((node) => [node.text, node.metadata['Header_1']])).toEqual([
      ['# A\n\na', 'A'],
      ['# B', 'B'],
      ['# C', 'C'],
    ])
    for (const node of cut) {
      expect(text.slice(node.startCharIdx ?? 0, node.endCharIdx ?? 0)).toBe(node.text)
      expect(Object.keys(node.relationships)).toEqual(['1'])
    }
  })

  it('gives the headings above a text to nestedNodeParser, and takes its nodes without offsets', async () => {
    const text = `# A\n\n${table}\n\nafter`
    const nodes = await parse(text, { nestedNodeParser: new MarkdownNodeParser() })
    expect(nodes.at(-1)).toMatchObject({ text: 'after', metadata: { Header_1: 'A' } })
    const unplaced = { getNodesFromDocuments: async () => [new TextNode({ text: 'x' })] }
    const [node] = await parse('a', { nestedNodeParser: unplaced as never })
    expect([node?.text, node?.startCharIdx, node?.endCharIdx]).toEqual(['x', null, null])
  })

  it('makes nodes of elements of a document, or of no document', async () => {
    const parser = new MarkdownElementNodeParser({ summarizer: 'headers', rowNodes: tableRows() })
    const text = `one\n\n${table}\n\ntwo`
    const node = new Document({ id: 'd', text, metadata: { file: 'x' } })
    const elements = parser.extractElements(text)
    expect(parser.getTextElements(elements).map(({ element }) => element)).toEqual(['one', 'two'])
    await expect(parser.getNodesFromElements(elements)).rejects.toMatchObject({ code: 'missing_table_output' })
    await parser.extractTableSummaries(elements)
    const [whole, alone] = [
      await parser.getNodesFromElements(elements, { node }),
      await parser.getNodesFromElements(elements),
    ]
    const facts = (nodes: readonly TextNode[]) =>
      nodes.map(({ metadata, sourceNode }) => [metadata['file'], sourceNode?.nodeId])
    expect(facts(whole)).toEqual(whole.map(() => ['x', 'd']))
    expect(facts(alone)).toEqual(whole.map(() => [undefined, undefined]))
    expect(texts(whole)).toEqual(texts(alone))
    expect(facts(await parser.getNodesFromNode(node))).toEqual(facts(whole))
    expect(whole.flatMap(({ excludedEmbedMetadataKeys }) => excludedEmbedMetadataKeys)).not.toContain('start_line')
    for (const call of [
      () => parser.getNodesFromNode('x' as never),
      async () => parser.getBaseNodesAndMappings('x' as never),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'model_validation' })
  })

  it('makes nodes of elements that are no slice of their document', async () => {
    const parser = new MarkdownElementNodeParser({ summarizer: 'headers' })
    const nodesOf = async (...sources: string[]) => {
      const elements = sources.flatMap((text) => parser.extractElements(text))
      await parser.extractTableSummaries(elements)
      const nodes = await parser.getNodesFromElements(elements, { node: document('other') })
      return nodes.map(({ text, startCharIdx }) => [text.split('\n')[0], startCharIdx])
    }
    expect(await nodesOf('a', 'b')).toEqual([['a', null]])
    expect((await nodesOf(`${table}\n\nabc def`)).at(-1)).toEqual(['abc def', table.length + 2])
    expect(
      await parser.getNodesFromElements(parser.extractElements('a').map((one) => ({ ...one, element: ' ' }))),
    ).toEqual([])
  })

  it('has the section of a table in the prompt only if headerPath is on and there is one', async () => {
    for (const [text, headerPath, expected] of [
      [`# Shop\n\n${table}`, true, true],
      [`# Shop\n\n${table}`, false, false],
      [table, true, false],
    ] as const) {
      const llm = new ScriptedLLM({ answers: [answer], metadata: new LLMMetadata({ isChatModel: false }) })
      const parser = new MarkdownElementNodeParser({ llm, headerPath, onError: 'headers' })
      await parser.getNodesFromDocuments([document(text)])
      expect(JSON.stringify(llm.calls).includes('Section:')).toBe(expected)
    }
    const llm = new ScriptedLLM({ answers: [new Error('down')] })
    const [, index] = await parse(`# Shop\n\n${table}`, { llm, summarizer: 'llm', onError: 'headers' })
    expect(index?.text).toMatch(/^Shop: name, price/)
  })

  it('leaves room for the metadata of a table, and has a long summary in its first part alone', async () => {
    const tokenizer = (text: string) => text.split(/\s+/).filter(Boolean)
    const made = async (maxTableTokens: number, metadata: object) => {
      const summary = 'a long summary of this table'
      const summarizer = () => ({ summary, tableTitle: null, tableId: null, columns: [] })
      const parser = new MarkdownElementNodeParser({ summarizer, maxTableTokens, tokenizer })
      const nodes = await parser.getNodesFromDocuments([new Document({ text: table, metadata: { ...metadata } })])
      return nodes.filter(({ metadata }) => 'table_df' in metadata)
    }
    const least = async (metadata: object) => {
      for (let most = 1; ; most++) if ((await made(most, metadata).catch(() => [])).length === 1) return most
    }
    const most = await least({})
    expect(await least({ k: 'a b c' })).toBe(most + 4)
    await expect(made(4, { k: 'a b c' })).rejects.toMatchObject({ code: 'metadata_too_long' })
    const parts = await made(most - 1, {})
    expect(parts.map(({ metadata }) => metadata['table_part'])).toEqual(['1/2', '2/2'])
    const [first, second] = parts.map(({ metadata }) => String(metadata['table_summary']))
    expect([first, second!.length < first!.length]).toEqual(['a long summary of this table', true])
  })

  it('emits events for parsing, chunking and the model', async () => {
    const handler = new RecordingCallbackHandler()
    const callbackManager = new CallbackManager([handler])
    const llm = new ScriptedLLM({
      answers: [answer],
      callbackManager,
      metadata: new LLMMetadata({ isChatModel: false }),
    })
    const parser = new MarkdownElementNodeParser({ llm, callbackManager, chunkSize: 4, chunkOverlap: 0 })
    await parser.getNodesFromDocuments([document(`${'word '.repeat(8)}\n\n${table}`)])
    const events = handler.events.flatMap((event) => (event.phase === 'start' ? [event] : []))
    expect(events.map(({ type }) => type)).toEqual(['node_parsing', 'llm', 'chunking'])
    expect(events.slice(1).map((event) => event.parent)).toEqual([events[0]?.id, events[0]?.id])
    const chunking = handler.events.find((event) => event.phase === 'end' && event.type === 'chunking')
    expect(chunking).toMatchObject({ payload: { chunks: ['word word word', 'word word word', 'word word'] } })
  })

  it('has the parent event in the options and is the parent of model events, without async context', async () => {
    // The two managers share no async context.
    const [own, model] = [new RecordingCallbackHandler(), new RecordingCallbackHandler()]
    const llm = new ScriptedLLM({ answers: [answer], callbackManager: new CallbackManager([model]) })
    const callbackManager = new CallbackManager([own], { newId: () => 'parsing' })
    const parser = new MarkdownElementNodeParser({ llm, callbackManager })
    await parser.getNodesFromDocuments([document(table)], { parentId: 'outer' })
    expect(own.events[0]).toMatchObject({ type: 'node_parsing', parent: 'outer' })
    expect(model.events[0]).toMatchObject({ type: 'llm', parent: 'parsing' })
  })

  it('reports the error of a model in its event, and rejects with it', async () => {
    const handler = new RecordingCallbackHandler()
    const callbackManager = new CallbackManager([handler])
    const error = new Error('rate limited')
    const llm = new ScriptedLLM({ answers: [error], callbackManager })
    const parser = new MarkdownElementNodeParser({ llm, callbackManager })
    await expect(parser.getNodesFromDocuments([document(table)])).rejects.toBe(error)
    expect(handler.events.at(-1)).toMatchObject({ phase: 'end', type: 'node_parsing', payload: { exception: error } })
  })

  it('returns nodes, and tables as objects, from transform', async () => {
    const parser = new MarkdownElementNodeParser({ summarizer: 'headers' })
    const result = await parser.transform([document(`a\n\n${table}\n\nb`)])
    expect(texts(result).map((text) => text.split('\n')[0])).toEqual(['a', 'b', 'name, price; name: apple, pear,'])
    expect((result[2] as IndexNode).obj).toBeInstanceOf(TextNode)
  })

  it('throws for an index node without its target', () => {
    const parser = new MarkdownElementNodeParser()
    expect(() => parser.getBaseNodesAndMappings([new IndexNode({ id: 'i', indexId: 't' })])).toThrow(
      expect.objectContaining({ code: 'dangling_index_node', nodeId: 'i', indexId: 't' }),
    )
  })

  it('does not change the keys of user data', async () => {
    const metadata = JSON.parse('{"__proto__": 1, "constructor": 2}')
    const nodes = await new MarkdownElementNodeParser().getNodesFromDocuments([new Document({ text: 'a', metadata })])
    expect(Object.keys(nodes[0]?.metadata ?? {})).toEqual(['__proto__', 'constructor'])
  })

  it('rejects invalid options', () => {
    for (const options of [
      { chunkSize: 0 },
      { chunkSize: 10, chunkOverlap: 10 },
      { numWorkers: 1.5 },
      { summarizer: 'nobody' as never },
      { tokenizer: 5 as never },
    ])
      expect(() => new MarkdownElementNodeParser(options)).toThrow(
        expect.objectContaining({ code: 'model_validation' }),
      )
  })

  it('defaults the overlap of small chunks to a fifth', () => {
    expect(new MarkdownElementNodeParser({ chunkSize: 100 }).chunkOverlap).toBe(20)
    expect(new MarkdownElementNodeParser({ chunkSize: 1 }).chunkOverlap).toBe(0)
    expect(new MarkdownElementNodeParser({ chunkSize: 200 }).chunkOverlap).toBe(40)
    expect(new MarkdownElementNodeParser({ chunkSize: 201 }).chunkOverlap).toBe(200)
  })

  it('writes and reads extension options, only if they differ from their default', () => {
    const parser = new MarkdownElementNodeParser({ chunkSize: null, maxTableTokens: 9, summarizer: 'headers' })
    const dict = parser.toDict()
    expect(dict).toMatchObject({ chunk_size: null, max_table_tokens: 9, summarizer: 'headers' })
    expect(dict).not.toHaveProperty('html_tables')
    expect(MarkdownElementNodeParser.fromDict(dict).equals(parser)).toBe(true)
  })

  it('writes which live options it has, and is not read without them', () => {
    const summarizer = () => ({ summary: 'mine', tableTitle: null, tableId: null, columns: [] })
    const live = {
      rowNodes: tableRows(),
      elementTypes: typedElements(),
      summarizer,
      nestedNodeParser: new SentenceSplitter(),
    }
    const parser = new MarkdownElementNodeParser({ ...live, callbackManager: new CallbackManager() })
    const json = parser.toJson()
    expect(JSON.parse(json)).toMatchObject({
      live_options: ['elementTypes', 'nestedNodeParser', 'rowNodes', 'tableSummarizer'],
    })
    expect(() => MarkdownElementNodeParser.fromJson(json, { llm: new ScriptedLLM() })).toThrow(
      expect.objectContaining({
        code: 'model_validation',
        issues: ['elementTypes', 'nestedNodeParser', 'rowNodes', 'tableSummarizer'].map((path) => ({
          path,
          message:
            'the data was written with this option, which JSON cannot contain: pass it, or null to read the data without it',
          code: 'live',
        })),
      }),
    )
    const again = MarkdownElementNodeParser.fromJson(json, live)
    expect(again.equals(parser)).toBe(true)
    expect([again.rowNodes, again.tableSummarizer]).toEqual([live.rowNodes, summarizer])
    const without = MarkdownElementNodeParser.fromJson(json, { ...live, rowNodes: null })
    expect(without.equals(parser)).toBe(false)
    expect(without.rowNodes).toBeNull()
    expect(new MarkdownElementNodeParser({ callbackManager: new CallbackManager() }).toDict()).not.toHaveProperty(
      'live_options',
    )
    const splitter = new SentenceSplitter({ idFunc: () => 'a', tokenizer: (text) => [...text] })
    expect(() => SentenceSplitter.fromDict(splitter.toDict())).toThrow(/idFunc: .*\n.*tokenizer: /)
    // Data of other programs may have a key of this name.
    expect(MarkdownElementNodeParser.fromDict({ live_options: [5, 'other'] }).rowNodes).toBeNull()
  })

  it('returns linked slices with sources for generated documents', async () => {
    const random = seededRandom(13)
    const parser = new MarkdownElementNodeParser({ summarizer: 'headers', chunkSize: 12, chunkOverlap: 3 })
    for (let count = 0; count < rounds(50, 150); count++) {
      const text = Array.from({ length: 3 }, () => generateMarkdown(random)).join('\n')
      const nodes = await parser.getNodesFromDocuments([document(text)])
      nodes.forEach((node, index) => {
        expect((node.relationships['1'] as RelatedNodeInfo).nodeId).toBe('d')
        expect((node.relationships['3'] as RelatedNodeInfo | undefined)?.nodeId).toBe(nodes[index + 1]?.id)
        if (!('table_summary' in node.metadata || node instanceof IndexNode))
          expect(text.slice(node.startCharIdx ?? 0, node.endCharIdx ?? 0)).toBe(node.text)
      })
    }
  })
})
