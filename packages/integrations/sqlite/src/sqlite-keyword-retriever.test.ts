import { IndexNode, type NodeWithScore, TextNode } from '@x/core-model'
import { Bm25Retriever, wordTokenizer } from '@x/retrieval'
import { LetterEmbedding } from '@x/testing/retrieval'
import { describe, expect, it } from 'vitest'
import { growthOf } from '../../../../tools/growth.ts'
import { openDatabase } from './sqlite-database.ts'
import { SqliteKeywordRetriever } from './sqlite-keyword-retriever.ts'
import { SqliteVectorRetriever } from './sqlite-vector-retriever.ts'

const scoresOf = (found: readonly NodeWithScore[]) => found.map(({ id, score }) => [id, score!.toFixed(9)])
const idsOf = (found: readonly { id: string }[]) => found.map(({ id }) => id)

describe.each(['node:sqlite', 'better-sqlite3'] as const)('SqliteKeywordRetriever over %s', (library) => {
  const create = async (texts: Readonly<Record<string, string>> = {}, options = {}) => {
    const retriever = new SqliteKeywordRetriever(await openDatabase(':memory:', { library }), options)
    retriever.add(Object.entries(texts).map(([id, text]) => new TextNode({ id, text })))
    return retriever
  }

  it('finds the same terms as Bm25Retriever', async () => {
    const texts = {
      plural: 'Two queries about boxes',
      parts: 'call nodeParser.__init__ now',
      umlaut: 'Die Straße über den Fluss',
      japanese: '検索結果を表示する',
      korean: '서울에서 만나요',
      odd: `"quotes" OR AND NOT near( * ^ {x} a_b C++ 'it''s' \u0000`,
      empty: '',
    }
    const nodes = Object.entries(texts).map(([id, text]) => new TextNode({ id, text }))
    const [store, memory] = [await create(texts), new Bm25Retriever({ nodes })]
    const queries = [
      'query box',
      'init',
      'parser',
      'strasse',
      '結果',
      '서울',
      '"quotes"',
      'OR',
      'a',
      'b',
      'near(',
      'it',
      'zebra',
      '',
      '***',
      "c'",
    ]
    for (const query of queries)
      expect(idsOf(await store.retrieve(query)).sort(), query).toEqual(idsOf(await memory.retrieve(query)).sort())
  })

  it('ranks rare and repeated terms first, with positive scores', async () => {
    const filler = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`f${i}`, 'common words here']))
    const retriever = await create({
      ...filler,
      once: 'common apple words',
      twice: 'apple apple words',
      rare: 'quince words',
    })
    const found = await retriever.retrieve('apple quince common', { filters: [] })
    expect(idsOf(found).slice(0, 3)).toEqual(['rare', 'twice', 'once'])
    expect(found.every(({ score }) => score! > 0)).toBe(true)
    expect(idsOf(await retriever.retrieve('apple apple apple quince'))[0]).toBe('twice')
    expect(idsOf(await retriever.retrieve('common')).slice(0, 2)).toEqual(['f0', 'f1'])
  })

  it('replaces and removes nodes', async () => {
    const retriever = await create({ a: 'red', b: 'red', c: 'red' })
    retriever.add([new TextNode({ id: 'a', text: 'green' })])
    expect(idsOf(await retriever.retrieve('red'))).toEqual(['b', 'c'])
    expect(idsOf(await retriever.retrieve('green'))).toEqual(['a'])
    expect(retriever.remove(['b', 'none', 'b'])).toBe(1)
    expect([retriever.size, retriever.has('a'), retriever.has('b')]).toEqual([2, true, false])
    expect(idsOf(await retriever.retrieve('red green'))).toHaveLength(2)
  })

  it.each([null, 5, {}, 'ab'])('refuses %j in place of a list', async (list) => {
    const words = await create({ a: 'red' })
    const vectors = new SqliteVectorRetriever(await openDatabase(':memory:'), { embedModel: new LetterEmbedding() })
    const calls = [words, vectors].flatMap((each) => [() => each.add(list as never), () => each.remove(list as never)])
    for (const call of [...calls, () => vectors.update(list as never)])
      await expect(async () => call()).rejects.toMatchObject({ code: 'model_validation' })
    expect(words.size).toBe(1)
  })

  it('filters by metadata before it selects the best nodes', async () => {
    const retriever = await create({}, { similarityTopK: 2, filters: [{ key: 'team', value: 'sales' }] })
    const years = Array.from({ length: 30 }, (_, i) => 2000 + i)
    retriever.add(
      years.map(
        (year) => new TextNode({ id: `${year}`, text: 'report', metadata: { year, team: year % 2 ? 'sales' : 'it' } }),
      ),
    )
    const found = await retriever.retrieve('report', { filters: [{ key: 'year', operator: '>=', value: 2020 }] })
    expect(idsOf(found)).toEqual(['2021', '2023'])
    await expect(
      retriever.retrieve('report', { filters: [{ key: 'a', operator: '~' as never }] }),
    ).rejects.toMatchObject({ code: 'model_validation' })
  })

  it('accepts very long queries', async () => {
    const retriever = await create({ a: 'needle' })
    const words = Array.from({ length: 5000 }, (_, i) => `w${i}x`).join(' ')
    expect(idsOf(await retriever.retrieve(`${words} needle`))).toEqual(['a'])
  })
})

