import { describe, expect, it } from 'vitest'
import { checkArguments } from './check-arguments.ts'

describe('checkArguments', () => {
  const object = (properties: Record<string, unknown>, more = {}) => ({ type: 'object', properties, ...more })
  /** A schema for strings, and one for other values. */
  const conditional = (text: unknown, other: unknown) =>
    Object.fromEntries([
      ['if', { type: 'string' }],
      ['then', text],
      ['else', other],
    ])

  it.each([
    [object({ a: { type: 'integer' } }), { a: '3' }, { a: 3 }],
    [object({ a: { type: 'number' } }), { a: ' -1.5e2 ' }, { a: -150 }],
    [object({ a: { type: ['string', 'number'] } }), { a: '3' }, { a: '3' }],
    [object({ a: { anyOf: [{ type: 'null' }, { type: 'number' }] } }), { a: '3' }, { a: 3 }],
    [object({ a: { type: 'array', items: { type: 'integer' } } }), { a: ['1', 2] }, { a: [1, 2] }],
    [object({ a: { $ref: '#/$defs/N' } }, { $defs: { N: { type: 'integer' } } }), { a: '1' }, { a: 1 }],
    [object({ a: { allOf: [{ minimum: 1 }, { type: 'number' }] } }), { a: 2 }, { a: 2 }],
    [object({}), { extra: 1 }, { extra: 1 }],
    [object({ a: { type: 'number', nullable: true } }), { a: null }, { a: null }],
    [object({}, { additionalProperties: { type: 'integer' } }), { x: '7' }, { x: 7 }],
    [object({}, { patternProperties: { '^n': { type: 'integer' } } }), { n1: '7', m: '8' }, { n1: 7, m: '8' }],
    [object({ n1: {} }, { patternProperties: { '^n': { type: 'integer' }, '1$': {} } }), { n1: '7' }, { n1: 7 }],
    [{ prefixItems: [{ type: 'integer' }], items: { type: 'string' } }, ['1', 'x'], [1, 'x']],
    [object({ t: { $ref: '#' } }), { t: { t: {} } }, { t: { t: {} } }],
    [object({ a: { const: { k: [1] } } }), { a: { k: [1] } }, { a: { k: [1] } }],
    [object({ a: { type: 'number', multipleOf: 0.1 } }), { a: 0.3 }, { a: 0.3 }],
    [object({ a: { format: 'date' } }), { a: '2026-02-28' }, { a: '2026-02-28' }],
    [object({ a: { format: 'date' } }), { a: 5 }, { a: 5 }],
    [object({ a: { format: 'toString' } }), { a: 'x' }, { a: 'x' }],
    [object({}, { minProperties: 1, maxProperties: 1 }), { a: 1 }, { a: 1 }],
    [object({ a: { minimum: 1, maximum: 1, minLength: 5 } }), { a: 1 }, { a: 1 }],
    [object({ a: { contains: { const: 1 } } }), { a: [0, 1] }, { a: [0, 1] }],
    [object({ a: { contains: { const: 1 }, minContains: 2, maxContains: 2 } }), { a: [1, 1] }, { a: [1, 1] }],
    [{ items: [{ type: 'integer' }], additionalItems: { type: 'number' } }, ['1', '2'], [1, 2]],
    [{ items: [{ type: 'integer' }] }, ['1', '2'], [1, '2']],
    [conditional({ minLength: 1 }, { minimum: 1 }), 1, 1],
    [object({}, { dependentRequired: { a: ['b'] } }), { b: 1 }, { b: 1 }],
    [object({}, { dependentRequired: { a: ['b'] } }), { a: undefined }, { a: undefined }],
    [object({ a: { oneOf: [{ minimum: 5 }, { maximum: 1 }] } }), { a: 5 }, { a: 5 }],
    [object({ a: { oneOf: [{ type: 'integer' }, { const: 'x' }] } }), { a: '3' }, { a: 3 }],
    [object({ a: { allOf: [{ type: 'integer' }, { minimum: 3 }] } }), { a: '3' }, { a: 3 }],
    [object({ a: { $ref: '#/$defs/N', minimum: 1 } }, { $defs: { N: { type: 'integer' } } }), { a: '1' }, { a: 1 }],
    [object({ a: { not: { type: 'string' } } }), { a: 5 }, { a: 5 }],
    [object({ a: { type: 'integer' } }, { required: 'a' }), {}, {}],
    [object({ a: { type: 'number' } }, { additionalProperties: false }), { a: undefined }, { a: undefined }],
    [
      { properties: { a: 5, b: null }, required: ['a'] },
      { a: 1, b: 1 },
      { a: 1, b: 1 },
    ],
    [{ type: 5, properties: 5, patternProperties: 5, allOf: 5, enum: 5 }, { a: 1 }, { a: 1 }],
  ])('accepts %j', (schema, value, expected) => {
    expect(checkArguments(schema, value)).toEqual({ value: expected, issues: [] })
  })

  it.each([
    [object({ a: { type: 'integer' } }), { a: 1.5 }, 'a', 'expected an integer, received 1.5'],
    [object({ a: { type: 'integer' } }), { a: 'x' }, 'a', 'expected an integer, received "x"'],
    [object({ a: { type: 'boolean' } }), { a: '1' }, 'a', 'expected a boolean, received "1"'],
    [object({ a: { type: 'integer' } }), { a: '1.5' }, 'a', 'expected an integer, received "1.5"'],
    [object({ a: { type: 'boolean' } }), { a: 'true' }, 'a', 'expected a boolean, received "true"'],
    [object({ a: {} }, { required: ['a'] }), {}, 'a', 'expected a value, received nothing'],
    [object({ a: { enum: ['x', 'y'] } }), { a: 'z' }, 'a', 'expected one of "x", "y", received "z"'],
    [object({ a: { minimum: 1 } }), { a: 0 }, 'a', 'expected a number at least 1, received 0'],
    [
      object({ a: { maxLength: 2 } }),
      { a: '👍👍👍' },
      'a',
      'expected a string of at most 2 characters, received "👍👍👍"',
    ],
    [object({ a: { minItems: 1 } }), { a: [] }, 'a', 'expected an array of at least 1 items, received []'],
    [object({ a: { pattern: '^x' } }), { a: 'y' }, 'a', 'expected a string that matches ^x, received "y"'],
    [
      object({ a: { uniqueItems: true } }),
      { a: [{ k: 1 }, { k: 1 }] },
      'a',
      'expected an array of unique items, received [{"k":1},{"k":1}]',
    ],
    [
      object({ a: object({}, { minProperties: 1 }) }),
      { a: {} },
      'a',
      'expected an object of at least 1 keys, received {}',
    ],
    [object({ a: {} }, { additionalProperties: false }), { b: 1 }, 'b', 'unknown argument; expected one of: a'],
    [object({ a: object({ b: { type: 'string' } }) }), { a: { b: 1 } }, 'a.b', 'expected a string, received 1'],
    [
      object({ a: { type: 'array', items: { type: 'string' } } }),
      { a: ['x', 1] },
      'a[1]',
      'expected a string, received 1',
    ],
    [
      object({ a: { oneOf: [{ type: 'string' }, { type: 'null' }] } }),
      { a: 1 },
      'a',
      'expected a string or null, received 1',
    ],
    [object({ a: false }), { a: 1 }, 'a', 'expected nothing, received 1'],
    [
      object({ a: { format: 'date' } }),
      { a: '2026-02-30' },
      'a',
      'expected a string with the format date, received "2026-02-30"',
    ],
    [
      object({}, { maxProperties: 1 }),
      { a: 1, b: 2 },
      '',
      'expected an object of at most 1 keys, received {"a":1,"b":2}',
    ],
    [
      object({ a: { contains: { const: 1 } } }),
      { a: [0] },
      'a',
      'expected an array with 1 to 1 items that are 1, received [0]',
    ],
    [
      object({ a: { contains: { const: 1 }, maxContains: 1 } }),
      { a: [1, 1] },
      'a',
      'expected an array with 1 to 1 items that are 1, received [1,1]',
    ],
    [{ items: [{}], additionalItems: false }, ['1', '2'], '[1]', 'expected nothing, received "2"'],
    [{ prefixItems: [{}], items: false }, ['1', '2'], '[1]', 'expected nothing, received "2"'],
    [conditional({ minLength: 2 }, false), 'a', '', 'expected a string of at least 2 characters, received "a"'],
    [
      object({}, { propertyNames: { maxLength: 1 } }),
      { ab: 1 },
      'ab',
      'expected a string of at most 1 characters, received "ab"',
    ],
    [object({}, { dependentRequired: { a: ['b'] } }), { a: 1 }, 'b', 'expected a value, received nothing'],
    [object({}, { dependencies: { a: ['b'] } }), { a: 1 }, 'b', 'expected a value, received nothing'],
    [
      object({}, { dependencies: { a: { maxProperties: 0 } } }),
      { a: 1 },
      '',
      'expected an object of at most 0 keys, received {"a":1}',
    ],
    [object({}, { dependentSchemas: { a: { required: ['b'] } } }), { a: 1 }, 'b', 'expected a value, received nothing'],
    [
      object({ a: { oneOf: [{ type: 'integer' }, { type: 'number' }] } }),
      { a: 3 },
      'a',
      'expected a value that only one of an integer or a finite number accepts, received 3',
    ],
    [object({ a: { not: { type: 'string' } } }), { a: 'x' }, 'a', 'expected anything but a string, received "x"'],
    [
      object({ a: { anyOf: [object({ b: { type: 'string' } }), { type: 'null' }] } }),
      { a: { b: 5 } },
      'a.b',
      'expected a string, received 5',
    ],
    [
      object({ a: { $ref: '#/$defs/N', minimum: 1 } }, { $defs: { N: { type: 'integer' } } }),
      { a: 0 },
      'a',
      'expected a number at least 1, received 0',
    ],
    [
      object({ a: { $ref: '#/$defs/N', minimum: 1 } }, { $defs: { N: { maximum: -1 } } }),
      { a: 0 },
      'a',
      'expected a number at most -1, received 0',
    ],
    [
      object({ n1: {} }, { patternProperties: { '1$': { type: 'string' } } }),
      { n1: 1 },
      'n1',
      'expected a string, received 1',
    ],
    [object({}, { additionalProperties: false }), { b: 1 }, 'b', 'unknown argument; expected one of: none'],
    [
      object({ a: { type: 'string' } }, { required: ['a'] }),
      { a: undefined },
      'a',
      'expected a string, received nothing',
    ],
    [object({ a: { const: 1 } }), { a: 'x'.repeat(58) }, 'a', `expected 1, received "${'x'.repeat(58)}"`],
    [object({ a: { const: 1 } }), { a: 'x'.repeat(59) }, 'a', `expected 1, received "${'x'.repeat(59)}…`],
    [object({ a: { const: 1 } }), { a: Symbol('x') }, 'a', 'expected 1, received symbol'],
    [object({ __proto__x: {} }, { required: ['__proto__'] }), {}, '__proto__', 'expected a value, received nothing'],
  ])('rejects %j for %j', (schema, value, path, message) => {
    expect(checkArguments(schema, value).issues).toEqual([{ path, message }])
  })

  it.each([
    ['counts as absent', object({ a: { type: 'integer' } }), { a: null }, {}],
    ['stays where it is accepted', object({ a: { type: ['integer', 'null'] } }), { a: null }, { a: null }],
    ['stays where everything is accepted', object({ a: {} }), { a: null }, { a: null }],
    ['stays for a key that the schema does not name', object({}), { b: null }, { b: null }],
    [
      'counts as absent at any depth',
      object(
        { a: { type: 'array', items: object({ b: { $ref: '#/$defs/s' } }) } },
        { $defs: { s: { type: 'string' } } },
      ),
      { a: [{ b: null }] },
      { a: [{}] },
    ],
  ])('null for an optional property %s', (_, schema, value, expected) => {
    expect(checkArguments(schema, value)).toEqual({ value: expected, issues: [] })
  })

  it('accepts an instance of a class as an object', () => {
    class Place {
      city = 'Rome'
    }
    const schema = { type: 'object', properties: { city: { type: 'string' } } }
    expect(checkArguments(schema, new Place())).toEqual({ value: { city: 'Rome' }, issues: [] })
    expect(checkArguments({ type: 'object' }, ['Rome']).issues).toHaveLength(1)
  })

  it('rejects what is not a schema', () => {
    expect(() => checkArguments(null as never, {})).toThrow(
      'checkArguments.schema: expected a JSON Schema, received null',
    )
  })

  it('does not take an anchor for the name of a part', () => {
    const [issue] = checkArguments({ $ref: '#properties', properties: { type: 'string' } }, 'x').issues
    expect(issue?.message).toMatch(/^cannot be checked: /)
  })

  it('rejects null for a required property', () => {
    const schema = object({ a: { type: 'integer' } }, { required: ['a'] })
    expect(checkArguments(schema, { a: null }).issues).toEqual([
      { path: 'a', message: 'expected an integer, received null' },
    ])
  })

  it('rejects a very long string without a list of its characters', () => {
    const { issues } = checkArguments({ type: 'string', maxLength: 10 }, 'x'.repeat(20_000_000))
    expect(issues).toEqual([
      { path: '', message: expect.stringMatching(/^expected a string of at most 10 characters/) },
    ])
  })

  it('refuses what a pattern concerns that cannot be checked, unless the option says otherwise', () => {
    const text = (pattern: string) => ({ type: 'string', pattern })
    // An escape that the `v` flag refuses, and groups that JavaScript does not have.
    expect(checkArguments(text('^a\\-b$'), 'a-c').issues).toHaveLength(1)
    expect(checkArguments(text('^a\\-b$'), 'a-b').issues).toEqual([])
    const schema = object({ a: { not: text('(?P<year>\\d+') }, b: {} })
    expect(checkArguments(schema, { a: 'x' }).issues).toEqual([
      {
        path: 'a',
        message: 'cannot be checked: the pattern (?P<year>\\d+ at properties.a.not cannot be checked',
      },
    ])
    expect(checkArguments(schema, { b: 'x' }).issues).toEqual([])
    expect(checkArguments(schema, { a: 5 }, { unchecked: 'accept' }).issues).toEqual([])
  })

  it('refuses a string that takes a pattern too many steps, also where a schema negates it', () => {
    const pattern = '^(?:(?:a{0,99}b?){0,99}){0,99}$'
    for (const schema of [{ pattern }, { not: { pattern } }, { if: { pattern }, else: false }])
      expect(checkArguments(schema, `${'a'.repeat(3000)}!`).issues).toMatchObject([
        { message: expect.stringContaining('takes too many steps') },
      ])
  })

  it('does not convert a value that an alternative accepts as it is', () => {
    const schema = { anyOf: [{ type: 'integer' }, { type: 'string' }] }
    expect(checkArguments(schema, '5')).toEqual({ value: '5', issues: [] })
  })

  it.each([
    ['required elsewhere', { properties: { a: { type: 'integer' } }, allOf: [{ required: ['a'] }] }, { a: null }],
    ['counted', { properties: { a: { type: 'integer' } }, minProperties: 1 }, { a: null }],
    ['negated', { properties: { a: { type: 'integer' } }, not: { properties: { a: { const: 5 } } } }, { a: '5' }],
    ['a key', { propertyNames: { type: 'integer' } }, { '5': 1 }],
  ])('checks a value again that it has converted: %s', (_, schema, value) => {
    expect(checkArguments(schema, value).issues.length).toBeGreaterThan(0)
  })

  it('checks long arrays to the end', () => {
    const list = {
      type: 'array',
      items: { anyOf: [{ type: 'string' }, { $ref: '#/$defs/n' }] },
      $defs: { n: { type: 'number' } },
    }
    const values = Array.from({ length: 30_000 }, (_, i) => i)
    expect(checkArguments(list, values).issues).toEqual([])
    expect(checkArguments(list, [...values, null]).issues).toMatchObject([{ path: '[30000]' }])
    const endless = { anyOf: [{ $ref: '#' }, { $ref: '#' }] }
    expect(checkArguments(endless, 1).issues.length).toBeGreaterThan(0)
  })

  it('follows at most 500 references in a row', () => {
    const chain = (length: number) => ({
      $ref: '#/$defs/1',
      $defs: Object.fromEntries(
        Array.from({ length }, (_, i) => [i + 1, i + 1 < length ? { $ref: `#/$defs/${i + 2}` } : { type: 'string' }]),
      ),
    })
    expect(checkArguments(chain(500), 'a').issues).toEqual([])
    expect(checkArguments(chain(500), 1).issues).toMatchObject([{ message: 'expected a string, received 1' }])
    expect(checkArguments(chain(501), 'a').issues).toMatchObject([
      { message: 'cannot be checked: its references are circular' },
    ])
  })

  it('terminates for a circular schema', () => {
    expect(checkArguments({ $ref: '#' }, 1).issues).toHaveLength(1)
  })
})

