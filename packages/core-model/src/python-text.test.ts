import { describe, expect, it } from 'vitest'
import { isPythonText, pythonPieces, pythonText, pythonVector } from './python-text.ts'

describe('the JSON text of Python', () => {
  it.each([
    ['{"a":[1,null,2.5],"b":{}}', '{"a": [1, null, 2.5], "b": {}}'],
    ['{"a,b:":"c:\\"d,"}', '{"a,b:": "c:\\"d,"}'],
    [JSON.stringify({ é: '😀\u007f\u0001\\' }), '{"\\u00e9": "\\ud83d\\ude00\\u007f\\u0001\\\\"}'],
    [
      '[0.00001,-1.5e-7,0.0001,1e+22,1.2e+16,123456789012345.5]',
      '[1e-05, -1.5e-07, 0.0001, 1e+22, 1.2e+16, 123456789012345.5]',
    ],
    ['[1152921504606846976,-3]', '[1152921504606846976, -3]'],
  ])('of %j', (compact, text) => {
    expect(pythonText(compact)).toBe(text)
    expect(JSON.parse(text)).toEqual(JSON.parse(compact))
  })

  it('has fractions in vectors', () => {
    expect(pythonVector([1, 0, -0, -2, 0.5, 1e-5, 1e16])).toBe('[1.0, 0.0, -0.0, -2.0, 0.5, 1e-05, 1e+16]')
  })

  it('is recognized by its first blank', () => {
    expect(['{"a": 1}', '{"a":1}', '{\n "a": 1}', '{}', '[1, 2]', '{"a:\\" ": 1}'].map(isPythonText)).toEqual([
      true,
      false,
      false,
      false,
      false,
      true,
    ])
    expect([...pythonPieces(['{"a":1', ',"b":"ü"}'])].join('')).toBe('{"a": 1, "b": "\\u00fc"}')
  })

  it('takes linear time', () => {
    const time = (size: number) => {
      const texts = [`["${'\\"'.repeat(size)}`, `"${'a'.repeat(size)}`, `[${'"\\'.repeat(size)}`, '1'.repeat(size)]
      const start = performance.now()
      for (const text of texts) {
        pythonText(text)
        isPythonText(`{${text}`)
      }
      return performance.now() - start
    }
    time(10_000)
    expect(time(200_000)).toBeLessThan(4 * time(100_000) + 200)
  })
})
