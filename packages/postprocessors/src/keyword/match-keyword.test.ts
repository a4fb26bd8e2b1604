/// <reference types="node" />
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../tools/extent.ts'
import { growthOf } from '../../../../tools/growth.ts'
import { keywordMatcher } from './match-keyword.ts'
import { WordBoundaries } from './word-boundaries.ts'

const occurs = (keyword: string, text: string, options = {}) => keywordMatcher([keyword], options)(text)

describe('keywordMatcher', () => {
  it.each([
    ['art', 'state-of-the-art', true],
    ['art', 'a party', false],
    ['New York', "New York's parks", true],
    ['New York', 'New\u00a0\n York', true],
    ['New York', 'New Yorkers', false],
    ['do', "I don't", true],
    ['do', 'I don’t', true],
    ['we', 'we’ll go', true],
    ['foo', 'foo_bar', false],
    ['value', 'key:value', true],
    ['3.14', '13.14', false],
    ['C', 'C++ and C#', false],
    ['C++', 'we use C++.', true],
    ['C++', 'C++11', true],
    ['a', 'a+b', true],
    ['F#', 'F#', true],
    ['café', 'un cafe\u0301 noir', true],
    ['cafe', 'un cafe\u0301 noir', false],
    ['a a', 'xa a a', true],
    ['Plan A', 'this is Plan A.', true],
  ])('%s in %s: %s', (keyword, text, expected) => {
    expect(occurs(keyword, text)).toBe(expected)
  })

  it('finds what a search for each keyword alone finds', () => {
    const plain = (keyword: string, text: string) => {
      const pieces = keyword.trim().split(/\s+/)
      const form = new RegExp(pieces.map((piece) => piece.replace(/[+#.]/g, '\\$&')).join('\\s+'), 'gu')
      const boundaries = new WordBoundaries(text, new Intl.Segmenter('en', { granularity: 'word' }))
      for (let found = form.exec(text); found; found = form.exec(text)) {
        if (boundaries.has(found.index) && boundaries.has(found.index + found[0].length)) return true
        form.lastIndex = found.index + 1
      }
      return false
    }
    const piece = fc.constantFrom('a', 'b', 'ab', ' ', '  ', '\n', "a's", 'C++', '+', 'é', '.')
    const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''))
    const keyword = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''))
    const keywords = fc.array(
      keyword.filter((each) => each.trim() !== ''),
      { minLength: 1, maxLength: 6 },
    )
    fc.assert(
      fc.property(text, keywords, (where, all) => {
        const found = all.map((each) => plain(each, where))
        expect(keywordMatcher(all)(where)).toBe(found.includes(true))
        expect(keywordMatcher(all, { match: 'all' })(where)).toBe(!found.includes(false))
      }),
      { numRuns: rounds(200, 2000) },
    )
  })

  it('finds words in languages without spaces', () => {
    expect(occurs('京都', '東京都に住む', { lang: 'ja' })).toBe(false)
    expect(occurs('これ', '机の上にこれがある。', { lang: 'ja' })).toBe(true)
    expect(occurs('北京', '我在北京工作', { lang: 'zh' })).toBe(true)
    expect(occurs('ภาษา', 'ฉันพูดภาษาไทยได้', { lang: 'th' })).toBe(true)
    expect(occurs('ษา', 'ฉันพูดภาษาไทยได้', { lang: 'th' })).toBe(false)
  })

  it('matches all or any keyword, with and without case and boundaries', () => {
    expect(keywordMatcher(['red', 'dog'])('red fox')).toBe(true)
    expect(keywordMatcher(['red', 'dog'], { match: 'all' })('red fox')).toBe(false)
    expect(occurs('RED', 'a red fox')).toBe(false)
    expect(occurs('RED', 'a red fox', { caseSensitive: false })).toBe(true)
    expect(occurs('IĞDIR', 'ığdır', { caseSensitive: false, lang: 'tr' })).toBe(true)
    expect(occurs('art', 'a party', { wordBoundaries: false })).toBe(true)
  })

  it('rejects an invalid language tag', () => {
    for (const options of [{ lang: '!!' }, { lang: '', wordBoundaries: false }])
      expect(() => keywordMatcher(['a'], options)).toThrow(expect.objectContaining({ code: 'model_validation' }))
  })

  it('rejects a blank keyword, which would match every string', () => {
    expect(() => keywordMatcher(['a', ' \u00a0'])).toThrow(
      expect.objectContaining({ issues: [expect.objectContaining({ path: 'keywords[1]' })] }),
    )
  })

  it.each([
    ['words with the keyword inside', (size: number) => 'xart '.repeat(size / 5)],
    ['one word', (size: number) => 'xart'.repeat(size / 4)],
    ['signs', (size: number) => '+'.repeat(size)],
    ['blanks', (size: number) => `art${' '.repeat(size)}`],
    ['Thai', (size: number) => 'ษา'.repeat(size / 2)],
  ])('takes linear time: %s', { tags: 'growth' }, async (_, text) => {
    const match = (size: number) => keywordMatcher(['art', '+', 'art x', 'ษา'])(`x${text(size)}x`)
    expect(await growthOf(match, 4_000)).toBeLessThan(1.75)
  })

  it.each([
    ['a long phrase', (size: number) => [`${'a '.repeat(size)}b`]],
    ['phrases with a common beginning', (size: number) => Array.from({ length: size }, (_, at) => `a a a a a a ${at}`)],
    ['a phrase inside words', (size: number) => [`a x${'a xa '.repeat(size)}b`]],
    ['signs', (size: number) => [`+${'+ +'.repeat(size)}`]],
  ])('takes linear time for keywords as long as the text: %s', { tags: 'growth' }, async (_, keywords) => {
    const match = (size: number) => {
      const all = keywords(size)
      const text = all.join(' ').replaceAll(/[b\d]/g, 'a').repeat(3)
      expect(keywordMatcher(all, { match: 'all' })(text)).toBe(false)
    }
    expect(await growthOf(match, 1_000)).toBeLessThan(1.75)
  })
})

describe('WordBoundaries', () => {
  it('finds the same boundaries around a position as in the whole string', () => {
    const segmenter = new Intl.Segmenter('de', { granularity: 'word' })
    const word = fc.constantFrom('red ', 'fox', '東京都', '。', 'e\u0301 ', '\n', 'x'.repeat(300), 'a,b ', '\u0301')
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 300 }),
        fc.array(fc.nat(), { maxLength: 30 }),
        (words, places) => {
          const text = words.join('')
          const whole = new Set([0, text.length, ...[...segmenter.segment(text)].map(({ index }) => index)])
          const boundaries = new WordBoundaries(text, segmenter)
          for (const place of places) expect(boundaries.has(place % text.length)).toBe(whole.has(place % text.length))
        },
      ),
      { numRuns: 60 },
    )
  })
})
