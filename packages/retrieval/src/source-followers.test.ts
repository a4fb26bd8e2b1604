import { Document, IndexNode, NodeWithScore, TextNode } from '@x/core-model'
import {
  fromContent,
  MarkdownElementNodeParser,
  MarkdownNodeParser,
  readBlocks,
  SentenceSplitter,
  sectionRanges,
  tableRows,
} from '@x/node-parser'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { growthOf } from '../../../tools/growth.ts'
import { Bm25Retriever } from './bm25-retriever.ts'
import { IndexNodeFollower } from './index-node-follower.ts'
import { MergingFollower } from './merging-follower.ts'
import { sentenceRanges } from './source-ranges.ts'
import { WindowFollower } from './window-follower.ts'

const scored = (nodes: readonly TextNode[], scores: readonly number[] = []) =>
  nodes.map((node, index) => new NodeWithScore({ node, score: scores[index] ?? 1 - index / 100 }))
const textsOf = (nodes: readonly NodeWithScore[]) => nodes.map(({ text }) => text)
/** A node of the document `d` for a range. */
const piece = (text: string, start: number, end: number, metadata: Record<string, unknown> = {}) =>
  new TextNode({
    id: `${start}`,
    text: text.slice(start, end),
    metadata,
    startCharIdx: start,
    endCharIdx: end,
    relationships: { 1: { nodeId: 'd' } },
  })

