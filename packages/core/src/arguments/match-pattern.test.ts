import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../tools/extent.ts'
import { patternMatcher } from './match-pattern.ts'

const native = (pattern: string, flags = 'u') => new RegExp(pattern, flags)

describe('patternMatcher', () => {
  const texts = [
    '',
    'a',
    'b',
    'ab',
    'aab',
    'abc',
    'aaa',
    'a-b',
    'a1',
    '12',
    '1.5',
    'A b',
    '\n',
    'ü',
    '👍',
    'a👍b',
    ']',
    'a{1}',
    'xabx',
  ]

  it.each([
    '',
    'a',
    '^a',
    'b$',
    '^ab?$',
    '^a*b+$',
    '^(?:a|b)+$',
    '^(a|ab)(c|bc)?$',
    'a|b|',
    '^[a-c]{2,3}$',
    '^a{2}',
    '^a{2,}$',
    '^a{0,1}$',
    '^a{0}b$',
    '[^a]',
    '^.$',
    '\\d+',
    '^\\d+\\.\\d$',
    '\\bb',
    'a\\B',
    '^\\p{L}+$',
    '^(?<name>a)b',
    '(?=.*b)a',
    '^(?!a)',
    '^(?=.*\\d)(?=.*[a-z]).{2,}$',
    '^(a*)*$',
    '^(a?){3}$',
    '^a*?b',
    '^(?:)$',
    '()',
    '^(|a)+$',
    '\\u0061',
    '\\u{1f44d}',
    '\\ud83d\\udc4d',
    '^\\x61',
    '^[\\]a]$',
    '[]',
    '[^]',
    '\\n',
    '\\cJ',
    '^(?:(?=a)a|b)*$',
    'a$|^b',
    '^(a|b|ab)*c?$',
    '\\[',
    '\\{',
    '\\^|\\$',
  ])('agrees with the platform: %s', (pattern) => {
    const expression = native(pattern)
    expect(texts.map(patternMatcher(pattern)!)).toEqual(texts.map((text) => expression.test(text)))
  })

  it.each(['a\\-b', 'a{1}', ']', '{', 'a{,2}', '}', '\\_', '[\\-a]'])(
    'agrees with the platform without the flag u: %s',
    (pattern) => {
      const expression = native(pattern, '')
      expect(texts.map(patternMatcher(pattern)!)).toEqual(texts.map((text) => expression.test(text)))
    },
  )

  it('agrees with the platform for random patterns', () => {
    let seed = 7
    const random = (n: number) => {
      seed = (seed * 1103515245 + 12345) % 2 ** 31
      return Math.floor((seed / 2 ** 31) * n)
    }
    const make = (depth: number): string => {
      const atoms = ['a', 'b', '.', '[ab]', '[^a]', '\\w', '^', '$', '\\b']
      if (depth === 0) return atoms[random(atoms.length)]!
      const [one, two] = [make(depth - 1), make(depth - 1)]
      const all = [
        `${one}${two}`,
        `(?:${one}|${two})`,
        `(?:${one})*`,
        `(${one})?`,
        `(?:${one}){1,2}`,
        `(?=${one})${two}`,
        `(?!${one})${two}`,
        `${one}(?<=${two})`,
        `(?<!${one})${two}`,
        `(?:${one}){2,3}`,
        `(?:${one}){1,}`,
        `👍(?<=${one})`,
        `(?:${one})+?`,
      ]
      return all[random(all.length)]!
    }
    for (let i = 0; i < rounds(1500, 5000); i++) {
      const pattern = make(1 + random(3))
      const text = Array.from({ length: random(7) }, () => ['a', 'b', ' ', '\n', '👍'][random(5)]).join('')
      expect([pattern, text, patternMatcher(pattern)!(text)]).toEqual([pattern, text, native(pattern).test(text)])
    }
  })

  it.each([
    ['^[a-z0-9-]{1,63}(\\.[a-z0-9-]{1,63}){0,126}$', 'a.example', '169.254.169.254/latest/meta-data?x='],
    [
      '^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$',
      `${'a'.repeat(63)}.example`,
      `${'a'.repeat(64)}.example`,
    ],
    ['^(?<!\\.)[a-z/]+$', 'etc/passwd', '../../etc/passwd'],
    ['^[a-z./]+(?<!\\.exe)$', 'virus.txt', 'virus.exe'],
    ['^[\\w .,-]{1,6000}$', 'a'.repeat(6000), 'a'.repeat(6001)],
    ['^(?:a{100}){100}$', 'a'.repeat(10_000), 'a'.repeat(9999)],
    ['^(?:[^,]{0,500},){3,7}$', 'a,b,c,', 'a,b,c,d'],
    ['^(?:a{2,3}b{0,4}){2,}c$', 'aaabbbbaac', 'aaabbbbbaac'],
    ['^(?:x{0,2}){4}$', 'xxxxxxxx', 'xxxxxxxxx'],
    [`^(?:${Array.from({ length: 900 }, (_, i) => `word${i}`).join('|')})$`, 'word899', 'word900'],
  ])('checks %s', (pattern, valid, invalid) => {
    const matches = patternMatcher(pattern)!
    expect([matches(valid), matches(invalid)]).toEqual([true, false])
    expect([native(pattern).test(valid), native(pattern).test(invalid)]).toEqual([true, false])
  })

  it('supports a pattern of 10,000 characters', () => {
    expect(patternMatcher('a'.repeat(10_000))?.('a')).toBe(false)
  })

  it('says that a string would take too many steps, instead of that it does not match', () => {
    expect(patternMatcher('^(?:(?:a{0,99}b?){0,99}){0,99}$')!(`${'a'.repeat(5000)}!`)).toBe(undefined)
  })

  it.each([
    ['(?P<year>\\d+'],
    ['(a)\\1'],
    ['(?<n>a)\\k<n>'],
    ['(a)\\1\\-'],
    ['(?<n>a)\\k<n>\\-'],
    ['(?i:a)'],
    ['\\-\\u{61}'],
    ['\\-\\p{L}'],
    ['\\-\\01'],
    ['\\-\\c1'],
    ['a'.repeat(10_001)],
    [`${'('.repeat(5000)}${')'.repeat(5000)}+`],
    ['('],
  ])('does not support %s', (pattern) => {
    expect(patternMatcher(pattern)).toBe(undefined)
  })

  it.each([
    '^(a+)+$',
    '^(a|a)*$',
    '^(a|aa)+$',
    '(.*)*x',
    '^a*a*a*a*a*b$',
    'a+b',
    '^(?=(a+)+b)',
    '(?=.*b)x',
    '(?:(?=.*b)a)*x',
    '(?<=a*)x',
    '(?<!b.*)x',
    '^a{1,10}(?:a{2,3})*$',
    '^(?:a{1,63}-?){1,9}$',
    '^.{1,6000}$',
    '^(\\w+\\s?)*$',
  ])('does not block for %s', (pattern) => {
    const matches = patternMatcher(pattern)!
    const start = performance.now()
    expect(matches(`${'a'.repeat(100_000)}!`)).toBe(false)
    expect(performance.now() - start).toBeLessThan(3000)
  })
})
