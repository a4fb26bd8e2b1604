import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Bm25Index, type Bm25Options } from './bm25-index.ts'
import { tokenizeWords } from './word-tokenizer.ts'

const word = fc.constantFrom('apple', 'pear', 'wine', 'bread')
const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(' '))

describe('Bm25Index', () => {
  it('returns no matches when the index is empty', () => {
    expect(new Bm25Index().search('word')).toEqual([])
  })

  it('computes the scores of the published formula', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 8 }), text, (strings, query) => {
        const index = new Bm25Index({ tokenize: tokenizeWords })
        for (const string of strings) index.add(string)
        const lists = strings.map(tokenizeWords)
        const average = lists.reduce((sum, { length }) => sum + length, 0) / lists.length
        const expected = lists
          .map((terms, i) => {
            let score = 0
            for (const term of tokenizeWords(query)) {
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
    for (let i = 5; i < 12; i++) index.add('same words')
    expect(index.search('words').map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  it('uses a custom tokenizer', () => {
    const index = new Bm25Index({ tokenize: (text) => text.split('') })
    index.add('abc')
    expect(index.search('cx')).toHaveLength(1)
  })

  it('counts a word that the query repeats once per repetition', () => {
    const index = new Bm25Index()
    for (const string of ['red', 'red', 'green']) index.add(string)
    const score = (query: string) => index.search(query)[0]!.score
    expect(score('red red red')).toBeCloseTo(3 * score('red'), 12)
    expect(index.search('red green green green').map(({ index }) => index)).toEqual([2, 0, 1])
  })

  it('returns the first matches of a full sort, for every limit', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 30 }), text, fc.nat(32), (strings, query, limit) => {
        const index = new Bm25Index()
        for (const string of strings) index.add(string)
        const all = index.search(query, 1000)
        expect([...all].sort((a, b) => b.score - a.score || a.index - b.index)).toEqual(all)
        expect(index.search(query, limit)).toEqual(all.slice(0, limit))
        const even = (position: number) => position % 2 === 0
        expect(index.search(query, limit, even)).toEqual(all.filter(({ index }) => even(index)).slice(0, limit))
      }),
    )
  })

  it('returns the same matches as a new index after any additions, replacements and removals', () => {
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.record({ add: text }) },
      fc.record({ remove: fc.nat(200) }),
      fc.record({ replace: fc.nat(200), by: text }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400, size: 'max' }), text, (steps, query) => {
        const index = new Bm25Index()
        let live: { position: number; text: string }[] = []
        for (const each of steps) {
          if ('add' in each) live.push({ position: index.add(each.add), text: each.add })
          else if (live.length === 0) continue
          else if ('remove' in each) {
            const entry = live[each.remove % live.length]!
            index.remove(entry.position)
            live = live.filter((other) => other !== entry)
          } else {
            const entry = live[each.replace % live.length]!
            entry.position = index.replace(entry.position, each.by)
            entry.text = each.by
          }
        }
        const fresh = new Bm25Index()
        for (const entry of live) fresh.add(entry.text)
        expect(index.size).toBe(live.length)
        const found = index.search(query, 500).map((match) => ({
          ...match,
          index: live.findIndex(({ position }) => position === match.index),
        }))
        expect(found).toEqual(fresh.search(query, 500))
      }),
    )
  })

  it('reuses positions and memory when strings are added and removed', () => {
    const index = new Bm25Index()
    const positions: number[] = []
    for (let i = 0; i < 5000; i++) {
      const position = index.add(`string number ${i}`)
      positions.push(position)
      index.remove(position)
    }
    // 64 new ones, and from then on the last ones that were freed.
    const expected = positions.map((_, i) => (i < 64 ? i : 63 - (i % 64)))
    expect(positions).toEqual(expected)
    expect(index.search('string')).toEqual([])
  })

  it('reuses positions once at least half of the strings and 64 are removed', () => {
    const index = new Bm25Index()
    for (let i = 0; i < 129; i++) index.add('word')
    for (let i = 0; i < 64; i++) index.remove(i)
    expect(index.add('other')).toBe(129)
    index.remove(64)
    expect([index.size, index.add('other')]).toEqual([65, 64])
    expect(index.search('word', 100).map(({ index }) => index)).toEqual(Array.from({ length: 64 }, (_, i) => i + 65))
    expect(index.search('other').map(({ index }) => index)).toEqual([129, 64])
    // A replaced string keeps its rank, also at another position.
    expect(index.replace(129, 'other')).toBe(63)
    expect(index.search('other').map(({ index }) => index)).toEqual([63, 64])
  })

  it('counts strings without terms, and finds nothing in them', () => {
    const index = new Bm25Index()
    expect([index.add(''), index.add('word'), index.size]).toEqual([0, 1, 2])
    expect(index.search('')).toEqual([])
    expect(index.search('word', 0)).toEqual([])
    index.remove(0)
    expect(index.size).toBe(1)
  })

  it('uses the weights, 1.5 and 0.75 by default', () => {
    const search = (options?: Bm25Options) => {
      const index = new Bm25Index(options)
      for (const string of ['red', 'red red blue', 'green']) index.add(string)
      return index.search('red')
    }
    expect(search({ k1: 1.5, b: 0.75 })).toEqual(search())
    expect(search().map(({ index }) => index)).toEqual([0, 1])
    expect(search({ b: 0 }).map(({ index }) => index)).toEqual([1, 0])
    const [first, second] = search({ k1: 0 })
    expect(first).toEqual({ index: 0, score: second!.score })
  })

  it('splits queries as the tokenizer says', () => {
    const tokenize = Object.assign((text: string) => text.split(' '), { query: (text: string) => text.split(',') })
    const index = new Bm25Index({ tokenize })
    index.add('a b')
    expect([index.search('b,c').length, index.search('b c').length]).toEqual([1, 0])
  })

  it('rejects a limit, a weight and a position out of range', () => {
    const index = new Bm25Index()
    index.add('word')
    const invalid = expect.objectContaining({ code: 'model_validation' })
    for (const limit of [-1, Number.NaN, 1.5, Number.POSITIVE_INFINITY])
      expect(() => index.search('word', limit)).toThrow(invalid)
    expect(() => new Bm25Index({ k1: -1 })).toThrow(
      'Bm25Index.k1: expected a finite number of at least 0, received -1.',
    )
    expect(() => new Bm25Index({ b: 2 })).toThrow('Bm25Index.b: expected a number from 0 to 1, received 2.')
    for (const position of [1, -1, 0.5, Number.NaN]) expect(() => index.remove(position)).toThrow(invalid)
    index.remove(0)
    expect(() => index.remove(0)).toThrow(invalid)
    expect(() => index.replace(0, 'x')).toThrow(invalid)
  })

  it('is usable after a filter has thrown', () => {
    const index = new Bm25Index()
    index.add('word')
    expect(() =>
      index.search('word', 1, () => {
        throw new Error('filter')
      }),
    ).toThrow('filter')
    const fresh = new Bm25Index()
    fresh.add('word')
    expect(index.search('word')).toEqual(fresh.search('word'))
  })
})