describe('SqliteKeywordRetriever', () => {
  it('adds all nodes or none', async () => {
    const retriever = new SqliteKeywordRetriever(await openDatabase(':memory:'))
    const broken = TextNode.construct({ id: 'b', text: 'red', metadata: { score: Number.NaN } })
    expect(() => retriever.add([new TextNode({ id: 'a', text: 'red' }), broken])).toThrow(
      expect.objectContaining({ code: 'serialization' }),
    )
    expect([retriever.size, await retriever.retrieve('red')]).toEqual([0, []])
  })

  it('finds a table by its cells', async () => {
    const retriever = new SqliteKeywordRetriever(await openDatabase(':memory:'))
    const table = new TextNode({ id: 't', text: 'prices\n|pear|3|' })
    retriever.add([new IndexNode({ id: 'i', text: 'prices', indexId: 't', obj: table })])
    const [found] = await retriever.retrieve('pear')
    expect((found!.node as IndexNode).obj).toMatchObject({ id: 't' })
  })

  it('has the scores of Bm25Retriever after edits', async () => {
    const texts = ['red red apples', 'red pears', '', 'green apples and red wine', 'more wine']
    const nodes = texts.map((text, i) => new TextNode({ id: `${i}`, text }))
    for (const library of ['node:sqlite', 'better-sqlite3'] as const) {
      const database = await openDatabase(':memory:', { library })
      const [store, memory] = [new SqliteKeywordRetriever(database), new Bm25Retriever()]
      for (const edit of [nodes, nodes.slice(0, 2), [new TextNode({ id: '7', text: 'red plums' })], nodes.slice(3)]) {
        for (const index of [store, memory])
          edit.length === 2 && index.has('0') ? index.remove(['0', '1']) : index.add(edit)
        for (const query of ['red', 'red wine apples', 'plum red red'])
          expect(scoresOf(await store.retrieve(query))).toEqual(scoresOf(await memory.retrieve(query)))
      }
      database.close()
    }
  })

  it('refuses a tokenizer that returns different terms, unless the index is empty', async () => {
    const database = await openDatabase(':memory:')
    const tokenize = wordTokenizer({ ngrams: 4 })
    new SqliteKeywordRetriever(database).add([new TextNode({ id: 'a', text: 'Hochhaus' })])
    expect(() => new SqliteKeywordRetriever(database, { tokenize })).toThrow(
      expect.objectContaining({ code: 'configuration' }),
    )
    new SqliteKeywordRetriever(database).remove(['a'])
    const retriever = new SqliteKeywordRetriever(database, { tokenize })
    retriever.add([new TextNode({ id: 'a', text: 'Hochhaus' })])
    expect(idsOf(await retriever.retrieve('haus'))).toEqual(['a'])
  })

  it.each([-1, 0.5, Number.NaN, '3'])('refuses %s as similarityTopK', async (similarityTopK) => {
    const database = await openDatabase(':memory:')
    expect(() => new SqliteKeywordRetriever(database, { similarityTopK: similarityTopK as number })).toThrow(
      expect.objectContaining({ code: 'model_validation' }),
    )
    const retriever = new SqliteKeywordRetriever(database, { similarityTopK: 0 })
    retriever.add([new TextNode({ text: 'a' })])
    expect(await retriever.retrieve('a')).toEqual([])
  })

  it('the cost of adding a node does not depend on the size of the index', { tags: 'growth' }, async () => {
    const fill = async (size: number) => {
      const retriever = new SqliteKeywordRetriever(await openDatabase(':memory:'))
      for (let i = 0; i < size; i++) retriever.add([new TextNode({ id: `n${i}`, text: `some words and word${i}` })])
    }
    expect(await growthOf(fill, 100)).toBeLessThan(1.75)
  })
})
