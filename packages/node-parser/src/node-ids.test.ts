import { Document } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { MarkdownElementNodeParser } from './markdown-element/markdown-element-node-parser.ts'
import { compareNodes, fromContent, fromSource } from './node-ids.ts'

const table = (cell: string) => `| a | b |\n|---|---|\n| ${cell} | 2 |`
const parser = (idFunc: ReturnType<typeof fromSource>) =>
  new MarkdownElementNodeParser({ idFunc, summarizer: 'headers', chunkSize: 8, chunkOverlap: 0 })
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('node ids', () => {
  it('are the same in every run and depend on document and position with fromSource', async () => {
    const run = (id: string) =>
      parser(fromSource()).getNodesFromDocuments([new Document({ id, text: `a\n\n${table('1')}\n\na` })])
    const [first, again, other] = await Promise.all([run('d'), run('d'), run('e')])
    const ids = first.map(({ id }) => id)
    expect(again.map(({ id }) => id)).toEqual(ids)
    expect(new Set([...ids, ...other.map(({ id }) => id)]).size).toBe(8)
    for (const id of ids) expect(id).toMatch(uuid)
  })

  it('follow content that moves, and number equal content, with fromContent', async () => {
    const make = parser(fromContent())
    const run = (text: string) => make.getNodesFromDocuments([new Document({ id: 'd', text })])
    const before = await run(`same\n\n${table('1')}\n\nsame\n\n${table('2')}`)
    const after = await run(`new\n\n${table('1')}\n\nsame\n\n${table('3')}`)
    expect(new Set(before.map(({ id }) => id)).size).toBe(before.length)
    const { unchanged, changed, added, removed } = compareNodes(before, after)
    const kinds = (nodes: typeof before) => nodes.map(({ text }) => text.split('\n').at(-1) || text.split('\n').at(-2))
    expect(kinds(unchanged)).toContain('same')
    expect(kinds(unchanged)).toContain('|1|2|')
    expect(changed).toEqual([])
    expect(kinds(added)).toEqual(['new', '- b', '|3|2|'])
    expect(kinds(removed)).toEqual(['same', '- b', '|2|2|'])
    expect((await run(`same\n\n${table('1')}\n\nsame\n\n${table('2')}`)).map(({ id }) => id)).toEqual(
      before.map(({ id }) => id),
    )
  })

  it('do not depend on the wording of the summary of a table', async () => {
    const idFunc = fromContent()
    const run = (summary: string) =>
      new MarkdownElementNodeParser({
        idFunc,
        summarizer: () => ({ summary, tableTitle: null, tableId: null, columns: [] }),
      }).getNodesFromDocuments([new Document({ id: 'd', text: `${table('1')}\n\n${table('1')}` })])
    const { unchanged, changed, added, removed } = compareNodes(await run('Prices'), await run('A list of prices'))
    const names = (nodes: typeof added) => nodes.map((node) => node.constructor.name)
    expect([unchanged, names(changed), names(added), names(removed)]).toEqual([
      [],
      ['TextNode', 'TextNode'],
      ['IndexNode', 'IndexNode'],
      ['IndexNode', 'IndexNode'],
    ])
  })

  it('do not change if only line numbers change', async () => {
    const make = new MarkdownElementNodeParser({ idFunc: fromContent(), lineNumbers: true })
    const run = (text: string) => make.getNodesFromDocuments([new Document({ id: 'd', text })])
    const changes = compareNodes(await run('a'), await run('\n\na'))
    expect(changes.unchanged.map(({ metadata }) => metadata)).toEqual([{ start_line: 3, end_line: 3 }])
  })

  it('do not change with metadata, but compareNodes reports the change', async () => {
    const make = parser(fromContent())
    const run = (page: number) => make.getNodesFromDocuments([new Document({ id: 'd', text: 'a', metadata: { page } })])
    expect(compareNodes(await run(1), await run(2)).changed).toHaveLength(1)
  })
})
