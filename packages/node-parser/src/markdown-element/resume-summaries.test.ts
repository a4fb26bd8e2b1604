import { Document, type Durable, type Json } from '@x/core-model'
import { withCache } from '@x/llm'
import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { compareNodes, fromContent } from '../node-ids.ts'
import type { ElementNodeParserOptions } from './base-element-node-parser.ts'
import { MarkdownElementNodeParser } from './markdown-element-node-parser.ts'
import type { TableSummarizer } from './summarize-table.ts'

const table = (name: string) => `| ${name} | b |\n|---|---|\n| 1 | 2 |`
const text = (prose = 'words') => `# A\n\n${table('x')}\n\n# B\n\n${prose}\n\n# C\n\n${table('y')}`
const output = (summary: string) => ({ summary, tableTitle: null, tableId: null, columns: [] })

describe('summaries', () => {
  it('are computed only for elements without one, so a failed run continues where it stopped', async () => {
    const asked: string[] = []
    let fails = true
    const summarizer: TableSummarizer = ({ element }) => {
      const name = element.table?.columns[0] ?? ''
      asked.push(name)
      if (name === 'y' && fails) throw new Error('429')
      return output(name)
    }
    const parser = new MarkdownElementNodeParser({ summarizer, numWorkers: 1 })
    const elements = parser.extractElements(text())
    await expect(parser.extractTableSummaries(elements)).rejects.toThrow('429')
    fails = false
    await parser.extractTableSummaries(elements)
    expect(asked).toEqual(['x', 'y', 'y'])
    expect(elements.map(({ tableOutput }) => tableOutput?.summary ?? null)).toEqual([null, 'x', null, 'y'])
  })

  it('are refused if a summarizer returns no summary, without repeating it', async () => {
    const good = { summary: 'a', tableTitle: null, tableId: null, columns: [] }
    const cases: [unknown, string][] = [
      ['secret', '(): expected a summary of the table, received a string'],
      [null, '(): expected a summary of the table, received null'],
      [undefined, '(): expected a summary of the table, received undefined'],
      [{ ...good, summary: null }, '().summary: expected a string, received null'],
      [{ summary: 'a' }, '().columns: expected an array of columns, received undefined'],
      [{ ...good, columns: ['secret'] }, '().columns[0].colName: expected a string, received undefined'],
      [{ ...good, columns: [null] }, '().columns[0].colName: expected a string, received undefined'],
      [{ ...good, tableTitle: {} }, '().tableTitle: expected a string or null, received an object'],
    ]
    for (const [output, message] of cases) {
      const summarizer = async () => output as never
      const parse = (onError: 'throw' | 'headers') =>
        new MarkdownElementNodeParser({ summarizer, onError }).getNodesFromDocuments([new Document({ text: text() })])
      await expect(parse('throw')).rejects.toMatchObject({
        code: 'model_validation',
        message: `MarkdownElementNodeParser.summarizer${message}.`,
      })
      expect((await parse('headers'))[1]?.text).toMatch(/with the following columns/)
    }
  })

  it('come from the headers if the summarizer fails and onError is headers, but not after a cancellation', async () => {
    const summarizer: TableSummarizer = ({ element }) => {
      if (element.table?.columns[0] === 'y') throw new Error('429')
      return output('asked')
    }
    const parser = new MarkdownElementNodeParser({ summarizer, onError: 'headers' })
    const nodes = await parser.getNodesFromDocuments([new Document({ text: text() })])
    const summaries = nodes.flatMap(({ metadata }) => metadata['table_summary'] ?? [])
    expect(summaries).toEqual(['asked', 'C: y, b; y: 1,\nwith the following columns:\n- y\n- b\n'])

    const controller = new AbortController()
    const cancelled = new MarkdownElementNodeParser({
      onError: 'headers',
      summarizer: () => {
        controller.abort(new Error('stopped'))
        throw new Error('429')
      },
    })
    const parse = cancelled.getNodesFromDocuments([new Document({ text: text() })], { signal: controller.signal })
    await expect(parse).rejects.toThrow('stopped')
  })

  it('are created once in a durable parse, regardless of the order of the tables', async () => {
    const saved = new Map<string, Json>()
    const durable: Durable = async (name, fn) => {
      if (!saved.has(name)) saved.set(name, await fn())
      return saved.get(name) as Awaited<ReturnType<typeof fn>>
    }
    const asked: string[] = []
    const summarizer: TableSummarizer = async ({ element }) => {
      const name = element.table?.columns[0] ?? ''
      asked.push(name)
      if (name === 'y' && asked.length < 3) throw new Error('power cut')
      return output(name)
    }
    const parse = async (parts: readonly string[], options: ElementNodeParserOptions = {}) => {
      const parser = new MarkdownElementNodeParser({ summarizer, idFunc: fromContent(), ...options })
      const document = new Document({ id: 'd', text: parts.join('\n\n') })
      const nodes = await parser.getNodesFromDocuments([document], { durable })
      return nodes.flatMap(({ metadata }) => metadata['table_summary'] ?? []).map((text) => String(text).slice(0, 1))
    }
    const [x, y, z] = ['x', 'y', 'z'].map(table) as [string, string, string]
    await expect(parse([x, y, z], { numWorkers: 1 })).rejects.toThrow('power cut')
    // Equal tables share a summary, even if both are requested at the same time.
    expect(await parse([z, y, 'words', x, y])).toEqual(['z', 'y', 'x', 'y'])
    expect(asked).toEqual(['x', 'y', 'z', 'y'])
    expect([...saved.keys()].every((name) => /^table\/[0-9a-f]{32}$/.test(name))).toBe(true)
    // With a different heading, the summary could be different.
    await parse(['# About', x])
    expect(asked).toEqual(['x', 'y', 'z', 'y', 'x'])
  })

  it('need no call of a cached model after an edit of the prose, which changes only the edited nodes', async () => {
    const model = new ScriptedLLM({
      answers: ['{"summary": "one", "columns": []}', '{"summary": "two", "columns": []}'],
    })
    const parser = new MarkdownElementNodeParser({
      llm: withCache(model, new Map()),
      numWorkers: 1,
      idFunc: fromContent(),
    })
    const parse = (prose: string) => parser.getNodesFromDocuments([new Document({ id: 'd', text: text(prose) })])
    const { unchanged, changed, added, removed } = compareNodes(await parse('words'), await parse('other words'))
    expect(unchanged).toHaveLength(5)
    expect(changed).toEqual([])
    expect(added.map((node) => node.text)).toEqual(['# B\n\nother words\n\n# C'])
    expect(removed.map((node) => node.text)).toEqual(['# B\n\nwords\n\n# C'])
  })
})
