import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fromBase64, readDataUrl, toBase64 } from './base64.ts'

it('agrees with Buffer', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const text = Buffer.from(bytes).toString('base64')
      expect(toBase64(bytes)).toBe(text)
      expect(fromBase64(text)).toEqual(Uint8Array.from(bytes))
    }),
  )
  expect(() => fromBase64('no!')).toThrow(DOMException)
})

it.each([
  ['data:image/png;base64,AAAA', { mediaType: 'image/png', data: 'AAAA' }],
  ['data:text/plain;charset=utf-8;base64,QQ==', { mediaType: 'text/plain', data: 'QQ==' }],
  ['data:text/plain,a%20b,c', { mediaType: 'text/plain', data: 'a%20b,c' }],
  ['data:,', { mediaType: '', data: '' }],
  ['data:image/png;base64', null],
  ['https://a.example/?q=data:,', null],
  ['', null],
])('readDataUrl(%s)', (url, expected) => {
  expect(readDataUrl(url)).toEqual(expected)
})
