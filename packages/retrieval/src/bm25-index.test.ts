import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { growthOf } from '../../../tools/growth.ts'
import { Bm25Index } from './bm25-index.ts'
import { tokenizeWords } from './tokenize-words.ts'

describe('tokenizeWords', () => {
  it.each([
    ['', []],
    ['The cats, sat!', ['the', 'cat', 'sat']],
    ['Café NAÏVE ﬁle', ['cafe', 'naive', 'file']],
    ['glass bus this', ['glass', 'bus', 'this']],
    [
      'HTMLTableNode task_id utf8',
      ['htmltablenode', 'html', 'table', 'node', 'task_id', 'task', 'id', 'utf8', 'utf', '8'],
    ],
    ['全文検索', ['全文', '文検', '検索']],
    ['犬', ['犬']],
    ['コーヒーを飲む', ['コー', 'ーヒ', 'ヒー', 'ーを', 'を飲', '飲む']],
    ['Node版', ['node', '版']],
    ['문서를 검색', ['문서를', '검색']],
    ['поиск Документов', ['поиск', 'документов']],
    ['हिन्दी', ['हिन्दी']],
  ])('splits %j', (text, terms) => {
    expect(tokenizeWords(text)).toEqual(terms)
  })

  it.each(['漢', 'aB', 'é', 'ーa', 'A'])('splits long runs of %s in linear time', async (unit) => {
    expect(await growthOf((size) => tokenizeWords(unit.repeat(size)), 5_000)).toBeLessThan(1.75)
  })
})

describe('Bm25Index', () => {
  it('returns no matches when the index is empty', () => {
    expect(new Bm25Index().search('word')).toEqual([])
  })

  it('computes the scores of the published formula', () => {
    const word = fc.constantFrom('apple', 'pear', 'wine', 'bread')
    const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(' '))
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 8 }), text, (strings, query) => {
        const index = new Bm25Index()
        for (const string of strings) index.add(string)
        const lists = strings.map(tokenizeWords)
        const average = lists.reduce((sum, { length }) => sum + length, 0) / lists.length
        const expected = lists
          .map((terms, i) => {
            let score = 0
            for (const term of new Set(tokenizeWords(query))) {
              const count = terms.filter((other) => other === term).length
              const having = lists.filter((list) => list.includes(term)).length
              const rarity = Math.log((lists.length - having + 0.5) / (having + 0.5) + 1)
              score += (rarity * count * 2.5) / (count + 1.5 * (0.25 + (0.75 * terms.length) / average) || 1)
            }
            return { index: i, score }
          })
          .filter(({ score }) => score > 0)
          .sort((one, other) =>
            Math.abs(other.score - one.score) < 1e-9 ? one.index - other.index : other.score - one.score,
          )
        const found = index.search(query)
        expect(found.map(({ score }) => score.toFixed(9))).toEqual(expected.map(({ score }) => score.toFixed(9)))
        expect(new Set(found.map(({ index }) => index))).toEqual(new Set(expected.map(({ index }) => index)))
      }),
    )
  })

  it('keeps the order of insertion for equal scores and applies the limit afterwards', () => {
    const index = new Bm25Index()
    for (let i = 0; i < 5; i++) index.add('same words')
    expect(index.search('words', 3).map(({ index }) => index)).toEqual([0, 1, 2])
  })

  it('uses a custom tokenizer', () => {
    const index = new Bm25Index({ tokenize: (text) => text.split('') })
    index.add('abc')
    expect(index.search('cx')).toHaveLength(1)
  })
})
