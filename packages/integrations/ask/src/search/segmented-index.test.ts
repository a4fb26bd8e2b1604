import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, stat, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSections } from '@x/node-parser'
import { beforeEach, describe, expect, it } from 'vitest'
import { IndexSegment, writeSegment } from './index-segment.ts'
import { SectionIndex } from './section-index.ts'
import { SegmentedIndex } from './segmented-index.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'segments-'))
})

const texts: Record<string, string> = {
  'a.md': '# Server\n\nThe größe of a body.\n\n## bodyLimit\n\n- Default: `1048576` bytes',
  'b.md': '# Log\n\nLogs every request of the server.\n\n| level | name |\n|---|---|\n| 30 | info |',
  'c.md': '---\ntitle: Cookies\n---\n\n## Expiry\n\nSet `age` of a cookie. 中文词语 in it.',
  'd.md': '# Body\n\nA body has a limit.\n\n# Request\n\nA request has a body.',
}
const words: Record<string, string[][]> = { 'b.md': [['verbosity', 'How loud is it?']], 'c.md': [['ttl body']] }
const questions = [
  'What is the default limit of a body?',
  'request',
  'verbosity of logs',
  'loud ttl',
  'größe',
  '词语',
  'cooky',
  'servr limits',
  'zeppelin',
  'level info',
  'how',
  '',
]

async function segmentOf(files: readonly string[]): Promise<IndexSegment> {
  const index = new SectionIndex()
  for (const file of files) index.set(file, readSections(texts[file]!), words[file])
  const path = join(folder, randomUUID())
  await writeSegment(path, index.toJSON(), new Map(files.map((file) => [file, { lines: 3, stamp: `s${file}` }])))
  return new IndexSegment(path)
}

function expectEqual(index: SegmentedIndex, files: readonly string[]): void {
  const whole = new SectionIndex()
  for (const file of files) whole.set(file, readSections(texts[file]!), words[file])
  for (const question of questions) {
    expect(index.search(question)).toEqual(whole.search(question))
    expect(index.search(question, { limit: 1, addedWords: false })).toEqual(
      whole.search(question, { limit: 1, addedWords: false }),
    )
    expect(index.missing(question)).toEqual(whole.missing(question))
  }
  for (const file of Object.keys(texts)) expect(index.sectionsOf(file)).toEqual(whole.sectionsOf(file))
  const again = SectionIndex.from(JSON.parse(JSON.stringify(index.toJSON())))
  for (const question of questions) expect(again.search(question)).toEqual(whole.search(question))
}

describe('an index in segments', () => {
  it.each([
    [[['a.md', 'b.md', 'c.md', 'd.md']], []],
    [[['a.md'], ['b.md', 'c.md']], ['d.md']],
    [[['a.md'], ['b.md'], ['c.md'], ['d.md']], []],
    [[], ['a.md', 'b.md', 'c.md', 'd.md']],
  ])('searches as one in memory does: %j and %j', async (stored, recent) => {
    const index = new SegmentedIndex()
    for (const files of stored) index.addSegment(await segmentOf(files))
    for (const file of recent) index.set(file, readSections(texts[file]!), words[file])
    expectEqual(index, [...stored.flat(), ...recent])
    index.close()
  })

  it('is that of the files that are left and changed', async () => {
    const index = new SegmentedIndex()
    index.addSegment(await segmentOf(['b.md', 'a.md']))
    index.addSegment(await segmentOf(['c.md', 'd.md']))
    index.delete('b.md')
    index.delete('d.md')
    expectEqual(index, ['a.md', 'c.md'])
    expect(index.stored.map(({ removed, removedShare }) => [removed, removedShare])).toEqual([
      [['b.md'], 1 / 3],
      [['d.md'], 2 / 3],
    ])
    index.set('a.md', readSections(texts['a.md']!))
    expectEqual(index, ['c.md', 'a.md'])
    const { recent } = index
    index.addSegment(await segmentOf(['c.md', 'a.md']), index.stored)
    index.recent = new SectionIndex()
    expect(recent.size).toBe(2)
    expectEqual(index, ['c.md', 'a.md'])
    index.close()
  })

  it('is a file that only the user can read, with what a start needs to know', async () => {
    const segment = await segmentOf(['a.md', 'c.md'])
    expect((await stat(segment.path)).mode & 0o777).toBe(0o600)
    expect([...segment.files.values()]).toEqual([
      { path: 'a.md', title: 'Server', lines: 3, stamp: 'sa.md', sections: 2, first: 0 },
      { path: 'c.md', title: 'Cookies', lines: 3, stamp: 'sc.md', sections: 1, first: 2 },
    ])
    segment.close()
    const { length } = await readFile(segment.path)
    for (const size of [length - 1, length - 400, 100, 4, 0]) {
      await truncate(segment.path, size)
      expect(() => new IndexSegment(segment.path)).toThrow(/the file is (not whole|shorter)/)
    }
  })
})
