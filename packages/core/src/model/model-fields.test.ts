import { Integer, String as Text } from 'typebox'
import { describe, expect, it } from 'vitest'
import { issuesOf, pathsOf, thrownBy, withProto } from '../../../../tools/thrown.ts'
import { Author, Book, Format, fullOptions, plainBook } from '../../test/sample-models.ts'
import { anything, component, freeForm, live } from '../define.ts'
import { modelSpec } from '../field-specs.ts'
import { array, fields, nested, nullable, oneOf, string } from '../fields.ts'
import type { Check } from './check-value.ts'
import { Model } from './model.ts'

const json = (schema: unknown) => JSON.parse(JSON.stringify(schema))

const book = (options: object) => () => new Book(options)

describe('construction', () => {
  it('assigns the passed fields, and defaults to the others', () => {
    const options = fullOptions()
    expect(new Book(options)).toMatchObject(options)
    expect(new Book({ title: 'A' }).toDict()).toEqual(plainBook)
  })

  it('reports all failing fields at once, in field order, with path, expected and received type', () => {
    expect(
      issuesOf(
        book({
          pageCount: 0.5,
          rating: 6,
          kind: 'poem',
          inPrint: 'yes',
          tags: ['a', 1, null],
          notes: [],
          isbn: 5,
          authors: [{ name: 'Ana' }, { name: 1 }, 'Bo'],
          editor: new Format(),
          formats: { first: { cover: 'none' } },
          reader: { write() {} },
          onSale: 'now',
        }),
      ),
    ).toMatchInlineSnapshot(`
      [
        {
          "code": "required",
          "message": "required, but missing",
          "path": "title",
        },
        {
          "code": "type",
          "message": "expected an integer, received 0.5",
          "path": "pageCount",
        },
        {
          "code": "bound",
          "message": "expected a number at most 5, received 6",
          "path": "rating",
        },
        {
          "code": "enum",
          "message": "expected one of "novel", "essay", received "poem"",
          "path": "kind",
        },
        {
          "code": "type",
          "message": "expected a boolean, received a string",
          "path": "inPrint",
        },
        {
          "code": "type",
          "message": "expected a string, received 1",
          "path": "tags[1]",
        },
        {
          "code": "type",
          "message": "expected a string, received null",
          "path": "tags[2]",
        },
        {
          "code": "type",
          "message": "expected an object, received an array",
          "path": "notes",
        },
        {
          "code": "type",
          "message": "expected a string or null, received 5",
          "path": "isbn",
        },
        {
          "code": "type",
          "message": "expected a string, received 1",
          "path": "authors[1].name",
        },
        {
          "code": "type",
          "message": "expected Author, received a string",
          "path": "authors[2]",
        },
        {
          "code": "type",
          "message": "expected Author, received an instance of Format",
          "path": "editor",
        },
        {
          "code": "enum",
          "message": "expected one of "hard", "soft", received "none"",
          "path": "formats.first.cover",
        },
        {
          "code": "type",
          "message": "expected an object with the method read, received an object",
          "path": "reader",
        },
        {
          "code": "type",
          "message": "expected a function, received a string",
          "path": "onSale",
        },
      ]
    `)
  })

  it('names the class and the field in the message', () => {
    expect((thrownBy(book({ title: 5 })) as Error).message).toBe('Book.title: expected a string, received 5.')
    expect((thrownBy(book({})) as Error).message).toBe('Book.title: required, but missing.')
  })

  it('does not quote a received string, because it may be private', () => {
    expect((thrownBy(book({ title: 'A', rating: 'secret' })) as Error).message).not.toContain('secret')
  })

  it('shows what is not one of an enumeration, unless the field is secret by its name', () => {
    class Server extends fields(Model, 'Server', {
      mode: oneOf(['on', 'off']),
      apiKey: nullable(oneOf(['test', 'demo'])),
      ports: array(oneOf(['a', 'b']), { default: [] }),
    }) {}
    const messageOf = (options: object) =>
      (thrownBy(() => new Server({ mode: 'on', ...options } as never)) as Error).message
    expect(messageOf({ mode: 'onn' })).toBe('Server.mode: expected one of "on", "off", received "onn".')
    expect(messageOf({ mode: 'o'.repeat(500) })).toContain(`received "${'o'.repeat(20)}…".`)
    expect(messageOf({ mode: 5 })).toContain('received 5.')
    expect(messageOf({ apiKey: 'sk-1' })).toContain('received a string.')
    expect(messageOf({ ports: ['a', 'c'] })).toBe('Server.ports[1]: expected one of "a", "b", received "c".')
  })

  it('leads from the names of other libraries to the field', () => {
    const text = string({ otherNames: ['pageContent'], aliases: ['body_text'], default: '' })
    class Page extends fields(Model, 'Page', { text }) {}
    expect((thrownBy(() => new Page({ pageContent: 'A' } as never)) as Error).message).toBe(
      'Page.pageContent: unknown option; did you mean text?.',
    )
    expect(() => new Page({ body_text: 'A' } as never)).toThrow('Page.body_text: unknown option; did you mean text?.')
  })

  it.each([
    ['text for a number', { rating: '4' }],
    ['a fraction for an integer', { pageCount: 3.7 }],
    ['true for an integer', { pageCount: true }],
    ['1 for a boolean', { inPrint: 1 }],
    ['"yes" for a boolean', { inPrint: 'yes' }],
    ['a number for a string', { title: 5 }],
    ['a set for an array', { tags: new Set(['a']) }],
    ['a string for an array', { tags: 'a' }],
    ['pairs for an object', { notes: [['a', 1]] }],
    ['a map for an object', { notes: new Map() }],
    ['a class instance for an object', { notes: new Date(0) }],
    ['another case of an enumeration', { kind: 'Novel' }],
    ['NaN', { rating: Number.NaN }],
    ['infinity', { rating: Infinity }],
    ['a bigint', { pageCount: 3n }],
  ])('does not convert %s', (_, options) => {
    expect(pathsOf(book({ title: 'A', ...options }))).toEqual([Object.keys(options)[0]])
  })

  it('accepts 3.0 as an integer, and keeps 0, false and an empty string', () => {
    expect(new Book({ title: '', pageCount: 3.0, inPrint: false, extra: 0 })).toMatchObject({
      title: '',
      pageCount: 3,
      inPrint: false,
      extra: 0,
    })
  })

  it('checks bounds exactly', () => {
    expect(pathsOf(book({ title: 'A', rating: 0 }))).toEqual(['rating'])
    expect(pathsOf(book({ title: 'A', rating: 5.1, pageCount: 0 }))).toEqual(['pageCount', 'rating'])
    expect(new Book({ title: 'A', rating: 5, pageCount: 1 })).toMatchObject({ rating: 5, pageCount: 1 })
  })

  it('accepts null only for a nullable field; an absent field has its default', () => {
    expect(new Book({ title: 'A', rating: null, editor: null, reader: null, isbn: undefined }).rating).toBeNull()
    expect(pathsOf(book({ title: null, pageCount: null, tags: null, notes: null, authors: null }))).toEqual([
      'title',
      'pageCount',
      'tags',
      'notes',
      'authors',
    ])
  })

  it('rejects options that are not an object', () => {
    for (const options of ['text', 5, []]) expect(pathsOf(() => new Book(options as never))).toEqual([''])
  })

  it('creates new containers for each instance', () => {
    new Book({ title: 'A' }).tags.push('x')
    ;(new Book({ title: 'A' }).notes as Record<string, unknown>)['x'] = 1
    expect(new Book({ title: 'A' }).toDict()).toEqual(plainBook)
  })

  it('does not validate defaults', () => {
    const spec = modelSpec(
      JSON.parse(JSON.stringify(component('Odd', '', { size: { type: 'integer', minimum: 1, default: 0 } }))),
    )
    class Odd extends Model {
      static override spec() {
        return spec
      }
    }
    expect(new Odd().toDict()).toEqual({ size: 0, class_name: 'Odd' })
    expect(Odd.validate(new Odd()).toDict()).toEqual({ size: 0, class_name: 'Odd' })
    expect(pathsOf(() => new Odd({ size: 0 }))).toEqual(['size'])
  })

  it('copies a default that is not empty for each instance, at every depth', () => {
    const spec = modelSpec(
      JSON.parse(JSON.stringify(component('Menu', '', { courses: { default: [['soup'], { main: ['rice'] }] } }))),
    )
    class Menu extends Model {
      declare courses: [string[], { main: string[] }]
      static override spec() {
        return spec
      }
    }
    const menu = new Menu()
    menu.courses[0].push('bread')
    menu.courses[1].main.push('beans')
    expect(new Menu().courses).toEqual([['soup'], { main: ['rice'] }])
  })

  it('reports the path of each issue, also after issues deep inside another field', () => {
    expect(pathsOf(book({ title: 'A', tags: ['x', 1], formats: { a: { cover: 1 } }, isbn: 5 }))).toEqual([
      'tags[1]',
      'isbn',
      'formats.a.cover',
    ])
  })

  it('copies containers one level deep and shares deeper values', () => {
    const options = fullOptions()
    const made = new Book(options)
    options.tags.push('later')
    ;(options.notes as Record<string, unknown>)['later'] = 1
    options.authors.pop()
    expect(made.tags).toEqual(['x', 'y'])
    expect(made.notes).toEqual({ a: { b: [1] } })
    expect(made.notes['a']).toBe(options.notes.a)
    expect(made.authors).toHaveLength(2)
    expect(made.authors[0]).toBe(options.authors[0])
  })

  it('creates nested models from their options, at any place', () => {
    const made = new Book({ title: 'A', authors: [{ name: 'Ana' }], editor: { name: 'Ed' }, formats: { a: {} } })
    expect(made.authors[0]).toBeInstanceOf(Author)
    expect(made.editor).toBeInstanceOf(Author)
    expect(made.formats['a']).toBeInstanceOf(Format)
  })

  it('reads a nested model without the name of its class as the class that the field returns for its data', () => {
    class Leaflet extends Book {
      static override nested(): never {
        const unnamed = (data: object) => ('cover' in data ? Format : Author)
        return { ...super.nested(), editor: { classes: [Author, Format], unnamed } } as never
      }
    }
    for (const editor of [new Format({ cover: 'hard' }), new Author({ name: 'Ed' })]) {
      const { class_name: _, ...data } = editor.toDict()
      expect(Leaflet.fromDict({ title: 'A', editor: data }).editor).toEqual(editor)
    }
  })

  it('rejects an array for a single nested model, and arrays in arrays', () => {
    expect(issuesOf(book({ title: 'A', editor: [new Author({ name: 'Ana' })] }))).toEqual([
      { path: 'editor', message: 'expected Author, received an array', code: 'type' },
    ])
    expect(pathsOf(book({ title: 'A', editor: [], authors: [[{ name: 'Ana' }]] }))).toEqual(['authors[0]', 'editor'])
    expect(pathsOf(() => Book.fromDict({ title: 'A', editor: [{ name: 'Ana' }] }))).toEqual(['editor'])
  })

  it('accepts arrays of nested models as values of an object', () => {
    const made = new Book({ title: 'A', formats: { a: [{ cover: 'hard' }, new Format()] } })
    expect(made.formats['a']).toEqual([new Format({ cover: 'hard' }), new Format()])
    expect(pathsOf(book({ title: 'A', formats: { a: [{}, { cover: 1 }] } }))).toEqual(['formats.a[1].cover'])
  })

  it('rejects null in an array of nested models, and accepts it for an optional one', () => {
    expect(pathsOf(book({ title: 'A', authors: [null, { name: 'Ana' }], formats: { a: null } }))).toEqual([
      'authors[0]',
      'formats.a',
    ])
    expect(new Book({ title: 'A', editor: null }).editor).toBeNull()
  })

  it('creates a nullable nested model from its options or data, unless it is null', () => {
    class Shelf extends fields(Model, 'Shelf', { best: nullable(nested(Author)) }) {}
    for (const make of [
      (best: object | null) => new Shelf({ best } as never),
      (best: object | null) => Shelf.fromDict({ best }),
    ]) {
      expect(make({ name: 'Ana' }).best).toEqual(new Author({ name: 'Ana' }))
      expect(make(null).best).toBeNull()
    }
  })

  it('makes fields with bounds read-only, and no others', () => {
    const made = new Book({ title: 'A' })
    made.title = 'B'
    expect(made.title).toBe('B')
    expect(() => ((made as { pageCount: number }).pageCount = 0)).toThrow(TypeError)
  })

  it('refuses unknown names, with the most similar one', () => {
    expect(issuesOf(book({ title: 'A', pagecount: 3, tag: 1, elsewhere: 1, left: undefined, kind: 'poem' }))).toEqual([
      { path: 'kind', message: 'expected one of "novel", "essay", received "poem"', code: 'enum' },
      { path: 'pagecount', message: 'unknown option; did you mean pageCount?', code: 'unknown' },
      { path: 'tag', message: 'unknown option; did you mean tags?', code: 'unknown' },
      { path: 'elsewhere', message: 'unknown option', code: 'unknown' },
    ])
    expect(pathsOf(book({ title: 'A', ...withProto() }))).toEqual([
      '__proto__',
      'constructor',
      'toString',
      'hasOwnProperty',
    ])
    expect(pathsOf(book({ title: 'A', authors: [{ name: 'A', nam: 'B' }] }))).toEqual(['authors[0].nam'])
  })

  it('ignores unknown names of data, which a newer version may have written', () => {
    expect(Book.fromDict({ title: 'A', pages: 3, ...withProto() }).toDict()).toEqual(plainBook)
  })

  it('keeps keys such as __proto__ in free-form data as ordinary keys', () => {
    const notes = withProto()
    const made = new Book({
      title: 'A',
      notes,
      extra: withProto(),
      formats: JSON.parse('{"__proto__": {"cover": "hard"}}'),
    })
    expect(Object.keys(made.notes)).toEqual(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])
    expect(Object.getPrototypeOf(made.notes)).toBe(Object.prototype)
    expect(Object.keys(made.formats)).toEqual(['__proto__'])
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    const text = made.toJson()
    expect(Book.fromJson(text).toJson()).toBe(text)
    expect(Book.fromDict(made.toDict()).equals(made)).toBe(true)
  })

  it('requires the methods of live objects', () => {
    const own = Object.create({ read() {} })
    expect(new Book({ title: 'A', reader: own }).reader).toBe(own)
    expect(issuesOf(book({ title: 'A', reader: 'text', onSale: {} }))).toEqual([
      { path: 'reader', message: 'expected an object with the method read, received a string', code: 'type' },
      { path: 'onSale', message: 'expected a function, received an object', code: 'type' },
    ])
  })

  it('rejects null for a required live object', () => {
    const spec = modelSpec(JSON.parse(JSON.stringify(component('Needy', '', { store: live({ required: true }) }))))
    class Needy extends Model {
      static override spec() {
        return spec
      }
    }
    expect(issuesOf(() => new Needy({ store: null }))).toMatchObject([{ path: 'store', code: 'type' }])
    expect(new Needy({ store: 5 })).toMatchObject({ store: 5 })
  })

  it('lists the methods that a live object lacks', () => {
    const messages = ([[], ['read'], ['read', 'write']] as const).map((holds) => {
      const spec = modelSpec(json(component('Needy', '', { store: live({ holds: [...holds], required: true }) })))
      class Needy extends Model {
        static override spec() {
          return spec
        }
      }
      return issuesOf(() => new Needy({ store: null }))[0]!.message
    })
    expect(messages).toEqual([
      'expected an object, received null',
      'expected an object with the method read, received null',
      'expected an object with the methods read, write, received null',
    ])
  })

  it('reports null for a required nested model once, and the issues of a nested model once', () => {
    class Shelf extends fields(Model, 'Shelf', { best: nested(Author), others: array(nested(Author)) }) {}
    expect(issuesOf(() => new Shelf({ best: null, others: [] } as never))).toEqual([
      { path: 'best', message: 'expected an object, received null', code: 'type' },
    ])
    expect(issuesOf(() => Shelf.fromDict({ best: { name: 5 }, others: [] }))).toEqual([
      { path: 'best.name', message: 'expected a string, received 5', code: 'type' },
    ])
  })

  it('computes the defaults of absent fields without a default of the schema', () => {
    const spec = modelSpec(
      json(
        component('Page', '', {
          id: { ...json(Text()), default: null },
          label: Text({ default: 'a' }),
          size: Integer(),
        }),
      ),
    )
    let made = 0
    class Page extends Model {
      declare id: string
      static override spec() {
        return spec
      }
      static override makeDefault = (field: string) => `${field}-${made++}`
    }
    const pages = [new Page({ size: 1 }), new Page({ size: 1, id: 'own' }), new Page({ size: 1 })]
    expect(pages.map((page) => ({ ...page }))).toEqual(
      ['id-0', 'own', 'id-1'].map((id) => ({ id, label: 'a', size: 1 })),
    )
  })

  it('accepts data that is not JSON where the field says so', () => {
    const free = {
      data: freeForm(),
      state: freeForm({ json: false }),
      any: anything(),
      plain: anything({ json: true }),
    }
    const spec = modelSpec(json(component('Page', '', free)))
    class Page extends Model {
      static override spec() {
        return spec
      }
    }
    const page = (options: Record<string, unknown>) => pathsOf(() => new Page(options))
    const made = () => 1
    const isJson = { data: { a: [1] }, state: { a: 'b' }, any: 'c', plain: { d: null } }
    expect(new Page(isJson)).toMatchObject(isJson)
    expect(page({ data: { made }, state: { made }, any: made, plain: { made } })).toEqual(['data.made', 'plain.made'])
    expect(page({ ...isJson, state: [], plain: made })).toEqual(['state', 'plain'])
  })

  it('asks for the defaults of the fields that makeDefault names, and of all without names', () => {
    const text = { ...json(Text()), default: null }
    const spec = modelSpec(json(component('Page', '', { id: text, note: text })))
    const asked: string[] = []
    const make = (field: string) => asked.push(field) && null
    class Page extends Model {
      static override spec() {
        return spec
      }
      static override makeDefault: typeof Model.makeDefault = make
    }
    class Named extends Page {
      static override makeDefault = Object.assign((field: string) => make(`named ${field}`), { fields: ['id'] })
    }
    new Page()
    new Named()
    expect(asked).toEqual(['id', 'note', 'named id'])
  })

  it('checks strings with the check of the field or of the class', () => {
    const spec = modelSpec(json(component('Page', '', { label: Text(), title: Text({ default: '' }) })))
    const upper: Check = (value, report) => {
      if (value !== String(value).toUpperCase()) report.add('upper case', value)
    }
    class Page extends Model {
      static override spec() {
        return { ...spec, fields: { ...spec.fields, label: { ...spec.fields['label']!, check: () => upper } } }
      }
    }
    class Loud extends Model {
      static override spec() {
        return { ...spec, check: () => upper }
      }
    }
    expect(pathsOf(() => new Page({ label: 'a', title: 'a' }))).toEqual(['label'])
    expect(pathsOf(() => new Loud({ label: 'a', title: 'a' }))).toEqual(['label', 'title'])
    expect(new Loud({ label: 'A' }).toDict()).toMatchObject({ label: 'A', title: '' })
  })
})

