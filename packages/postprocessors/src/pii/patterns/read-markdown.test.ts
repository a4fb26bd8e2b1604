import { expect, it } from 'vitest'
import { readMarkdown, readOffset, sourceRange } from './read-markdown.ts'

it.each([
  ['ann\\_b\\@example.org', 'ann_b@example.org'],
  ['ann&#64;example&period;org &#x40; &commat;', 'ann@example.org @ @'],
  ['m&uuml;ller &szlig;', 'muller ß'],
  ['C:\\temp \\\\_x \\', 'C:\\temp \\_x \\'],
  ['AT&T &copy; &#99999999; &; &#;', 'AT&T &copy; &#99999999; &; &#;'],
  ['&#128512;&#9999999;', '😀\uFFFD'],
])('reads %s', (source, text) => {
  expect(readMarkdown(source).text).toBe(text)
})

it('knows where each character is in the source', () => {
  const source = 'a\\@b &#128512;x'
  const read = readMarkdown(source)
  expect(read.text).toBe('a@b 😀x')
  const parts = [...read.text.matchAll(/./gu)].map(({ 0: { length }, index }) => {
    const { start, end } = sourceRange(read, index, index + length)
    return source.slice(start, end)
  })
  expect(parts).toEqual(['a', '\\@', 'b', ' ', '&#128512;', 'x'])
  expect([0, 1, 2, 3, source.length].map((at) => readOffset(read, at))).toEqual([0, 1, 2, 2, read.text.length])
})
