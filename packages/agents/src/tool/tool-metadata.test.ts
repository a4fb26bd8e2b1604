import { String as Text, Object as TypeObject } from 'typebox'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { ToolMetadata } from './tool-metadata.ts'

const parametersOf = (fnSchema: object) =>
  new ToolMetadata({ name: 't', description: '', fnSchema }).getParametersDict()

describe('ToolMetadata.getParametersDict', () => {
  it('keeps every keyword of the schema except those that only describe its root', () => {
    const rules = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/A', title: 'A' } },
      required: ['a'],
      additionalProperties: false,
      patternProperties: { '^x': { type: 'string' } },
      minProperties: 1,
      $defs: { A: { type: 'string' } },
    }
    const described = { ...rules, $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'T', examples: [] }
    expect(parametersOf({ ...described, description: 'D' })).toEqual(rules)
  })

  it('returns a union at the root as an object', () => {
    const union = z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('file'), path: z.string() }),
      z.object({ kind: z.literal('url'), url: z.string() }),
    ])
    const { type, oneOf, anyOf } = parametersOf(union) as Record<string, { properties: object }[]>
    expect(type).toBe('object')
    expect((oneOf ?? anyOf)!.map(({ properties }) => Object.keys(properties))).toEqual([
      ['kind', 'path'],
      ['kind', 'url'],
    ])
  })

  it('keeps the keywords that strict mode needs, from TypeBox and zod', () => {
    expect(parametersOf(TypeObject({ a: Text() }, { additionalProperties: false }))).toEqual({
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
      additionalProperties: false,
    })
    expect(parametersOf(z.strictObject({ a: z.string() }))).toMatchObject({ additionalProperties: false })
  })
})

describe('ToolMetadata', () => {
  it('contains `strict` only if it is set', () => {
    const tool = (strict?: boolean) => new ToolMetadata({ name: 't', description: '', strict }).toOpenaiTool().function
    expect(tool(true)).toMatchObject({ strict: true })
    expect(tool()).not.toHaveProperty('strict')
  })

  it('creates the form for models once, because it is part of every request', () => {
    const metadata = new ToolMetadata({ name: 't', description: '' })
    expect(metadata.toOpenaiTool()).toBe(metadata.toOpenaiTool())
  })

  it('has a title, annotations and an output schema', () => {
    const outputSchema = { type: 'number' }
    const annotations = { readOnlyHint: true }
    const metadata = new ToolMetadata({ name: 't', description: '', title: 'Count', annotations, outputSchema })
    expect(metadata).toMatchObject({ title: 'Count', annotations, outputSchema })
    expect(new ToolMetadata({ description: '' })).toMatchObject({ name: null, title: null, annotations: {} })
  })

  it.each([
    [['d', 'n'], /^ToolMetadata: expected an object of options \(name, description, .*\), received a string\.$/],
    [[], /^ToolMetadata: expected an object of options \(name, description, .*\), received undefined\.$/],
    [[{ name: 'n' }], 'ToolMetadata.description: expected a string, received nothing.'],
    [
      [{ name: 5, description: null }],
      'ToolMetadata.name: expected a string, received 5.\nToolMetadata.description: expected a string, received null.',
    ],
    [[{ description: '', schema: {} }], 'ToolMetadata.schema: unknown option; did you mean fnSchema?.'],
  ])('refuses other values than its options: %j', (args, message) => {
    expect(() => new (ToolMetadata as never as new (...all: unknown[]) => unknown)(...args)).toThrow(message)
  })
})
