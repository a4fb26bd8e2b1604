import { expect, it } from 'vitest'
import { withPlainSigns } from './plain-signs.ts'

it('replaces variants of characters without changing an offset', () => {
  const text = '１２\u00A0٣۴\u2011५·\u2019ａ\n'
  expect(withPlainSigns(text)).toBe("12 34-5.'a\n")
  expect(withPlainSigns(text)).toHaveLength(text.length)
})
