import { describe, expect, it } from 'vitest'
import { pathsOf, thrownBy } from '../../../../tools/thrown.ts'
import { describeRoundTrips } from '../../../core-model/test/arbitrary-model.ts'
import { Author, Book, Format, fullOptions, plainBook } from '../../test/sample-models.ts'
import { NotSupportedError } from '../errors.ts'
import { Model } from './model.ts'

const full = () => new Book(fullOptions())
const setOf = (model: Model) => [...model.fieldsSet].sort()

describe('fieldsSet', () => {
  it('contains the fields that were passed, also if the value equals the default', () => {
    expect(setOf(new Book({ title: 'A', pageCount: 100, kind: undefined, rating: null }))).toEqual([
      'pageCount',
      'rating',
      'title',
    ])
  })
})

describe('construct', () => {
  it('assigns values unchanged, without validation, conversion or nested models', () => {
    const values = { title: 5, rating: 99, editor: { name: 'plain' }, notes: { a: 1 } }
    const book = Book.construct(values)
    expect(book).toBeInstanceOf(Book)
    expect(book).toMatchObject(values)
    expect(book.notes).toBe(values.notes)
    expect(book.pageCount).toBe(100)
  })

  it('leaves a required field absent, and copies defaults', () => {
    const book = Book.construct({})
    expect(book.title).toBeUndefined()
    expect(book.toDict()).not.toHaveProperty('title')
    book.tags.push('x')
    expect(Book.construct().tags).toEqual([])
  })

  it('does not change its input', () => {
    const values = Object.freeze({ title: 'A' })
    expect(Book.construct(values).toDict()).toEqual(plainBook)
    expect(Object.keys(values)).toEqual(['title'])
  })

  it('drops unknown names', () => {
    expect(Object.keys(Book.construct({ title: 'A', other: 1 }))).not.toContain('other')
  })

  it('marks the passed fields as set, or those in fieldsSet', () => {
    expect(setOf(Book.construct({ title: 'A', kind: 'novel' }))).toEqual(['kind', 'title'])
    expect(setOf(Book.construct({ title: 'A' }, ['rating']))).toEqual(['rating'])
    expect(setOf(Book.construct({ title: 'A' }, []))).toEqual([])
  })

  it('does not run subclass constructors', () => {
    class Loud extends Author {
      constructor(options: { name: string }) {
        super(options)
        throw new Error('ran')
      }
    }
    expect(Loud.construct({ name: 'A' }).name).toBe('A')
  })
})

describe('options of methods', () => {
  const methods = [
    ['copy', (options: object) => full().copy(options)],
    ['toDict', (options: object) => full().toDict(options)],
    ['dict', (options: object) => full().dict(options)],
    ['toJson', (options: object) => full().toJson(options)],
  ] as const
  it.each(methods)('%s refuses an option that it does not have', (_, call) => {
    expect(pathsOf(() => call({ exlude: ['title'] }))).toEqual(['exlude'])
    expect(thrownBy(() => call({ exlude: ['title'] }))).toMatchObject({ code: 'model_validation' })
    expect(() => call({ exclude: ['title'], other: undefined })).not.toThrow()
  })

  it.each([
    [
      'include, exclude: expected field names, received a string.',
      () => full().toDict({ exclude: 'title' as never }),
      () => full().copy({ include: 'title' as never }),
    ],
    [
      'Author.line: expected "0.13.6" or another release, received ',
      () => new Author({ name: 'A' }).toDict({ line: 0.13 as never }),
      () => new Author({ name: 'A' }).toJson({ line: (() => {}) as never }),
    ],
    [
      'Book: expected an object of options, received null.',
      () => Book.fromDict({ title: 'A' }, null as never),
      () => Book.fromJson('{"title":"A"}', null as never),
      () => Book.fromDict({ title: 'A' }, {}, null as never),
      () => Book.parseObj({ title: 'A' }, null as never),
    ],
    [
      'pass a registry that knows it',
      () => Book.fromDict({ title: 'A', editor: { class_name: 'Other' } }, {}, { registry: [Author] as never }),
    ],
    ['Book: expected an object of options (', () => Book.construct(null as never), () => Book.construct(5 as never)],
  ])('%s', (message, ...calls) => {
    for (const call of calls) expect(call).toThrow(message)
  })

  it('a schema as JSON needs no options, like the schema', () => {
    expect(Book.schemaJson(null as never)).toBe(Book.schemaJson())
  })
})

