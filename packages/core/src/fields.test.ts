import fc from 'fast-check'
import { Integer, String as Text, Tuple } from 'typebox'
import { describe, expect, it } from 'vitest'
import { issuesOf, pathsOf, thrownBy } from '../../../tools/thrown.ts'
import { describeRoundTrips } from '../../core-model/test/arbitrary-model.ts'
import {
  anything,
  array,
  boolean,
  fields,
  freeForm,
  integer,
  jsonSchema,
  live,
  nested,
  nestedLazily,
  nullable,
  number,
  oneOf,
  record,
  string,
} from './fields.ts'
import {
  ClassRegistry,
  type ConfigurationError,
  isInstance,
  Model,
  type ModelClass,
  type ModelValidationError,
} from './index.ts'
import { typebox } from './runtime.ts'

class Shelf extends fields(
  Model,
  'Shelf',
  {
    label: string({ pattern: '^[A-Z]', description: 'What the label says.' }),
    maxBooks: integer({ minimum: 1, default: 40 }),
    room: nullable(string(), { wire: 'room_name', aliases: ['room'] }),
    open: boolean({ default: false }),
    kind: oneOf(['tall', 'wide'], { default: 'tall' }),
    level: nullable(oneOf([1, 2])),
    tags: array(string({ minLength: 1 }), { default: [] }),
    weights: record(number(), { default: {} }),
    seats: record(integer(), { keys: ['left', 'right'], default: {} }),
    notes: freeForm({ default: {} }),
    extra: anything({ default: null }),
  },
  { description: 'A place for books.' },
) {
  get free() {
    return this.maxBooks - 1
  }
}

class Rack extends fields(Shelf, 'Rack', { depth: number() }) {
  override get free() {
    return super.free * this.depth
  }
}

class Tree extends fields(Model, 'Tree', {
  value: number(),
  children: array(
    nestedLazily<Tree>((): ModelClass => Tree),
    { default: [] },
  ),
}) {}

class Library extends fields(Model, 'Library', {
  main: nested(Shelf),
  others: array(nested([Shelf, Rack]), { default: [] }),
  byName: record(nested(Shelf), { default: {} }),
  spare: nullable(nested(Rack)),
  reader: live<{ read(): string }>(['read'], { schema: { type: 'object' } }),
  onOpen: live<() => void>('function'),
}) {}

const fullShelf = new Shelf({
  label: 'A',
  tags: ['x'],
  weights: { a: 0.5 },
  seats: { left: 1 },
  notes: { any: [1] },
  extra: 0,
})

