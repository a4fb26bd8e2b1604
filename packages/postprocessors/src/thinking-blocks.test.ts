import { describe, expect, it } from 'vitest'
import { growthOf } from '../../../tools/growth.ts'
import { withoutThinking } from './thinking-blocks.ts'

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
  ])('returns for %j the answer %j', (answer, expected) => {
    expect(withoutThinking(answer)).toBe(expected)
  })

  it.each(['<think>', '</think>', '<', 'a</think><think>'])('takes linear time on many %j', async (unit) => {
    expect(await growthOf((size) => withoutThinking(unit.repeat(size)), 10_000)).toBeLessThan(1.75)
  })
})
