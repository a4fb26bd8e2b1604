import type { StandardSchema } from '@x/core-model'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { FunctionTool } from './function-tool.ts'
import { itemsOf, schemaTool } from './schema-tool.ts'

const person = z.object({ name: z.string(), age: z.number().optional(), tags: z.array(z.number()).optional() })

/** A tool that returns the arguments as its function receives them. */
const echo = (schema: StandardSchema = person) => schemaTool({ name: 'echo', schema, fn: (args) => args })

it.each([
  [
    { name: 'a', age: 3 },
    { name: 'a', age: 3 },
  ],
  [
    { name: 'a', age: '3' },
    { name: 'a', age: 3 },
  ],
  [{ name: 'a', age: null }, { name: 'a' }],
  [
    { name: 'a', tags: ['1', 2, '3e2'] },
    { name: 'a', tags: [1, 2, 300] },
  ],
  // A string stays where the library accepts it.
  [{ name: '007' }, { name: '007' }],
  [
    { name: 'a', age: 3n },
    { name: 'a', age: 3 },
  ],
])('passes the arguments on as the library accepts them (%#)', async (given, received) => {
  const before = structuredClone(given)
  const { rawOutput } = await echo().call(given)
  expect(rawOutput).toEqual(received)
  expect(given).toEqual(before)
})

it.each([
  [{}, ['name']],
  [{ name: null }, ['name']],
  [{ name: 'a', age: 'many' }, ['age']],
  [{ name: 'a', age: '9007199254740993' }, ['age']],
  [{ name: 'a', age: '1e999' }, ['age']],
  [{ name: 'a', age: null, tags: [null, '1'] }, ['tags.0']],
  ['text', ['']],
])('refuses %j with the issues of the library', async (given, paths) => {
  await expect(echo().call(given as never)).rejects.toMatchObject({
    code: 'tool_input',
    issues: paths.map((path) => ({ path, message: expect.any(String) })),
  })
})

it('corrects the arguments of a library that answers later, and a key that names a prototype is none', async () => {
  const later: StandardSchema<unknown> = {
    '~standard': {
      version: 1,
      vendor: 'later',
      validate: async (value) => {
        const { n } = value as { n?: unknown }
        return typeof n === 'number'
          ? { value }
          : {
              issues: [
                { message: 'no number', path: [{ key: 'n' }] },
                { message: 'bad', path: ['__proto__', 'n'] },
              ],
            }
      },
      jsonSchema: { input: () => ({ type: 'object' }) },
    },
  }
  expect((await echo(later).call({ n: '5' })).rawOutput).toEqual({ n: 5 })
  await expect(echo(later).call({ n: 'x' })).rejects.toMatchObject({ issues: [{ path: 'n' }, { path: '__proto__.n' }] })
})

it('corrects each part once, however many issues it has', async () => {
  const schema = z.object({ list: z.array(z.number()) })
  const list = Array.from({ length: 20_000 }, (_, i) => `${i}`)
  const { rawOutput } = await echo(schema).call({ list })
  expect(rawOutput).toEqual({ list: list.map(Number) })
})

it('checks the result with its own schema', async () => {
  const tool = (fn: () => never) =>
    schemaTool({ name: 'half', schema: z.object({}), outputSchema: z.object({ half: z.number() }), fn })
  expect((await tool(() => ({ half: 2 }) as never).call({})).content).toBe('{"half":2}')
  await expect(tool(() => ({ half: 'x' }) as never).call({})).rejects.toMatchObject({ code: 'tool_execution' })
})

it('refuses a schema without the contract, and options that it does not have', () => {
  const json = { type: 'object', properties: {} } as never
  expect(() => schemaTool({ name: 'a', schema: json, fn: () => '' })).toThrow(
    'Tool "a": expected a Standard Schema, such as one of zod; pass a JSON Schema to FunctionTool.fromDefaults.',
  )
  const unknown = { name: 'a', schema: person, fn: () => '', unchecked: 'accept' } as never
  expect(() => schemaTool(unknown)).toThrow('schemaTool.unchecked')
  expect(() => schemaTool({ schema: person } as never)).toThrow('schemaTool.fn')
})

it('is offered and typed as a FunctionTool of the same options is', async () => {
  const options = {
    name: 'greet',
    description: 'Greets.',
    schema: person,
    needsApproval: ({ name }: { name: string }) => name === 'Ann',
    fn: ({ name }: { name: string }, { context }: { context: { greeting: string } }) => `${context.greeting}, ${name}`,
  } as const
  const [light, full] = [schemaTool(options), FunctionTool.fromDefaults(options)]
  expect(light.metadata.toOpenaiTool()).toEqual(full.metadata.toOpenaiTool())
  expectTypeOf(light).toExtend<FunctionTool<{ greeting: string }, 'greet'>>()
  const call = await light.call({ name: 'Ann' }, { context: { greeting: 'Hi' } })
  expect(call.content).toBe('Hi, Ann')
  const needs = light.needsApproval as (args: never, context: object) => Promise<boolean>
  expect(await Promise.all([{ name: 'Ann' }, { name: 'Bob' }, {}].map((args) => needs(args as never, {})))).toEqual([
    true,
    false,
    false,
  ])
})

describe('itemsOf', () => {
  it('returns undefined for objects that are not iterators', () => {
    for (const value of [[1], new Map(), new Set(), { next: 1 }]) expect(itemsOf(value, undefined)).toBeUndefined()
  })
})