describe('a custom model', () => {
  it('has its defaults, methods and wire names', () => {
    const shelf = new Shelf({ label: 'A' })
    expect(shelf.toDict()).toEqual({
      label: 'A',
      max_books: 40,
      room_name: null,
      open: false,
      kind: 'tall',
      level: null,
      tags: [],
      weights: {},
      seats: {},
      notes: {},
      extra: null,
      class_name: 'Shelf',
    })
    expect([shelf.free, Shelf.className(), Shelf.name]).toEqual([39, 'Shelf', 'Shelf'])
  })

  it('is read back as its class, by wire names and aliases', () => {
    const again = Shelf.fromJson(fullShelf.toJson())
    expect(again).toBeInstanceOf(Shelf)
    expect(again.equals(fullShelf)).toBe(true)
    expect(Shelf.fromDict({ label: 'A', room: 'r' }).room).toBe('r')
    expect(new ClassRegistry([Shelf, Rack]).fromDict(new Rack({ label: 'A', depth: 2 }).toDict())).toBeInstanceOf(Rack)
  })

  it('inherits the fields, checks and methods of a custom base class', () => {
    const rack = new Rack({ label: 'A', depth: 2, maxBooks: 3 })
    expect([rack.free, rack instanceof Shelf, isInstance(rack, Shelf)]).toEqual([4, true, true])
    expect(isInstance(new Shelf({ label: 'A' }), Rack)).toBe(false)
    expect(pathsOf(() => new Rack({ label: 'a', depth: 'deep' as never }))).toEqual(['label', 'depth'])
    expect(Object.keys(rack.toDict()).slice(-2)).toEqual(['depth', 'class_name'])
  })

  it('does not share defaults between instances', () => {
    new Shelf({ label: 'A' }).tags.push('x')
    expect(new Shelf({ label: 'B' }).tags).toEqual([])
  })

  it('calls a default function for each instance', () => {
    let count = 0
    class Ticket extends fields(Model, 'Ticket', { id: integer({ default: () => ++count }), at: nullable(number()) }) {}
    class Pass extends fields(Ticket, 'Pass', { code: string({ default: () => `c${count}` }) }) {}
    expect([new Ticket().id, new Ticket().id, new Ticket({ id: 9 }).id]).toEqual([1, 2, 9])
    expect(new Pass()).toMatchObject({ id: 3, at: null, code: 'c3' })
  })

  it('makes fields with bounds read-only', () => {
    const shelf = new Shelf({ label: 'A' })
    expect(() => Object.assign(shelf, { maxBooks: 0 })).toThrow(TypeError)
    expect(() => Object.assign(shelf, { label: 'a' })).toThrow(TypeError)
    shelf.room = 'r'
    expect(shelf.copy({ update: { maxBooks: 2 } })).toMatchObject({ maxBooks: 2, room: 'r', label: 'A' })
  })

  it('contains models of its own class, read from data and created from options', () => {
    const tree = new Tree({ value: 1, children: [{ value: 2, children: [{ value: 3 }] }] })
    expect(tree.children[0]?.children[0]).toBeInstanceOf(Tree)
    expect(Tree.fromJson(tree.toJson()).equals(tree)).toBe(true)
    expect(pathsOf(() => new Tree({ value: 1, children: [{ value: 'x' }] }))).toEqual(['children[0].value'])
  })

  it('contains other models and live objects', () => {
    const reader = { read: () => 'x' }
    const library = new Library({
      main: { label: 'A' },
      others: [new Rack({ label: 'R', depth: 1 }), { label: 'B' }],
      byName: { c: { label: 'C' } },
      reader,
    })
    const again = Library.fromDict(library.toDict(), { reader })
    expect(again.equals(library)).toBe(true)
    expect(again.others.map(({ constructor }) => constructor)).toEqual([Rack, Shelf])
    expect([again.reader, library.copy().reader, again.onOpen]).toEqual([reader, reader, null])
    expect(pathsOf(() => new Library({ main: { label: 'a' }, reader: {} as never, onOpen: 5 as never }))).toEqual([
      'main.label',
      'reader',
      'onOpen',
    ])
  })

  it('may have no own fields, another class name, or no class name', () => {
    class Same extends fields(Shelf, 'Same') {}
    class Old extends fields(Shelf, 'Renamed', {}, { className: 'OldName' }) {}
    abstract class Base extends fields(Model, 'Base', { size: integer({ default: 1 }) }, { className: null }) {}
    expect([Same, Old, Base].map((known) => known.className())).toEqual(['Same', 'OldName', 'base_component'])
    expect(Same.fromDict(new Same({ label: 'A' }).toDict())).toBeInstanceOf(Same)
    class Row extends fields(Model, 'Row', { size: integer({ default: 1 }) }, { plainRecord: true }) {}
    expect(new Row().toDict()).toEqual({ size: 1 })
  })

  it('returns its JSON Schema', () => {
    const schema = Shelf.schema()
    expect(schema).toMatchObject({ title: 'Shelf', description: 'A place for books.', required: ['label'] })
    expect(schema.properties).toMatchObject({
      label: { type: 'string', pattern: '^[A-Z]', description: 'What the label says.' },
      max_books: { type: 'integer', minimum: 1, default: 40 },
      level: { type: ['number', 'null'], enum: [1, 2, null] },
      class_name: { default: 'Shelf' },
    })
    expect(Library.schema().properties).toMatchObject({
      main: { $ref: '#/definitions/Shelf' },
      reader: { type: 'object' },
    })
    expect(Shelf['~standard'].validate({ label: 'A' })).toMatchObject({ value: expect.any(Shelf) })
  })
})

describe('custom models', () => {
  describeRoundTrips({ Tree, Library, Rack }, { '': { live: { reader: { read: () => 'x' } } }, ...patterned() })
})

