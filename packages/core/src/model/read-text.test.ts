import { describe, expect, it } from 'vitest'
import { issuesOf, thrownBy } from '../../../../tools/thrown.ts'
import { Format } from '../../test/sample-models.ts'

const text = '{"cover": "hard"}'

describe('fromJson', () => {
  it('reads a JSON string, with overrides', () => {
    expect(Format.fromJson(text).cover).toBe('hard')
    expect(Format.fromJson(text, { cover: 'soft' }).cover).toBe('soft')
  })

  it('rejects strings that are not JSON, with the cause, and values that are not strings', () => {
    expect(thrownBy(() => Format.fromJson('{'))).toMatchObject({
      code: 'model_validation',
      issues: [{ path: '', message: 'invalid JSON (position 1)', code: 'json' }],
      cause: expect.any(SyntaxError),
    })
    for (const bad of ['NaN', '', '{"cover": NaN}'])
      expect(issuesOf(() => Format.fromJson(bad))).toMatchObject([{ code: 'json' }])
    expect(issuesOf(() => Format.fromJson({} as never))).toMatchObject([{ code: 'type' }])
    expect(() => Format.fromJson('{"cover": 1e400}')).toThrow('Format: invalid JSON (the number 1e400 is too large).')
    expect(() => Format.fromJson('{"secret words')).not.toThrow(/secret/)
    expect(issuesOf(() => Format.fromJson('[1]'))).toMatchObject([{ message: 'expected an object, received an array' }])
  })
})
