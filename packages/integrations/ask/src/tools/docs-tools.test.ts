import { promises } from 'node:fs'
import type { FunctionTool } from '@x/agents'
import type { FileSystem } from '@x/retrieval/folder'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deleteFolders, folderOf, fruit } from '../../test/folder.ts'
import { Docs } from '../docs.ts'
import { docsTools } from './docs-tools.ts'

let folder: string
let docs: Docs
let tools: Map<string | null, FunctionTool>
beforeAll(async () => {
  const rows = Array.from({ length: 120 }, (_, at) => `| ${at} | n${at} |`)
  folder = await folderOf({
    ...fruit,
    'many/table.md': `| at | name |\n|---|---|\n${rows.join('\n')}\n`,
    'many/lines.md': Array.from({ length: 1000 }, (_, at) => `Line ${at + 1}`).join('\n'),
    'many/long.md': `# Long\n\n${'x'.repeat(30_000)}\n\nEnd\n`,
    'empty.md': '',
    'terms.md': '| term | meaning |\n|---|---|\n| parsing | reading |\n| the end | last |\n',
    'bad.md': new Uint8Array([0]),
  })
  docs = await Docs.open(folder)
  tools = new Map(docsTools(docs).map((tool) => [tool.metadata.name, tool]))
})
afterAll(async () => {
  await docs.close()
  await deleteFolders()
})

/** The properties of results that the tests read. */
interface Result {
  place: string
  text: string
  lines: number
  note?: string
  next?: number | string
  passages: { place: string }[]
  tables: { table: string; place: string }[]
  rows: { row: number; cells: string[] }[]
  documents: { path: string }[]
  skipped?: object[]
  sections: object[]
}

/** Calls a tool, which checks its result against its output schema. */
async function call(name: string, args: Record<string, unknown>): Promise<Result> {
  const { rawOutput, content } = await tools.get(name)!.call(args)
  expect(JSON.parse(content)).toEqual(rawOutput)
  return rawOutput as Result
}

it('all tools are marked as read-only and describe their results', () => {
  for (const { metadata } of tools.values()) {
    expect(metadata.annotations).toEqual({ readOnlyHint: true, idempotentHint: true, openWorldHint: false })
    expect(metadata.outputSchema?.type).toBe('object')
  }
})

