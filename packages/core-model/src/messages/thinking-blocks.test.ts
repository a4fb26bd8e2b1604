import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { growthOf } from '../../../../tools/growth.ts'
import { ThinkingFilter, withoutThinking } from './thinking-blocks.ts'

describe('withoutThinking', () => {
  it.each([
    ['a<think>b</think>c', 'ac'],
    ['<THINKING>b</THINKING>c', 'c'],
    ['<think>b<think>c</think>d', 'd'],
    ['a</think>b', 'b'],
    ['<think>a</think>b</think>c', 'c'],
    ['a<think>b', 'a'],
    ['[THINK]a[/THINK]b', 'b'],
    ['◁think▷a◁/think▷b', 'b'],
    ['<|channel|>analysis<|message|>a<|channel|>final<|message|>b', 'b'],
    ['a < b and <b>c</b>', 'a < b and <b>c</b>'],
    ['', ''],
  ])('%j becomes %j', (answer, expected) => {
    expect(withoutThinking(answer)).toBe(expected)
  })

  it.each(['<think>', '</think>', '<', 'a</think><think>'])('takes linear time on many %j', async (unit) => {
    expect(await growthOf((size) => withoutThinking(unit.repeat(size)), 10_000)).toBeLessThan(1.75)
  })
})

describe('ThinkingFilter', () => {
  const part = fc.constantFrom(
    '<think>',
    '</think>',
    '<',
    'th',
    'ink>',
    '</',
    'a',
    ' b\n',
    '[THINK]',
    '[/THINK]',
    '<|channel|>final',
  )
  const split = (text: string, sizes: readonly number[]) => {
    const pieces: string[] = []
    for (let at = 0, i = 0; at < text.length; at += sizes[i++ % sizes.length]!)
      pieces.push(text.slice(at, at + sizes[i % sizes.length]!))
    return pieces
  }

  it('returns the same text and thinking for every split into pieces', () => {
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 }),
        (parts, sizes) => {
          const answer = parts.join('')
          const filter = new ThinkingFilter()
          let text = ''
          let length = 0
          const results = split(answer, sizes).map((piece) => filter.push(piece))
          for (const result of [...results, filter.end()]) {
            text = (result.restarts ? '' : text) + result.text
            length += result.text.length + result.thinking.length
          }
          expect(text).toBe(withoutThinking(answer))
          expect(length).toBeLessThanOrEqual(answer.length)
        },
      ),
    )
  })

  it('returns thinking piece by piece', () => {
    const filter = new ThinkingFilter()
    const pieces = ['a<th', 'ink>b', 'c</think>d'].map((piece) => filter.push(piece))
    expect(pieces.map(({ text, thinking }) => [text, thinking])).toEqual([
      ['a', ''],
      ['', 'b'],
      ['d', 'c'],
    ])
  })
})
