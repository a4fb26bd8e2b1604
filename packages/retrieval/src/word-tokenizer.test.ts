import { stemmer } from 'stemmer'
import { describe, expect, it } from 'vitest'
import { growthOf } from '../../../tools/growth.ts'
import { englishStopWords, frenchStopWords, germanStopWords, spanishStopWords } from './english.ts'
import { tokenizeWords, wordTokenizer } from './word-tokenizer.ts'

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
    ['문서를 검색', ['문서', '서를', '검색']],
    ['__init__ _id', ['__init__', 'init', '_id', 'id']],
    ['Straße STRASSE Smørrebrød Łódź', ['strass', 'strass', 'smorrebrod', 'lodz']],
    ['العَرَبيَّة الإنترنت', ['العربيه', 'الانترنت']],
    ['поиск Документов', ['поиск', 'документов']],
    ['हिन्दी', ['हिन्दी']],
  ])('splits %j', (text, terms) => {
    expect(tokenizeWords(text)).toEqual(terms)
  })

  it.each([
    ['query', 'queries'],
    ['movie', 'movies'],
    ['class', 'classes'],
    ['index', 'indexes'],
    ['company', 'companies'],
    ['box', 'boxes'],
    ['match', 'matches'],
    ['cache', 'caches'],
    ['house', 'houses'],
    ['size', 'sizes'],
    ['bus', 'buses'],
    ['lens', 'lenses'],
    ['alias', 'aliases'],
    ['phrase', 'phrases'],
    ['use', 'uses'],
    ['tie', 'ties'],
    ['gas', 'gases'],
    ['hero', 'heroes'],
    ['shoe', 'shoes'],
    ['parser', 'parsers'],
    ['process', 'processes'],
  ])('returns the same term for %s and %s', (singular, plural) => {
    expect(tokenizeWords(plural)).toEqual(tokenizeWords(singular))
  })

  it('returns different terms for words that are not forms of the same word', () => {
    const words = ['class', 'clause', 'us', 'use', 'his', 'this', 'news', 'new', 'data', 'date', 'gas', 'go']
    const terms = words.flatMap(tokenizeWords)
    expect(new Set(terms).size).toBe(words.length - 1) // news and new
  })

  it.each(['漢', 'aB', 'é', 'ーa', 'A'])('splits long runs of %s in linear time', { tags: 'growth' }, async (unit) => {
    expect(await growthOf((size) => tokenizeWords(unit.repeat(size)), 5_000)).toBeLessThan(1.75)
  })
})

describe('wordTokenizer', () => {
  it.each(['the', 5])('refuses stop words that are no list: %j', (stopWords) => {
    expect(() => wordTokenizer({ stopWords: stopWords as never })).toThrow(
      expect.objectContaining({ code: 'model_validation' }),
    )
  })

  it('removes stop words regardless of case and accents', () => {
    const tokenize = wordTokenizer({ stopWords: ['the', 'für'] })
    expect(tokenize('THE Fur für theme')).toEqual(['theme'])
  })

  it('uses the function stem instead of removing plural endings', () => {
    const tokenize = wordTokenizer({ stopWords: englishStopWords, stem: stemmer })
    expect(tokenize('The parsers of nodes are parsing Tables')).toEqual(['parser', 'node', 'pars', 'tabl'])
  })

  it('adds character n-grams of longer words', () => {
    const tokenize = wordTokenizer({ ngrams: 3 })
    expect(tokenize('Öle Haus 日本語')).toEqual(['ole', 'haus', 'hau', 'aus', '日本', '本語'])
  })

  it.each([1, 2.5, Number.NaN, -3])('rejects n-grams of %s characters', (ngrams) => {
    expect(() => wordTokenizer({ ngrams })).toThrow(expect.objectContaining({ code: 'model_validation' }))
  })

  it('contains each stop word of a language once', () => {
    for (const words of [englishStopWords, germanStopWords, frenchStopWords, spanishStopWords])
      expect(words.filter((word, i) => words.indexOf(word) !== i || word === '')).toEqual([])
  })

  it.each([{ ngrams: 4 }, { stopWords: ['a'], stem: stemmer }])(
    'takes linear time with %o',
    { tags: 'growth' },
    async (options) => {
      const tokenize = wordTokenizer(options)
      expect(await growthOf((size) => tokenize('aB é한글 running '.repeat(size / 16)), 5_000)).toBeLessThan(1.75)
    },
  )
})
