import { describe, expect, it } from 'vitest'
import { issuesOf } from '../../../../tools/thrown.ts'
import { fields, freeForm } from '../fields.ts'
import { Model } from '../index.ts'

class Note extends fields(Model, 'Note', { extra: freeForm({ default: {} }) }) {}

const extra = (value: unknown) => () => new Note({ extra: { a: [0, value] } as never })

describe('free-form data', () => {
  it.each<[string, unknown, string]>([
    ['a date', new Date(0), 'an instance of Date; use an ISO string (toISOString)'],
    ['a map', new Map(), 'an instance of Map; use an object (Object.fromEntries)'],
    ['a set', new Set(), 'an instance of Set; use an array'],
    ['a model', new Note(), 'an instance of Note; use a plain object or a string, or omit it'],
    ['a function', () => {}, 'a function; use a plain object or a string, or omit it'],
  ])('rejects %s, with its path and advice', (_, value, words) => {
    expect(issuesOf(extra(value))).toMatchObject([
      { path: 'extra.a[1]', code: 'json', message: expect.stringContaining(words) },
    ])
  })

  it('rejects an object that contains itself', () => {
    const self: unknown[] = []
    self.push(self)
    expect(issuesOf(extra(self))).toMatchObject([{ code: 'json' }])
  })

  it('accepts JSON values and bigints, and treats undefined as absent', () => {
    expect(new Note({ extra: { a: [1n, null, { b: undefined }] } as never }).toJson()).toBe(
      '{"extra":{"a":[1,null,{}]},"class_name":"Note"}',
    )
  })
})