it('checkArguments reports the issues of every item in a long array with alternatives', () => {
  const items = { type: 'array', items: { type: 'number' } } as const
  const schema = { type: 'object', properties: { a: { anyOf: [items] } }, required: ['a'] } as const
  expect(checkArguments(schema, { a: Array(200_000).fill('x') }).issues.length).toBe(200_000)
})

describe('integers beyond 2^53', () => {
  const schema = (type: unknown) => ({ properties: { a: type === undefined ? {} : { type } } })

  it.each<[string | string[] | undefined, unknown, unknown]>([
    ['integer', 10n ** 16n, 1e16],
    ['number', '9007199254740994', 9007199254740994],
    ['number', '0.12345678901234567890', 0.12345678901234568],
    [['integer', 'string'], '1234567890123456789', '1234567890123456789'],
    [undefined, 2n ** 64n, 2n ** 64n],
    [undefined, [2n ** 64n], [2n ** 64n]],
  ])('are valid for %s if no digit is lost (%s)', (type, given, value) => {
    expect(checkArguments(schema(type), { a: given })).toEqual({ value: { a: value }, issues: [] })
  })

  it.each<[string, unknown, string]>([
    ['integer', 2n ** 64n + 1n, 'expected an integer, received 18446744073709551617, which is too large for a number'],
    ['number', '1234567890123456789', 'expected a finite number, received "1234567890123456789"'],
    ['integer', ` ${'9'.repeat(400)}`, `expected an integer, received " ${'9'.repeat(58)}…`],
    ['string', [2n ** 64n], 'expected a string, received [18446744073709551616]'],
    ['string', () => 1, 'expected a string, received function'],
  ])('are an issue for %s otherwise (%s)', (type, given, message) => {
    expect(checkArguments(schema(type), { a: given }).issues).toEqual([{ path: 'a', message }])
  })
})