/** Makes labels match the pattern of Shelf. */
function patterned() {
  const adjust = (options: Record<string, unknown>) => ({
    ...options,
    label: `A${options['label'] ?? ''}`,
    tags: [...((options['tags'] ?? []) as string[])].map((tag) => `${tag}x`),
  })
  return { Shelf: { adjust }, Rack: { adjust } }
}

describe('nested models', () => {
  class Part extends fields(Model, 'Part', { n: number() }) {}
  class Whole extends fields(Model, 'Whole', {
    maybe: nullable(nested(Part), { description: 'One or none.' }),
    some: array(nullable(nested(Part)), { default: [] }),
    rows: array(array(nested(Part)), { default: [] }),
    groups: record(array(nested([Part, Shelf])), { default: {} }),
    tables: record(record(nested(Part)), { default: {} }),
    list: nullable(array(record(nested(Part)))),
  }) {}
  const part = { n: 1 }

  it('may be at any depth of arrays and objects, and null where that is declared', () => {
    const whole = new Whole({
      some: [null, part],
      rows: [[part], []],
      groups: { a: [part, new Shelf({ label: 'A' })] },
      tables: { a: { b: part } },
      list: [{ c: part }],
    })
    for (const made of [whole.some[1], whole.rows[0]?.[0], whole.groups['a']?.[0], whole.tables['a']?.['b']])
      expect(made).toBeInstanceOf(Part)
    const again = Whole.fromJson(whole.toJson())
    expect(again.equals(whole)).toBe(true)
    expect(again.groups['a']?.map(({ constructor }) => constructor)).toEqual([Part, Shelf])
    expect(again.list?.[0]?.['c']).toBeInstanceOf(Part)
    expect(new Whole({ maybe: null }).maybe).toBeNull()
  })

  it('have issues with their places', () => {
    const bad = { n: 'x' } as never
    expect(
      pathsOf(() => new Whole({ maybe: bad, some: [bad], rows: [[null as never]], tables: { a: { b: bad } } })),
    ).toEqual(['maybe.n', 'some[0].n', 'rows[0][0]', 'tables.a.b.n'])
    expect(pathsOf(() => Whole.fromDict({ rows: [[part, { n: 'x' }]], list: [{ c: {} }] }))).toEqual([
      'rows[0][1].n',
      'list[0].c.n',
    ])
  })

  it('are nullable in the JSON Schema too', () => {
    const { maybe, some, rows } = Whole.schema().properties ?? {}
    const $ref = '#/definitions/Part'
    expect([maybe, some, rows]).toEqual([
      { anyOf: [{ $ref }, { type: 'null' }], description: 'One or none.' },
      { type: 'array', items: { anyOf: [{ $ref }, { type: 'null' }] } },
      { type: 'array', items: { type: 'array', items: { $ref } } },
    ])
  })
})

describe('a class field with the name of a model field', () => {
  class Base extends fields(Model, 'Base', { label: string() }) {}
  class Declared extends Base {
    // @ts-expect-error: an error with noImplicitOverride
    label!: string
  }
  class Assigned extends Base {
    // @ts-expect-error: an error with noImplicitOverride
    label = 'B'
  }
  class Older extends Base {
    constructor(options: { label: string }) {
      super(options)
      Object.defineProperty(this, 'label', { configurable: true, value: undefined })
    }
  }
  class Extended extends Declared {
    size = 1
  }
  it.each([Declared, Assigned, Older, Extended])('makes every construction fail: %s', (Wrong) => {
    for (let count = 0; count < 50; count++)
      expect(() => new Wrong({ label: 'A' })).toThrow('Cannot redefine property: label')
  })

  it('is not looked for in classes that assign or read it', () => {
    class Right extends fields(Model, 'Right', { label: string() }) {
      rename(label: string) {
        this.label = label
        return this.label
      }
    }
    let right = new Right({ label: 'A' })
    for (let count = 0; count < 50; count++) right = new Right({ label: 'A' })
    expect(Object.getOwnPropertyDescriptor(right, 'label')?.configurable).toBe(true)
    expect(right.rename('B')).toBe('B')
  })
})

