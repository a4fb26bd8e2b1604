/// <reference types="node" />
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sha256 } from './sha256.ts'

const expected = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex')

describe('sha256', () => {
  it('returns the published digests', () => {
    expect(sha256('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
    expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })

  it.each([0, 1, 54, 55, 56, 57, 62, 63, 64, 65, 118, 119, 120, 121, 127, 128, 129, 1000])(
    'agrees with the platform at %i bytes',
    (length) => {
      expect(sha256('x'.repeat(length))).toBe(expected('x'.repeat(length)))
      expect(sha256(`${'x'.repeat(Math.max(0, length - 2))}ä`)).toBe(
        expected(`${'x'.repeat(Math.max(0, length - 2))}ä`),
      )
    },
  )

  it('agrees with the platform for any string', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => sha256(text) === expected(text)),
      { numRuns: 500 },
    )
  })

  it('keeps no state between calls', () => {
    expect([sha256('a'), sha256('b'), sha256('a')]).toEqual([expected('a'), expected('b'), expected('a')])
  })
})
