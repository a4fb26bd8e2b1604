import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { FunctionTool } from './function-tool.ts'
import { QuestionTool } from './question-tool.ts'

/** Every keyword of JSON Schema 2020-12 that restricts values: a schema with a value that it does not accept. */
const restricting: Record<string, [operand: unknown, invalid: unknown, more?: object]> = {
  $ref: ['#/$defs/s', 5, { $defs: { s: { type: 'string' } } }],
  $dynamicRef: ['#node', 5],
  prefixItems: [[{ type: 'string' }], [5]],
  items: [{ type: 'string' }, [5]],
  contains: [{ type: 'string' }, [5]],
  minContains: [2, ['a'], { contains: { type: 'string' } }],
  maxContains: [1, ['a', 'b'], { contains: { type: 'string' } }],
  additionalProperties: [false, { a: 1 }],
  properties: [{ a: { type: 'string' } }, { a: 1 }],
  patternProperties: [{ '^a': { type: 'string' } }, { ab: 1 }],
  dependentSchemas: [{ a: { required: ['b'] } }, { a: 1 }],
  propertyNames: [{ maxLength: 1 }, { ab: 1 }],
  if: [{ type: 'string' }, 'a', JSON.parse('{ "then": false }')],
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: [false, 'a', { if: { type: 'string' } }],
  else: [false, 5, { if: { type: 'string' } }],
  allOf: [[{ type: 'string' }], 5],
  anyOf: [[{ type: 'string' }], 5],
  oneOf: [[{ type: 'number' }, { minimum: 0 }], 5],
  not: [{ type: 'string' }, 'a'],
  unevaluatedItems: [false, [1]],
  unevaluatedProperties: [false, { a: 1 }],
  type: ['string', 5],
  enum: [['a'], 'b'],
  const: ['a', 'b'],
  multipleOf: [2, 3],
  maximum: [2, 3],
  exclusiveMaximum: [2, 2],
  minimum: [2, 1],
  exclusiveMinimum: [2, 2],
  maxLength: [1, 'ab'],
  minLength: [1, ''],
  pattern: ['^a', 'b'],
  maxItems: [1, [1, 2]],
  minItems: [1, []],
  uniqueItems: [true, [1, 1]],
  maxProperties: [1, { a: 1, b: 1 }],
  minProperties: [1, {}],
  required: [['a'], {}],
  dependentRequired: [{ a: ['b'] }, { a: 1 }],
  format: ['ipv4', '1.2.3'],
  contentEncoding: ['base64', '%%'],
  contentMediaType: ['application/json', '{'],
  contentSchema: [{ type: 'string' }, '5', { contentMediaType: 'application/json' }],
  // Of draft 7, and mistakes.
  additionalItems: [false, ['a', 1], { items: [{ type: 'string' }] }],
  dependencies: [{ a: ['b'] }, { a: 1 }],
  $recursiveRef: ['#', 5],
  maxLenght: [1, 'ab'],
  divisibleBy: [2, 3],
}

describe('a tool with a JSON Schema', () => {
  const made = (schema: object, unchecked?: 'refuse' | 'accept') =>
    FunctionTool.fromDefaults({ name: 't', schema, unchecked, fn: () => 'ran' })

  it.each(Object.entries(restricting))(
    'never runs where %s restricts a value',
    async (keyword, [operand, bad, more]) => {
      const { $defs, ...others } = (more ?? {}) as { $defs?: object }
      const schema = { type: 'object', properties: { v: { ...others, [keyword]: operand } }, ...($defs && { $defs }) }
      let tool: FunctionTool
      try {
        tool = made(schema)
      } catch (error) {
        expect(error).toMatchObject({
          code: 'tool_schema',
          message: expect.stringMatching(/^Tool "t": .* at properties\.v cannot be checked/),
        })
        return
      }
      await expect(tool.call({ v: bad })).rejects.toMatchObject({ code: 'tool_input' })
    },
  )

  it.each([
    '$schema',
    '$id',
    '$anchor',
    '$comment',
    '$vocabulary',
    'title',
    'description',
    'default',
    'examples',
    'deprecated',
    'readOnly',
    'writeOnly',
    'x-own',
    'example',
  ])('may have the annotation %s', async (keyword) => {
    expect(
      String(await made({ type: 'object', [keyword]: 'x', properties: { v: { [keyword]: 'x' } } }).call({ v: 1 })),
    ).toBe('ran')
  })

  const fault = { type: 'object', properties: { v: { pattern: '(a)\\1' }, w: {} } }

  it('of a stranger is made, and refuses what cannot be checked, or accepts it on request', async () => {
    await expect(made(fault, 'refuse').call({ v: 'aa' })).rejects.toMatchObject({ code: 'tool_input' })
    expect(String(await made(fault, 'refuse').call({ w: 'aa' }))).toBe('ran')
    expect(String(await made(fault, 'accept').call({ v: 'b' }))).toBe('ran')
  })

  it('is refused for its result too, and as a question', () => {
    expect(() =>
      FunctionTool.fromDefaults({ name: 't', schema: { type: 'object' }, outputSchema: fault, fn: () => ({}) }),
    ).toThrow(expect.objectContaining({ code: 'tool_schema' }))
    class Own extends QuestionTool {
      override call = () => Promise.reject()
    }
    expect(() => new Own({ schema: fault }, { name: 'own', description: '' })).toThrow(
      expect.objectContaining({ code: 'tool_schema' }),
    )
  })

  it('is made from a schema of a library that checks it, and from JSON beside it', async () => {
    const schema = z.object({ v: z.string().regex(/^(["'])[a-z]*\1$/) })
    const tool = FunctionTool.fromDefaults({ name: 't', schema, fn: () => 'ran' })
    expect(String(await tool.call({ v: '"a"' }))).toBe('ran')
    await expect(tool.call({ v: '"a' })).rejects.toMatchObject({ code: 'tool_input' })
    const both = FunctionTool.fromDefaults({
      name: 't',
      schema: { type: 'object', properties: { v: { maxLength: 1 } } },
      parameters: { type: 'object' },
      fn: () => 'ran',
    })
    await expect(both.call({ v: 'ab' })).rejects.toMatchObject({ code: 'tool_input' })
  })
})
