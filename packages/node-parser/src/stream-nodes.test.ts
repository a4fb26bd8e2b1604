import { Document, type TextNode } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../tools/extent.ts'
import { growthOf } from '../../../tools/growth.ts'
import { generateMarkdown, seededRandom } from '../fuzz/generate.ts'
import { MarkdownElementNodeParser } from './markdown-element/markdown-element-node-parser.ts'
import { tableRows } from './markdown-element/table-rows.ts'
import { MarkdownNodeParser } from './markdown-node-parser.ts'
import { fromContent, fromSource } from './node-ids.ts'
import type { NodeParser } from './node-parser.ts'
import { readFrontMatter } from './read-front-matter.ts'
import { SentenceSplitter } from './sentence-splitter.ts'
import { type StreamNodesOptions, streamNodes } from './stream-nodes.ts'

const document = (text = '') => new Document({ id: 'd', text, metadata: { file: 'f.md', page_label: '4' } })

async function streamed(
  parser: NodeParser,
  pieces: Iterable<string>,
  options: StreamNodesOptions = {},
): Promise<TextNode[]> {
  const nodes: TextNode[] = []
  for await (const node of streamNodes(parser, pieces, { document: document(), ...options })) nodes.push(node)
  return nodes
}

function* cut(text: string, random: () => number): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const size = 1 + Math.floor(random() * 12)
    yield text.slice(at, at + size)
    at += size
  }
}

/** The node without the hash of its source: a stream does not have the text of the source. */
const plain = (node: TextNode) => {
  const dict = node.toDict()
  const { '1': _source, ...relationships } = dict['relationships'] as Record<string, unknown>
  return { ...dict, relationships, source: node.sourceNode?.nodeId }
}

const places = { headerPath: true, lineNumbers: true, pageBreak: '^\\*\\*\\*$', frontMatter: readFrontMatter }

