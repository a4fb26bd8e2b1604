import { checkArguments } from '@x/core/arguments'
import { describe, expect, it } from 'vitest'
import { functionCallingLlm, toolCall } from '../../test/function-calling-llm.ts'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { structured } from '../layers/structured.ts'
import { wrapped } from './output-schema.ts'

const text = { type: 'string' }
const conditional = JSON.parse('{ "if": { "type": "string" }, "then": { "minLength": 2 }, "else": { "type": "null" } }')
const asking = (output: object, ...values: unknown[]) => {
  const llm = functionCallingLlm(values.map((value, i) => [toolCall(`${i}`, 'final_answer', { value })]))
  return { llm, agent: FunctionCallingAgent.fromTools({ llm, output: structured(output, { maxRepairs: 0 }) }) }
}
const check = (schema: object, value: unknown) => checkArguments(schema, value).issues.length === 0

describe('the schema of an answer that is not an object', () => {
  it('keeps its references when it becomes a property', async () => {
    const node = { type: 'object', properties: { name: text, parts: { $ref: '#' } }, required: ['name'] }
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'array',
      items: { $ref: '#/$defs/Node' },
      $defs: { Node: { ...node, properties: { ...node.properties, $ref: text, first: { $ref: '#/items' } } } },
    }
    const { llm, agent } = asking(schema, [{ name: 'a', parts: [{ name: 'b' }] }])
    expect((await agent.chat('x')).output).toEqual([{ name: 'a', parts: [{ name: 'b' }] }])
    const [tool] = (llm.calls[0]!.options as { tools: { function: { parameters: object } }[] }).tools
    expect(tool!.function.parameters).toEqual({
      type: 'object',
      properties: { value: { type: 'array', items: { $ref: '#/$defs/Node' } } },
      required: ['value'],
      $defs: {
        Node: {
          ...node,
          properties: {
            name: text,
            parts: { $ref: '#/properties/value' },
            $ref: text,
            first: { $ref: '#/properties/value/items' },
          },
        },
      },
    })
  })

  it('means the same as a property', () => {
    const list = {
      anyOf: [{ type: 'null' }, { $ref: '#/definitions/a/b' }],
      definitions: { 'a/b': text, a: { b: { type: 'integer' } } },
    }
    const moved = wrapped('value', { ...list, default: { $ref: '#' } })
    expect(moved).toMatchObject({ properties: { value: { default: { $ref: '#' } } }, definitions: list.definitions })
    for (const value of [null, 5, 'x', {}]) expect(check(moved, { value })).toBe(check(list, value))
  })
})

describe('an answer', () => {
  it.each<[object, unknown, unknown]>([
    [{ not: { type: 'string' } }, 5, 'x'],
    [conditional, 'ab', 'a'],
    [conditional, null, 5],
    [{ type: 'array', contains: { type: 'integer' } }, ['a', 1], ['a']],
    [{ type: 'array', contains: { type: 'integer' }, minContains: 0, maxContains: 1 }, ['a'], [1, 2]],
    [{ dependentRequired: { a: ['b'] } }, { a: 1, b: 2 }, { a: 1 }],
    [{ dependentSchemas: { a: { minProperties: 2 } } }, { a: 1, b: 2 }, { a: 1 }],
    [{ dependencies: { a: ['b'] } }, { b: 1 }, { a: 1 }],
    [{ propertyNames: { pattern: '^[a-z]+$' } }, { a: 1 }, { A: 1 }],
    [{ $ref: '#/$defs/s', maxLength: 2, $defs: { s: text } }, 'ab', 'abc'],
    [{ ...text, pattern: '^(a+)+$' }, 'aaa', `${'a'.repeat(50_000)}!`],
    [{ ...text, format: 'date' }, '2024-02-29', '2023-02-29'],
    [{ ...text, format: 'time' }, '23:59:60.5+01:00', '24:00:00Z'],
    [{ ...text, format: 'date-time' }, '2024-02-29T10:00:00Z', '2024-02-29 10:00'],
    [{ ...text, format: 'duration' }, 'P1DT12H', 'P'],
    [{ ...text, format: 'duration' }, 'P2W', 'PT'],
    [{ ...text, format: 'email' }, "o'neil+x@mail.example.org", 'ann@'],
    [{ ...text, format: 'hostname' }, 'a-1.example', '-a.example'],
    [{ ...text, format: 'ipv4' }, '127.0.0.1', '127.0.0.256'],
    [{ ...text, format: 'ipv4' }, '1.2.3.4', '1.2.3.4.'],
    [{ ...text, format: 'ipv6' }, '::1', '::g'],
    [{ ...text, format: 'uri' }, 'mailto:ann@example.org', '/path'],
    [{ oneOf: [{ minLength: 2 }, { maxLength: 3 }] }, 'long', 'ab'],
    [{ not: { type: 'integer' } }, '5', 5],
    [{ ...text, format: 'uuid' }, '0189d3f0-0000-7000-8000-00000000000a', '0189d3f0'],
  ])('is checked against %j', async (schema, valid, invalid) => {
    // Answers with an object schema are the arguments themselves, so the schema is that of items.
    const list = { type: 'array', items: schema, ...('$defs' in schema && { $defs: schema.$defs }) }
    expect((await asking(list, [valid]).agent.chat('x')).output).toEqual([valid])
    await expect(asking(list, [invalid]).agent.chat('x')).rejects.toMatchObject({ code: 'invalid_output' })
  })

  it.each([
    ['the keyword unevaluatedProperties', { unevaluatedProperties: false }],
    ['the keyword $dynamicRef', { $dynamicRef: '#node' }],
    ['the format "colour"', { ...text, format: 'colour' }],
    ['the pattern (a)\\1', { ...text, pattern: '(a)\\1' }],
    ['the pattern (', { ...text, pattern: '(' }],
    ['the pattern (?i:a)', { patternProperties: { '(?i:a)': text } }],
    ['the keyword maxLenght', { ...text, maxLenght: 5 }],
    ['the keyword contentEncoding', { ...text, contentEncoding: 'base64' }],
    ['the reference #name', { $ref: '#name' }],
    ['the reference #/$defs/Nothing', { $ref: '#/$defs/Nothing' }],
    ['the reference #/constructor', { $ref: '#/constructor' }],
    ['the reference https://example.org/x', { $ref: 'https://example.org/x' }],
  ])('cannot have a schema with %s, at any depth', (what, part) => {
    for (const [path, schema] of [
      ['items', { type: 'array', items: part }],
      ['properties.a.anyOf[0]', { type: 'object', properties: { a: { anyOf: [part] } } }],
      ['not', { not: part }],
    ] as const)
      expect(() => asking(schema)).toThrow(
        expect.objectContaining({
          code: 'configuration',
          message: expect.stringContaining(`output: ${what} at ${path} cannot be checked`),
        }),
      )
  })

  it('may have a schema with annotations, and with such words as data or names', () => {
    asking({
      $id: 'x',
      title: 'x',
      type: 'object',
      properties: { format: text, $ref: text, unevaluatedItems: text },
      default: { format: 'x' },
      'x-own': 1,
    })
    asking({ type: 'array', items: { const: { $ref: '#/nothing', format: 'x' } } })
  })
})

it('a pattern in the schema of a tool does not block the process', () => {
  const schema = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } }
  expect(checkArguments(schema, { a: `${'a'.repeat(50_000)}!` }).issues).toHaveLength(1)
})
