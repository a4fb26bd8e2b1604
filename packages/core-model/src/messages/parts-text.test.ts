import { expect, it } from 'vitest'
import { partsText } from './parts-text.ts'

it('writes text unchanged, one line per image and file without its data, and no reasoning', () => {
  const data = (type: string) => `data:${type};base64,${'A'.repeat(1000)}`
  const text = partsText([
    { type: 'text', text: 'a\nb' },
    { type: 'reasoning', text: 'secret' },
    { type: 'image_url', image_url: { url: data('image/png') } },
    { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
    { type: 'file', file: { url: data('application/pdf'), media_type: 'application/pdf', filename: 'r.pdf' } },
    { type: 'file', file: { url: data('text/csv'), media_type: 'text/csv' } },
  ])
  expect(text.split('\n')).toEqual([
    'a',
    'b',
    '[image image/png]',
    '[image https://example.com/a.png]',
    '[file r.pdf application/pdf]',
    '[file text/csv]',
  ])
})

it('is empty without parts', () => {
  expect(partsText([])).toBe('')
})
