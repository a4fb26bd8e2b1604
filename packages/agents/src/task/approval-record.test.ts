import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { sealOf } from './approval-record.ts'

it.each([32, 64, 65, 200])('a seal is HMAC-SHA256, with a secret of %i bytes', (length) => {
  const secret = Uint8Array.from({ length }, (_, i) => (i * 7) % 256)
  for (const value of ['', 'ä漢😀', { b: [1, null], a: 'x' }]) {
    const text = typeof value === 'string' ? JSON.stringify(value) : '{"a":"x","b":[1,null]}'
    expect(sealOf(value, secret)).toBe(createHmac('sha256', secret).update(text).digest('hex'))
  }
})