it('knows which options were passed to each instance', () => {
  const passed = (options: object) => Object.keys(new Book(options).toDict({ excludeUnset: true }))
  expect(passed({ kind: 'essay', title: 'A' })).toEqual(['title', 'kind', 'class_name'])
  expect(passed({ title: 'A' })).toEqual(['title', 'class_name'])
  expect(passed({ title: 'A', tags: undefined, isbn: '1' })).toEqual(['title', 'isbn_no', 'class_name'])
  expect(passed({ title: 'A', kind: 'essay', isbn: '1' })).toEqual(['title', 'kind', 'isbn_no', 'class_name'])
})

describe('a class field with the name of a model field', () => {
  const pageSpec = modelSpec(json(component('Page', 'A page.', { label: Text(), size: Integer({ minimum: 1 }) })))
  abstract class PageModel extends Model {
    static override spec() {
      return pageSpec
    }
  }

  it('throws instead of overwriting the value, every time', () => {
    class Page extends PageModel {
      label!: string
    }
    for (let count = 0; count < 3; count++)
      expect(() => new Page({ label: 'A', size: 1 })).toThrow(new TypeError('Cannot redefine property: label'))
    class Sized extends PageModel {
      readonly size!: number
    }
    expect(() => new Sized({ label: 'A', size: 1 })).toThrow(new TypeError('Cannot redefine property: size'))
  })

  it('is looked for in the first 20 instances of a class', () => {
    class Page extends PageModel {}
    const found = Array.from({ length: 21 }, () => {
      const { label, size } = Object.getOwnPropertyDescriptors(new Page({ label: 'A', size: 1 }))
      return [label!.configurable, size!.configurable]
    })
    expect(found).toEqual([...Array(20).fill([false, false]), [true, true]])
  })

  it('is allowed with `declare`; other class fields, assignments and validate work', () => {
    class Page extends PageModel {
      declare label: string
      marks = 0
    }
    const page = new Page({ label: 'A', size: 1 })
    page.label = 'B'
    expect({ ...page }).toEqual({ label: 'B', size: 1, marks: 0 })
    expect(Page.validate(page).label).toBe('B')
    expect(page.copy({ update: { size: 2 } as object }).toDict()).toMatchObject({ size: 2 })
  })
})