describe('search', () => {
  it('returns texts with their places', async () => {
    expect(await call('search', { query: 'cool cellar' })).toEqual({
      passages: [
        {
          place: 'fruit.md:17-19',
          heading: 'Fruit > Storing fruit',
          line: 19,
          text: 'Keep pears in a cool cellar.',
          score: 1,
        },
      ],
    })
  })

  it('finds a table by a question for a cell, with the row', async () => {
    const { passages } = await call('search', { query: 'price of the cherries', limit: 1 })
    expect(passages).toEqual([
      {
        table: expect.stringMatching(/^fruit\.md#\d+$/),
        place: 'fruit.md:11-15',
        heading: 'Fruit > Prices',
        columns: ['name', 'price', 'origin'],
        rowCount: 3,
        rows: [{ row: 2, place: 'fruit.md:14', cells: ['cherry', '9.10 €', 'Spain'] }],
        matched: true,
        score: 1,
      },
    ])
  })

  it('compares the words of rows without their endings, and without words such as "the"', async () => {
    const { passages } = await call('search', { query: 'the parsed', limit: 1 })
    expect(passages).toMatchObject([{ place: 'terms.md:1-4', rows: [{ cells: ['parsing', 'reading'] }] }])
  })

  it('limits a search to a part of the folder and to a number of passages', async () => {
    const places = async (args: object) =>
      (await call('search', { query: 'linux line table', ...args })).passages.map(
        ({ place }: { place: string }) => place,
      )
    expect((await places({ within: 'guides' })).every((place) => place.startsWith('guides/'))).toBe(true)
    expect((await places({ limit: 2 })).length).toBe(2)
  })

  it('reports that it has found nothing', async () => {
    expect(await call('search', { query: 'zeppelin' })).toEqual({
      passages: [],
      note: 'No section contains one of these words.',
    })
  })
})

describe('find_tables', () => {
  it('finds tables by words', async () => {
    const { tables } = await call('find_tables', { query: 'screw count' })
    expect(tables[0]).toMatchObject({ place: 'guides/parts.mdx:4-6', columns: ['part', 'count'], matched: true })
  })

  it('lists all tables by page, in the order of the documents', async () => {
    const places = ({ tables }: Result) => tables.map(({ place }) => place)
    const first = await call('find_tables', { limit: 3 })
    expect([places(first), first.next]).toEqual([
      ['fruit.md:11-15', 'guides/install.md:17-20', 'guides/parts.mdx:4-6'],
      3,
    ])
    const second = await call('find_tables', { offset: 3, limit: 3 })
    expect([places(second), second.next]).toEqual([['many/table.md:1-122', 'terms.md:1-4'], undefined])
    expect(second.tables[0]).toMatchObject({ rowCount: 120, matched: false, rows: { length: 5 } })
    expect(places(await call('find_tables', { within: 'guides/parts.mdx' }))).toEqual(['guides/parts.mdx:4-6'])
  })
})

describe('read_table', () => {
  const idOf = async (query: string) => (await call('find_tables', { query })).tables[0]!.table

  it('filters, sorts, chooses columns and adds up', async () => {
    const table = await idOf('apple cherry price')
    expect(
      await call('read_table', {
        table,
        where: [{ column: 'origin', is: 'equals', value: 'Austria' }],
        sort_by: 'price',
        descending: true,
        columns: ['name'],
        column: 'price',
      }),
    ).toEqual({
      table,
      place: 'fruit.md:11-15',
      heading: 'Fruit > Prices',
      columns: ['name'],
      rowCount: 3,
      matching: 2,
      column: 'price',
      rows: [
        { row: 3, place: 'fruit.md:15', cells: ['pear'], value: '3.00 €' },
        { row: 1, place: 'fruit.md:13', cells: ['apple'], value: '2.10 €' },
      ],
      numbers: { count: 2, sum: '5.1 €', mean: '2.55 €' },
    })
  })

  it('compares numbers with their units', async () => {
    const where = [{ column: 'size', is: 'more', value: '1000 KB' }]
    const { rows } = await call('read_table', { table: await idOf('file size'), where })
    expect(rows.map(({ cells }) => cells[0])).toEqual(['b.bin'])
  })

  it('returns pages', async () => {
    const table = await idOf('at name n7')
    const seen: number[] = []
    for (let offset: Result['next'] = 0; offset !== undefined; ) {
      const page: Result = await call('read_table', { table, offset })
      seen.push(...page.rows.map(({ row }) => row))
      offset = page.next
    }
    expect(seen).toEqual(Array.from({ length: 120 }, (_, at) => at + 1))
  })

  it('reports a table or column that does not exist', async () => {
    await expect(call('read_table', { table: 'fruit.md#99' })).rejects.toThrow(
      'there is no table "fruit.md#99"; search and find_tables return the ids of tables.',
    )
    const { note } = await call('read_table', { table: await idOf('file size'), sort_by: 'weight' })
    expect(note).toBe('There is no column "weight".')
  })
})

describe('read', () => {
  it('compares a long heading once', { tags: 'growth', timeout: 3000 }, async () => {
    const own = await Docs.open(await folderOf({ 'a.md': '# a\n\n'.repeat(2000) }))
    const read = docsTools(own).find(({ metadata }) => metadata.name === 'read')!
    await expect(read.call({ place: 'a.md', heading: 'word '.repeat(20_000) })).rejects.toThrow('has no heading')
    await own.close()
  })

  it.each([
    [
      'fruit.md:17-19',
      undefined,
      'fruit.md:17-19',
      'Fruit > Storing fruit',
      '## Storing fruit\n\nKeep pears in a cool cellar.',
    ],
    ['./fruit.md:19', undefined, 'fruit.md:19', 'Fruit > Storing fruit', 'Keep pears in a cool cellar.'],
    ['fruit.md:18-99', undefined, 'fruit.md:18-19', 'Fruit > Storing fruit', '\nKeep pears in a cool cellar.'],
    [
      'fruit.md',
      'storing fruits',
      'fruit.md:17-19',
      'Fruit > Storing fruit',
      '## Storing fruit\n\nKeep pears in a cool cellar.',
    ],
    [
      'guides/install.md',
      'Install > On Linux',
      'guides/install.md:5-8',
      'Install > On Linux',
      '## On Linux\n\nUnpack the archive.\n',
    ],
    ['empty.md', undefined, 'empty.md:1', '', ''],
  ])('reads %s %s', async (place, heading, shown, above, text) => {
    expect(await call('read', { place, heading })).toMatchObject({ place: shown, heading: above, text })
  })

  it('reports further sections of the same name, and includes the subsections of a heading', async () => {
    const { note } = await call('read', { place: 'guides/install.md', heading: 'On Linux' })
    expect(note).toBe('Another section "Install > On Windows > On Linux" is at guides/install.md:13-20.')
    expect((await call('read', { place: 'guides/install.md', heading: 'On Windows' })).place).toBe(
      'guides/install.md:9-20',
    )
  })

  it('returns long documents in parts, each with the place of the next one', async () => {
    const seen: string[] = []
    const places: string[] = []
    for (let place: Result['next'] = 'many/lines.md'; place !== undefined; ) {
      const part: Result = await call('read', { place })
      places.push(part.place)
      seen.push(part.text)
      expect(part.lines).toBe(1000)
      place = part.next
    }
    expect(places).toEqual(['many/lines.md:1-400', 'many/lines.md:401-800', 'many/lines.md:801-1000'])
    expect(seen.join('\n')).toBe(await docs.read('many/lines.md'))
  })

  it('cuts a line that is too long, and reports it', async () => {
    expect((await call('read', { place: 'many/long.md' })).next).toBe('many/long.md:3-5')
    const { text, note, next } = await call('read', { place: 'many/long.md:3-5' })
    expect([text.length, note, next]).toEqual([20_001, 'Line 3 is cut: it has 30000 characters.', 'many/long.md:4-5'])
  })

  it.each([
    [{ place: '../secret.md' }, '"../secret.md": expected a path inside of the folder, such as guides/install.md.'],
    [{ place: '/etc/passwd:1' }, '"/etc/passwd": expected a path inside of the folder, such as guides/install.md.'],
    [{ place: 'fruit.md\0' }, '"fruit.md\\u0000": expected a path inside of the folder, such as guides/install.md.'],
    [{ place: 'install.md' }, '"install.md": the document or folder does not exist. There is guides/install.md.'],
    [
      { place: 'guides' },
      '"guides": the document or folder does not exist. There is guides/install.md, guides/parts.mdx.',
    ],
    [{ place: 'bad.md' }, '"bad.md": expected text, found a NUL byte.'],
    [{ place: 'fruit.md:20-30' }, 'fruit.md has 19 lines, received the lines 20 to 30.'],
    [{ place: 'fruit.md:5-3' }, 'fruit.md has 19 lines, received the lines 5 to 3.'],
    [{ place: 'fruit.md:0' }, 'fruit.md has 19 lines, received the lines 0 to 0.'],
    [{ place: 'fruit.md:1', heading: 'Prices' }, 'read takes lines or a heading, not both.'],
    [
      { place: 'fruit.md', heading: 'Weights' },
      'fruit.md has no heading "Weights"; it has "Fruit", "Prices", "Storing fruit".',
    ],
    [{ place: 'empty.md', heading: 'Any' }, 'empty.md has no heading "Any"; it has no headings.'],
  ])('refuses %j', async (args, message) => {
    await expect(call('read', args)).rejects.toMatchObject({ message: expect.stringContaining(message) })
  })
})

describe('outline', () => {
  it('returns headings and tables with their places', async () => {
    expect(await call('outline', { document: 'guides/install.md' })).toEqual({
      lines: 20,
      sections: [
        { heading: 'Install', level: 1, place: 'guides/install.md:1-20' },
        { heading: 'Install > On Linux', level: 2, place: 'guides/install.md:5-8' },
        { heading: 'Install > On Windows', level: 2, place: 'guides/install.md:9-20' },
        { heading: 'Install > On Windows > On Linux', level: 3, place: 'guides/install.md:13-20' },
      ],
      tables: [{ table: expect.any(String), place: 'guides/install.md:17-20', columns: ['file', 'size'], rowCount: 2 }],
    })
    const page = await call('outline', { document: 'guides/install.md', offset: 1, limit: 2 })
    expect([page.sections.length, page.next, page.tables]).toEqual([2, 3, undefined])
  })
})

describe('list_documents', () => {
  it('returns pages of documents, and what is skipped', async () => {
    expect(await call('list_documents', { limit: 2 })).toEqual({
      total: 8,
      documents: [
        { path: 'empty.md', lines: 0 },
        { path: 'fruit.md', title: 'All about fruit', lines: 19 },
      ],
      next: 2,
      skipped: [{ path: 'bad.md', reason: 'expected text, found a NUL byte.' }],
    })
    const { documents, skipped } = await call('list_documents', { within: 'many', offset: 1 })
    expect([documents.map(({ path }) => path), skipped]).toEqual([['many/long.md', 'many/table.md'], undefined])
  })
})

describe('any tool', () => {
  it.each([
    ['search', {}, 'query'],
    ['search', { query: '' }, 'query'],
    ['search', { query: 'a', limit: 51 }, 'limit'],
    ['search', { query: 'a', path: 'b' }, 'path'],
    ['search', { query: 'a', within: '../x' }, 'expected a path inside'],
    ['find_tables', { within: 'nothing' }, 'does not exist'],
    ['read_table', { table: 'a', where: [{ column: 'a', is: 'like', value: 'b' }] }, 'where[0].is'],
    ['read', { place: 3 }, 'place'],
    ['outline', { document: 'a/../b.md' }, 'expected a path inside'],
    ['list_documents', { offset: -1 }, 'offset'],
  ])('%s refuses %j', async (name, args, message) => {
    await expect(call(name, args)).rejects.toMatchObject({ message: expect.stringContaining(message) })
  })

  it('waits for the first reading, and reports its progress', async () => {
    const small = await folderOf({ 'a.md': 'alpha', 'b.md': 'beta' })
    let release = () => {}
    const reported = new Promise<void>((resolve) => {
      release = resolve
    })
    const fs = {
      ...promises,
      open: async (path: string, flags: number) => {
        if (path.endsWith('b.md')) await reported
        return promises.open(path, flags)
      },
    } as FileSystem
    const reading = await Docs.open(small, { fs })
    while (reading.progress?.done !== 1) await new Promise((resolve) => setImmediate(resolve))
    const reports: unknown[] = []
    const onProgress = (report: unknown) => {
      reports.push(report)
      release()
    }
    const { rawOutput } = await docsTools(reading)[0]!.call({ query: 'beta' }, { onProgress })
    await reading.close()
    expect(rawOutput).toMatchObject({ passages: [{ place: 'b.md:1' }] })
    expect(reports).toEqual([{ progress: 1, total: 2, message: 'Reading the documents.' }])
  })
})
