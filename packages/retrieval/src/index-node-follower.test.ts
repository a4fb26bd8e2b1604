import { Document, IndexNode, NodeWithScore, QueryBundle, TextNode } from '@x/core-model'
import { MapDocumentStore } from '@x/core-model/testing'
import { fromContent, MarkdownElementNodeParser, tableRows } from '@x/node-parser'
import { SimpleDocumentStore } from '@x/storage'
import { describe, expect, it } from 'vitest'
import { Bm25Retriever } from './bm25-retriever.ts'
import { IndexNodeFollower, type IndexNodeFollowerOptions } from './index-node-follower.ts'
import { IngestionPipeline } from './ingestion-pipeline.ts'
import { RecursiveRetriever } from './recursive-retriever.ts'
import type { RetrieverLike } from './retriever.ts'

const text = (id: string) => new TextNode({ id, text: `text ${id}` })
const index = (id: string, indexId: string, obj?: unknown) =>
  new IndexNode({ id, text: `about ${indexId}`, indexId, ...(obj !== undefined && { obj }) })
const entry = (node: TextNode, score: number | null = 1) => new NodeWithScore({ node, score })
const view = (entries: readonly NodeWithScore[]) => entries.map(({ id, score }) => [id, score])

async function follow(entries: readonly NodeWithScore[], options: IndexNodeFollowerOptions = {}, queryStr = 'x') {
  return view(await new IndexNodeFollower(options).postprocessNodes(entries, { queryStr }))
}

describe('IndexNodeFollower', () => {
  it('replaces an index node by its obj, a target or a stored node, in this order', async () => {
    const store = new MapDocumentStore([text('stored'), text('t')])
    const targets = { t: text('target'), o: text('other') }
    const entries = [
      entry(index('1', 'o', text('obj')), 0.9),
      entry(index('2', 't'), 0.8),
      entry(index('3', 'stored'), 0.7),
      entry(text('kept'), null),
    ]
    expect(await follow(entries, { store, targets })).toEqual([
      ['obj', 0.9],
      ['target', 0.8],
      ['stored', 0.7],
      ['kept', null],
    ])
  })

  it('returns a node once, with its best score', async () => {
    const table = text('t')
    const entries = [entry(table, 0.3), entry(text('a'), 0.5), entry(index('1', 't', table), 0.9), entry(table, null)]
    expect(await follow(entries)).toEqual([
      ['t', 0.9],
      ['a', 0.5],
    ])
  })

  it('passes the query to the retriever or query engine that an index node refers to', async () => {
    const retriever = new Bm25Retriever({ nodes: [text('pear'), text('apple')] })
    const engine = { query: async ({ queryStr }: QueryBundle) => ({ toString: () => `answer to ${queryStr}` }) }
    const entries = [entry(index('1', 'fruit'), 0.9), entry(index('2', 'expert', engine), 0.8)]
    const follower = new IndexNodeFollower({ targets: { fruit: retriever } })
    const queryBundle = new QueryBundle({ queryStr: 'pear' })
    const found = await follower.postprocessNodes(entries, { queryBundle })
    expect(found.map(({ id, text }) => [id, text])).toEqual([
      ['pear', 'text pear'],
      ['2', 'answer to pear'],
    ])
    expect(found[1]!.score).toBe(0.8)
    await expect(follower.postprocessNodes(entries)).rejects.toMatchObject({ code: 'configuration' })
  })

  it('follows index nodes that refer to index nodes, up to maxDepth levels', async () => {
    const chain = [index('0', '1'), index('1', '2'), index('2', '3'), text('3')]
    const entries = [entry(chain[0]!, 0.5)]
    expect(await follow(entries, { targets: chain })).toEqual([['3', 0.5]])
    expect(await follow(entries, { targets: chain, maxDepth: 2 })).toEqual([['2', 0.5]])
    expect(await follow(entries, { targets: chain, maxDepth: 0 })).toEqual([['0', 0.5]])
    const long = Array.from({ length: 9 }, (_, at) => index(`${at}`, `${at + 1}`))
    expect(await follow([entry(long[0]!, 0.5)], { targets: long })).toEqual([['5', 0.5]])
  })

  it('terminates when index nodes refer to each other, and searches each retriever once', async () => {
    expect(await follow([entry(index('a', 'b'))], { targets: [index('a', 'b'), index('b', 'a')] })).toEqual([])
    let searches = 0
    const itself: RetrieverLike = {
      retrieve: async () => {
        searches++
        return Array.from({ length: 10 }, (_, i) => entry(index(`i${i}`, 'itself'))).concat(entry(text('found'), 0.1))
      },
    }
    expect(await follow([entry(index('i', 'itself'))], { targets: { itself } })).toEqual([['found', 0.1]])
    expect(searches).toBe(1)
    let made = 0
    const endless = (): RetrieverLike => ({
      retrieve: async () => [1, 2].map(() => entry(index(`e${made++}`, 'endless', endless()))),
    })
    await follow([entry(index('e', 'endless', endless()))], { maxDepth: 3 })
    expect(made).toBe(14)
  })

  it('throws for an unknown target, or keeps or drops the index node', async () => {
    const entries = [entry(index('1', 'unknown', { plain: 'data' })), entry(text('a'))]
    await expect(follow(entries)).rejects.toMatchObject({
      code: 'index_target_not_found',
      nodeId: '1',
      indexId: 'unknown',
    })
    await expect(follow(entries)).rejects.toThrow("onMissing: 'drop', if documents may change during a search")
    expect(await follow(entries, { onMissing: 'keep', store: new MapDocumentStore([]) })).toHaveLength(2)
    expect(await follow(entries, { onMissing: 'drop' })).toEqual([['a', 1]])
  })

  it('rejects a maxDepth out of range, and stops when it is aborted', async () => {
    expect(() => new IndexNodeFollower({ maxDepth: -1 })).toThrow(expect.objectContaining({ code: 'model_validation' }))
    const signal = AbortSignal.abort(new Error('enough'))
    const entries = [entry(index('1', 't', text('t')))]
    await expect(new IndexNodeFollower().postprocessNodes(entries, { signal })).rejects.toThrow('enough')
  })
})

