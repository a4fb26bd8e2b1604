/** Models for the tests of the model layer: a book with everything that a field can be. */
import { Integer, Array as List, Number as Num, String as Text } from 'typebox'
import { anything, component, freeForm, live, nested, nullable, oneOf, plainRecord, textList } from '../src/define.ts'
import { modelSpec } from '../src/field-specs.ts'
import { Model, type ModelClass } from '../src/model/model.ts'

const spec = (schema: unknown) => modelSpec(JSON.parse(JSON.stringify(schema)))

const authorSpec = spec(
  component('Author', 'Who wrote it.', {
    name: Text(),
    born: nullable(Integer()),
    links: freeForm({ default: {} }),
  }),
)

export class Author extends Model {
  declare name: string
  declare born: number | null
  declare links: Record<string, unknown>
  static override spec() {
    return authorSpec
  }
}

const formatSpec = spec(
  plainRecord('Format', 'How it is bound.', { cover: oneOf(['hard', 'soft'], { default: 'soft' }) }),
)

export class Format extends Model {
  declare cover: 'hard' | 'soft'
  static override spec() {
    return formatSpec
  }
}

export const bookSchema = component('Book', 'A book.', {
  title: Text({ description: 'On the cover.' }),
  pageCount: Integer({ minimum: 1, default: 100 }),
  rating: nullable(Num({ exclusiveMinimum: 0, maximum: 5 })),
  kind: oneOf(['novel', 'essay'], { default: 'novel' }),
  inPrint: { type: 'boolean', default: true },
  tags: textList({ default: [] }),
  notes: freeForm({ default: {} }),
  extra: anything({ default: null }),
  isbn: nullable(Text(), { wire: 'isbn_no', aliases: ['isbn', 'isbn_13'] }),
  authors: List(nested(), { default: [] }),
  editor: nested({ required: false }),
  formats: { type: 'object', additionalProperties: nested(), default: {} },
  reader: live({ holds: ['read'] }),
  onSale: live({ holds: 'function' }),
})
const bookSpec = spec(bookSchema)

export class Book extends Model {
  declare title: string
  declare readonly pageCount: number
  declare readonly rating: number | null
  declare kind: 'novel' | 'essay'
  declare inPrint: boolean
  declare tags: string[]
  declare notes: Record<string, unknown>
  declare extra: unknown
  declare isbn: string | null
  declare authors: Author[]
  declare editor: Author | null
  declare formats: Record<string, Format>
  declare reader: { read(): void } | null
  declare onSale: (() => void) | null

  static override spec() {
    return bookSpec
  }
  static override nested(): Record<string, readonly ModelClass[]> {
    return { authors: [Author], editor: [Author], formats: [Format] }
  }
}

/** The wire form of a book that was constructed with a title only. */
export const plainBook = {
  title: 'A',
  page_count: 100,
  rating: null,
  kind: 'novel',
  in_print: true,
  tags: [],
  notes: {},
  extra: null,
  isbn_no: null,
  authors: [],
  editor: null,
  formats: {},
  class_name: 'Book',
}

/** A value of every field. */
export function fullOptions() {
  return {
    title: 'A',
    pageCount: 7,
    rating: 4.5,
    kind: 'essay' as const,
    inPrint: false,
    tags: ['x', 'y'],
    notes: { a: { b: [1] } },
    extra: 0,
    isbn: '978',
    authors: [new Author({ name: 'Ana' }), new Author({ name: 'Bo', born: 1900 })],
    editor: new Author({ name: 'Ed', links: { web: 'e.org' } }),
    formats: { first: new Format({ cover: 'hard' }) },
    reader: { read() {} },
    onSale: () => {},
  }
}
