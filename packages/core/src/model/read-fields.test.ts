import { describe, expect, it } from 'vitest'
import { issuesOf, pathsOf, thrownBy, withProto } from '../../../../tools/thrown.ts'
import { Author, Book, fullOptions, plainBook } from '../../test/sample-models.ts'
import { component, nested } from '../define.ts'
import { modelSpec } from '../field-specs.ts'
import { fields, integer, string } from '../fields.ts'
import { ClassRegistry } from './class-registry.ts'
import { Model } from './model.ts'

describe('fromDict', () => {
  it('reads the result of toDict', () => {
    const { reader, onSale, ...rest } = fullOptions()
    const book = new Book(rest)
    const again = Book.fromDict(book.toDict())
    expect(again.equals(book)).toBe(true)
    expect(again.authors[1]).toBeInstanceOf(Author)
    expect([reader, onSale]).toHaveLength(2)
  })

  it('uses the default for an absent field, and null as a value', () => {
    expect(Book.fromDict({ title: 'A' }).toDict()).toEqual(plainBook)
    expect(pathsOf(() => Book.fromDict({ title: 'A', page_count: null }))).toEqual(['pageCount'])
  })

  it('reads wire names, and aliases if the wire name is absent', () => {
    expect(Book.fromDict({ title: 'A', pageCount: 3 }).pageCount).toBe(100)
    expect(Book.fromDict({ title: 'A', isbn_13: 'b', isbn: 'a' }).isbn).toBe('a')
    expect(Book.fromDict({ title: 'A', isbn: 'a', isbn_no: 'n' }).isbn).toBe('n')
  })

  it('changes neither the data nor the overrides', () => {
    const data = Object.freeze({ ...plainBook })
    const overrides = Object.freeze({ title: 'B' })
    expect(Book.fromDict(data, overrides).title).toBe('B')
  })

  it('prefers overrides, in API names, to the data; they may contain live objects', () => {
    const reader = { read() {} }
    const book = Book.fromDict({ title: 'A', page_count: 'bad' }, { pageCount: 5, reader })
    expect([book.pageCount, book.reader]).toEqual([5, reader])
  })

  it('never reads live objects from data', () => {
    expect(Book.fromDict({ title: 'A', reader: { read: 1 }, on_sale: 'x' }).reader).toBeNull()
  })

  it('rejects data that is not a plain object', () => {
    for (const data of [null, undefined, 'a', 5, [], [['title', 'A']], new Map(), new Author({ name: 'A' })])
      expect(pathsOf(() => Book.fromDict(data))).toEqual([''])
  })

  it('rejects data of another class, and a class name that is not a string', () => {
    const error = thrownBy(() => Book.fromDict({ title: 'A', class_name: 'Author' }))
    expect(error).toMatchObject({
      code: 'class_name_mismatch',
      expected: 'Book',
      received: 'Author',
      message: 'Book: the data is of class "Author".',
    })
    expect(issuesOf(() => Book.fromDict({ title: 'A', class_name: null }))).toEqual([
      { path: 'class_name', message: 'expected a string, received null', code: 'type' },
    ])
  })

  it('ignores hostile keys', () => {
    expect(Book.fromDict({ title: 'A', ...withProto() }).toDict()).toEqual(plainBook)
    expect(pathsOf(() => Book.fromDict(JSON.parse('{"__proto__": {"title": "A"}}')))).toEqual(['title'])
  })

  it('reports issues in nested data together with those of the outer fields, in API names', () => {
    expect(
      pathsOf(() =>
        Book.fromDict({
          page_count: 0,
          authors: [{ name: 'A' }, { born: 'x' }],
          editor: { name: 5 },
          formats: { a: { cover: 'x' } },
        }),
      ),
    ).toEqual(['title', 'pageCount', 'authors[1].name', 'authors[1].born', 'editor.name', 'formats.a.cover'])
  })

  it('rejects nested data of a class that the field does not allow', () => {
    expect(thrownBy(() => Book.fromDict({ title: 'A', editor: { class_name: 'Book' } }))).toMatchObject({
      code: 'unknown_class_name',
      message: expect.stringMatching(/^Book\.editor: no class is registered for "Book"/),
    })
    const registry = new ClassRegistry([Book])
    expect(
      issuesOf(() => Book.fromDict({ title: 'A', editor: { title: 'B', class_name: 'Book' } }, {}, { registry })),
    ).toEqual([{ path: 'editor', message: 'expected Author, received an instance of Book', code: 'type' }])
  })

  it('keeps a subclass that the registry contains', () => {
    class Poet extends Author {
      static override className() {
        return 'Poet'
      }
    }
    const registry = new ClassRegistry([Poet])
    const book = new Book({ title: 'A', authors: [new Poet({ name: 'P' })] })
    const again = Book.fromDict(book.toDict(), {}, { registry })
    expect(again.authors[0]).toBeInstanceOf(Poet)
    expect(again.equals(book)).toBe(true)
  })
})

describe('components recognized by their methods', () => {
  const spec = modelSpec(
    JSON.parse(JSON.stringify(component('Search', '', { model: nested({ holds: ['getTextEmbedding'] }) }))),
  )
  class Search extends Model {
    declare model: Model
    static override spec() {
      return spec
    }
  }
  class Fixed extends fields(Model, 'Fixed', {
    modelName: string({ default: 'unknown' }),
    embedBatchSize: integer({ exclusiveMinimum: 0, default: 10 }),
  }) {
    async getTextEmbedding() {
      return [1]
    }
  }
  const search = new Search({ model: new Fixed({ modelName: 'm' }) })
  const registry = new ClassRegistry([Fixed])

  it('are read by the registry or passed in overrides', () => {
    const dict = search.toDict()
    expect(Search.fromDict(dict, {}, { registry }).equals(search)).toBe(true)
    expect(Search.fromDict(dict, { model: search.model }).model).toBe(search.model)
    expect(Search.parseObj(dict, { registry }).equals(search)).toBe(true)
    expect(Search.fromJson(search.toJson(), {}, { registry }).equals(search)).toBe(true)
  })

  it('throw unknown_class_name without a registry and overrides', () => {
    expect(thrownBy(() => Search.fromDict(search.toDict()))).toMatchObject({
      code: 'unknown_class_name',
      className: 'Fixed',
      message: expect.stringMatching(/^Search\.model: /),
    })
    expect(thrownBy(() => Search.fromDict({ model: {} }))).toMatchObject({ className: null })
    expect(issuesOf(() => Search.fromDict({ model: { class_name: 5 } }))).toMatchObject([{ path: 'class_name' }])
  })

  it('report their own issues', () => {
    expect(
      pathsOf(() =>
        Search.fromDict({ model: { class_name: 'Fixed', embed_batch_size: 0, model_name: 1 } }, {}, { registry }),
      ),
    ).toEqual(['model.modelName', 'model.embedBatchSize'])
  })
})