describe('a question about a table cell', () => {
  const document = new Document({
    id: 'fruit',
    text: '# Fruit\n\nPrices.\n\n| name | price |\n|---|---|\n| apple | 2 |\n| pear | 3 |\n\n# Wine\n\n| kind | year |\n|---|---|\n| red | 1999 |\n',
  })
  const parser = new MarkdownElementNodeParser({ summarizer: 'headers' })

  it('finds its table when nodes and objects are indexed', async () => {
    const { nodes, objects } = parser.getNodesAndObjects(await parser.getNodesFromDocuments([document]))
    const retriever = new RecursiveRetriever({ retriever: new Bm25Retriever({ nodes: [...nodes, ...objects] }) })
    const [found, ...others] = await retriever.retrieve('pear')
    expect(found?.metadata['table_df']).toContain('"pear"')
    expect(others).toEqual([])
    expect((await retriever.retrieve('What is from 1999?'))[0]?.text).toContain('|red|1999|')
  })

  it('finds no table that another process changes between search and look-up, with onMissing drop', async () => {
    const store = new SimpleDocumentStore()
    const words = new Bm25Retriever()
    const rows = new MarkdownElementNodeParser({ summarizer: 'headers', rowNodes: tableRows(), idFunc: fromContent() })
    const pipeline = new IngestionPipeline({ transformations: [rows], store, indexes: [words] })
    await pipeline.run([document])
    let version = 1
    const changing = {
      retrieve: async (question: QueryBundle | string) => {
        const found = await words.retrieve(question)
        await pipeline.run([
          new Document({ id: document.id, text: document.text.replace('price', `price ${++version}`) }),
        ])
        return found
      },
    }
    await expect(new RecursiveRetriever({ retriever: changing, store }).retrieve('pear')).rejects.toMatchObject({
      code: 'index_target_not_found',
    })
    const retriever = new RecursiveRetriever({ retriever: changing, store, onMissing: 'drop' })
    const found = await retriever.retrieve('pear name 1999')
    expect(found.map(({ text }) => /\|red\||\|pear\|/.exec(text)?.[0])).toContain('|red|')
  })

  it('finds its table once when all nodes are indexed and stored', async () => {
    const nodes = await parser.getNodesFromDocuments([document])
    const store = new MapDocumentStore(nodes)
    const retriever = new RecursiveRetriever({ retriever: new Bm25Retriever({ nodes }), store })
    for (const question of ['pear', 'name and price of fruit']) {
      const found = (await retriever.retrieve(question)).filter(({ text }) => text.includes('|pear|'))
      expect(found).toHaveLength(1)
    }
  })

  it('is not followed by what has no nodes as targets', () => {
    for (const targets of [[null], 5])
      expect(() => new IndexNodeFollower({ targets: targets as never })).toThrow('IndexNodeFollower.targets')
  })

  it('finds its row and, through the row, the table, in memory and in a store', async () => {
    const rowParser = new MarkdownElementNodeParser({ summarizer: 'headers', rowNodes: tableRows() })
    const parsed = await rowParser.getNodesFromDocuments([document])
    const { nodes, objects } = rowParser.getNodesAndObjects(parsed)
    const plain = new Bm25Retriever({ nodes: [...nodes, ...objects] })
    const [row] = await plain.retrieve('What does a pear cost?')
    expect([row?.text, row?.metadata['table_row']]).toEqual(['name: pear\nprice: 3', 2])

    const stored = await rowParser.transform([document])
    for (const retriever of [
      new RecursiveRetriever({ retriever: plain, targets: objects }),
      new RecursiveRetriever({ retriever: plain, targets: parsed }),
      new RecursiveRetriever({ retriever: new Bm25Retriever({ nodes: stored }), store: new MapDocumentStore(stored) }),
    ]) {
      const [first, ...others] = await retriever.retrieve('What does a pear cost?')
      expect(first?.text).toContain('|pear|3|')
      expect(first?.score).toBe(row?.score)
      expect(others.filter(({ id }) => id === first?.id)).toEqual([])
      expect((await retriever.retrieve('1999'))[0]?.text).toContain('|red|1999|')
    }
  })

  it('counts the words of the summary once', async () => {
    const { objects } = parser.getNodesAndObjects(await parser.getNodesFromDocuments([document]))
    const scoreOf = async (nodes: TextNode[]) => (await new Bm25Retriever({ nodes }).retrieve('apple'))[0]!.score
    expect(await scoreOf(objects)).toBe(await scoreOf(objects.map(({ obj }) => obj as TextNode)))
  })
})
