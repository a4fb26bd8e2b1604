import { describe, expectTypeOf, it } from 'vitest'
import {
  anything,
  array,
  boolean,
  fields,
  freeForm,
  integer,
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
  type CopyOptions,
  isToolkitError,
  Model,
  type ModelClass,
  type SerializationError,
  type ToolkitError,
} from './index.ts'

class Shelf extends fields(Model, 'Shelf', {
  /** The text on the label. */
  label: string({ pattern: '^[A-Z]', description: 'What the label says.' }),
  maxBooks: integer({ minimum: 1, default: 40 }),
  room: nullable(string()),
  open: boolean({ default: false }),
  kind: oneOf(['tall', 'wide'], { default: 'tall' }),
  tags: array(string({ minLength: 1 }), { default: ['new'] }),
  weights: record(number(), { default: {} }),
  notes: freeForm({ default: { list: [{ a: 1 }] } }),
  made: number({ default: () => 5 }),
}) {
  get free() {
    return this.maxBooks - 1
  }
}

class Rack extends fields(Shelf, 'Rack', { depth: number() }) {}
class Plain extends fields(Model, 'Plain', { size: integer({ default: 1 }) }) {}
class Same extends fields(Plain, 'Same') {}

class Library extends fields(Model, 'Library', {
  main: nested(Shelf),
  others: array(nested(Shelf), { default: [] }),
  byName: record(nested([Shelf, Plain]), { default: {} }),
  spare: nullable(nested(Plain)),
  reader: live<{ read(): string }>(['read']),
  onOpen: live<(name: string) => void>('function', { required: true }),
}) {}

class Tree extends fields(Model, 'Tree', {
  value: number(),
  children: array(
    nestedLazily<Tree>((): ModelClass => Tree),
    { default: [] },
  ),
}) {}

export interface Box<T> {
  value: T
}
export class Box<T> extends fields(Model, 'Box', { value: anything(), size: integer({ default: 1 }) }) {
  constructor(options: { value: T; size?: number }) {
    super(options)
  }
}

describe('options', () => {
  it('are required without a default', () => {
    new Shelf({ label: 'A' })
    // @ts-expect-error label is missing
    new Shelf({})
    // @ts-expect-error label is missing
    new Shelf()
    new Plain()
    new Same()
    new Same({ size: 3 })
  })

  it('are checked', () => {
    // @ts-expect-error misspelt
    new Shelf({ lable: 5 })
    // @ts-expect-error misspelt, in addition to a valid option
    new Shelf({ label: 'A', maxBoks: 5 })
    // @ts-expect-error not a string
    new Shelf({ label: 5 })
    // @ts-expect-error not a kind
    new Shelf({ label: 'A', kind: 'round' })
    new Shelf({ label: 'A', room: null, tags: ['a'], weights: { a: 1 }, notes: { any: [1] }, kind: 'wide' })
    // @ts-expect-error null where null is not a valid value
    new Shelf({ label: 'A', open: null })
  })

  it('include the options of the base class', () => {
    new Rack({ label: 'A', depth: 2, maxBooks: 3 })
    // @ts-expect-error depth is missing
    new Rack({ label: 'A' })
    // @ts-expect-error label is missing
    new Rack({ depth: 2 })
  })

  it('can replace an instance of a nested model', () => {
    new Library({ main: new Shelf({ label: 'A' }), onOpen: () => {} })
    new Library({
      main: { label: 'A' },
      others: [{ label: 'B', maxBooks: 2 }],
      spare: {},
      onOpen: (name) => name.length,
    })
    // @ts-expect-error misspelt inside
    new Library({ main: { lable: 'A' }, onOpen: () => {} })
    // @ts-expect-error the function is required
    new Library({ main: { label: 'A' } })
    // @ts-expect-error no method read
    new Library({ main: { label: 'A' }, onOpen: () => {}, reader: {} })
  })
})

describe('a generic class', () => {
  it('has a field of its parameter', () => {
    expectTypeOf(new Box({ value: 'a' }).value).toEqualTypeOf<string>()
    expectTypeOf(new Box<number[]>({ value: [1] }).copy()).toEqualTypeOf<Box<number[]>>()
    // @ts-expect-error not a number
    new Box<number>({ value: 'a' })
  })
})

describe('field functions', () => {
  it('refuse unknown options', () => {
    // @ts-expect-error misspelt
    string({ patern: '^a', default: 'a' })
    // @ts-expect-error bounds of numbers
    string({ minimum: 1 })
    // @ts-expect-error default of another type
    integer({ default: 'a' })
    // @ts-expect-error not one of them
    oneOf(['a', 'b'], { default: 'c' })
    // @ts-expect-error no such method
    live<{ read(): string }>(['reed'])
    // @ts-expect-error default of another type
    array(string(), { default: [5] })
  })
})

