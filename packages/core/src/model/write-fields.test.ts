import { Boolean as Bool, Integer, Array as List, String as Text } from 'typebox'
import { describe, expect, it } from 'vitest'
import { thrownBy } from '../../../../tools/thrown.ts'
import { Author, Book, Format, fullOptions, plainBook } from '../../test/sample-models.ts'
import { component, live, plainRecord } from '../define.ts'
import { modelSpec } from '../field-specs.ts'
import { Model } from './model.ts'

const full = new Book(fullOptions())
const nested = (levels: number) => Array.from({ length: levels }).reduce<unknown>((inner) => [inner], 1)
const ana = { name: 'Ana', born: null, links: {}, class_name: 'Author' }

describe('toDict', () => {
  it('writes declared fields in order by wire name, class_name last, and nested models as dicts', () => {
    const dict = full.toDict()
    expect(dict).toEqual({
      title: 'A',
      page_count: 7,
      rating: 4.5,
      kind: 'essay',
      in_print: false,
      tags: ['x', 'y'],
      notes: { a: { b: [1] } },
      extra: 0,
      isbn_no: '978',
      authors: [ana, { ...ana, name: 'Bo', born: 1900 }],
      editor: { ...ana, name: 'Ed', links: { web: 'e.org' } },
      formats: { first: { cover: 'hard' } },
      class_name: 'Book',
    })
    expect(Object.keys(dict)).toEqual(Object.keys(plainBook))
    expect(full.dict()).toEqual(dict)
  })

  it('writes no class_name for records and base_component for an abstract class', () => {
    expect(new Format().toDict()).toEqual({ cover: 'soft' })
    const spec = modelSpec(JSON.parse(JSON.stringify(component('Base', '', {}, { className: null }))))
    class Base extends Model {
      static override spec() {
        return spec
      }
    }
    expect([Base.className(), new Base().toDict()]).toEqual(['base_component', { class_name: 'base_component' }])
  })

  it('shares no array or object with the instance', () => {
    const dict = full.toDict() as { notes: { a: { b: number[] } }; tags: string[]; editor: { links: object } }
    dict.notes.a.b.push(2)
    dict.tags.push('z')
    Object.assign(dict.editor.links, { more: 1 })
    expect(full.notes).toEqual({ a: { b: [1] } })
    expect(full.tags).toEqual(['x', 'y'])
    expect(full.editor?.links).toEqual({ web: 'e.org' })
  })

  it('omits fields that were not passed, also in nested models', () => {
    const made = new Book({ title: 'A', pageCount: 100, editor: { name: 'E' } })
    expect(made.toDict({ excludeUnset: true })).toEqual({
      title: 'A',
      page_count: 100,
      editor: { name: 'E', class_name: 'Author' },
      class_name: 'Book',
    })
  })

  it('omits scalar defaults, but never arrays, objects and required fields', () => {
    expect(new Book({ title: 'A', pageCount: 100, rating: 1 }).toDict({ excludeDefaults: true })).toEqual({
      title: 'A',
      rating: 1,
      tags: [],
      notes: {},
      authors: [],
      formats: {},
      class_name: 'Book',
    })
    const spec = modelSpec(JSON.parse(JSON.stringify(plainRecord('Any', '', { value: {} }))))
    class Any extends Model {
      static override spec() {
        return spec
      }
    }
    expect(new Any({ value: null }).toDict({ excludeDefaults: true })).toEqual({ value: null })
  })

  it('omits null, also in nested models, but not inside free-form data', () => {
    const made = new Book({ title: 'A', notes: { none: null }, editor: { name: 'E' } })
    const dict = made.toDict({ excludeNone: true })
    expect(dict).not.toHaveProperty('rating')
    expect(dict['notes']).toEqual({ none: null })
    expect(dict['editor']).toEqual({ name: 'E', links: {}, class_name: 'Author' })
  })

  it.each<[string, () => Record<string, unknown>, string]>([
    ['NaN', () => ({ extra: [1, { deep: Number.NaN }] }), 'Book.extra[1].deep'],
    ['infinity', () => ({ notes: { x: Infinity } }), 'Book.notes.x'],
    ['data that are nested too deeply', () => ({ extra: nested(20_000) }), 'Book.extra[0][0][0]'],
  ])('rejects %s with its path', (_, options, field) => {
    const made = Book.construct({ title: 'A', ...options() })
    expect(thrownBy(() => made.toDict())).toMatchObject({ code: 'serialization', field })
  })

  it('names the nested model that contains NaN or an infinity', () => {
    const author = new Author({ name: 'A', links: { rank: Number.NaN } })
    expect(thrownBy(() => new Book({ title: 'A', authors: [author] }).toDict())).toMatchObject({
      field: 'Author.links.rank',
    })
  })
})

