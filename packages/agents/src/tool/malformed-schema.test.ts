import { checkArguments } from '@x/core/arguments'
import { describe, expect, it } from 'vitest'
import { structured } from '../loop.ts'
import { FunctionTool } from './function-tool.ts'

const malformed: [keyword: string, schema: object, path: string][] = [
  ['anyOf', { type: 'object', anyOf: { type: 'object' } }, 'anyOf'],
  ['oneOf', { type: 'object', oneOf: 'object' }, 'oneOf'],
  ['allOf', { type: 'object', allOf: 5 }, 'allOf'],
  ['enum', { type: 'object', properties: { a: { enum: 'x' } } }, 'properties.a.enum'],
  ['required', { type: 'object', required: 'a' }, 'required'],
  ['properties', { type: 'object', properties: ['a'] }, 'properties'],
  ['not', { type: 'object', not: 'x' }, 'not'],
  ['if', { type: 'object', if: 'x', else: false }, 'if'],
  ['patternProperties', { type: 'object', patternProperties: 'x' }, 'patternProperties'],
  ['items', { type: 'object', properties: { a: { items: 5 } } }, 'properties.a.items'],
]

describe('a schema whose operand of a keyword has another kind, as a server may send it', () => {
  it.each(malformed)('%s: lets a tool of a stranger be called', async (_keyword, schema) => {
    const tool = FunctionTool.fromDefaults({
      name: 't',
      schema,
      unchecked: 'refuse',
      fn: (args) => JSON.stringify(args),
    })
    expect(String(await tool.call({ a: ['x'] }))).toBe('{"a":["x"]}')
  })

  it.each(malformed)('%s: is refused when a tool is made, with its path', (_keyword, schema, path) => {
    expect(() => FunctionTool.fromDefaults({ name: 't', schema, fn: () => 1 })).toThrow(
      expect.objectContaining({
        code: 'tool_schema',
        message: expect.stringContaining(`at ${path} cannot be checked`),
      }),
    )
  })

  it.each(malformed)('%s: is refused for answers, with its path', (_keyword, schema, path) => {
    expect(() => structured(schema)).toThrow(
      expect.objectContaining({ code: 'configuration', message: expect.stringContaining(`at ${path}`) }),
    )
  })

  it.each([{ type: -1 }, { type: { a: 1 } }, { properties: { a: 'string' } }, { properties: { a: null } }])(
    '%j: checks nothing there',
    (schema) => {
      expect(checkArguments(schema, { a: 1 })).toEqual({ value: { a: 1 }, issues: [] })
    },
  )

  it('names of types that every object has are unknown types', () => {
    const { issues } = checkArguments({ properties: { a: { type: 'constructor' } } }, { a: 1 })
    expect(issues).toHaveLength(1)
  })
})