describe('WindowFollower', () => {
  const text = 'Cats came. They purr. They sleep. Dogs bark. They run.'
  const split = new SentenceSplitter({ chunkSize: 6, chunkOverlap: 0 })

  it('returns the sentences around the one that was found, as an exact slice', async () => {
    const nodes = await split.getNodesFromDocuments([new Document({ id: 'd', text })])
    const follower = new WindowFollower({ source: () => text, before: 1, after: 1 })
    const found = await new Bm25Retriever({ nodes, similarityTopK: 1 }).retrieve('purr')
    const [window] = await follower.postprocessNodes(found)
    expect(window?.text).toBe('Cats came. They purr. They sleep.')
    expect(window?.node).toMatchObject({ startCharIdx: 0, endCharIdx: 33, refDocId: 'd', id: 'd:0-33' })
    expect(window?.score).toBe(found[0]?.score)
  })

  it('joins windows that overlap, with the best score, and keeps the order', async () => {
    const [first, , third, , fifth] = sentenceRanges(text).map(({ start, end }) => piece(text, start, end))
    const entries = scored([fifth as TextNode, first as TextNode, third as TextNode], [0.2, 0.9, 0.5])
    const after = await new WindowFollower({ source: () => text, after: 1 }).postprocessNodes(entries)
    expect(after.map((entry) => [entry.text, entry.score])).toEqual([
      ['They run.', 0.2],
      ['Cats came. They purr.', 0.9],
      ['They sleep. Dogs bark.', 0.5],
    ])
    const both = await new WindowFollower({ source: () => text, before: 1, after: 1 }).postprocessNodes(entries)
    expect(both.map((entry) => [entry.text, entry.score])).toEqual([[text, 0.9]])
  })

  it('returns a window without a score for nodes without scores', async () => {
    const node = piece(text, 0, 10)
    const [window] = await new WindowFollower({ source: () => text, after: 1 }).postprocessNodes([
      new NodeWithScore({ node }),
    ])
    expect([window?.text, window?.score]).toEqual(['Cats came. They purr.', null])
  })

  it('returns the table of a row, and the block of a line', async () => {
    const markdown = '# Prices\n\nOne of each.\n\n| name | price |\n|---|---|\n| apple | 2 |\n| pear | 3 |\n\nEnd.'
    const parser = new MarkdownElementNodeParser({ summarizer: 'headers', rowNodes: tableRows(), lineNumbers: true })
    const nodes = await parser.getNodesFromDocuments([new Document({ id: 'd', text: markdown })])
    const rows = nodes.filter(({ metadata }) => 'table_row' in metadata)
    const follower = new WindowFollower({ source: () => new Document({ text: markdown }), ranges: readBlocks })
    const [table, ...others] = await follower.postprocessNodes(scored(rows.slice(1)))
    expect(others).toEqual([])
    expect(table?.text).toBe('| name | price |\n|---|---|\n| apple | 2 |\n| pear | 3 |')
    expect(table?.metadata).toMatchObject({ start_line: 5, end_line: 8 })
    const line = piece(markdown, markdown.indexOf('of each'), markdown.indexOf('of each') + 2)
    expect(textsOf(await follower.postprocessNodes(scored([line])))).toEqual(['One of each.'])
  })

  it('finds rows and tables whose text is as long as their place', async () => {
    const fruits = ['fig', 'plum', 'apple', 'cherry', 'apricot', 'mandarin', 'blueberry', 'grapefruit']
    const lines = fruits.map((fruit, i) => `| ${fruit.padEnd(10)} | ${String(i + 2).padEnd(5)} |`)
    const markdown = `# Fruit\n\n| name       | price |\n|------------|-------|\n${lines.join('\n')}\n`
    const parser = new MarkdownElementNodeParser({ summarizer: 'headers', rowNodes: tableRows() })
    const nodes = await parser.getNodesFromDocuments([new Document({ id: 'd', text: markdown })])
    expect(nodes.some((node) => 'table_row' in node.metadata && node.text.length === lines[0]!.length)).toBe(true)
    const table = nodes.find(({ metadata }) => 'table_summary' in metadata)!
    nodes.push(new TextNode({ ...table, text: 'x'.repeat(table.endCharIdx! - table.startCharIdx!) }))
    const source = () => markdown
    for (const node of nodes.filter(({ startCharIdx }) => startCharIdx !== null)) {
      expect(await new WindowFollower({ source, ranges: readBlocks }).postprocessNodes(scored([node]))).toHaveLength(1)
      expect(
        await new MergingFollower({ source, ranges: sectionRanges }).postprocessNodes(scored([node])),
      ).toHaveLength(1)
    }
  })

  it('returns the section of a piece, for nested ranges the innermost', async () => {
    const markdown = '# A\n\none two\n\n## B\n\nthree\n\nfour\n\n# C\n\nfive'
    const follower = new WindowFollower({ source: () => markdown, ranges: sectionRanges })
    const at = (word: string) => piece(markdown, markdown.indexOf(word), markdown.indexOf(word) + word.length)
    expect(textsOf(await follower.postprocessNodes(scored([at('four')])))).toEqual(['## B\n\nthree\n\nfour'])
    expect(textsOf(await follower.postprocessNodes(scored([at('one')])))).toEqual(['# A\n\none two'])
  })

  it('keeps nodes without places, and nodes that nothing is added to', async () => {
    const bare = new TextNode({ text: 'x' })
    const whole = piece(text, 0, 10)
    const [noStart, noEnd] = [piece(text, 0, 4), piece(text, 0, 4)]
    noStart.startCharIdx = noEnd.endCharIdx = null
    const unrelated = new TextNode({ text: 'Cats', startCharIdx: 0, endCharIdx: 4 })
    const entries = scored([bare, whole, noStart, noEnd, unrelated])
    const follower = new WindowFollower({ source: () => text })
    expect(await follower.postprocessNodes(entries)).toEqual(entries)
    expect((await follower.postprocessNodes(entries))[1]?.node).toBe(whole)
  })

  it('reports a source that is missing or has changed', async () => {
    const entries = scored([piece(text, 0, 10)])
    const missing = new WindowFollower({ source: async () => null })
    await expect(missing.postprocessNodes(entries)).rejects.toMatchObject({
      code: 'source_not_found',
      sourceId: 'd',
      nodeId: '0',
    })
    const changed = new WindowFollower({ source: () => `New. ${text}` })
    await expect(changed.postprocessNodes(entries)).rejects.toMatchObject({ code: 'source_changed', sourceId: 'd' })
    const shorter = new WindowFollower({ source: () => 'Cats' })
    await expect(shorter.postprocessNodes(entries)).rejects.toMatchObject({ code: 'source_changed' })
    for (const [onMissing, count] of [
      ['keep', 1],
      ['drop', 0],
    ] as const) {
      const follower = new WindowFollower({ source: () => 'Cats', onMissing })
      expect(await follower.postprocessNodes(entries)).toHaveLength(count)
    }
    expect(entries[0]?.text).toBe('Cats came.')
  })

  it('checks its options, and can be cancelled', async () => {
    const create = (options: object) => () => new WindowFollower(options as { source: () => string })
    expect(create({})).toThrow('WindowFollower.source: expected a function, received nothing.')
    expect(create({ source: () => '', befor: 1 })).toThrow('before')
    expect(create({ source: () => '', after: -1 })).toThrow('after')
    const signal = AbortSignal.abort(new Error('stopped'))
    const follower = new WindowFollower({ source: () => text })
    await expect(follower.postprocessNodes(scored([piece(text, 0, 4)]), { signal })).rejects.toThrow('stopped')
    const stuck = new WindowFollower({ source: () => new Promise<string>(() => {}) })
    const stop = new AbortController()
    const run = stuck.postprocessNodes(scored([piece(text, 0, 4)]), { signal: stop.signal })
    setTimeout(() => stop.abort(new Error('enough')))
    await expect(run).rejects.toThrow('enough')
  })

  it('returns slices of the source that contain every node, without overlaps', async () => {
    const words = fc.array(fc.constantFrom('One. ', 'two ', '\n', '# h\n', 'Three! '), { minLength: 1, maxLength: 30 })
    const arbitrary = fc.tuple(words, fc.array(fc.tuple(fc.nat(80), fc.integer({ min: 1, max: 9 })), { maxLength: 6 }))
    await fc.assert(
      fc.asyncProperty(arbitrary, fc.nat(2), fc.nat(2), async ([parts, ranges], before, after) => {
        const source = parts.join('')
        const nodes = ranges
          .map(([start, length], index) => ({ start, end: Math.min(source.length, start + length), index }))
          .filter(({ start, end }) => start < end)
          .map(({ start, end, index }) => piece(source, start, end).copy({ update: { id: `n${index}` } }))
        for (const rangesOf of [sentenceRanges, sectionRanges, readBlocks]) {
          const follower = new WindowFollower({ source: () => source, ranges: rangesOf, before, after })
          const found = (await follower.postprocessNodes(scored(nodes))).map(({ node }) => node)
          for (const node of found) expect(source.slice(node.startCharIdx ?? -1, node.endCharIdx ?? -1)).toBe(node.text)
          for (const node of nodes)
            expect(
              found.some(
                ({ startCharIdx, endCharIdx }) =>
                  (startCharIdx ?? 0) <= (node.startCharIdx ?? 0) && (endCharIdx ?? 0) >= (node.endCharIdx ?? 0),
              ),
            ).toBe(true)
          const sorted = found.toSorted((one, other) => (one.startCharIdx ?? 0) - (other.startCharIdx ?? 0))
          for (const [index, node] of sorted.entries())
            if (index > 0) expect(node.startCharIdx).toBeGreaterThanOrEqual(sorted[index - 1]?.endCharIdx ?? 0)
        }
      }),
    )
  })
})

