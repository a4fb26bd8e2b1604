import { Integer, Number as Num, Optional, String as Text, Object as TypeObject } from 'typebox'
import { describe, expect, expectTypeOf, it } from 'vitest'
import * as z from 'zod'
import { checkArguments } from './check-arguments.ts'
import { FunctionTool } from './function-tool.ts'
import { ToolMetadata } from './tool-metadata.ts'
import type { ArgumentsOf, ToolSchema } from './tool-schema.ts'

describe('FunctionTool', () => {
  it('accepts TypeBox, JSON Schema and Standard Schema, with the types of each', async () => {
    const fromTypeBox = FunctionTool.fromDefaults({
      name: 't',
      schema: TypeObject({ city: Text(), days: Optional(Integer()) }),
      fn: (args) => {
        expectTypeOf(args).toEqualTypeOf<{ city: string } & { days?: number }>()
        return `${args.city} ${args.days ?? 1}`
      },
    })
    const fromJson = FunctionTool.fromDefaults({
      name: 'j',
      schema: {
        type: 'object',
        properties: { kind: { enum: ['a', 'b'] }, tags: { type: 'array', items: { type: 'string' } } },
        required: ['kind'],
      },
      fn: ({ kind, tags }) => {
        expectTypeOf(kind).toEqualTypeOf<'a' | 'b'>()
        expectTypeOf(tags).toEqualTypeOf<string[] | undefined>()
        return [kind, ...(tags ?? [])]
      },
    })
    const fromZod = FunctionTool.fromDefaults({
      name: 'z',
      schema: z.object({ when: z.string().transform((text) => new Date(text)), n: z.number().default(3) }),
      fn: ({ when, n }) => {
        expectTypeOf(when).toEqualTypeOf<Date>()
        return `${when.getUTCFullYear()} ${n}`
      },
    })
    expect((await fromTypeBox.call({ city: 'Lima', days: '2' })).content).toBe('Lima 2')
    expect((await fromJson.call({ kind: 'a', tags: ['x'] })).content).toBe('["a","x"]')
    expect((await fromZod.call({ when: '2024-05-01' })).content).toBe('2024 3')
  })

  it('sends the JSON Schema of zod to the model and reports invalid arguments', async () => {
    const tool = FunctionTool.fromDefaults({
      name: 'zod',
      schema: z.object({ filter: z.object({ n: z.number() }) }),
      fn: () => 'ok',
    })
    expect(tool.metadata.getParametersDict()).toMatchObject({ type: 'object', required: ['filter'] })
    await expect(tool.call({ filter: { n: 'many' } })).rejects.toMatchObject({
      code: 'tool_input',
      issues: [{ path: 'filter.n' }],
    })
    expect((await tool.call({ filter: { n: '4' } })).content).toBe('ok')
  })

  it('is synchronous if possible, and always rejects with its errors', async () => {
    const tool = (fn: () => unknown, needsTime = false) => {
      const schema: ToolSchema = needsTime ? z.object({}).refine(async () => true) : { type: 'object', required: ['a'] }
      return FunctionTool.fromDefaults({ name: 't', schema, ...(needsTime && { parameters: {} }), fn })
    }
    const fail = () => {
      throw new Error('out of order')
    }
    // biome-ignore lint/suspicious/noThenProperty: a promise of another kind
    const slow = { then: (resolve: (value: unknown) => void) => resolve('later') }
    expect(tool(() => 'now').call({ a: 1 })).toMatchObject({ content: 'now', rawOutput: 'now' })
    expect((await tool(() => slow).call({ a: 1 })).content).toBe('later')
    expect((await tool(() => 'checked', true).call({})).content).toBe('checked')
    await expect(tool(fail).call({ a: 1 })).rejects.toMatchObject({ code: 'tool_execution' })
    await expect(tool(async () => fail()).call({ a: 1 })).rejects.toMatchObject({ code: 'tool_execution' })
    await expect(tool(fail, true).call({})).rejects.toMatchObject({ code: 'tool_execution' })
    await expect(tool(fail).call({})).rejects.toMatchObject({ code: 'tool_input' })
    const loop: unknown[] = []
    loop.push(loop)
    await expect(tool(async () => loop).call({ a: 1 })).rejects.toMatchObject({ code: 'tool_execution' })
  })

  it('requires parameters if a library generates no JSON Schema', async () => {
    const standard = { '~standard': { version: 1, vendor: 'own', validate: (value: unknown) => ({ value }) } } as const
    expect(() => FunctionTool.fromDefaults({ name: 'x', schema: standard, fn: () => 1 })).toThrow(
      expect.objectContaining({ code: 'tool_schema' }),
    )
    const parameters = { type: 'object', properties: {} }
    expect(
      (await FunctionTool.fromDefaults({ name: 'x', schema: standard, parameters, fn: () => 1 }).call({})).content,
    ).toBe('1')
  })

  it('validates the result of the function, and rejects results without JSON form', async () => {
    const schema = { type: 'object', properties: {} } as const
    const wrong = FunctionTool.fromDefaults({ name: 'w', schema, outputSchema: { type: 'number' }, fn: () => 'text' })
    await expect(wrong.call({})).rejects.toMatchObject({ code: 'tool_execution' })
    const cyclic = FunctionTool.fromDefaults({
      name: 'c',
      schema,
      fn: () => {
        const self: Record<string, unknown> = {}
        self['self'] = self
        return self
      },
    })
    await expect(cyclic.call({})).rejects.toMatchObject({ code: 'tool_execution', fatal: false })
  })

  it('keeps the error of the function as the cause, and whether it is fatal', async () => {
    const failure = Object.assign(new Error('gone'), { fatal: true })
    const tool = FunctionTool.fromDefaults({
      name: 'f',
      schema: { type: 'object', properties: {} },
      fn: () => {
        throw failure
      },
    })
    await expect(tool.call({})).rejects.toMatchObject({ code: 'tool_execution', fatal: true, cause: failure })
  })

  it.each([
    [undefined, 'undefined'],
    [{ message: 'plain' }, 'plain'],
    [Object.freeze(Object.create(null)), 'it has no message'],
    [Symbol('s'), 'Symbol(s)'],
  ])('describes every thrown value: %o', async (thrown, words) => {
    const tool = FunctionTool.fromDefaults({
      name: 'fails',
      schema: {},
      fn: () => {
        throw thrown
      },
    })
    await expect(tool.call({})).rejects.toMatchObject({ message: `Tool "fails" failed: ${words}`, cause: thrown })
  })

  it('awaits a validation that returns a thenable', async () => {
    const validate = () => ({
      // biome-ignore lint/suspicious/noThenProperty: the promise of another library
      then: (resolve: (result: unknown) => void) => resolve({ issues: [{ message: 'never fits', path: ['a'] }] }),
    })
    const schema = { '~standard': { version: 1, vendor: 'own', validate } }
    const tool = FunctionTool.fromDefaults({ name: 't', schema, parameters: {}, fn: () => 'ran' })
    await expect(tool.call({})).rejects.toMatchObject({ code: 'tool_input', issues: [{ path: 'a' }] })
  })

  it('validates results without a JSON Schema, and reports arguments without one', async () => {
    const schema = z.object({})
    const when = FunctionTool.fromDefaults({ name: 'w', schema, outputSchema: z.date(), fn: () => new Date(0) })
    expect((await when.call({})).rawOutput).toEqual(new Date(0))
    expect(() => FunctionTool.fromDefaults({ name: 'd', schema: z.object({ at: z.date() }), fn: () => 1 })).toThrow(
      expect.objectContaining({ code: 'tool_schema', message: expect.stringContaining('parameters') }),
    )
  })

  it('decides about approval with the arguments that the function would receive', async () => {
    const asked: unknown[] = []
    const tool = FunctionTool.fromDefaults({
      name: 'pay',
      schema: z.object({ amount: z.number(), to: z.string().default('Ann') }),
      needsApproval: (args) => {
        asked.push(args)
        return args.amount === 3
      },
      fn: () => 'paid',
    })
    const needsApproval = tool.needsApproval as (args: unknown) => Promise<boolean>
    expect(await needsApproval({ amount: '3' })).toBe(true)
    // A call that cannot be made is for the model to mend.
    expect(await needsApproval({ amount: 'much' })).toBe(false)
    expect(asked).toEqual([{ amount: 3, to: 'Ann' }])
  })

  it('takes its name from the function', () => {
    function lookUp() {
      return 1
    }
    expect(FunctionTool.fromDefaults({ schema: {}, fn: lookUp }).metadata.name).toBe('lookUp')
    expect(new ToolMetadata({ description: '' }).name).toBeNull()
  })
})

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