describe('fromDict', () => {
  it('keeps the data of another form as it was read, also in a copy, and not enumerable', () => {
    class Renamed extends Book {
      protected static override wireForm({ name }: Record<string, unknown>) {
        return { title: name }
      }
    }
    const data = { name: 'A' }
    const book = Renamed.fromDict(data)
    expect([book.title, book['~read'], book.copy()['~read'], Object.keys(book).includes('~read')]).toEqual([
      'A',
      data,
      data,
      false,
    ])
    expect(Book.fromDict({ title: 'A' })['~read']).toBe(undefined)
  })
})

describe('copy', () => {
  it('refuses an update of a field that does not exist, and null', () => {
    const wrong = { update: { titel: 'B', isbn: undefined } } as object
    expect(() => full().copy(wrong)).toThrow('Book.copy.update.titel: unknown option; did you mean title?')
    expect(() => full().copy({ update: { toString: 5 } as never })).toThrow('Book.copy.update.toString')
    for (const method of ['copy', 'toDict', 'toJson', 'json'] as const)
      expect(() => full()[method](null as never)).toThrow(expect.objectContaining({ code: 'model_validation' }))
  })

  it('returns an equal instance of the same class with the same fieldsSet', () => {
    const book = full()
    const copy = book.copy()
    expect(copy).not.toBe(book)
    expect(copy).toBeInstanceOf(Book)
    expect(copy.equals(book)).toBe(true)
    expect(setOf(copy)).toEqual(setOf(book))
    expect(() => ((copy as { pageCount: number }).pageCount = 1)).toThrow(TypeError)
  })

  it('shares nested values, unless it is deep', () => {
    const book = full()
    expect(book.copy().notes).toBe(book.notes)
    const deep = book.copy({ deep: true })
    deep.notes['later'] = 1
    deep.tags.push('z')
    deep.editor!.links['later'] = 1
    deep.authors[0]!.name = 'changed'
    deep.formats['first']!.cover = 'soft'
    expect(book.toDict()).toEqual(full().toDict())
  })

  it('contains the selected fields; others are absent', () => {
    const copy = full().copy({ include: ['title', 'isbn_no', 'kind'], exclude: ['kind'] })
    expect(copy.toDict()).toEqual({ title: 'A', isbn_no: '978', class_name: 'Book' })
    expect(copy.pageCount).toBeUndefined()
    expect(setOf(copy)).toEqual(['isbn', 'onSale', 'reader', 'title'])
    expect(Object.keys(full().copy({ include: [] }).toDict())).toEqual(['class_name'])
  })

  it('selects parts of free-form data and nested models', () => {
    const book = full()
    const copy = book.copy({ include: { authors: { __all__: ['name'] }, notes: { a: true } } })
    expect(copy.authors.map((author) => author.toDict())).toEqual([
      { name: 'Ana', class_name: 'Author' },
      { name: 'Bo', class_name: 'Author' },
    ])
    expect(copy.notes).toEqual({ a: { b: [1] } })
    expect(book.copy({ exclude: { editor: ['links'] } }).editor).toBeInstanceOf(Author)
    expect(book.toDict()).toEqual(full().toDict())
  })

  it('always shares live objects, even in a deep copy', () => {
    const book = full()
    for (const options of [{}, { deep: true }, { include: [] }, { exclude: ['reader', 'onSale'] }]) {
      expect(book.copy(options).reader).toBe(book.reader)
      expect(book.copy(options).onSale).toBe(book.onSale)
    }
  })

  it('applies updates without validation, and marks them as set', () => {
    const copy = new Book({ title: 'A' }).copy({ exclude: ['kind'], update: { kind: 'essay', rating: 99 } })
    expect(copy).toMatchObject({ kind: 'essay', rating: 99 })
    expect(setOf(copy)).toEqual(['kind', 'rating', 'title'])
  })

  it('ignores updates that are undefined', () => {
    const copy = full().copy({ update: { title: undefined, other: undefined } as never })
    expect(copy.title).toBe('A')
    expect(Object.keys(copy)).toEqual(Object.keys(full()))
  })

  it('shares further own properties, without running subclass constructors', () => {
    class Client extends Author {
      readonly connection = { open: true }
      constructor(options: { name: string }) {
        super(options)
        made += 1
      }
    }
    let made = 0
    const client = new Client({ name: 'A' })
    const copy = client.copy({ deep: true })
    expect(copy.connection).toBe(client.connection)
    expect(made).toBe(1)
  })
})

