import { checkArguments } from '@x/core/arguments'
import { Number as Num, Object as TypeObject } from 'typebox'
import { describe, expect, expectTypeOf, it } from 'vitest'
import * as z from 'zod'
import { structured } from '../loop.ts'
import { FunctionTool } from './function-tool.ts'
import { type ArgumentsOf, isStandardSchema, jsonSchemaOf, outputSchemaOf, type ResultOf } from './tool-schema.ts'

describe('ArgumentsOf', () => {
  it('supports unions, constants, nested objects and arrays', () => {
    type Args = ArgumentsOf<{
      readonly type: 'object'
      readonly properties: {
        readonly id: { readonly type: readonly ['string', 'null'] }
        readonly mode: { readonly const: 'fast' }
        readonly any: { readonly anyOf: readonly [{ readonly type: 'number' }, { readonly type: 'boolean' }] }
        readonly inner: {
          readonly type: 'object'
          readonly properties: { readonly n: { readonly type: 'integer' } }
          readonly required: readonly ['n']
        }
      }
      readonly required: readonly ['id', 'mode', 'any', 'inner']
    }>
    expectTypeOf<Args['id']>().toEqualTypeOf<string | null>()
    expectTypeOf<Args['mode']>().toEqualTypeOf<'fast'>()
    expectTypeOf<Args['any']>().toEqualTypeOf<number | boolean>()
    expectTypeOf<Args['inner']['n']>().toEqualTypeOf<number>()
    expectTypeOf<ArgumentsOf<ReturnType<typeof typed>>['a']>().toEqualTypeOf<number>()
  })
})

function typed() {
  return TypeObject({ a: Num() })
}

describe('ResultOf', () => {
  it('is the type of the value for every kind of schema', () => {
    const schema = z.object({ n: z.number().default(1) })
    expectTypeOf<ResultOf<{ readonly type: 'array'; readonly items: { readonly type: 'string' } }>>().toEqualTypeOf<
      string[]
    >()
    expectTypeOf<ResultOf<typeof schema>>().toEqualTypeOf<{ n?: number | undefined }>()
  })
})

it('outputSchemaOf returns undefined for a library that cannot generate JSON Schema', () => {
  expect(outputSchemaOf(z.date())).toBeUndefined()
  expect(outputSchemaOf(z.object({ n: z.number() }))).toMatchObject({ type: 'object', required: ['n'] })
})

it('jsonSchemaOf returns plain JSON Schema without the methods of the library', () => {
  expect(isStandardSchema(jsonSchemaOf(z.object({ n: z.number() })))).toBe(false)
})

const malformed: [keyword: string, schema: object, path: string][] = [
  ['anyOf', { type: 'object', anyOf: { type: 'object' } }, 'anyOf'],
  ['oneOf', { type: 'object', oneOf: 'object' }, 'oneOf'],
  ['allOf', { type: 'object', allOf: 5 }, 'allOf'],
  ['enum', { type: 'object', properties: { a: { enum: 'x' } } }, 'properties.a.enum'],
  ['required', { type: 'object', required: 'a' }, 'required'],
  ['properties', { type: 'object', properties: ['a'] }, 'properties'],
  ['not', { type: 'object', not: 'x' }, 'not'],
  ['if', { type: 'object', if: 'x', else: false }, 'if'],
  ['patternProperties', { type: 'object', patternProperties: 'x' }, 'patternProperties'],
  ['items', { type: 'object', properties: { a: { items: 5 } } }, 'properties.a.items'],
]

describe('a schema whose operand of a keyword has another kind, as a server may send it', () => {
  it.each(malformed)('%s: lets a tool of a stranger be called', async (_keyword, schema) => {
    const tool = FunctionTool.fromDefaults({
      name: 't',
      schema,
      unchecked: 'refuse',
      fn: (args) => JSON.stringify(args),
    })
    expect(String(await tool.call({ a: ['x'] }))).toBe('{"a":["x"]}')
  })

  it.each(malformed)('%s: is refused when a tool is made, with its path', (_keyword, schema, path) => {
    expect(() => FunctionTool.fromDefaults({ name: 't', schema, fn: () => 1 })).toThrow(
      expect.objectContaining({
        code: 'tool_schema',
        message: expect.stringContaining(`at ${path} cannot be checked`),
      }),
    )
  })

  it.each(malformed)('%s: is refused for answers, with its path', (_keyword, schema, path) => {
    expect(() => structured(schema)).toThrow(
      expect.objectContaining({ code: 'configuration', message: expect.stringContaining(`at ${path}`) }),
    )
  })

  it.each([{ type: -1 }, { type: { a: 1 } }, { properties: { a: 'string' } }, { properties: { a: null } }])(
    '%j: checks nothing there',
    (schema) => {
      expect(checkArguments(schema, { a: 1 })).toEqual({ value: { a: 1 }, issues: [] })
    },
  )

  it('names of types that every object has are unknown types', () => {
    const { issues } = checkArguments({ properties: { a: { type: 'constructor' } } }, { a: 1 })
    expect(issues).toHaveLength(1)
  })
})
