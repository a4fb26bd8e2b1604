import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../tools/extent.ts'
import { checkArguments } from './check-arguments.ts'
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
  // ajv needs `new Function`.
  it('agrees with ajv', { tags: 'system' }, () => {
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

  it('returns only values that ajv accepts, whatever it converts', { tags: 'system' }, () => {
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

  it.each<[object, string[]]>([
    [{ uniqueItems: true, nullable: false, enum: ['a'], required: ['a'], title: 5 }, []],
    [{ odd: [] }, ['the keyword odd']],
    [{ minimum: '1' }, ['a string as the operand of minimum']],
    [{ enum: 'a' }, ['a string as the operand of enum']],
    [{ uniqueItems: [] }, ['an array as the operand of uniqueItems']],
  ])('has what is doubtful in %j', (schema, faults) => {
    expect(checksOf(schema).all.map(({ what }) => what)).toEqual(faults)
  })

  it('may be circular', () => {
    const circular: { properties: Record<string, object> } = { properties: {} }
    circular.properties['a'] = circular
    expect(checksOf(circular).all).toEqual([])
  })
})