describe('toJson', () => {
  it('returns the dict as a JSON string, in UTF-8', () => {
    expect(JSON.parse(full.toJson())).toEqual(full.toDict())
    expect(new Author({ name: 'Ä北\u{1F600}' }).json()).toContain('Ä北\u{1F600}')
    expect(full.json()).toBe(full.toJson())
    expect(JSON.stringify({ book: full })).toBe(`{"book":${full.toJson()}}`)
  })

  it('indents by a number of spaces or by a string', () => {
    const format = new Format()
    expect(format.toJson({ indent: 2 })).toBe('{\n  "cover": "soft"\n}')
    expect(format.toJson({ indent: '\t' })).toBe('{\n\t"cover": "soft"\n}')
  })

  it('sorts keys at every level on request', () => {
    expect(new Author({ name: 'A', links: { z: { b: 1, a: 2 }, y: 1 } }).toJson({ sortKeys: true })).toBe(
      '{"born":null,"class_name":"Author","links":{"y":1,"z":{"a":2,"b":1}},"name":"A"}',
    )
  })

  it('sorts hostile keys too, also inside arrays', () => {
    const links = JSON.parse('{"b": [{"x": 1, "constructor": 2, "__proto__": 3}], "a": 1}')
    expect(new Author({ name: 'A', links }).toJson({ sortKeys: true })).toBe(
      '{"born":null,"class_name":"Author","links":{"a":1,"b":[{"__proto__":3,"constructor":2,"x":1}]},"name":"A"}',
    )
  })

  it('accepts the options of dict', () => {
    expect(full.toJson({ include: ['title'] })).toBe('{"title":"A","class_name":"Book"}')
  })

  it.each<[string, unknown, string, string]>([
    ['a function', () => {}, 'Book.extra', 'a function'],
    ['a class instance', { at: new Date(0) }, 'Book.extra.at', 'an instance of Date'],
    ['a symbol', { s: Symbol('s') }, 'Book.extra.s', 'a symbol'],
  ])('rejects %s with its path', (_, extra, field, kind) => {
    expect(thrownBy(() => new Book({ title: 'A', extra }).toJson())).toMatchObject({
      code: 'serialization',
      field,
      message: `${field}: ${kind} has no JSON form.`,
    })
  })

  it('omits keys whose value is undefined, and writes null for undefined in an array, like JSON.stringify', () => {
    const book = new Book({ title: 'A', extra: { a: undefined, b: [undefined, 1] } })
    expect(JSON.parse(book.toJson()).extra).toEqual({ b: [null, 1] })
    expect(book.toJson()).toBe(JSON.stringify(book))
  })

  it('calls the encoder only for values without JSON form', () => {
    const asked: unknown[] = []
    const encoder = (value: unknown) => {
      asked.push(value)
      return { text: 'a date' }
    }
    const at = new Date(0)
    const extra = [at, 'a', { n: null }, 5n]
    expect(JSON.parse(new Book({ title: 'A', extra }).toJson({ encoder })).extra).toEqual([
      { text: 'a date' },
      'a',
      { n: null },
      5,
    ])
    expect(asked).toEqual([at])
  })

  it('throws if the result of the encoder has no JSON form either', () => {
    expect(
      thrownBy(() => new Book({ title: 'A', extra: new Date(0) }).toJson({ encoder: () => new Date(1) })),
    ).toMatchObject({
      field: 'Book.extra',
    })
  })

  it('writes an object with a toDict method by calling the method', () => {
    class Point {
      toDict() {
        return { x: 1 }
      }
    }
    expect(new Book({ title: 'A', extra: new Point() }).toDict()['extra']).toEqual({ x: 1 })
  })
})

const filterSpec = modelSpec(
  JSON.parse(
    JSON.stringify(
      component('Filter', 'Keeps some.', {
        cutoff: Integer({ default: 3 }),
        keepAll: Bool({ extension: true, default: false }),
        maxItems: Integer({ extension: true, minimum: 1, wire: 'limit', default: 10 }),
        tags: List(Text(), { extension: true, default: [] }),
        logger: live({ holds: ['log'], extension: true }),
      }),
    ),
  ),
)

class Filter extends Model {
  declare cutoff: number
  declare keepAll: boolean
  static override spec() {
    return filterSpec
  }
}

describe('extension fields', () => {
  it('are written only when they differ from the default', () => {
    expect(new Filter().toDict()).toEqual({ cutoff: 3, tags: [], class_name: 'Filter' })
    expect(new Filter({ keepAll: false }).toDict()).not.toHaveProperty('keep_all')
    expect(new Filter({ keepAll: true, maxItems: 11 }).toDict()).toMatchObject({ keep_all: true, limit: 11 })
  })

  it('are read like all other fields', () => {
    const filter = Filter.fromDict({ keep_all: true, limit: 11, class_name: 'Filter' })
    expect(filter).toMatchObject({ cutoff: 3, keepAll: true, maxItems: 11 })
    expect(Filter.fromDict(filter.toDict()).equals(filter)).toBe(true)
  })

  it('are included in the JSON Schema on request, and always in the Standard Schema', () => {
    expect(Object.keys(Filter.schema().properties!)).toEqual(['cutoff', 'class_name'])
    const all = ['cutoff', 'keep_all', 'limit', 'tags', 'logger', 'class_name']
    expect(Object.keys(Filter.schema({ extensions: true }).properties!)).toEqual(all)
    expect(Object.keys(Filter['~standard'].jsonSchema.input()['properties'] as object)).toEqual(all)
  })
})