describe('MergingFollower', () => {
  const text = '# A\n\n## B\n\nb1 b1 b1\n\nb2 b2 b2\n\nb3 b3 b3\n\n## C\n\nc1 c1 c1\n\n# D\n\nd1 d1 d1'
  const parser = new MarkdownNodeParser({ chunkSize: 4, idFunc: fromContent(), headerPath: true, lineNumbers: true })
  const nodesWith = async (...words: string[]) => {
    const nodes = await parser.getNodesFromDocuments([new Document({ id: 'd', text })])
    return scored(words.map((word) => nodes.find((node) => node.text.includes(word)) as TextNode))
  }

  it('replaces nodes by their section if they cover enough of it', async () => {
    const follower = new MergingFollower({ source: () => text, ranges: sectionRanges })
    const one = await nodesWith('b1')
    expect(textsOf(await follower.postprocessNodes(one))).toEqual(textsOf(one))
    const [section, ...others] = await follower.postprocessNodes(await nodesWith('d1', 'b3', 'b1'))
    expect(section?.text).toBe('# D\n\nd1 d1 d1')
    expect(others.map((entry) => [entry.text, entry.score])).toEqual([
      ['## B\n\nb1 b1 b1\n\nb2 b2 b2\n\nb3 b3 b3', 0.99],
    ])
    expect(others[0]?.metadata).toMatchObject({ header_path: 'A > B', start_line: 3, end_line: 9 })
  })

  it('continues upwards, up to the whole document and up to maxLength', async () => {
    const entries = await nodesWith('b1', 'b2', 'b3', 'c1')
    const merged = async (options: object) =>
      textsOf(
        await new MergingFollower({ source: () => text, ranges: sectionRanges, ...options }).postprocessNodes(entries),
      )
    expect(await merged({})).toEqual([text.slice(0, text.indexOf('\n\n# D'))])
    expect(await merged({ maxLength: 40 })).toEqual(['## B\n\nb1 b1 b1\n\nb2 b2 b2\n\nb3 b3 b3', '## C\n\nc1 c1 c1'])
    expect(await merged({ minCovered: 1 })).toEqual(['## B\n\nb1 b1 b1\n\nb2 b2 b2\n\nb3 b3 b3', '## C\n\nc1 c1 c1'])
  })

  it('merges sources separately, and leaves other nodes', async () => {
    const other = new IndexNode({ text: 'x', indexId: 'y' })
    const entries = [...(await nodesWith('b1', 'b2')), ...scored([other])]
    const follower = new MergingFollower({ source: (id) => (id === 'd' ? text : null), ranges: sectionRanges })
    expect((await follower.postprocessNodes(entries)).map(({ text: own }) => own.slice(0, 4))).toEqual(['## B', 'x'])
  })
})

