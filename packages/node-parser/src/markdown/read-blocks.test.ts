import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../tools/extent.ts'
import { growthOf } from '../../../../tools/growth.ts'
import { generateMarkdown, seededRandom } from '../../fuzz/generate.ts'
import { readBlocks } from './read-blocks.ts'

describe('readBlocks', () => {
  it('returns every kind of block with its lines and headings', () => {
    const text =
      '---\r\ntitle: x\r\n---\r\n\r\nText\r\nmore\r\n\r\n# A\r\n\r\n## `B` &amp; *c*\r\n```\r\n# no\r\n```\r\n|a|\r\n|-|\r\n|1|\r\n\r\n> q\r\n\r\n- l\r\n***\r\n<div>\r\n\r\nC\r\n='
    expect(
      readBlocks(text).map(({ kind, startLine, endLine, level, headerPath }) =>
        [kind, `${startLine}-${endLine}`, level ?? '', headerPath.join('/')].join(' '),
      ),
    ).toEqual([
      'front_matter 1-3  ',
      'paragraph 5-6  ',
      'heading 8-8 1 A',
      'heading 10-10 2 A/B & c',
      'code 11-13  A/B & c',
      'table 14-16  A/B & c',
      'quote 18-18  A/B & c',
      'list 20-20  A/B & c',
      'break 21-21  A/B & c',
      'html 22-22  A/B & c',
      'heading 24-25 1 C',
    ])
  })

  it('covers everything except blank lines and a byte-order mark', () => {
    const random = seededRandom(9)
    for (let count = 0; count < rounds(150, 500); count++) {
      const front = ['', '\ufeff', '---\na: b\n---\n', '\ufeff---\na: b\n---'][count % 4]
      const text = `${front}${generateMarkdown(random)}\n${generateMarkdown(random)}`
      let covered = 0
      let line = 0
      for (const { start, end, startLine, endLine } of readBlocks(text)) {
        expect(text.slice(covered, start)).toMatch(/^\ufeff?\s*$/)
        expect([end > start, startLine >= line, endLine >= startLine]).toEqual([true, true, true])
        covered = end
        line = endLine
      }
      expect(text.slice(covered)).toMatch(/^\ufeff?\s*$/)
    }
  })

  it('refuses options that it does not have', () => {
    expect(() => readBlocks('', { sintax: null } as never)).toThrow('readBlocks.sintax: unknown option')
  })

  it('returns nothing for an empty document', () => {
    expect(readBlocks('')).toEqual([])
    expect(readBlocks('\ufeff \n\t\n')).toEqual([])
  })

  it.each(['# a\n', '[a]: b\n\n', '- a\n\n', 'a\n\n> b\n'])(
    'takes linear time for many %j',
    { tags: 'growth' },
    async (unit) => {
      expect(await growthOf((size) => readBlocks(unit.repeat(size)), 500)).toBeLessThan(1.75)
    },
  )
})
