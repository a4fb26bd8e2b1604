import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { causeWithoutSecrets, requestSecrets, withoutSecrets } from './secrets.ts'

describe('withoutSecrets', () => {
  it.each([
    ['https://user:pw@host/v1 failed', 'https://host/v1 failed'],
    ['postgres://user:pw@host/db', 'postgres://host/db'],
    ['GET https://host/v1?api-version=1&key=abc&x=y', 'GET https://host/v1?api-version=1&key=[secret]&x=y'],
    [
      'https://h/?X-Amz-Signature=0f and https://h/?access_token=1',
      'https://h/?X-Amz-Signature=[secret] and https://h/?access_token=[secret]',
    ],
    ['sent Bearer abcdefghijklmnopqrstuv==', 'sent Bearer [secret]'],
    ['Incorrect API key: sk-proj-abcdefghij0123456789', 'Incorrect API key: [secret]'],
    ['Bearer authentication is missing', 'Bearer authentication is missing'],
    ['mail a@b.example, see https://host/a?page=2', 'mail a@b.example, see https://host/a?page=2'],
  ])('hides passwords and keys whose form is known: %s', (text, expected) => {
    expect(withoutSecrets(text)).toBe(expected)
  })

  it('hides every form of a value that a server may repeat', () => {
    const secrets = requestSecrets(
      { Authorization: 'Bearer a"b c/d', 'x-title': 'App' },
      'http://me:p%40ss@h/?key=K-1&v=2',
    )
    const text = 'a"b c/d, a\\"b c/d, a%22b%20c%2Fd, Bearer a"b c/d, p@ss, p%40ss, K-1, App'
    expect(withoutSecrets(text, secrets)).toBe('[secret], [secret], [secret], [secret], [secret], [secret], K-1, App')
  })

  it('hides values of other headers from 8 characters on', () => {
    const secrets = requestSecrets({ 'x-a': '1234567', 'x-b': '12345678' }, 'http://h/')
    expect(withoutSecrets('1234567, 12345678', secrets)).toBe('1234567, [secret]')
  })

  it('hides the base64 form of a key', () => {
    const secrets = requestSecrets({ Authorization: 'Bearer K-12345678' })
    const text = `${btoa('K-12345678')} ${btoa('Bearer K-12345678')}`
    expect(withoutSecrets(text, secrets)).not.toMatch(/Sy0xMjM0/)
  })

  it('is linear in the length of the text', () => {
    for (const text of ['?key', 'https://', 'sk-', 'Bearer ', '&token=', 'aa:'].map((part) => part.repeat(200_000))) {
      const start = performance.now()
      withoutSecrets(text, ['SECRET'])
      expect(performance.now() - start).toBeLessThan(1000)
    }
  })
})

describe('causeWithoutSecrets', () => {
  const key = 'K-12345678'
  it.each<[string, object]>([
    ['headers', { headers: new Headers({ 'x-key': key }) }],
    ['a record of headers', { responseHeaders: { 'x-key': key } }],
    ['a response', { response: new Response('', { headers: { 'x-key': key } }) }],
    ['a map', { values: new Map([['a', [key]]]) }],
    ['a nested object', { a: { b: [{ c: `x ${key}` }] } }],
    ['the name of a property', { [key]: 1 }],
  ])('copies an error with a secret in %s', (_, properties) => {
    const cause = Object.assign(new Error('x'), properties)
    const copy = causeWithoutSecrets(cause, [key])
    expect(copy).not.toBe(cause)
    expect(inspect(copy, { depth: 9 })).not.toContain(key)
    if (copy instanceof Error) expect(copy.stack).toBe(cause.stack)
    expect(causeWithoutSecrets(cause, ['other'])).toBe(cause)
  })
  it('hides what is deeper than seven objects, which it does not search', () => {
    const deep = (levels: number): object => (levels === 1 ? { a: 1 } : { a: deep(levels - 1) })
    expect(causeWithoutSecrets(deep(7), [key])).toEqual(deep(7))
    expect(causeWithoutSecrets(deep(8), [key])).not.toEqual(deep(8))
  })
})