describe('followers of places', () => {
  it('can be cancelled between sources', async () => {
    const source = () => {
      for (const end = performance.now() + 11; performance.now() < end; );
      return null
    }
    const entries = scored(
      ['a', 'b', 'c', 'd'].map((nodeId) =>
        piece('x', 0, 1).copy({ update: { relationships: { 1: { nodeId } } } as object }),
      ),
    )
    const controller = new AbortController()
    setTimeout(() => controller.abort('enough'))
    const follower = new WindowFollower({ source, onMissing: 'keep' })
    await expect(follower.postprocessNodes(entries, { signal: controller.signal })).rejects.toBe('enough')
  })

  it('take linear time for many nodes of one source', { tags: 'growth' }, async () => {
    const growth = await growthOf((size) => {
      const text = 'One two three four.\n'.repeat(size)
      const nodes = Array.from({ length: size }, (_, i) => piece(text, i * 20, i * 20 + 3, { start_line: 1 }))
      return new WindowFollower({ source: () => text }).postprocessNodes(scored(nodes))
    }, 1000)
    expect(growth).toBeLessThan(1.75)
  })
})

describe('sentenceRanges', () => {
  it('refuses what is no string', () => {
    expect(() => sentenceRanges(5 as never)).toThrow('sentenceRanges.text: expected a string')
  })

  it('returns a row of a table as one range, also the first line', () => {
    const text = '| One. Two. | Three. |\nFour. Five.'
    expect(sentenceRanges(text).map(({ start, end }) => text.slice(start, end))).toEqual([
      '| One. Two. | Three. |',
      'Four.',
      'Five.',
    ])
  })

  it.each(['One two. ', 'one two\n', '| a. ', '# a\n', '\n', 'a\r\n', '.'])(
    'takes linear time for many %j',
    { tags: 'growth' },
    async (unit) => {
      expect(await growthOf((size) => sentenceRanges(`|${unit.repeat(size)}`), 2000)).toBeLessThan(1.75)
    },
  )

  it('returns sentences without white space around them, across the lines of a paragraph', () => {
    const text = '# Dr. Who\n\nHe came\nat noon. He left\nat once.\n- one. two\n\n| a. b |\n|---|\n'
    expect(sentenceRanges(text).map(({ start, end }) => text.slice(start, end))).toEqual([
      '# Dr. Who',
      'He came\nat noon.',
      'He left\nat once.',
      '- one.',
      'two',
      '| a. b |',
      '|---|',
    ])
  })
})

it.each([[undefined], [{}], [[null]], [['text']]])('followers refuse %j as nodes', async (nodes) => {
  for (const follower of [
    new WindowFollower({ source: () => '' }),
    new MergingFollower({ source: () => '', ranges: sentenceRanges }),
    new IndexNodeFollower(),
  ])
    await expect(follower.postprocessNodes(nodes as never)).rejects.toMatchObject({
      code: 'model_validation',
      message: expect.stringMatching('^postprocessNodes.nodes: expected an array'),
    })
})
