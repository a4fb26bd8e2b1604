import { describe, expect, it } from 'vitest'
import { Book, fullOptions } from '../../test/sample-models.ts'
import { selectValue } from './field-selection.ts'
import type { DictOptions } from './model-class.ts'

const book = new Book(fullOptions())
const dict = (options: DictOptions) => {
  const { class_name, ...fields } = book.toDict(options)
  expect(class_name).toBe('Book')
  return fields
}

describe('include and exclude', () => {
  it('name fields by API or wire name', () => {
    expect(dict({ include: ['pageCount', 'isbn_no'] })).toEqual({ page_count: 7, isbn_no: '978' })
    expect(Object.keys(dict({ exclude: ['page_count', 'isbn'] }))).toHaveLength(10)
  })

  it('include nothing with an empty include, and exclude nothing with an empty exclude', () => {
    expect(dict({ include: [] })).toEqual({})
    expect(dict({ include: {} })).toEqual({})
    expect(Object.keys(dict({ exclude: [] }))).toHaveLength(12)
  })

  it('prefer exclude, ignore unknown names, and cannot select class_name and live objects', () => {
    expect(dict({ include: ['title', 'kind', 'none', 'toString', 'reader'], exclude: ['kind', 'class_name'] })).toEqual(
      {
        title: 'A',
      },
    )
  })

  it('select keys of free-form data', () => {
    expect(dict({ include: { notes: { a: true } } })).toEqual({ notes: { a: { b: [1] } } })
    expect(dict({ include: { notes: { a: ['none'] } } })).toEqual({ notes: { a: {} } })
    expect(dict({ include: ['notes'], exclude: { notes: { a: ['b'] } } })).toEqual({ notes: { a: {} } })
  })

  it('select array items by index and __all__', () => {
    expect(dict({ include: { tags: ['1'] } })).toEqual({ tags: ['y'] })
    expect(dict({ include: ['tags'], exclude: { tags: { 0: true } } })).toEqual({ tags: ['y'] })
    expect(dict({ include: { authors: { __all__: ['name'] } } })).toEqual({
      authors: [
        { name: 'Ana', class_name: 'Author' },
        { name: 'Bo', class_name: 'Author' },
      ],
    })
    expect(dict({ include: { authors: { 0: ['name'] } } })).toEqual({
      authors: [{ name: 'Ana', class_name: 'Author' }],
    })
  })

  it('select fields of nested models and of objects with nested models', () => {
    expect(dict({ include: { editor: { links: true } } })).toEqual({
      editor: { links: { web: 'e.org' }, class_name: 'Author' },
    })
    expect(
      dict({ include: { editor: true, formats: { first: ['cover'] } }, exclude: { editor: ['name', 'born'] } }),
    ).toEqual({
      editor: { links: { web: 'e.org' }, class_name: 'Author' },
      formats: { first: { cover: 'hard' } },
    })
  })
})

it('data of more than 1,001 levels are refused, whatever their last level contains', () => {
  const nested = (levels: number) => Array.from({ length: levels }).reduce<unknown>((inner) => [inner], 5)
  const copy = (value: unknown) => selectValue(value, {}, (leaf) => leaf)
  expect(copy(nested(1001))).toEqual(nested(1001))
  expect(() => copy(nested(1002))).toThrow(expect.objectContaining({ code: 'serialization' }))
})