describe('checks', () => {
  class Checked extends fields(Model, 'Checked', {
    slug: string({ pattern: '^[a-z-]+$', minLength: 2, maxLength: 4, default: 'no' }),
    emoji: nullable(string({ maxLength: 2 })),
    mail: nullable(string({ format: 'email' })),
    tags: array(string({ minLength: 2 }), { minItems: 1, maxItems: 3, uniqueItems: true, default: ['aa'] }),
    step: number({ multipleOf: 0.1, default: 0 }),
    place: jsonSchema<[number] | 'home' | null>(
      { anyOf: [{ type: 'array', items: { type: 'number' }, maxItems: 1 }, { const: 'home' }, { type: 'null' }] },
      { default: null },
    ),
    version: jsonSchema<2>({ const: 2 }, { default: 2 }),
    table: record(array(string({ pattern: '^x' })), { default: {} }),
  }) {}

  it.each<[string, object, [path: string, code: string, message: string][]]>([
    ['pattern', { slug: 'A1' }, [['slug', 'pattern', 'a string that matches ^[a-z-]+$']]],
    ['minLength', { slug: 'a' }, [['slug', 'minLength', 'a string of at least 2 characters']]],
    ['maxLength', { slug: 'abcde' }, [['slug', 'maxLength', 'a string of at most 4 characters']]],
    ['code points', { emoji: '😀😀😀' }, [['emoji', 'maxLength', 'a string of at most 2 characters']]],
    ['minItems', { tags: [] }, [['tags', 'minItems', 'an array of at least 1 items']]],
    ['maxItems', { tags: ['aa', 'bb', 'cc', 'dd'] }, [['tags', 'maxItems', 'an array of at most 3 items']]],
    ['uniqueItems', { tags: ['aa', 'aa'] }, [['tags', 'uniqueItems', 'an array of unique items']]],
    ['multipleOf', { step: 0.25 }, [['step', 'multipleOf', 'a multiple of 0.1']]],
    ['items', { tags: ['a', 'bb'] }, [['tags[0]', 'minLength', 'a string of at least 2 characters']]],
    ['parts of parts', { table: { a: ['x', 'y'] } }, [['table.a[1]', 'pattern', 'a string that matches ^x']]],
    ['anyOf', { place: [1, 2] }, [['place', 'anyOf', 'an array within its limits or "home" or null']]],
    ['const', { version: 1 }, [['version', 'const', '2']]],
    ['types first', { slug: 5 }, [['slug', 'type', 'a string']]],
  ])('%s', (_, options, expected) => {
    const issues = issuesOf(() => new Checked(options))
    expect(issues.map(({ path, code }) => [path, code])).toEqual(expected.map(([path, code]) => [path, code]))
    expect(issues.map(({ message }) => message)).toEqual(
      expected.map(([, , words]) => expect.stringContaining(`expected ${words},`)),
    )
  })

  it('accept valid values, and do not check formats', () => {
    const options = { slug: 'a-b', emoji: '😀😀', mail: 'nobody', tags: ['ab'], step: 0.3, place: [1] as [number] }
    expect(new Checked(options)).toMatchObject(options)
    expect(new Checked({ place: 'home', tags: ['ab', 'ba'] }).place).toBe('home')
  })

  it('compare items as JSON: types matter, the order of keys does not', () => {
    class Bag extends fields(Model, 'Bag', { items: array(anything(), { uniqueItems: true }) }) {}
    const different = [1, '1', true, 'true', null, 'null', [1], ['1'], {}, { a: 1, b: 2 }, { a: 1 }]
    expect(new Bag({ items: different }).items).toEqual(different)
    expect(
      pathsOf(
        () =>
          new Bag({
            items: [
              { a: 1, b: [2] },
              { b: [2], a: 1 },
            ],
          }),
      ),
    ).toEqual(['items'])
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.jsonValue({ maxDepth: 2 }), {
          comparator: (a, b) => JSON.stringify(a) === JSON.stringify(b),
        }),
        (items) => {
          const keys = items.filter((item) => typeof item !== 'object' && !Object.is(item, -0))
          expect(new Bag({ items: keys }).items).toEqual(keys)
        },
      ),
    )
  })

  it('reject a long string before a pattern runs on it', () => {
    class Slow extends fields(Model, 'Slow', { text: string({ pattern: '^(a+)+$', maxLength: 20 }) }) {}
    const started = performance.now()
    expect(pathsOf(() => new Slow({ text: `${'a'.repeat(100)}!` }))).toEqual(['text'])
    expect(performance.now() - started).toBeLessThan(1000)
  })
})

