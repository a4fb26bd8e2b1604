/// <reference types="node" />
import { createHash, hash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { character } from '../../test/arbitrary-model.ts'
import { choose, sha256 as chosenSha256, portableSha256 } from './sha256.ts'

const expected = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex')

describe.each([
  ['of the platform', chosenSha256],
  ['of this package', portableSha256],
])('sha256 %s', (_, sha256) => {
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
      fc.property(fc.string({ unit: character, maxLength: 300 }), (text) => sha256(text) === expected(text)),
      { numRuns: 500 },
    )
    for (const odd of ['\ud800', '\udc00a', 'a\u0000b']) expect(sha256(odd)).toBe(expected(odd))
  })

  it('keeps no state between calls', () => {
    expect([sha256('a'), sha256('b'), sha256('a')]).toEqual([expected('a'), expected('b'), expected('a')])
  })
})

describe('the choice of a function', () => {
  it('uses the function of Node', () => {
    let calls = 0
    const crypto = {
      hash: (algorithm: string, data: string) => {
        calls++
        return hash(algorithm, data, 'hex')
      },
    }
    expect(choose(crypto)('abc')).toBe(expected('abc'))
    expect(calls).toBe(2)
  })

  it('uses the function of this package if that of the platform is missing or does not work', () => {
    const broken = () => {
      throw new Error('not implemented')
    }
    for (const crypto of [undefined, {}, { hash: broken }, { hash: () => '' }]) {
      expect(choose(crypto)).toBe(portableSha256)
    }
  })
})
