import { Number as Num, Object as TypeObject } from 'typebox'
import { describe, expect, expectTypeOf, it } from 'vitest'
import * as z from 'zod'
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
