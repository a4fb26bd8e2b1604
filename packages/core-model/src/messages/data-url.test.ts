import { expect, it } from 'vitest'
import { readDataUrl } from './data-url.ts'

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
