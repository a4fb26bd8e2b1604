import { Document } from '@x/core-model'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countTokens } from './count-tokens.ts'
import { MarkdownElementNodeParser } from './markdown-element/markdown-element-node-parser.ts'
import { MarkdownNodeParser } from './markdown-node-parser.ts'

type Options = ConstructorParameters<typeof MarkdownNodeParser>[0]
const words = (part: string) => part.split(/\s+/).filter(Boolean)
const parse = (text: string, options: Options) =>
  new MarkdownNodeParser({ tokenizer: words, ...options }).getNodesFromDocuments([new Document({ text })])
const texts = async (text: string, options: Options) =>
  (await parse(text, options)).map((node) => node.text.replaceAll('\n\n', ' '))

describe('MarkdownNodeParser with minChunkSize', () => {
  it('joins a heading without text to the section that follows', async () => {
    expect(await texts('# A\n\n## B\n\none two three\n\n## C\n\nfour five six\n\n# D', { minChunkSize: 3 })).toEqual([
      '# A ## B one two three',
      '## C four five six',
      '# D',
    ])
  })

  it('joins small sections until they have the size', async () => {
    const text = '# A\n\na\n\n## B\n\nb\n\n## C\n\nc\n\n## D\n\nd\n\n## E\n\ne e e e e e e e'
    expect(await texts(text, { minChunkSize: 6 })).toEqual(['# A a ## B b', '## C c ## D d', '## E e e e e e e e e'])
    expect(await texts(text, { minChunkSize: 6, chunkSize: 7 })).toEqual([
      '# A a ## B b',
      '## C c ## D d',
      '## E e e e e e',
      'e e e',
    ])
  })

  it('joins a small section to the one before, if those that follow belong to another chapter', async () => {
    const text = '# A\n\na a a a a a\n\n## B\n\nb\n\n# C\n\nc c c c c c'
    expect(await texts(text, { minChunkSize: 5 })).toEqual(['# A a a a a a a ## B b', '# C c c c c c c'])
    expect(await texts(text, { minChunkSize: 5, chunkSize: 9 })).toEqual([
      '# A a a a a a a',
      '## B b',
      '# C c c c c c c',
    ])
  })

  it('joins the text before the first heading', async () => {
    expect(await texts('a\n\n# B\n\nb', { minChunkSize: 5 })).toEqual(['a # B b'])
  })

  it('stores the headings that all joined sections have, and places of the whole range', async () => {
    const text = '# A\n\n## B\n\n### C\n\nc\n\n### D\n\nd\n\n## E\n\ne e e e e e'
    const nodes = await parse(text, { minChunkSize: 6, headerPath: true, lineNumbers: true })
    expect(nodes.map(({ metadata }) => metadata)).toEqual([
      { Header_1: 'A', Header_2: 'B', header_path: 'A > B', start_line: 1, end_line: 11 },
      { Header_1: 'A', Header_2: 'E', header_path: 'A > E', start_line: 13, end_line: 15 },
    ])
    const [alone] = await parse('# A\n\n## B\n\nb', { minChunkSize: 1 })
    expect(alone?.metadata).toEqual({ Header_1: 'A', Header_2: 'B' })
  })

  it('stores the headings of the section that front matter is joined to', async () => {
    const options = { minChunkSize: 20, headerPath: true }
    const parser = new MarkdownNodeParser({ tokenizer: words, ...options })
    const nested = new MarkdownElementNodeParser({ summarizer: 'headers', nestedNodeParser: parser, headerPath: true })
    const paths = async (text: string) => {
      const document = new Document({ text })
      const nodes = [await parser.getNodesFromDocuments([document]), await nested.getNodesFromDocuments([document])]
      return nodes.map((each) => each.map(({ metadata }) => metadata['header_path']))
    }
    const front = '---\ntitle: Fruit\n---\n'
    expect(await paths(`${front}\n# A\n\na`)).toEqual([['A'], ['A']])
    expect(await paths(`${front}\n# A\n\n## B\n\nb`)).toEqual([['A > B'], ['A > B']])
    expect(await paths(`${front}intro\n\n# A\n\na`)).toEqual([[undefined], [undefined]])
    expect(await paths(front)).toEqual([[undefined], [undefined]])
  })

  it('repeats the headings above a section that is split', async () => {
    const text = `# A\n\n## B\n\n${'b '.repeat(20)}`
    expect(await texts(text, { minChunkSize: 1, chunkSize: 12, repeatHeading: true })).toEqual([
      '# A ## B b b b',
      '# A ## B b b b b b b b',
      '# A ## B b b b b b b b',
      '# A ## B b b b',
    ])
  })

  it('keeps all text, in order, within the size', async () => {
    const unit = fc.constantFrom(
      '# a\n\n',
      '## b\n\n',
      '### c\n\n',
      'x ',
      'word word word\n\n',
      '| a |\n|---|\n| 1 |\n\n',
    )
    const sizes = fc.tuple(fc.integer({ min: 1, max: 12 }), fc.option(fc.nat(20)))
    await fc.assert(
      fc.asyncProperty(fc.array(unit, { maxLength: 40 }), sizes, async (parts, [minChunkSize, more]) => {
        const text = parts.join('')
        const chunkSize = more === null ? null : minChunkSize + more
        const options = { minChunkSize, chunkSize, tokenizer: null, repeatTableHeader: false }
        const nodes = await parse(text, options)
        let covered = 0
        for (const { startCharIdx, endCharIdx, text: own } of nodes) {
          expect(text.slice(startCharIdx ?? -1, endCharIdx ?? -1)).toBe(own)
          expect(text.slice(covered, startCharIdx ?? -1).trim()).toBe('')
          if (chunkSize !== null) expect(countTokens(own, null)).toBeLessThanOrEqual(chunkSize)
          covered = endCharIdx ?? -1
        }
        expect(text.slice(covered).trim()).toBe('')
      }),
    )
  })

  it('is at most chunkSize', () => {
    expect(() => new MarkdownNodeParser({ minChunkSize: 9, chunkSize: 8 })).toThrow(
      'MarkdownNodeParser.minChunkSize: expected at most chunkSize (8), received 9',
    )
  })
})
