import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../tools/extent.ts'
import { growthOf } from '../../../../tools/growth.ts'
import { generateMarkdown, seededRandom } from '../../fuzz/generate.ts'
import type { Element } from './element.ts'
import { extractMarkdownElements, isFullTable } from './extract-elements.ts'
import { ElementStream, streamMarkdownElements } from './stream-elements.ts'

async function streamed(pieces: Iterable<string>, options = {}): Promise<Element[]> {
  const elements: Element[] = []
  for await (const element of streamMarkdownElements(pieces, options)) elements.push(element)
  return elements
}

function* cut(text: string, random: () => number): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const size = 1 + Math.floor(random() * 12)
    yield text.slice(at, at + size)
    at += size
  }
}

describe('streamMarkdownElements', () => {
  it('yields the elements of the whole document, for every split into chunks', async () => {
    const random = seededRandom(5)
    for (let count = 0; count < rounds(400, 1500); count++) {
      const front = ['', '', '\ufeff', '---\na: b\n---\n', '---\r\na: b\r\n---\r\n', '---\nnot\n---\n', '---\n', '--'][
        count % 8
      ]
      const text = front + Array.from({ length: 4 }, () => generateMarkdown(random)).join('\n')
      for (const options of [{}, { nodeId: 'n', tableFilters: [isFullTable] }, { htmlTables: 'table' as const }])
        expect(await streamed(cut(text, random), options), JSON.stringify(text)).toEqual(
          extractMarkdownElements(text, options),
        )
    }
  })

  it('yields a table when it has ended, together with the text before it', () => {
    const stream = new ElementStream()
    expect(stream.push('Text\n\n| a | b |\n|---')).toEqual([])
    expect(stream.push('|---|\n| 1 | 2 |\n')).toEqual([])
    expect(stream.push('\n').map(({ type }) => type)).toEqual(['text', 'table'])
    expect(stream.push('more')).toEqual([])
    expect(stream.end()).toMatchObject([{ id: 'id_2', type: 'text', element: 'more' }])
  })

  it.each(['section', 'block'] as const)('yields the same text by %s for every split into chunks', async (textUnit) => {
    const random = seededRandom(6)
    for (let count = 0; count < rounds(400, 1500); count++) {
      const front = ['', '\ufeff', '---\na: b\n---\n', '---\r\na: b\r\n---\r\n'][count % 4]
      const text = front + Array.from({ length: 4 }, () => generateMarkdown(random)).join('\n')
      for (const options of [{}, { tableFilters: [isFullTable] }, { htmlTables: 'table' as const }]) {
        const whole = await streamed([text], { ...options, textUnit })
        expect(await streamed(cut(text, random), { ...options, textUnit }), JSON.stringify(text)).toEqual(whole)
        const tables = (elements: Element[]) =>
          elements.filter(({ type }) => type !== 'text').map(({ element }) => element)
        expect(tables(whole)).toEqual(tables(extractMarkdownElements(text, options)))
        let covered = 0
        for (const { type, element, startCharIdx, endCharIdx } of whole) {
          if (type === 'text') {
            expect(text.slice(startCharIdx ?? 0, endCharIdx ?? 0)).toBe(element)
            expect(text.slice(covered, startCharIdx ?? 0)).toMatch(/^\ufeff?[^\p{L}]*$/u)
          }
          covered = endCharIdx ?? 0
        }
        expect(text.slice(covered)).toMatch(/^\ufeff?[^\p{L}]*$/u)
      }
    }
  })

  it('yields a section or block as soon as it ends, without waiting for a table', () => {
    const blocks = new ElementStream({ textUnit: 'block' })
    const textOf = (elements: Element[]) => elements.map(({ element }) => element)
    expect(textOf(blocks.push('# A\nOne'))).toEqual(['# A'])
    expect(textOf(blocks.push('\ntwo\n'))).toEqual([])
    expect(textOf(blocks.push('\n'))).toEqual(['One\ntwo'])
    expect(textOf(blocks.push('- a\n\n- b\n\nEnd'))).toEqual([])
    expect(textOf(blocks.push('\n'))).toEqual(['- a\n\n- b'])
    expect(textOf(blocks.end())).toEqual(['End'])

    const sections = new ElementStream({ textUnit: 'section', htmlTables: 'table' })
    expect(textOf(sections.push('One\n\ntwo\n\n# A\n'))).toEqual(['One\n\ntwo'])
    expect(textOf(sections.push('<br>\n\nText\n\n|a|b|\n|-|-|\n|1|2|\n\n'))).toEqual([
      '# A\n<br>\n\nText',
      '|a|b|\n|-|-|\n|1|2|',
    ])
    expect(textOf(sections.push('B\n'))).toEqual([])
    expect(textOf(sections.push('===\n'))).toEqual([])
    expect(textOf(sections.push('\n# C\n'))).toEqual(['B\n==='])
  })

  it('yields an HTML table as soon as it ends, with htmlTables', () => {
    const stream = new ElementStream({ htmlTables: 'table' })
    expect(stream.push('<br>\n\n<div>\nx\n\n|a|b|\n|-|-|\n|1|2|\n')).toEqual([])
    expect(stream.push('\n').map(({ type }) => type)).toEqual(['text', 'table'])
  })

  it('yields nothing for an empty string', async () => {
    expect(await streamed([])).toEqual([])
    expect(await streamed(['', '\n', ' '])).toEqual([])
  })

  it('takes linear time on a long document in small chunks', { tags: 'growth' }, async () => {
    const textOf = (lines: number) => `${'word '.repeat(40)}\n`.repeat(lines)
    const read = (lines: number) => streamed(textOf(lines).match(/[\s\S]{1,20}/g) ?? [])
    const [element, ...others] = await read(1000)
    expect(element?.element).toBe(textOf(1000).trimEnd())
    expect(others).toEqual([])
    expect(await growthOf(read, 50)).toBeLessThan(1.75)
  })

  it('takes linear time on a long table and on many HTML tables, in single characters', {
    tags: 'growth',
  }, async () => {
    const table = (rows: number) => streamed(`|a|b|\n|-|-|\n${'|1|2|\n'.repeat(rows)}`)
    const html = (tables: number) =>
      streamed('<table><tr><td>1</td></tr></table>\n\n'.repeat(tables), { htmlTables: 'table' })
    expect((await table(20))[0]?.table?.rows).toHaveLength(20)
    expect(await html(20)).toHaveLength(20)
    expect(await growthOf(table, 300)).toBeLessThan(1.75)
    for (const textUnit of ['section', 'block'] as const)
      for (const unit of ['# a\n', 'a\n\n', '- a\n', 'word '])
        expect(await growthOf((size) => streamed(unit.repeat(size), { textUnit }), 200)).toBeLessThan(1.75)
    expect(await growthOf(html, 60)).toBeLessThan(1.75)
  })
})