describe('checkArguments', () => {
  const object = (properties: Record<string, unknown>, more = {}) => ({ type: 'object', properties, ...more })

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
    [{ prefixItems: [{ type: 'integer' }], items: { type: 'string' } }, ['1', 'x'], [1, 'x']],
    [object({ t: { $ref: '#' } }), { t: { t: {} } }, { t: { t: {} } }],
    [object({ a: { const: { k: [1] } } }), { a: { k: [1] } }, { a: { k: [1] } }],
    [object({ a: { type: 'number', multipleOf: 0.1 } }), { a: 0.3 }, { a: 0.3 }],
  ])('accepts %j', (schema, value, expected) => {
    expect(checkArguments(schema, value)).toEqual({ value: expected, issues: [] })
  })

  it.each([
    [object({ a: { type: 'integer' } }), { a: 1.5 }, 'a', 'expected an integer, received 1.5'],
    [object({ a: { type: 'integer' } }), { a: 'x' }, 'a', 'expected an integer, received "x"'],
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
    [object({ __proto__x: {} }, { required: ['__proto__'] }), {}, '__proto__', 'expected a value, received nothing'],
  ])('rejects %j for %j', (schema, value, path, message) => {
    expect(checkArguments(schema, value).issues).toEqual([{ path, message }])
  })

  it('ignores patterns that are invalid in JavaScript', () => {
    const text = (pattern: string) => ({ type: 'string', pattern })
    // An escape that the newer grammar of patterns refuses, and groups that no grammar here has.
    expect(checkArguments(text('^a\\-b$'), 'a-c').issues).toHaveLength(1)
    expect(checkArguments(text('^a\\-b$'), 'a-b').issues).toEqual([])
    expect(checkArguments(text('(?P<year>\\d+'), 'x').issues).toEqual([])
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

  it('terminates for a circular schema', () => {
    expect(checkArguments({ $ref: '#' }, 1).issues).toHaveLength(1)
  })
})

it('checkArguments reports the issues of every item in a long array with alternatives', async () => {
  const items = { type: 'array', items: { type: 'number' } } as const
  const schema = { type: 'object', properties: { a: { anyOf: [items] } }, required: ['a'] } as const
  const tool = FunctionTool.fromDefaults({ name: 't', schema, fn: () => 1 })
  const call = async () => tool.call({ a: Array(200_000).fill('x') })
  await expect(call()).rejects.toMatchObject({ code: 'tool_input', issues: { length: 200_000 } })
})
