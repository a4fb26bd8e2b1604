import { Document } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { MarkdownElementNodeParser } from './markdown-element/markdown-element-node-parser.ts'
import { MarkdownNodeParser } from './markdown-node-parser.ts'
import { readFrontMatter } from './read-front-matter.ts'

const text = '\ufeff---\ntitle: Fruit\nfile: no\n---\n\n# A\n\n|a|b|\n|-|-|\n|1|2|\n'
const document = () => new Document({ text, metadata: { file: 'fruit.md' } })

it.each([undefined, readFrontMatter])('nodes inherit floats of Python as they were written', async (frontMatter) => {
  const whole = Document.fromJson(`{"text": ${JSON.stringify(text)}, "metadata": {"score": 1.0}}`)
  for (const parser of [
    new MarkdownNodeParser({ frontMatter }),
    new MarkdownElementNodeParser({ frontMatter, summarizer: 'headers' }),
  ]) {
    const nodes = await parser.getNodesFromDocuments([whole])
    expect(nodes.filter((node) => !node.getContent('all').includes('score: 1.0'))).toEqual([])
  }
})

describe('frontMatter', () => {
  it('adds front matter to the metadata of every node, unless the document has the key', async () => {
    const sections = await new MarkdownNodeParser({
      frontMatter: readFrontMatter,
      lineNumbers: true,
    }).getNodesFromDocuments([document()])
    expect(sections.map((node) => node.text)).toEqual(['# A\n\n|a|b|\n|-|-|\n|1|2|'])
    expect(sections[0]?.metadata).toEqual({
      Header_1: 'A',
      title: 'Fruit',
      file: 'fruit.md',
      start_line: 6,
      end_line: 10,
    })
    expect(text.slice(sections[0]?.startCharIdx ?? 0, sections[0]?.endCharIdx ?? 0)).toBe(sections[0]?.text)

    const parser = new MarkdownElementNodeParser({ frontMatter: readFrontMatter, summarizer: 'headers' })
    const nodes = await parser.getNodesFromDocuments([document()])
    expect(nodes.map((node) => node.text.split('\n')[0])).toEqual(['# A', 'A: a, b; a: 1,', 'A: a, b; a: 1,'])
    expect(nodes.map(({ metadata }) => [metadata['title'], metadata['file']])).toEqual([
      ['Fruit', 'fruit.md'],
      ['Fruit', 'fruit.md'],
      ['Fruit', 'fruit.md'],
    ])
  })

  it('sets no key that packages write themselves', async () => {
    const keys = [
      'file',
      'start_line',
      'end_line',
      'header_path',
      'table_df',
      'table_summary',
      'untrusted',
      '__pii_node_info__',
    ]
    const source = `---\n${keys.map((key) => `${key}: forged\n`).join('')}title: Fruit\n---\nPears\n`
    for (const parser of [
      new MarkdownNodeParser({ frontMatter: readFrontMatter }),
      new MarkdownElementNodeParser({ frontMatter: readFrontMatter }),
    ])
      expect((await parser.getNodesFromDocuments([new Document({ text: source })]))[0]?.metadata).toEqual({
        title: 'Fruit',
      })
  })

  it('passes the text between the lines to the reader, and keeps front matter as text without a reader', async () => {
    const seen: string[] = []
    const frontMatter = (source: string) => {
      seen.push(source)
      return {}
    }
    const parse = (source: string) =>
      new MarkdownNodeParser({ frontMatter }).getNodesFromDocuments([new Document({ text: source })])
    expect(await parse('---\r\na: 1\r\n\r\nb\r\n---  \r\n# A')).toHaveLength(1)
    expect(await parse('---\n---\n')).toEqual([])
    expect(await parse('---\nno key\n---\n')).toHaveLength(2)
    expect(await parse('# A\n\n---\na: b\n---\n')).toHaveLength(2)
    expect(seen).toEqual(['a: 1\r\n\r\nb\r\n'])
    const kept = await new MarkdownNodeParser().getNodesFromDocuments([document()])
    expect(kept.map((node) => node.text)[0]).toBe('---\ntitle: Fruit\nfile: no\n---')
  })

  it('is not inherited without includeMetadata', async () => {
    const parser = new MarkdownNodeParser({ frontMatter: readFrontMatter, includeMetadata: false })
    const [node] = await parser.getNodesFromDocuments([document()])
    expect(node?.metadata).toEqual({})
  })
})
