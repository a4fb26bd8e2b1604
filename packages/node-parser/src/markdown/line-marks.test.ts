import { expect, it } from 'vitest'
import { firstHeadingLine } from './line-marks.ts'

it.each<[string, number]>([
  ['Title', 0],
  ['[a]: /url\nTitle', 3],
  ['[a]: /url\n[b]: /url\nTitle\nmore', 6],
  ['[a]: /url\n"of two lines"\nTitle', 6],
  ['[a]: /url', -1],
  ['[a] is text', 0],
])('the heading in %j starts at the numbers from %i on', (text, index) => {
  const lines: number[] = []
  let start = 0
  for (const line of text.split('\n')) {
    lines.push(start, start, start + line.length)
    start += line.length + 1
  }
  expect(firstHeadingLine(text, lines)).toBe(index)
})
