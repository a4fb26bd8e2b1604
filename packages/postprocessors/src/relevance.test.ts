import { expect, it } from 'vitest'
import { shortNumber } from './relevance.ts'

it('shortens a number, unless it would look like the one beside it', () => {
  expect(shortNumber(1.8674417500602871)).toBe('1.8674')
  expect(shortNumber(1.8674417500602871, 0.5)).toBe('1.8674')
  expect(shortNumber(0.49999999, 0.5)).toBe('0.49999999')
  expect(shortNumber(0.5, 0.5)).toBe('0.5')
})
