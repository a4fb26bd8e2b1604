import { Document, ImageNode } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { rounds, someOf } from '../../../../tools/extent.ts'
import { growthOf } from '../../../../tools/growth.ts'
import { generateMarkdown, seededRandom } from '../../fuzz/generate.ts'
import { readFrontMatter } from '../read-front-matter.ts'
import { extractMarkdownElements } from './extract-elements.ts'
import { MarkdownElementNodeParser } from './markdown-element-node-parser.ts'
import { type TypedElement, typedElements } from './typed-elements.ts'

const find = (text: string, ...types: TypedElement[]) =>
  extractMarkdownElements(text, { elementTypes: typedElements(...types) }).map(({ type, element, info }) => [
    type,
    element,
    info,
  ])

describe('typedElements', () => {
  it.each<[string, unknown[]]>([
    ['```ts title="a"\nx\n```', [['code', '```ts title="a"\nx\n```', { element_type: 'code', language: 'ts' }]]],
    ['~~~\nx', [['code', '~~~\nx', { element_type: 'code' }]]],
    ['    x\n\n    y', [['code', '    x\n\n    y', { element_type: 'code' }]]],
    [
      '![A *b*](a.png "T")',
      [
        [
          'image',
          '![A *b*](a.png "T")',
          { element_type: 'image', image_alt: 'A *b*', imageUrl: 'a.png', image_title: 'T' },
        ],
      ],
    ],
    [
      '[![b](<b c.svg>)](https://x.y)',
      [['image', '[![b](<b c.svg>)](https://x.y)', { element_type: 'image', image_alt: 'b', imageUrl: 'b c.svg' }]],
    ],
    ['![a](b) and', [['text', '![a](b) and', undefined]]],
    ['![a](b) ![c](d)', [['text', '![a](b) ![c](d)', undefined]]],
    ['![a][b]\n\n[b]: c', [['text', '![a][b]\n\n[b]: c', undefined]]],
    [
      '$$\na\n\n# b | c\n$$\ntext',
      [
        ['math', '$$\na\n\n# b | c\n$$', { element_type: 'math' }],
        ['text', 'text', undefined],
      ],
    ],
    ['$$x^2$$', [['math', '$$x^2$$', { element_type: 'math' }]]],
    ['$$x$$ and\n\n$$\nopen', [['text', '$$x$$ and\n\n$$\nopen', undefined]]],
    ['$$\nx\n=\n$$', [['math', '$$\nx\n=\n$$', { element_type: 'math' }]]],
    [
      '[^1]: One\nmore\n[^b]: two\n\n    code\n\n    more\n\nText [^1]: no',
      [
        ['footnote', '[^1]: One\nmore', { element_type: 'footnote', footnote: '1' }],
        ['footnote', '[^b]: two\n\n    code\n\n    more', { element_type: 'footnote', footnote: 'b' }],
        ['text', 'Text [^1]: no', undefined],
      ],
    ],
    ['> ```\n> x\n> ```\n\n- ![a](b)', [['text', '> ```\n> x\n> ```\n\n- ![a](b)', undefined]]],
  ])('finds the elements of %j', (text, expected) => {
    expect(find(text)).toEqual(expected)
  })

  it('finds only the requested kinds', () => {
    const text = 'a\n\n```\nx\n```\n\n![a](b)\n\nb'
    expect(find(text, 'code').map(([type]) => type)).toEqual(['text', 'code', 'text'])
    expect(find(text, 'image').map(([type]) => type)).toEqual(['text', 'image', 'text'])
  })

  it('become nodes in document order, with metadata that is hidden from models', async () => {
    const parser = new MarkdownElementNodeParser({
      summarizer: 'headers',
      elementTypes: typedElements(),
      frontMatter: readFrontMatter,
      headerPath: true,
      chunkSize: 10,
      chunkOverlap: 0,
    })
    const text =
      '---\na: 1\n---\n# A\n\n![Tree](t.png)\n\n|a|b|\n|-|-|\n|1|2|\n\n```js\nconst one = 1\nconst two = 2\nconst three = 3\n```'
    const nodes = await parser.getNodesFromDocuments([new Document({ text })])
    const typed = nodes.filter(({ metadata }) => metadata['element_type'] !== undefined)
    expect(typed.map((node) => node.text)).toEqual([
      '![Tree](t.png)',
      '```js\nconst one = 1\nconst two = 2',
      'const three = 3\n```',
    ])
    expect(typed[0]).toBeInstanceOf(ImageNode)
    expect((typed[0] as ImageNode).imageUrl).toBe('t.png')
    expect(typed[2]?.metadata).toEqual({ element_type: 'code', language: 'js', header_path: 'A', a: 1 })
    expect(typed[2]?.getMetadataStr('embed')).toBe('header_path: A\na: 1')
    for (const { text: own, startCharIdx, endCharIdx } of typed)
      expect(text.slice(startCharIdx ?? 0, endCharIdx ?? 0)).toBe(own)
    expect(nodes[0]?.text).toBe('# A')
  })

  it('divide every document into slices in order, without changing the tables', () => {
    const random = seededRandom(14)
    const pieces = ['$$\n', '![a](b)\n\n', '[^1]: x\n', '    y\n\n', '```\n', '\n', 'text\n']
    for (let count = 0; count < rounds(200, 800); count++) {
      const text = Array.from({ length: 8 }, () =>
        random() < 0.5 ? generateMarkdown(random) : (pieces[Math.floor(random() * pieces.length)] as string),
      ).join(random() < 0.5 ? '\n' : '')
      const elements = extractMarkdownElements(text, { elementTypes: typedElements() })
      const plain = extractMarkdownElements(text)
      const tables = (all: typeof elements) =>
        all.filter(({ type }) => type.startsWith('table')).map(({ element }) => element)
      expect(tables(elements)).toEqual(tables(plain))
      expect(elements.map(({ id }) => id)).toEqual(elements.map((_, index) => `id_${index}`))
      let covered = 0
      for (const { type, element, startCharIdx, endCharIdx } of elements) {
        if (!type.startsWith('table')) expect(text.slice(startCharIdx ?? 0, endCharIdx ?? 0)).toBe(element)
        expect(startCharIdx).toBeGreaterThanOrEqual(covered)
        expect(text.slice(covered, startCharIdx ?? 0)).toMatch(/^[^\p{L}$]*$/u)
        covered = endCharIdx ?? 0
      }
    }
  })

  it.each(
    someOf(['$$\n', '$$\n\n', '![a](b)\n\n', '![', '[^1]: a\n', '```\n', '\n$$\na', '    a\n\n', '  \n$$ \n'], 4),
  )('takes linear time for many %j', { tags: 'growth' }, async (unit) => {
    const elementTypes = typedElements()
    expect(await growthOf((size) => extractMarkdownElements(unit.repeat(size), { elementTypes }), 200)).toBeLessThan(
      1.75,
    )
  })
})
