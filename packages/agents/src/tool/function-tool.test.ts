import { ToolOutput } from '@x/core-model'
import { Integer, Optional, String as Text, Object as TypeObject } from 'typebox'
import { describe, expect, expectTypeOf, it } from 'vitest'
import * as z from 'zod'
import type { ToolCallContext } from './base-tool.ts'
import { FunctionTool } from './function-tool.ts'
import { ToolMetadata } from './tool-metadata.ts'
import type { ToolSchema } from './tool-schema.ts'

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

  it('accepts functions and validations that return thenables, and always rejects with their errors', async () => {
    const tool = (fn: () => unknown, needsTime = false) => {
      const schema: ToolSchema = needsTime ? z.object({}).refine(async () => true) : { type: 'object', required: ['a'] }
      return FunctionTool.fromDefaults({ name: 't', schema, ...(needsTime && { parameters: {} }), fn })
    }
    const fail = () => {
      throw new Error('out of order')
    }
    // biome-ignore lint/suspicious/noThenProperty: a promise of another kind
    const slow = { then: (resolve: (value: unknown) => void) => resolve('later') }
    expect(await tool(() => 'now').call({ a: 1 })).toMatchObject({ content: 'now', rawOutput: 'now' })
    expect((await tool(() => slow).call({ a: 1 })).content).toBe('later')
    expect((await tool(() => 'checked', true).call({})).content).toBe('checked')
    await expect(tool(fail).call({ a: 1 })).rejects.toMatchObject({ code: 'tool_execution' })
    await expect(tool(async () => fail()).call({ a: 1 })).rejects.toMatchObject({ code: 'tool_execution' })
    await expect(tool(fail, true).call({})).rejects.toMatchObject({ code: 'tool_execution' })
    await expect(tool(fail).call({})).rejects.toMatchObject({ code: 'tool_input' })
  })

  it('requires a schema', () => {
    const options = { name: 'x', fn: () => 1 }
    const create = () => FunctionTool.fromDefaults(options as never)
    expect(create).toThrow('FunctionTool.schema: expected a schema of the arguments, received nothing.')
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

  it('validates the result of the function, whose type is that of the output schema', async () => {
    const schema = { type: 'object', properties: {} } as const
    const outputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } as const
    const right = FunctionTool.fromDefaults({ name: 'r', schema, outputSchema, fn: async () => ({ n: 1 }) })
    expect((await right.call({})).rawOutput).toEqual({ n: 1 })
    expect(right.metadata.outputSchema).toEqual(outputSchema)
    // @ts-expect-error the result has another type
    const wrong = FunctionTool.fromDefaults({ name: 'w', schema, outputSchema, fn: () => ({ n: 'one' }) })
    await expect(wrong.call({})).rejects.toMatchObject({
      code: 'tool_execution',
      message: expect.stringContaining('n: expected a finite number, received "one"'),
    })
  })

  it('converts results without a JSON form to text, and does not treat them as failures', async () => {
    const call = async (result: unknown) => {
      const tool = FunctionTool.fromDefaults({ name: 't', schema: {}, fn: () => result })
      const { content, isError } = await tool.call({})
      return { content, isError }
    }
    const cyclic: Record<string, unknown> = { n: 1 }
    cyclic['self'] = cyclic
    expect(await call(new Map([['a', 1]]))).toEqual({ content: '{"a":1}', isError: false })
    expect(await call(cyclic)).toEqual({ content: '{"n":1,"self":"[Circular]"}', isError: false })
  })

  it('treats a returned error like a thrown one', async () => {
    const failure = new RangeError('too far')
    const tool = FunctionTool.fromDefaults({ name: 't', schema: {}, fn: () => failure })
    await expect(tool.call({})).rejects.toMatchObject({ code: 'tool_execution', cause: failure })
  })

  it('collects the items of generators and streams', async () => {
    const call = async (fn: () => unknown) => FunctionTool.fromDefaults({ name: 't', schema: {}, fn }).call({})
    const numbers = await call(function* () {
      yield* [1, 2]
    })
    expect(numbers).toMatchObject({ content: '[1,2]', rawOutput: [1, 2] })
    const text = await call(async function* () {
      yield 'It is '
      yield 'dry.'
    })
    expect(text).toMatchObject({ content: 'It is dry.', rawOutput: ['It is ', 'dry.'] })
    const stream = () =>
      new ReadableStream({
        start(controller) {
          for (const piece of ['a', 'b']) controller.enqueue(piece)
          controller.close()
        },
      })
    expect((await call(stream)).content).toBe('ab')
    const broken = call(async function* () {
      yield 'a'
      throw new Error('line cut')
    })
    await expect(broken).rejects.toMatchObject({ code: 'tool_execution', message: expect.stringContaining('line cut') })
  })

  it('stops reading a generator when the call is cancelled', async () => {
    const controller = new AbortController()
    let yielded = 0
    const tool = FunctionTool.fromDefaults({
      name: 't',
      schema: {},
      fn: async function* () {
        for (;;) {
          if (++yielded === 3) controller.abort(new Error('enough'))
          yield yielded
        }
      },
    })
    await expect(tool.call({}, { signal: controller.signal })).rejects.toThrow('enough')
    expect(yielded).toBe(3)
  })

  it('returns the ToolOutput of the function with its parts, with the name of the tool', async () => {
    const parts = [{ type: 'image_url' as const, image_url: { url: 'data:image/png;base64,AAAA' } }]
    const tool = FunctionTool.fromDefaults({
      name: 'draw',
      schema: { type: 'object', properties: { what: { type: 'string' } } },
      fn: () => ToolOutput.fromParts({ toolName: 'inner', parts, rawOutput: 7 }),
    })
    expect(await tool.call({ what: 'a dot' })).toMatchObject({
      toolName: 'draw',
      content: '[image image/png]',
      modelContent: parts,
      rawOutput: 7,
      rawInput: { kwargs: { what: 'a dot' } },
    })
  })

  it('passes the context of the call to the function and to needsApproval, with its declared type', async () => {
    interface Session {
      user: string
    }
    const seen: unknown[] = []
    const tool = FunctionTool.fromDefaults({
      name: 'pay',
      schema: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
      needsApproval: (_args, { context }: ToolCallContext<Session>) => context.user !== 'root',
      fn: ({ to }, { context, onProgress, idempotencyKey, parentId }: ToolCallContext<Session>) => {
        onProgress?.(0.5)
        return `${context.user} pays ${to} ${idempotencyKey} ${parentId}`
      },
    })
    const context = { context: { user: 'ann' }, onProgress: (progress: unknown) => void seen.push(progress) }
    const output = await tool.call({ to: 'bob' }, { ...context, idempotencyKey: 'k', parentId: 'p' })
    expect([output.content, seen]).toEqual(['ann pays bob k p', [0.5]])
    const needsApproval = tool.needsApproval as (args: unknown, context: unknown) => Promise<boolean>
    expect(await needsApproval({ to: 'bob' }, { context: { user: 'ann' } })).toBe(true)
    expect(await needsApproval({ to: 'bob' }, { context: { user: 'root' } })).toBe(false)
  })

  it('keeps the error of the function as the cause, and its `fatal` mark', async () => {
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

  it('passes the validated arguments to needsApproval', async () => {
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
    // The model must correct an invalid call, so it needs no approval.
    expect(await needsApproval({ amount: 'much' })).toBe(false)
    expect(asked).toEqual([{ amount: 3, to: 'Ann' }])
  })

  it('checks and converts external results like those of a function', async () => {
    const ask = FunctionTool.external({
      name: 'ask',
      schema: { type: 'object', properties: { question: { type: 'string' } }, required: ['question'] },
      outputSchema: { type: 'number' },
    })
    expect(ask.isExternal).toBe(true)
    await expect(ask.call({})).rejects.toMatchObject({ code: 'tool_input' })
    await expect(ask.call({ question: 'How many?' })).rejects.toMatchObject({ code: 'not_supported' })
    expect(String(await ask.toOutput(4, { question: 'How many?' }))).toBe('4')
    await expect(ask.toOutput('four', {})).rejects.toMatchObject({ code: 'tool_execution' })
  })

  it('uses the name of the function by default', () => {
    function lookUp() {
      return 1
    }
    expect(FunctionTool.fromDefaults({ schema: {}, fn: lookUp }).metadata.name).toBe('lookUp')
    expect(new ToolMetadata({ description: '' }).name).toBeNull()
  })
})
