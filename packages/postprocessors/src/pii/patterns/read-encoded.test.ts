import { expect, it } from 'vitest'
import { readEncoded, readOffset, sourceRange } from './read-encoded.ts'

it.each([
  ['ann\\_b\\@example.org', 'ann_b@example.org'],
  ['ann&#64;example&period;org &#x40; &commat;', 'ann@example.org @ @'],
  ['m&uuml;ller &szlig;', 'muller ß'],
  ['C:\\temp \\\\_x \\', 'C:\\temp \\_x \\'],
  ['AT&T &copy; &#99999999; &; &#;', 'AT&T &copy; &#99999999; &; &#;'],
  ['&#128512;&#9999999;', '😀\uFFFD'],
  ['ann&amp;#64;example.org &amp;amp;', 'ann@example.org &'],
  ['ann%40example%2Eorg ann%2540example.org 40%20 100%', 'ann@example.org ann@example.org 40  100%'],
  ['m%C3%BCller %F0%9F%98%80 %C3%28 %ZZ', 'müller 😀 %C3( %ZZ'],
  ['ann\\u0040example.org \\u00fc \\x40 \\u{40} \\ud83d\\ude00 \\u4e2d', 'ann@example.org ü @ @ 😀 中'],
  ['Tel.\\n030 901820\\r\\nBonn', 'Tel.\n030 901820\nBonn'],
  ['https://x.org/?tel=+49+30+901820&a=b+c 1+1', 'https://x.org/?tel=+49 30 901820&a=b+c 1+1'],
  ['an\u00ADn\u200B@exam\u2060ple<wbr>.o<!-- x -->rg\u202C', 'ann@example.org'],
  ['a=3D40 ann=40exam=\nple.org', 'a=40 ann@example.org'],
  ['width=4050 ann=40example.org', 'width=4050 ann=40example.org'],
])('reads %s', (source, text) => {
  expect(readEncoded(source).text).toBe(text)
})

it('knows where each character is in the source', () => {
  const source = 'a\\@b &#128512;x'
  const read = readEncoded(source)
  expect(read.text).toBe('a@b 😀x')
  const parts = [...read.text.matchAll(/./gu)].map(({ 0: { length }, index }) => {
    const { start, end } = sourceRange(read, index, index + length)
    return source.slice(start, end)
  })
  expect(parts).toEqual(['a', '\\@', 'b', ' ', '&#128512;', 'x'])
  const soft = readEncoded('a\u00AD\u200Bb=\r\n=3D')
  expect(sourceRange(soft, 0, 1)).toEqual({ start: 0, end: 1 })
  expect(sourceRange(soft, 0, 3)).toEqual({ start: 0, end: 10 })
  expect([0, 1, 2, 3, source.length].map((at) => readOffset(read, at))).toEqual([0, 1, 2, 2, read.text.length])
})
