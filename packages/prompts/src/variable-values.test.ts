import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PromptTemplate } from './prompt-template.ts'
import { fillWith, mappedValues, type VariableSources, type Variables } from './variable-values.ts'

const sources = (given: Partial<VariableSources> = {}): VariableSources => ({
  kwargs: {},
  templateVarMappings: null,
  functionMappings: null,
  ...given,
})
/** The text of a value in a template. */
const textOf = (given: VariableSources, vars: Variables, name: string) =>
  fillWith({ ...given, templateVars: [] }, vars, (valueOf) => valueOf(name))

describe('values of a call', () => {
  it('override stored values', () => {
    const stored = sources({ kwargs: { a: 'stored', b: 'stored' } })
    const text = fillWith({ ...stored, templateVars: [] }, { a: 'given' }, (valueOf) => valueOf('a') + valueOf('b'))
    expect(text).toBe('givenstored')
    expect(() => textOf(stored, { a: 'given' }, 'c')).toThrow(expect.objectContaining({ variables: ['c'] }))
  })

  it.each([
    ['text', 'text'],
    ['', ''],
    [0, '0'],
    [-1.5, '-1.5'],
    [false, 'false'],
    [Number.NaN, 'NaN'],
  ])('%j are converted to strings', (value, text) => {
    expect(textOf(sources(), { a: value }, 'a')).toBe(text)
    expect(textOf(sources({ templateVarMappings: {} }), { a: value }, 'a')).toBe(text)
  })

  it('may be big integers', () => {
    expect(textOf(sources(), { a: 10n }, 'a')).toBe('10')
  })

  it.each([
    ['null', null],
    ['undefined', undefined],
    ['an array', []],
    ['an object', {}],
    ['a function', () => 'x'],
    ['a symbol', Symbol('x')],
    ['an instance of Date', new Date(0)],
    ['an instance of Promise', Promise.resolve('x')],
  ])('throw for %s, only if the template uses it', (kind, value) => {
    const refusal = {
      name: 'InvalidVariableError',
      code: 'invalid_variable',
      variable: 'a',
      message: `Variable {a}: expected a string, number or boolean, received ${kind}; convert it to a string.`,
    }
    for (const given of [sources(), sources({ templateVarMappings: {} })]) {
      const vars = { a: value, b: 'fine' }
      expect(() => textOf(given, vars, 'a')).toThrow(expect.objectContaining(refusal))
      expect(textOf(given, vars, 'b')).toBe('fine')
    }
    expect(() => new PromptTemplate({ template: '{a}', vars: { a: value } })).toThrow(expect.objectContaining(refusal))
  })

  it('are read from own properties only', () => {
    for (const name of ['toString', 'constructor', '__proto__', 'hasOwnProperty']) {
      for (const given of [sources(), sources({ templateVarMappings: {} })])
        expect(() => textOf(given, {}, name)).toThrow(expect.objectContaining({ variables: [name] }))
      const given = Object.fromEntries([[name, 'mine']])
      expect(textOf(sources(), given, name)).toBe('mine')
      expect(textOf(sources({ functionMappings: {} }), given, name)).toBe('mine')
    }
    expect(({} as Record<string, unknown>)['mine']).toBeUndefined()
  })
})

describe('functions', () => {
  it('receive stored values and values of the call, not each other’s results, and override both', () => {
    const seen: unknown[] = []
    const values = mappedValues(
      sources({
        kwargs: { a: 'stored', b: 'stored' },
        functionMappings: {
          a: (vars) => {
            seen.push(vars)
            return 'computed'
          },
          c: (vars) => Object.keys(vars).join(),
        },
      }),
      { b: 'given' },
    )
    expect(seen).toEqual([{ a: 'stored', b: 'given' }])
    expect([...values]).toEqual([
      ['a', 'computed'],
      ['c', 'a,b'],
      ['b', 'given'],
    ])
  })

  it('throw their errors unchanged', () => {
    const failure = new Error('boom')
    const functionMappings = {
      a: () => {
        throw failure
      },
    }
    expect(() => new PromptTemplate({ template: 'x', functionMappings }).format()).toThrow(failure)
  })

  it('cannot change the values of the caller', () => {
    const vars = { a: '1' }
    const functionMappings = { b: (all: Record<string, unknown>) => (all['a'] = 'changed') }
    new PromptTemplate({ template: '{a}{b}', functionMappings }).format(vars)
    expect(vars).toEqual({ a: '1' })
  })
})

describe('mappings', () => {
  it('rename each variable once, so that chains and swaps work', () => {
    const chained = mappedValues(sources({ templateVarMappings: { x: 'y', y: 'z' } }), { x: '1', y: '2' })
    expect([...chained]).toEqual([
      ['y', '1'],
      ['z', '2'],
    ])
    const swapped = mappedValues(sources({ templateVarMappings: { x: 'y', y: 'x' } }), { x: '1', y: '2' })
    expect(Object.fromEntries(swapped)).toEqual({ x: '2', y: '1' })
  })

  it('use the last of several values for the same name', () => {
    const values = mappedValues(sources({ kwargs: { q: 'stored' }, templateVarMappings: { query: 'q' } }), {
      query: 'given',
    })
    expect(values.get('q')).toBe('given')
  })

  it('rename all variables at once, for any mappings', () => {
    const name = fc.constantFrom('a', 'b', 'c', '__proto__', 'toString')
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.string())), fc.array(fc.tuple(name, name)), (given, mapped) => {
        const vars = Object.fromEntries(given)
        const templateVarMappings = Object.fromEntries(mapped)
        const expected = new Map<string, unknown>()
        for (const [key, value] of Object.entries(vars))
          expected.set(Object.entries(templateVarMappings).find(([from]) => from === key)?.[1] ?? key, value)
        expect(mappedValues(sources({ templateVarMappings }), vars)).toEqual(expected)
      }),
    )
  })
})
