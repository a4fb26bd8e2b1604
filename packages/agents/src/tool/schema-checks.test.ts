import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { rounds } from '../../../../tools/extent.ts'
import { checkArguments } from './check-arguments.ts'
import { FunctionTool } from './function-tool.ts'
import { QuestionTool } from './question-tool.ts'
import { checksOf } from './schema-checks.ts'

const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false, addUsedSchema: false })
const keys = ['a', 'b', 'ab', '1']
const patterns = ['^a', 'b$', '^[ab]{1,2}$', '(?<=a)b', '(?<!b)a$', '^(?=.*b).{2,3}$', '^(?:a|b1){0,3}$', '\\d']
const leaf = fc.oneof(
  fc.constantFrom<unknown>('', 'a', 'b', 'ab', 'ba', 'aab', 'b1', '👍a', true, false, 0, 1, -1, 2, 3, 1.5, 6),
  fc.constant(null),
)
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...keys), tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}))
const count = fc.nat(3)
const optional = <T>(shape: Record<string, fc.Arbitrary<T>>) =>
  fc
    .array(fc.constantFrom(...Object.keys(shape)), { maxLength: 3 })
    .chain((some) => fc.record(Object.fromEntries(some.map((key) => [key, shape[key]!]))))
const named = (part: fc.Arbitrary<unknown>, names = keys) =>
  fc.dictionary(fc.constantFrom(...names), part, { maxKeys: 3, noNullPrototype: true })
const { schema } = fc.letrec<{ schema: unknown; part: unknown }>((tie) => {
  const part = tie('schema')
  const list = fc.array(part, { minLength: 1, maxLength: 3 })
  const type = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'object', 'array')
  return {
    part,
    schema: fc.oneof(
      { maxDepth: 3 },
      fc.boolean(),
      optional<unknown>({
        type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
        enum: fc.array(leaf, { minLength: 1, maxLength: 3 }),
        const: value,
        pattern: fc.constantFrom(...patterns),
        minLength: count,
        maxLength: count,
        minimum: count,
        maximum: count,
        exclusiveMinimum: count,
        exclusiveMaximum: count,
        multipleOf: fc.constantFrom(1, 2, 3, 0.5),
        minItems: count,
        maxItems: count,
        uniqueItems: fc.boolean(),
        minProperties: count,
        maxProperties: count,
        required: fc.uniqueArray(fc.constantFrom(...keys), { maxLength: 2 }),
        dependentRequired: named(fc.uniqueArray(fc.constantFrom(...keys), { maxLength: 2 })),
      }),
      optional<unknown>({
        allOf: list,
        anyOf: list,
        oneOf: list,
        not: part,
        if: part,
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
        then: part,
        else: part,
        items: part,
        prefixItems: list,
        contains: fc.constantFrom<unknown>(
          { type: 'string' },
          { const: 1 },
          { pattern: '^a' },
          { enum: [true, 2, []] },
        ),
        minContains: count,
        maxContains: count,
        properties: named(part),
        patternProperties: named(part, patterns),
        additionalProperties: part,
        propertyNames: part,
        dependentSchemas: named(part),
        $ref: fc.constantFrom('#/$defs/one', '#/$defs/two', '#/$defs/one/not'),
        type: fc.constantFrom('object', 'array'),
      }),
    ),
  }
})
/** References lead to parts without references, so that no chain is circular. */
const whole = fc
  .tuple(schema, optional<unknown>({ type: fc.constantFrom('string', 'object'), minLength: count }), leaf)
  // In ajv, `contains` beside `prefixItems` accepts an empty array.
  .filter(([root]) => !JSON.stringify(root).includes('contains') || !JSON.stringify(root).includes('prefixItems'))
  .map(([root, one, two]) => ({
    allOf: [root],
    $defs: { one: { ...one, not: { const: 'never' } }, two: { enum: [two, 'a'] } },
  }))
/** Values that are never converted: no `null`, which may count as absent, and no string with a number. */
const exact = value.filter((given) => !/null|"1"[^:]/.test(`${JSON.stringify(given)} `))

describe('the check of a JSON Schema', () => {
  it('agrees with ajv', () => {
    const verdicts = { valid: 0, invalid: 0 }
    fc.assert(
      fc.property(whole, fc.array(exact, { minLength: 5, maxLength: 5 }), (given, values) => {
        const isValid = ajv.compile(given)
        for (const one of values) {
          const { issues, value: result } = checkArguments(given, one)
          expect([one, issues.length === 0]).toEqual([one, isValid(one)])
          verdicts[issues.length === 0 ? 'valid' : 'invalid']++
          if (issues.length === 0) expect(result).toEqual(one)
        }
      }),
      { numRuns: rounds(200, 700) },
    )
    expect(Math.min(verdicts.valid, verdicts.invalid)).toBeGreaterThan(300)
  })

  it('returns only values that ajv accepts, whatever it converts', () => {
    fc.assert(
      fc.property(whole, value, (given, one) => {
        const isValid = ajv.compile(given)
        const { issues, value: result } = checkArguments(given, one)
        if (issues.length === 0) expect([result, isValid(result)]).toEqual([result, true])
        else expect([one, isValid(one)]).toEqual([one, false])
      }),
      { numRuns: rounds(200, 700) },
    )
  })
})

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

  it('is read in linear time, however deep or wide it is', () => {
    const time = (n: number) => {
      let deep: object = { unevaluatedItems: false }
      for (let i = 0; i < n; i++) deep = { properties: { a: deep } }
      const wide = { anyOf: Array.from({ length: n }, () => ({ unevaluatedItems: false })) }
      const start = performance.now()
      expect(checksOf(deep).all).toHaveLength(1)
      expect(checksOf(wide).all).toHaveLength(n)
      return performance.now() - start
    }
    time(1000)
    expect(time(100_000)).toBeLessThan(40 * time(10_000) + 500)
  })

  it('may be circular', () => {
    const circular: { properties: Record<string, object> } = { properties: {} }
    circular.properties['a'] = circular
    expect(checksOf(circular).all).toEqual([])
  })
})
