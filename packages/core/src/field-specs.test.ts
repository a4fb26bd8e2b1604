import { Integer, Array as List, Number as Num, Record as Rec, String as Text, Tuple } from 'typebox'
import { describe, expect, it } from 'vitest'
import { anything, component, freeForm, live, nested, nullable, oneOf, plainRecord } from './define.ts'
import { checkedSchema, modelSpec } from './field-specs.ts'
import { checkOf } from './model/check-value.ts'
import type { JsonSchema } from './model/json-schema.ts'
import { toSnakeCase } from './model/snake-case.ts'

const json = (schema: unknown) => JSON.parse(JSON.stringify(schema)) as JsonSchema
const fieldOf = (schema: unknown) =>
  modelSpec(json(component('M', '', { someField: schema as never }))).fields['someField']

describe('modelSpec', () => {
  it('names the model, its class and its fields', () => {
    expect(modelSpec(json(component('M', 'A model.', {}, { className: 'other' })))).toEqual({
      name: 'M',
      description: 'A model.',
      className: 'other',
      fields: {},
      checkOf,
    })
    expect(modelSpec(json(component('M', '', {}, { className: null })))).not.toHaveProperty('className')
    expect(modelSpec(json(plainRecord('M', '', {}))).record).toBe(true)
    expect(modelSpec({ properties: {} })).toEqual({ name: 'Model', fields: {}, checkOf })
  })

  it.each([
    ['text', 'text'],
    ['topK', 'top_k'],
    ['excludedLlmMetadataKeys', 'excluded_llm_metadata_keys'],
  ])('writes %s as %s', (name, wire) => {
    expect(toSnakeCase(name)).toBe(wire)
  })

  it.each<[string, unknown, object]>([
    ['required without default', Text(), { schema: { type: 'string' }, required: true }],
    ['optional with default', Text({ default: '' }), { schema: { type: 'string' }, default: '' }],
    ['nullable', nullable(Text()), { schema: { type: ['string', 'null'] } }],
    ['a nullable enumeration', nullable(oneOf(['a'])), { schema: { type: ['string', 'null'], enum: ['a', null] } }],
    ['anything, required', anything(), { schema: {}, required: true }],
    [
      'bounded',
      Integer({ minimum: 0, default: 1 }),
      { schema: { type: 'integer', minimum: 0 }, default: 1, bounded: true },
    ],
    [
      'with bounded items only',
      List(Num({ minimum: 0 }), { default: [] }),
      { schema: { type: 'array', items: { type: 'number', minimum: 0 } }, default: [] },
    ],
    ['described', Text({ description: 'd' }), { schema: { type: 'string', description: 'd' }, required: true }],
    ['free-form', freeForm({ default: {} }), { schema: { type: 'object' }, default: {} }],
    [
      'a record with any keys',
      Rec(Text(), Num()),
      { schema: { type: 'object', additionalProperties: { type: 'number' } }, required: true },
    ],
    [
      'a record with some keys',
      Rec(Integer(), Num()),
      { schema: { type: 'object', patternProperties: expect.any(Object) }, required: true },
    ],
    [
      'a tuple',
      Tuple([Num()]),
      { schema: { type: 'array', items: [{ type: 'number' }], additionalItems: false, minItems: 1 }, required: true },
    ],
    [
      'live',
      live({ holds: ['run'], schema: { type: 'object' } }),
      { schema: { type: 'object' }, runtime: true, holds: ['run'] },
    ],
    [
      'with another wire name',
      Text({ wire: 'someField' }),
      { wire: 'someField', schema: { type: 'string' }, required: true },
    ],
    ['with the usual wire name', Text({ wire: 'some_field' }), { schema: { type: 'string' }, required: true }],
    ['nested', nested(), { schema: { 'x-nested': true }, required: true }],
    ['a list of nested', List(nested()), { schema: { type: 'array', items: { 'x-nested': true } }, required: true }],
  ])('describes a field %s', (_, schema, expected) => {
    expect(fieldOf(schema)).toEqual(expected)
  })

  it('reads wire name, aliases and description from the annotations', () => {
    const schema = json(component('M', '', { id: Text({ wire: 'id_', aliases: ['nodeId'], description: 'd' }) }))
    expect(modelSpec(schema).fields['id']).toEqual({
      wire: 'id_',
      aliases: ['nodeId'],
      schema: { type: 'string', description: 'd' },
      required: true,
    })
  })
})

it('checkedSchema allows any value for nested models and live objects', () => {
  const fields = {
    text: Text({ description: 'd' }),
    child: nullable(nested()),
    children: List(nested()),
    run: live(),
  }
  expect(checkedSchema(json(component('M', '', fields)))).toEqual({
    type: 'object',
    properties: { text: { type: 'string' }, child: {}, children: { type: 'array', items: {} }, run: {} },
    required: ['text', 'children'],
  })
})
