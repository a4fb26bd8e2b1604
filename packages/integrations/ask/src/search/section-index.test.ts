import { readSections } from '@x/node-parser'
import { describe, expect, it } from 'vitest'
import { growthOf } from '../../../../../tools/growth.ts'
import { nearTerms } from './index-part.ts'
import { plainText } from './plain-text.ts'
import { SectionIndex } from './section-index.ts'

function indexOf(files: Readonly<Record<string, string>>): SectionIndex {
  const index = new SectionIndex()
  for (const [file, text] of Object.entries(files)) index.set(file, readSections(text))
  return index
}

const values = (index: SectionIndex, question: string) => {
  const [best] = index.search(question)
  return best?.marks.filter(({ kind }) => kind === 'value').map(({ start, end }) => best.excerpt.slice(start, end))
}

describe('SectionIndex', () => {
  it('ranks a section whose headings have the words above one whose text has them', () => {
    const index = indexOf({
      'a.md': '# Server\n\nThe timeout of requests is set elsewhere, as the timeout of replies is.',
      'b.md': '# Server\n\n## requestTimeout\n\nDefault: `0`',
    })
    expect(index.search('timeout of a request').map(({ file }) => file)).toEqual(['b.md', 'a.md'])
  })

  it('finds a section by its file name and by the title of its page', () => {
    const index = indexOf({
      'guides/01-proxy.md': 'Set `host`.',
      'x.md': '---\ntitle: Cookies\n---\n\n## Expiry\n\nSet `age`.',
    })
    expect(index.search('proxy')[0]?.file).toBe('guides/01-proxy.md')
    expect(index.search('cookies')[0]?.path).toEqual(['Expiry'])
  })

  it('prefers the section whose heading asks the same, and which lists what is asked for', () => {
    const index = indexOf({
      'packages/a/README.md': '# a\n\n## API\n\nThe packages of the package.\n\n# b\n\nA package.',
      'README.md': `# All\n\nText.\n\n## Packages\n\n| package | what |\n|---|---|\n| a | one |\n| b | two |\n\n${'More text. '.repeat(20)}`,
    })
    expect(index.search('Which packages are there?')[0]?.path).toEqual(['All', 'Packages'])
    expect(index.search('Which packages are there?')[0]?.excerpt).toContain('package: a')
  })

  it('finds related words, other forms, compounds and misspelt words', () => {
    const index = indexOf({
      'a.md': '# Removing\n\nErases a file.',
      'b.md': '# Preconfigured\n\nReady.',
      'c.md': '# Other\n\nNothing.',
    })
    expect(index.search('delete')[0]?.file).toBe('a.md')
    expect(index.search('preconfigur')[0]?.file).toBe('b.md')
    expect(index.search('configured')[0]?.file).toBe('b.md')
    expect(index.search('raedy')[0]?.file).toBe('b.md')
    expect(index.search('zzz')).toEqual([])
  })

  it('marks the cell of a question', () => {
    const index = indexOf({
      'a.md':
        '# Options\n\n| name | default | note |\n|---|---|---|\n| `port` | 80 | |\n| `host` | `::` | the address |',
    })
    expect(values(index, 'What is the default port?')).toEqual(['80'])
    expect(values(index, 'default of host')).toEqual(['`::`'])
    expect(index.search('default port')[0]?.line).toBe(5)
  })

  it.each([
    ['What is the default size?', '# Size\n\nText.\n\n+ Default: `1 MiB`\n\nThe size of it.', ['`1 MiB`']],
    ['Which mode is the default?', '# Mode\n\nThe mode is `fast` (default) or `slow`.', ['`fast`']],
    ['How many retries are made?', '# Retries\n\nIt makes 3 retries.', ['3']],
    ['How do I retry?', '# Retries\n\nIt makes 3 retries.', []],
  ])('the values of %j in %j are %j', (question, text, expected) => {
    expect(values(indexOf({ 'a.md': text }), question)).toEqual(expected)
  })

  it('shows the best block with its neighbours, and a part of a long one', () => {
    const long = Array.from({ length: 80 }, (_, at) => `Sentence ${at} says little.`).join(' ')
    const index = indexOf({
      'a.md': `# A\n\n${long} The zebra eats. ${long}`,
      'b.md': '# B\n\nBefore.\n\nHorse.\n\nAfter.',
      'c.md': '# Empty C',
    })
    const [zebra] = index.search('zebra')
    expect([zebra!.excerpt.length <= 600, zebra?.excerpt.includes('The zebra eats.')]).toEqual([true, true])
    expect(index.search('horse')[0]).toMatchObject({ excerpt: 'Before.\nHorse.\nAfter.', line: 5 })
    expect(index.search('empty')[0]).toMatchObject({ excerpt: '', line: 1, marks: [] })
  })

  it('equals a fresh index after files were replaced and removed, and after it was written and read', () => {
    const files = { 'a.md': '# A\n\nalpha beta', 'b.md': '# B\n\nbeta gamma', 'c.md': '# C\n\ngamma | delta' }
    const edited = indexOf({ ...files, 'd.md': '# D\n\nalpha delta' })
    edited.set('b.md', readSections('# Old\n\nalpha alpha'))
    edited.set('b.md', readSections(files['b.md']))
    edited.delete('d.md')
    edited.delete('none.md')
    const restored = SectionIndex.from(JSON.parse(JSON.stringify(edited)))
    for (const question of ['alpha', 'beta gamma', 'delta', 'old']) {
      const sorted = (index: SectionIndex) =>
        index.search(question).sort((one, other) => (one.file < other.file ? -1 : 1))
      for (const index of [edited, restored]) expect(sorted(index)).toEqual(sorted(indexOf(files)))
    }
    expect([restored.size, [...restored.paths].sort()]).toEqual([3, ['a.md', 'b.md', 'c.md']])
    restored.set('a.md', readSections('# New\n\nepsilon'))
    expect([restored.search('alpha'), restored.search('epsilon').length]).toEqual([[], 1])
  })

  it('returns as many sections as asked, of the files that are accepted', () => {
    const index = indexOf(Object.fromEntries(Array.from({ length: 15 }, (_, at) => [`${at}.md`, '# Pear'])))
    expect([index.search('pear').length, index.search('pear', { limit: 2 }).length]).toEqual([10, 2])
    expect(index.search('pear', { accepts: (file) => file === '7.md' }).map(({ file }) => file)).toEqual(['7.md'])
  })

  it('names the words that no document contains', () => {
    const index = indexOf({ 'a.md': '# Pear tree' })
    expect(index.missing('How do I climb the pear tree with a Zeppelin, Zeppelin?')).toEqual(['climb', 'Zeppelin'])
    expect([index.missing(''), index.missing('?!'), index.search('')]).toEqual([[], [], []])
  })

  it.each(['a b c\n\n', '[a](', '<a ', '<!-- ', '- `a`: b\n', '# a\n'])(
    'takes linear time for many %j',
    { tags: 'growth' },
    async (unit) => {
      const work = (size: number) => indexOf({ 'a.md': unit.repeat(size) }).search('What is the default of a?')
      expect(await growthOf(work, 200)).toBeLessThan(1.75)
    },
  )

  it('replaces all files in linear time', { tags: 'growth' }, async () => {
    const document = readSections('# a\n\nb c\n\n## d\n\ne f')
    const work = (size: number) => {
      const index = new SectionIndex()
      for (let at = 0; at < 2 * size; at++) index.set(`${at % size}.md`, document)
      expect(index.search('f', { limit: size }).length).toBe(size)
    }
    expect(await growthOf(work, 1000)).toBeLessThan(1.75)
  })
})

it.each([
  ['See [the `a`](b.md#c "t") and ![i](x.png), [r][1].', 'See the `a` and i, r.'],
  ['<a id="x"></a>A<br/>B <b>c</b> <Custom> <!-- no -->d', 'A B c <Custom> d'],
  ['a < b > c', 'a < b > c'],
])('the plain text of %j is %j', (source, text) => {
  expect(plainText(source)).toBe(text)
})

it.each([
  ['hous', ['house', 'horus', 'inhouse'], ['house', 'inhouse']],
  ['quince', ['qunice', 'prince', 'apple'], ['qunice']],
  ['ab', ['abc'], []],
])('similar to %j in %j are %j', (term, terms, near) => {
  expect(nearTerms(term, terms)).toEqual(near)
})
