/// <reference types="node" />
import { spawnSync } from 'node:child_process'
import { Integer, Array as List, Number as Num, Object as Obj, Record as Rec, String as Text, Tuple } from 'typebox'
import { describe, expect, it } from 'vitest'
import { issuesOf, pathsOf, thrownBy } from '../../../tools/thrown.ts'
import { Author, Book, bookSchema, fullOptions } from '../test/sample-models.ts'
import { component, freeForm, nullable } from './define.ts'
import { Model } from './model/model.ts'
import { runtimeSpec } from './runtime.ts'

const noteSpec = runtimeSpec(
  component('Note', 'A note.', {
    slug: Text({ pattern: '^[a-z-]+$', minLength: 2, default: 'no-slug' }),
    mail: nullable(Text({ format: 'email' })),
    tags: List(Text({ minLength: 2 }), { minItems: 1, uniqueItems: true, default: ['aa'] }),
    step: Num({ multipleOf: 0.5, default: 0 }),
    size: Integer({ minimum: 1, default: 1 }),
    place: Obj({ lat: Num(), lon: Num() }, { default: { lat: 0, lon: 0 } }),
    span: Tuple([Integer(), Integer()], { default: [0, 0] }),
    byYear: Rec(Integer(), Text(), { default: {} }),
    counts: Rec(Text(), Integer(), { default: {} }),
    free: freeForm({ default: {} }),
  }),
)
class Note extends Model {
  static override spec() {
    return noteSpec
  }
}

describe('a model validated at run time', () => {
  it('accepts valid values and has defaults', () => {
    expect(new Note().toDict()).toEqual({
      slug: 'no-slug',
      mail: null,
      tags: ['aa'],
      step: 0,
      size: 1,
      place: { lat: 0, lon: 0 },
      span: [0, 0],
      by_year: {},
      counts: {},
      free: {},
      class_name: 'Note',
    })
    const options = { slug: 'ab', mail: 'a@b.org', tags: ['xy'], step: 1.5, span: [1, 2], byYear: { '-5': 'a' } }
    expect(new Note(options)).toMatchObject(options)
    expect(Note.fromDict(new Note(options).toDict()).equals(new Note(options))).toBe(true)
  })

  it.each<[string, object, [path: string, code: string][]]>([
    ['pattern', { slug: 'A1' }, [['slug', 'pattern']]],
    ['minLength', { slug: 'a' }, [['slug', 'minLength']]],
    ['format', { mail: 'nobody' }, [['mail', 'format']]],
    ['minItems', { tags: [] }, [['tags', 'minItems']]],
    ['uniqueItems', { tags: ['aa', 'aa'] }, [['tags', 'uniqueItems']]],
    ['multipleOf', { step: 0.3 }, [['step', 'multipleOf']]],
    [
      'keywords of items, each item',
      { tags: ['a', 'bb', 'c'] },
      [
        ['tags[0]', 'minLength'],
        ['tags[2]', 'minLength'],
      ],
    ],
    ['properties', { place: { lat: 'north', lon: 0 } }, [['place.lat', 'type']]],
    ['missing properties', { place: { lat: 0 } }, [['place', 'required']]],
    ['tuples', { span: [1, 'b'] }, [['span[1]', 'type']]],
    ['values of records', { counts: { a: 1, b: 'x' } }, [['counts.b', 'type']]],
    ['values by key pattern', { byYear: { 1999: 5 } }, [['byYear.1999', 'type']]],
  ])('checks %s', (_, options, expected) => {
    expect(issuesOf(() => new Note(options)).map(({ path, code }) => [path, code])).toEqual(expected)
  })

  it('uses the messages of the core for its checks, and reports each path once', () => {
    expect(issuesOf(() => new Note({ size: 0, tags: ['a', 5], slug: 'A' }))).toEqual([
      { path: 'slug', message: expect.any(String), code: expect.stringMatching(/^(pattern|minLength)$/) },
      { path: 'tags[1]', message: 'expected a string, received 5', code: 'type' },
      { path: 'tags[0]', message: 'must not have fewer than 2 characters', code: 'minLength' },
      { path: 'size', message: 'expected a number at least 1, received 0', code: 'bound' },
    ])
  })

  it('requires plain objects, like generated models', () => {
    expect(pathsOf(() => new Note({ free: new Map() }))).toEqual(['free'])
  })

  it('keeps field order with nested models, live objects and required fields', () => {
    const spec = runtimeSpec(bookSchema)
    class OwnBook extends Book {
      static override spec() {
        return spec
      }
    }
    const bad = { rating: 9, authors: [{ name: 1 }], tags: [1], reader: 5 }
    expect(pathsOf(() => new OwnBook(bad))).toEqual(pathsOf(() => new Book(bad)))
    expect(new OwnBook(fullOptions()).equals(new Book(fullOptions()))).toBe(true)
    expect(new OwnBook({ title: 'A', authors: [{ name: 'B' }] }).authors[0]).toBeInstanceOf(Author)
    expect(thrownBy(() => new OwnBook({}))).toMatchObject({ issues: [{ path: 'title', code: 'required' }] })
  })

  it('keeps the descriptions of fields in its JSON Schema', () => {
    expect(runtimeSpec(bookSchema).fields['title']!.schema.description).toBe('On the cover.')
  })

  it('works where eval is forbidden', () => {
    const program = `
      import { Model } from '@x/core'
      import { component } from '@x/core/schemas'
      import { runtimeSpec } from '@x/core/runtime'
      import { String as Text } from 'typebox'
      const spec = runtimeSpec(component('A', '', { slug: Text({ pattern: '^a' }) }))
      class A extends Model { static spec() { return spec } }
      try { new A({ slug: 'b' }) } catch (error) { console.log(error.issues[0].code, new A({ slug: 'a' }).toJson()) }`
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--disallow-code-generation-from-strings', '--conditions=@x/source', '--input-type=module', '-e', program],
      { cwd: new URL('..', import.meta.url), encoding: 'utf8' },
    )
    expect([stdout, stderr]).toEqual(['pattern {"slug":"a","class_name":"A"}\n', ''])
  })
})