describe('validate', () => {
  it('reads data in wire form', () => {
    expect(Book.validate({ title: 'A', class_name: 'Book' }).toDict()).toEqual(plainBook)
    expect(Book.parseObj({ title: 'A' }).toDict()).toEqual(plainBook)
    for (const value of [null, 'a', [['title', 'A']], new Author({ name: 'A' })])
      expect(pathsOf(() => Book.validate(value))).toEqual([''])
  })

  it('returns an independent instance with the same values and fieldsSet', () => {
    const book = full()
    const result = Book.validate(book)
    expect(result).not.toBe(book)
    expect(result.equals(book)).toBe(true)
    expect(setOf(result)).toEqual(setOf(book))
    expect(result.reader).toBe(book.reader)
    result.title = 'B'
    result.tags.push('z')
    result.notes['z'] = 1
    expect(book.toDict()).toEqual(full().toDict())
  })

  it('validates values that were assigned after construction', () => {
    const book = new Book({ title: 'A' })
    Object.assign(book, { kind: 'poem', tags: [1] })
    expect(pathsOf(() => Book.validate(book))).toEqual(['kind', 'tags[0]'])
    expect(pathsOf(() => Book.validate(Book.construct({})))).toEqual(['title'])
  })
})

describe('equals', () => {
  it('compares the wire form, without live objects', () => {
    expect(new Book({ title: 'A' }).equals(new Book({ title: 'A', pageCount: 100, reader: { read() {} } }))).toBe(true)
    expect(new Book({ title: 'A' }).equals(new Book({ title: 'B' }))).toBe(false)
    expect(
      new Book({ title: 'A', notes: { a: 1, b: 2 } }).equals(new Book({ title: 'A', notes: { b: 2, a: 1 } })),
    ).toBe(true)
    expect(new Author({ name: 'A' }).equals({ ...new Author({ name: 'A' }).toDict() })).toBe(false)
    expect(new Format().equals(null)).toBe(false)
  })
})

describe('a class', () => {
  it('has a class name that is independent of its name in code', () => {
    class A extends Book {}
    expect([Book.className(), A.className()]).toEqual(['Book', 'Book'])
  })

  it('throws not_supported without fields, and as a query component', () => {
    class Bare extends Model {}
    expect(() => new Bare()).toThrow(NotSupportedError)
    expect(thrownBy(() => new Format().asQueryComponent())).toMatchObject({
      code: 'not_supported',
      message: 'Format cannot be a query component.',
    })
  })
})

describe('~standard', () => {
  /** A consumer that knows only the Standard Schema interface. */
  function parse(
    schema: {
      readonly '~standard': {
        version: 1
        vendor: string
        validate(
          value: unknown,
        ):
          | { value: unknown; issues?: undefined }
          | { issues: readonly { message: string; path?: readonly PropertyKey[] }[] }
      }
    },
    value: unknown,
  ) {
    const { version, vendor, validate } = schema['~standard']
    expect([version, vendor]).toEqual([1, '@x'])
    const result = validate(value)
    return result.issues ? result.issues.map(({ path = [], message }) => [path, message]) : result.value
  }

  it('reads wire data and returns an instance', () => {
    expect(parse(Book, { title: 'A' })).toBeInstanceOf(Book)
  })

  it('reports each issue with its path', () => {
    expect(parse(Book, { page_count: 0, tags: [1], authors: [{ name: 1 }] })).toEqual([
      [['title'], 'required, but missing'],
      [['pageCount'], 'expected a number at least 1, received 0'],
      [['tags', 0], 'expected a string, received 1'],
      [['authors', 0, 'name'], 'expected a string, received 1'],
    ])
    expect(parse(Book, 5)).toEqual([[[], 'expected an object, received 5']])
    expect(parse(Book, { title: 'A', class_name: 'B' })).toEqual([[[], 'Book: the data is of class "B".']])
  })

  it('throws errors that are not caused by the data', () => {
    class Broken extends Format {
      constructor() {
        super()
        throw new RangeError('broken')
      }
    }
    expect(() => parse(Broken, {})).toThrow(RangeError)
  })

  it('returns the JSON Schema of the wire form', () => {
    const { jsonSchema } = Book['~standard']
    expect(jsonSchema.input({ target: 'draft-07' })).toEqual(Book.schema())
    expect(jsonSchema.output()).toEqual(Book.schema())
  })
})

describeRoundTrips({ Author, Book })