describe('streamNodes', () => {
  it('yields the nodes of MarkdownNodeParser for the whole document, for every split into pieces', async () => {
    const random = seededRandom(8)
    for (let count = 0; count < rounds(100, 400); count++) {
      const front = ['', '\ufeff', '---\ntitle: x\n---\n', '---\r\ntitle: x\r\n---\r\n'][count % 4]
      // References to definitions in other sections are not known in a stream.
      const text = (front + Array.from({ length: 5 }, () => generateMarkdown(random)).join('\n')).replaceAll('[', '(')
      for (const options of [
        { idFunc: fromSource() },
        { ...places, idFunc: fromContent(), chunkSize: 30, chunkOverlap: 5 },
      ]) {
        const parser = new MarkdownNodeParser(options)
        const whole = await parser.getNodesFromDocuments([document(text)])
        const nodes = await streamed(parser, cut(text, random))
        expect(nodes.map(plain), JSON.stringify(text)).toEqual(whole.map(plain))
      }
    }
  })

  it('yields the same nodes where sections begin or end with white space that Markdown reads as text', async () => {
    const random = seededRandom(10)
    const spaces = ['\u00a0', '\u2003', '\u3000', '\u2028', '\u000b', '\f', ' ']
    const parts = [...spaces, '\n', '\n', '\r', '\n\n', '===', '---', '# A', 'text', '> q', '- l', '    code']
    for (let count = 0; count < rounds(600, 3000); count++) {
      const length = 1 + Math.floor(random() * 7)
      const text = Array.from({ length }, () => parts[Math.floor(random() * parts.length)]).join('')
      const parser = new MarkdownNodeParser({ headerPath: true, lineNumbers: true, idFunc: fromSource() })
      const whole = await parser.getNodesFromDocuments([document(text)])
      for (const pieces of [[text], cut(text, random)])
        expect((await streamed(parser, pieces)).map(plain), JSON.stringify(text)).toEqual(whole.map(plain))
    }
  })

  it('yields the same nodes where a later section begins with a byte-order mark or with what looks like front matter', async () => {
    const random = seededRandom(11)
    const parts = [
      '\ufeff',
      '\ufeff',
      '\n',
      '\n',
      '\n\n',
      '===',
      '---',
      '# A',
      'text',
      'a: b',
      '{',
      '}',
      '"k": 1',
      '> q',
      '- l',
    ]
    for (let count = 0; count < rounds(200, 800); count++) {
      const length = 1 + Math.floor(random() * 9)
      const text = Array.from({ length }, () => parts[Math.floor(random() * parts.length)]).join('')
      for (const frontMatter of [null, readFrontMatter]) {
        const parser = new MarkdownNodeParser({
          headerPath: true,
          lineNumbers: true,
          idFunc: fromSource(),
          frontMatter,
        })
        const whole = await parser.getNodesFromDocuments([document(text)])
        for (const pieces of [[text], cut(text, random)])
          expect((await streamed(parser, pieces)).map(plain), JSON.stringify(text)).toEqual(whole.map(plain))
      }
    }
    const reader = new MarkdownNodeParser({ frontMatter: readFrontMatter })
    for (const text of [
      '\n---\na: b\n---\ntext',
      '---\na: b\n---\ntext',
      '\ufeff---\na: b\n---\ntext',
      '\ufeff\ufeff---\na: b\n---\n',
    ])
      expect((await streamed(reader, [text])).map((node) => [node.text, node.metadata])).toEqual(
        (await reader.getNodesFromDocuments([document(text)])).map((node) => [node.text, node.metadata]),
      )
    const parser = new MarkdownNodeParser()
    expect((await streamed(parser, ['# A\n\n', '\ufeffTitle\n===\n'])).map(({ text }) => text)).toEqual([
      '# A',
      '\ufeffTitle\n===',
    ])
  })

  it('yields what the element parser yields, where a later section begins so', async () => {
    const random = seededRandom(12)
    const parts = [
      '\ufeff',
      '\ufeff',
      '\n',
      '\n\n',
      '===',
      '# A',
      'text',
      'a: b',
      '> q',
      '\n|a|b|\n|-|-|\n|1|2|\n',
      '+++\n',
      'a=1',
    ]
    // The element parser receives each section separately, so that its nodes can end earlier.
    const covered = (nodes: readonly TextNode[]) =>
      nodes.map(({ startCharIdx, endCharIdx }) =>
        [...Array(endCharIdx! - startCharIdx!).keys()].map((at) => at + startCharIdx!),
      )
    for (let count = 0; count < rounds(40, 100); count++) {
      const length = 1 + Math.floor(random() * 9)
      const text = Array.from({ length }, () => parts[Math.floor(random() * parts.length)]).join('')
      for (const frontMatter of [null, readFrontMatter]) {
        const elements = new MarkdownElementNodeParser({ summarizer: 'headers', frontMatter, lineNumbers: true })
        const visible = (nodes: readonly TextNode[]) =>
          [...new Set(covered(nodes).flat())].filter((at) => /[^\s>]/.test(text[at]!)).sort((one, other) => one - other)
        const whole = await elements.getNodesFromDocuments([document(text)])
        for (const pieces of [[text], cut(text, random)]) {
          const nodes = await streamed(elements, pieces)
          expect(visible(nodes), JSON.stringify(text)).toEqual(visible(whole))
        }
      }
    }
    const elements = new MarkdownElementNodeParser({ summarizer: 'headers', frontMatter: readFrontMatter })
    for (const later of ['\ufeffTitle\n===', '+++\na=1\n+++\n==='])
      expect((await streamed(elements, ['# A\n\n', `${later}\n`])).map(({ text }) => text)).toEqual(['# A', later])
  })

  it('yields the sections of any parser with offsets, links and rows, the same for every split into pieces', async () => {
    const random = seededRandom(9)
    const parser = new MarkdownElementNodeParser({
      summarizer: 'headers',
      rowNodes: tableRows(),
      ...places,
      idFunc: fromContent(),
    })
    for (let count = 0; count < rounds(60, 200); count++) {
      const text = Array.from({ length: 5 }, () => generateMarkdown(random)).join('\n')
      const unit = count % 2 === 0 ? 'section' : 'block'
      for (const each of [parser, new SentenceSplitter({ chunkSize: 20, chunkOverlap: 0, idFunc: fromContent() })]) {
        const nodes = await streamed(each, cut(text, random), { unit })
        expect(nodes.map(plain), JSON.stringify(text)).toEqual((await streamed(each, [text], { unit })).map(plain))
        expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length)
        const chain = nodes.filter(({ parentNode }) => parentNode === null)
        expect(chain.map(({ nextNode }) => nextNode?.nodeId)).toEqual(chain.map((_, index) => chain[index + 1]?.id))
        expect(chain.map(({ prevNode }) => prevNode?.hash)).toEqual(chain.map((_, index) => chain[index - 1]?.hash))
      }
    }
  })

  it('yields a section as soon as it has ended', async () => {
    const pushed: string[] = []
    function* pieces() {
      for (const piece of ['# A\none\n', '\n# B\n', 'two\n', '# C\n']) {
        pushed.push(piece)
        yield piece
      }
    }
    const parser = new MarkdownNodeParser({ includePrevNextRel: false })
    const seen: [string, number][] = []
    for await (const node of streamNodes(parser, pieces())) seen.push([node.text, pushed.length])
    expect(seen).toEqual([
      ['# A\none', 2],
      ['# B\ntwo', 4],
      ['# C', 4],
    ])
  })

  it('rejects with the reason of its signal, and throws errors of its source', async () => {
    const controller = new AbortController()
    const nodes = streamNodes(new MarkdownNodeParser({ includePrevNextRel: false }), ['# A\n', '# B\n', '# C\n'], {
      signal: controller.signal,
    })
    expect((await nodes.next()).value?.text).toBe('# A')
    controller.abort(new Error('stopped'))
    await expect(nodes.next()).rejects.toThrow('stopped')
    async function* broken() {
      yield '# A\n# B\n'
      throw new Error('reset')
    }
    await expect(async () => {
      for await (const _ of streamNodes(new MarkdownNodeParser(), broken()));
    }).rejects.toThrow('reset')
  })

  it.each(['# a\n\ntext\n\n', 'word ', '- a\n', 'a\n\n'])(
    'takes linear time for many %j',
    { tags: 'growth' },
    async (unit) => {
      const parser = new MarkdownNodeParser({ ...places, chunkSize: 50 })
      for (const each of ['section', 'block'] as const)
        expect(
          await growthOf(
            (size) => streamed(parser, unit.repeat(size).match(/[\s\S]{1,20}/g) ?? [], { unit: each }),
            50,
          ),
        ).toBeLessThan(1.75)
    },
  )
})

it('equals the whole after an open fence before lines of quote marks, without a fence that the source does not have', async () => {
  for (const text of ['```\na\n>', 'x\n\n```js\na\n\n>\n', '# a\n\n# b\n\n```\ncode\n> \n>']) {
    const parser = new MarkdownNodeParser({ chunkSize: 100 })
    const whole = await parser.getNodesFromDocuments([new Document({ id: 'd', text })])
    const streamed: string[] = []
    for await (const node of streamNodes(parser, [...text])) streamed.push(node.text)
    expect(streamed).toEqual(whole.map((node) => node.text))
    for (const part of streamed) expect(text).toContain(part)
  }
})
