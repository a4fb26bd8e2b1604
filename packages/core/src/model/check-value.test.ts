import { Ajv } from 'ajv'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { issuesOf as thrownIssues } from '../../../../tools/thrown.ts'
import { bookSchema } from '../../test/sample-models.ts'
import type { ValidationIssue } from '../errors.ts'
import { checkedSchema } from '../field-specs.ts'
import { fields, freeForm } from '../fields.ts'
import { Model } from '../index.ts'
import * as schemas from '../schemas.ts'
import { checkOf } from './check-value.ts'
import type { JsonSchema } from './json-schema.ts'
import { Report } from './report.ts'

function issuesOf(schema: JsonSchema, value: unknown): ValidationIssue[] {
  const report = new Report(['f'])
  checkOf(schema)?.(value, report)
  return report.issues
}

/** Every schema of a field that the core checks, by name. */
const checkedFields: [string, JsonSchema][] = Object.entries({ ...schemas, bookSchema }).flatMap(
  ([model, exported]) => {
    const schema = JSON.parse(JSON.stringify(typeof exported === 'object' ? exported : null)) as JsonSchema | null
    if (schema?.['x-model'] === undefined) return []
    return Object.entries(checkedSchema(schema).properties ?? {}).map(([name, field]): [string, JsonSchema] => [
      `${model}.${name}`,
      field,
    ])
  },
)

/** Valid values of a field and similar invalid ones: wrong types, bounds and their neighbours, unknown keys. */
function valuesFor(schema: JsonSchema): fc.Arbitrary<unknown> {
  const { minimum = 0, maximum = 3, exclusiveMinimum = 0 } = schema
  const known = (schema['propertyNames'] as JsonSchema | undefined)?.enum ?? ['a']
  const scalar = fc.oneof(
    fc.constantFrom<unknown>(null, true, false, '', 'user', '1', 0, -0, 1.5, 3, -1, ...(schema.enum ?? [])),
    ...[minimum, maximum, exclusiveMinimum].map((bound) => fc.constantFrom(bound, bound + 1, bound - 1, bound + 0.5)),
    fc.jsonValue({ maxDepth: 1 }),
  )
  return fc.oneof(
    scalar,
    fc.array(scalar, { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...(known as string[]), 'other', '__proto__'), scalar, { maxKeys: 3 }),
  )
}

describe('checkOf', () => {
  const ajv = new Ajv({ strict: false, allErrors: true })
  // ajv needs `new Function`.
  it.each(checkedFields)('agrees with ajv about %s', { tags: 'system' }, (_, schema) => {
    const validate = ajv.compile(schema)
    fc.assert(
      fc.property(valuesFor(schema), (value) => (issuesOf(schema, value).length === 0) === validate(value)),
      { numRuns: 300 },
    )
  })

  it('finds as many invalid items as ajv', { tags: 'system' }, () => {
    const schema = { type: 'array', items: { type: 'integer', minimum: 0 } }
    const validate = ajv.compile(schema)
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.integer(), fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true }))),
        (value) => {
          validate(value)
          const paths = new Set((validate.errors ?? []).map(({ instancePath }) => `f[${instancePath.slice(1)}]`))
          expect(new Set(issuesOf(schema, value).map(({ path }) => path))).toEqual(paths)
        },
      ),
    )
  })

  it('checks that objects with any keys are JSON, and other values on request', () => {
    const live = { a: [() => 1] }
    const issue = { path: 'f.a[0]', message: 'expected JSON data, received a function', code: 'type' }
    expect(issuesOf({ type: 'object' }, live)).toMatchObject([{ path: issue.path }])
    expect(issuesOf({ type: 'object', additionalProperties: {} }, live)).toEqual([])
    const report = new Report(['f'])
    checkOf({}, checkOf, true)?.(live, report)
    expect(report.issues).toMatchObject([{ path: issue.path }])
    expect([checkOf({}), checkOf({ type: 'object' }, checkOf, false)?.(live, report)]).toEqual([undefined, undefined])
    expect(report.issues).toHaveLength(1)
  })

  it('accepts bounds themselves, and reports one issue for a value of a wrong type', () => {
    const schema: JsonSchema = { type: 'integer', minimum: 1, maximum: 3, enum: [1, 3] }
    expect([1, 3].flatMap((value) => issuesOf(schema, value))).toEqual([])
    expect(issuesOf(schema, 'x')).toHaveLength(1)
    expect(issuesOf(schema, 4).map(({ code }) => code)).toEqual(['enum', 'bound'])
    expect(issuesOf({ type: ['string', 'null', 'array'], items: { type: 'string' } }, ['a', 1])).toMatchObject([
      { path: 'f[1]' },
    ])
  })

  it('reports types, bounds and keys', () => {
    expect(issuesOf({ type: ['integer', 'null'] }, 'a')).toEqual([
      { path: 'f', message: 'expected an integer or null, received a string', code: 'type' },
    ])
    expect(issuesOf({ type: 'number', exclusiveMinimum: 0, maximum: 5 }, 0)).toEqual([
      { path: 'f', message: 'expected a number above 0, received 0', code: 'bound' },
    ])
    expect(issuesOf({ type: 'number', minimum: 1, exclusiveMaximum: 5 }, 5)).toEqual([
      { path: 'f', message: 'expected a number below 5, received 5', code: 'bound' },
    ])
    const keyed = {
      type: ['array', 'object'],
      propertyNames: { enum: ['1'] },
      additionalProperties: { type: 'string' },
    }
    expect(issuesOf(keyed, [5])).toEqual([])
    expect(
      issuesOf({ type: 'object', propertyNames: { enum: ['1'] }, additionalProperties: { type: 'string' } }, { x: 5 }),
    ).toEqual([
      { path: 'f.x', message: 'expected one of the keys "1", received "x"', code: 'enum' },
      { path: 'f.x', message: 'expected a string, received 5', code: 'type' },
    ])
  })
})

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
    expect(thrownIssues(extra(value))).toMatchObject([
      { path: 'extra.a[1]', code: 'json', message: expect.stringContaining(words) },
    ])
  })

  it('rejects an object that contains itself', () => {
    const self: unknown[] = []
    self.push(self)
    expect(thrownIssues(extra(self))).toMatchObject([{ code: 'json' }])
  })

  it('accepts JSON values and bigints, and treats undefined as absent', () => {
    expect(new Note({ extra: { a: [1n, null, { b: undefined }] } as never }).toJson()).toBe(
      '{"extra":{"a":[1,null,{}]},"class_name":"Note"}',
    )
  })
})
