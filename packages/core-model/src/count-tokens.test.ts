import { describe, expect, it } from 'vitest'
import { estimateTokens } from './count-tokens.ts'

describe('estimateTokens', () => {
  it.each([
    ['', 0],
    ['The quick brown fox', 6],
    ['北京', 2],
    ['1234567', 3],
    ['a, b', 3],
  ])('counts %j as %i', (text, expected) => {
    expect(estimateTokens(text)).toBe(expected)
  })
})