describe('an invalid declaration', () => {
  const message = (make: () => unknown): string => (thrownBy(make) as ConfigurationError).message
  it.each<[string, () => Model, string]>([
    [
      'an unknown keyword',
      () => new (class extends fields(Model, 'A', { x: jsonSchema({ if: {} }) }) {})({ x: 1 }),
      'A.x: the JSON Schema keyword "if" is not supported here; use typebox(…) of @x/core/runtime for this field.',
    ],
    [
      'an unknown keyword inside',
      () => new (class extends fields(Model, 'A', { x: array(jsonSchema({ not: {} })) }) {})({ x: [] }),
      'A.x: the JSON Schema keyword "not" is not supported here',
    ],
    [
      'closed objects',
      () => new (class extends fields(Model, 'A', { x: jsonSchema({ additionalProperties: false }) }) {})({ x: {} }),
      'A.x: the JSON Schema keyword "additionalProperties" is not supported here',
    ],
    [
      'an invalid pattern',
      () => new (class extends fields(Model, 'A', { x: string({ pattern: '(' }) }) {})({ x: '' }),
      'A.x: Invalid regular expression: /(/',
    ],
    [
      'the name of a member of the base',
      () => new (class extends fields(Model, 'A', { copy: string() }) {})({ copy: 'a' } as never),
      'A.copy: the base class already has a member with this name; rename the field.',
    ],
    [
      'two fields with the same wire name',
      () => new (class extends fields(Model, 'A', { aB: string(), a_b: string() }) {})({ aB: '', a_b: '' }),
      'A.a_b: the field "aB" already has the wire name "a_b".',
    ],
    [
      'a field with the wire name of the class name',
      () => new (class extends fields(Model, 'A', { className: string() }) {})({ className: '' }),
      'A.className: the class name already has the wire name "class_name".',
    ],
    [
      'a default outside of the bounds',
      () => new (class extends fields(Model, 'A', { x: integer({ minimum: 5, default: 1 }) }) {})(),
      'A.x: the default is not valid: expected a number at least 5, received 1.',
    ],
    [
      'an item of a default that is not valid',
      () => new (class extends fields(Model, 'A', { x: array(string({ minLength: 2 }), { default: ['a'] }) }) {})(),
      'A.x[0]: the default is not valid: expected a string of at least 2 characters',
    ],
    [
      'a type that does not exist',
      () => new (class extends fields(Model, 'A', { x: jsonSchema({ type: 'text' }) }) {})({ x: '' }),
      'A.x: "text" is not a type of JSON Schema.',
    ],
    [
      'a nested class that is not defined yet',
      () =>
        new (class extends fields(Model, 'A', { x: nested(undefined as unknown as typeof Shelf) }) {})({
          x: {} as never,
        }),
      'A.x: the class of the nested model is undefined, as in a circle of imports; use nestedLazily.',
    ],
  ])('%s', (_, make, expected) => {
    expect(thrownBy(make)).toMatchObject({ code: 'configuration' })
    expect(message(make)).toContain(expected)
  })
})

describe('a field that TypeBox checks', () => {
  class Visit extends fields(Model, 'Visit', {
    mail: typebox(Text({ format: 'email' })),
    span: typebox(Tuple([Integer(), Integer()]), { default: [0, 1], wire: 'from_to' }),
    label: string({ minLength: 2, default: 'ab' }),
  }) {}

  it('can be combined with other fields', () => {
    expect(new Visit({ mail: 'a@b.org' }).toDict()).toMatchObject({ from_to: [0, 1], label: 'ab' })
    expect(pathsOf(() => new Visit({ mail: 'a', span: [1, 'b' as never], label: 'a' }))).toEqual([
      'mail',
      'span[1]',
      'label',
    ])
    expect((thrownBy(() => new Visit({ mail: 'a' })) as ModelValidationError).issues[0]?.code).toBe('format')
  })
})