describe('properties', () => {
  const shelf = new Shelf({ label: 'A' })
  it('have the declared types', () => {
    expectTypeOf(shelf.maxBooks).toEqualTypeOf<number>()
    expectTypeOf(shelf.room).toEqualTypeOf<string | null>()
    expectTypeOf(shelf.kind).toEqualTypeOf<'tall' | 'wide'>()
    expectTypeOf(shelf.tags).toEqualTypeOf<string[]>()
    expectTypeOf(shelf.weights).toEqualTypeOf<Record<string, number>>()
    expectTypeOf(shelf.free).toEqualTypeOf<number>()
    expectTypeOf(new Rack({ label: 'A', depth: 1 }).free).toEqualTypeOf<number>()
    const library = new Library({ main: shelf, onOpen: () => {} })
    expectTypeOf(library.main).toEqualTypeOf<Shelf>()
    expectTypeOf(library.byName).toEqualTypeOf<Record<string, Shelf | Plain>>()
    expectTypeOf(library.spare).toEqualTypeOf<Plain | null>()
    expectTypeOf(library.reader).toEqualTypeOf<{ read(): string } | null>()
    expectTypeOf(new Tree({ value: 1 }).children).toEqualTypeOf<Tree[]>()
  })

  it('are read-only when they have bounds', () => {
    shelf.room = 'B'
    // @ts-expect-error bounded
    shelf.maxBooks = 5
    // @ts-expect-error bounded
    shelf.label = 'B'
  })

  it('cannot be declared again as class fields', () => {
    class Wrong extends fields(Model, 'Wrong', { label: string() }) {
      // @ts-expect-error would overwrite the base property
      label!: string
    }
    expectTypeOf<Wrong['label']>().toEqualTypeOf<string>()
  })
})

describe('static methods', () => {
  it('return instances of the class that they are called on', () => {
    expectTypeOf(Shelf.fromDict({})).toEqualTypeOf<Shelf>()
    expectTypeOf(Rack.fromJson('{}')).toEqualTypeOf<Rack>()
    expectTypeOf(Rack.validate({})).toEqualTypeOf<Rack>()
    expectTypeOf(Shelf.construct({}).label).toEqualTypeOf<string>()
    expectTypeOf(new Rack({ label: 'A', depth: 1 }).copy()).toEqualTypeOf<Rack>()
  })

  it('check what copy updates', () => {
    const shelf = new Shelf({ label: 'A' })
    shelf.copy({ update: { room: 'B', maxBooks: 3 } })
    // @ts-expect-error not a string
    shelf.copy({ update: { room: 5 } })
    // @ts-expect-error misspelt
    shelf.copy({ update: { rom: 'B' } })
    expectTypeOf<CopyOptions<Shelf>['update']>().not.toBeAny()
  })

  it('type the Standard Schema', () => {
    const result = Shelf['~standard'].validate({})
    if (!result.issues) expectTypeOf(result.value.label).toEqualTypeOf<string>()
    const rack = Rack['~standard'].validate({})
    if (!rack.issues) expectTypeOf(rack.value.free).toEqualTypeOf<number>()
  })

  it('keep an abstract class abstract', () => {
    abstract class Shape extends fields(Model, 'Shape', { name: string() }, { className: null }) {
      abstract area(): number
    }
    // @ts-expect-error abstract
    new Shape({ name: 'a' })
    // @ts-expect-error area is missing
    class Wrong extends fields(Shape, 'Wrong', { side: number() }) {}
    class Square extends fields(Shape, 'Square', { side: number() }) {
      override area() {
        return this.side ** 2
      }
    }
    expectTypeOf(new Square({ name: 'a', side: 2 }).area()).toEqualTypeOf<number>()
    expectTypeOf(Wrong).not.toBeAny()
  })
})

declare const error: unknown

it('a code narrows to its class', () => {
  if (isToolkitError(error, 'serialization')) {
    expectTypeOf(error).toEqualTypeOf<SerializationError>()
    expectTypeOf(error.field).toEqualTypeOf<string>()
  }
  if (isToolkitError(error)) expectTypeOf(error).toEqualTypeOf<ToolkitError>()
})

it('a misspelt code does not compile', () => {
  // @ts-expect-error There is no such code.
  isToolkitError(error, 'serialisation')
})
