import { describe, expect, it } from 'vitest'
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
        `(?:${one})+?`,
      ]
      return all[random(all.length)]!
    }
    for (let i = 0; i < 3000; i++) {
      const pattern = make(1 + random(3))
      const text = Array.from({ length: random(7) }, () => 'ab \n'[random(4)]).join('')
      expect([pattern, text, patternMatcher(pattern)!(text)]).toEqual([pattern, text, native(pattern).test(text)])
    }
  })

  it.each([
    '(?P<year>\\d+',
    '(a)\\1',
    '(?<n>a)\\k<n>',
    '(?<=a)b',
    '(?<!a)b',
    'a{6000}',
    '(?:a{100}){100}',
    'a'.repeat(3000),
    '(',
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
    '^(\\w+\\s?)*$',
  ])('does not block for %s', (pattern) => {
    const matches = patternMatcher(pattern)!
    const start = performance.now()
    expect(matches(`${'a'.repeat(100_000)}!`)).toBe(false)
    expect(performance.now() - start).toBeLessThan(3000)
  })
})
