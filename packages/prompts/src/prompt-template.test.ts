import { BaseOutputParser, escapeTemplate } from '@x/core-model'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BasePromptTemplate } from './base-prompt-template.ts'
import { ChatPromptTemplate } from './chat-prompt-template.ts'
import { formatWithSources } from './format-with-sources.ts'
import { PromptTemplate, type PromptTemplateOptions } from './prompt-template.ts'
import { RichPromptTemplate } from './rich/rich-prompt-template.ts'

class Suffix extends BaseOutputParser<string> {
  parse(output: string): string {
    return output
  }
  override format(query: string): string {
    return `${query} {as} JSON`
  }
}

/** A prompt whose variables the compiler does not know. */
const open = (template: string, options: Partial<PromptTemplateOptions> = {}): BasePromptTemplate =>
  new PromptTemplate({ ...options, template })

describe('formatting', () => {
  it('fills each placeholder with its value', () => {
    const prompt = new PromptTemplate({ template: 'Dear {name}, {greeting}. {name}!' })
    expect(prompt.format({ name: 'Ada', greeting: 'good morning' })).toBe('Dear Ada, good morning. Ada!')
    expect(prompt.templateVars).toEqual(['name', 'greeting', 'name'])
  })

  it.each(['$&', '$1 $$ $`', '{other}', '{{', '}}', '{0}', '\r\n', '\u0000', '\ud800', '👩‍🚀'])(
    'inserts the value %j unchanged',
    (value) => {
      expect(open('<{a}>').format({ a: value, other: 'no' })).toBe(`<${value}>`)
    },
  )

  it('keeps the line endings of the template', () => {
    expect(open('a\r\n{x}\r\n').format({ x: '1' })).toBe('a\r\n1\r\n')
  })

  it.each(['__proto__', 'toString', 'constructor', 'llm', 'self', 'prompt', '名前', 'über-name'])(
    'accepts %s as the name of a variable',
    (name) => {
      const prompt = open(`{${name}}`)
      expect(() => prompt.format()).toThrow(expect.objectContaining({ variables: [name] }))
      expect(prompt.format(Object.fromEntries([[name, 'v']]))).toBe('v')
      expect(prompt.partialFormat(Object.fromEntries([[name, 'v']])).format()).toBe('v')
    },
  )

  it('throws an error with each missing variable once, in order', () => {
    expect(() => open('{b} {a} {b} {c}').format({ c: '' })).toThrow(
      expect.objectContaining({
        name: 'MissingVariableError',
        code: 'missing_variable',
        variables: ['b', 'a'],
        message: 'Template: no value for {b}, {a}.',
      }),
    )
  })

  it('names what was passed and is not in the template, by the names of callers', () => {
    const vars = { c: 'x', txt: 'y' }
    const options = { templateVarMappings: { c: 'context' } }
    const texts = [
      () => new PromptTemplate({ template: '{context} {text}' as string, ...options }).format(vars),
      () => formatWithSources(new PromptTemplate({ template: '{context} {text}', ...options }), vars),
      () =>
        new ChatPromptTemplate({ messageTemplates: [{ content: '{context} {text}' as string }], ...options }).format(
          vars,
        ),
      () => new RichPromptTemplate({ templateStr: '{{ context }} {{ text }}' as string, ...options }).format(vars),
    ]
    for (const format of texts) expect(format).toThrow('Template: no value for {text}; the template has no {txt}.')
    const computed = new PromptTemplate({ template: '{a} {b}' as string, functionMappings: { a: ({ d }) => d } })
    expect(() => computed.format({ d: 1 })).toThrow('Template: no value for {b}.')
  })

  it('applies the parser, then completionToPrompt', () => {
    const prompt = new PromptTemplate({ template: 'Ask {q}', outputParser: new Suffix() })
    expect(prompt.format({ q: '?' })).toBe('Ask ? {as} JSON')
    const completionToPrompt = (text: string) => `[${text}]`
    expect(prompt.format({ q: '?' }, { completionToPrompt })).toBe('[Ask ? {as} JSON]')
    const [message, ...others] = prompt.formatMessages({ q: '?' }, { completionToPrompt })
    expect(others).toEqual([])
    expect(message!.toDict()).toEqual({ role: 'user', content: '[Ask ? {as} JSON]', additional_kwargs: {} })
  })

  it('returns the same as replacing the variables', () => {
    const piece = fc.oneof(
      fc.record({ text: fc.string({ unit: fc.constantFrom('a', '{', '}', '$', ' ', '\n') }) }),
      fc.record({ name: fc.constantFrom('a', 'b', 'c') }),
    )
    const value = fc.string({ unit: fc.constantFrom('a', '{', '}', '$', '&') })
    fc.assert(
      fc.property(fc.array(piece), fc.record({ a: value, b: value, c: value }), (pieces, values) => {
        const template = pieces.map((p) => ('text' in p ? escapeTemplate(p.text) : `{${p.name}}`)).join('')
        const expected = pieces.map((p) => ('text' in p ? p.text : values[p.name])).join('')
        expect(open(template).format(values)).toBe(expected)
      }),
    )
  })

  it('parses the template once, also for copies and partial values', () => {
    const prompt = open('{a} {b}')
    Object.assign(prompt, { template: '{ cannot be read' })
    expect(prompt.partialFormat({ a: '1' }).format({ b: '2' })).toBe('1 2')
    expect(prompt.copy().format({ a: '1', b: '2' })).toBe('1 2')
    const changed = prompt.copy({ update: { template: '{b}' } as object })
    expect(changed.format({ b: '2' })).toBe('2')
  })

  it('looks up each placeholder once, for templates and values of any length', () => {
    let lookups = 0
    const vars = new Proxy({} as Record<string, unknown>, {
      getOwnPropertyDescriptor: () => ({ value: 'x', configurable: true, enumerable: true }),
      get: () => {
        lookups += 1
        return 'x'.repeat(100)
      },
    })
    expect(open('{a} {b} '.repeat(5_000)).format(vars)).toHaveLength(10_000 * 101)
    expect(lookups).toBe(10_000)
  })
})

describe('stored values', () => {
  it('are of any type if the template does not use them, as those of a call are', () => {
    const kwargs = { template_vars: ['a'], kwargs: {}, nothing: null, n: 1 }
    const read = PromptTemplate.fromDict({ template: '{a}', kwargs })
    expect(read.format({ a: '1' })).toBe('1')
    expect(read.toDict()).toMatchObject({ kwargs: { ...kwargs, n: '1' } })
    expect(
      read
        .partialFormat({ list: [1] })
        .partialFormat({ a: 2 })
        .format(),
    ).toBe('2')
    expect(ChatPromptTemplate.fromDict({ message_templates: [{ content: '{a}' }], kwargs }).format({ a: 'x' })).toBe(
      'user: x\nassistant: ',
    )
  })

  it('need a text form if the template uses them, also under the name of a mapping', () => {
    const refused = expect.objectContaining({ code: 'invalid_variable', variable: 'a' })
    expect(() => PromptTemplate.fromDict({ template: '{a}', kwargs: { a: [1] } })).toThrow(refused)
    expect(() => new PromptTemplate({ template: '{b}', templateVarMappings: { a: 'b' }, vars: { a: null } })).toThrow(
      refused,
    )
    const prompt = new PromptTemplate({ template: '{b}', templateVarMappings: { a: 'b' } })
    expect(() => prompt.partialFormat({ a: {} })).toThrow(refused)
  })
})

describe('literal templates', () => {
  const literal = (template: string, templateVars: string[]) =>
    open(template, { templateFormat: 'literal', templateVars })

  it('do not need doubled braces', () => {
    const prompt = literal('{"name": "{name}", "tags": {}} {{name}}', ['name'])
    expect(prompt.templateVars).toEqual(['name', 'name'])
    expect(prompt.format({ name: 'Ada' })).toBe('{"name": "Ada", "tags": {}} {Ada}')
  })

  it('are written with their format and read back', () => {
    const prompt = literal('{a} {"b": 1}', ['a'])
    expect(prompt.toDict()).toMatchObject({ template_format: 'literal', template_vars: ['a'] })
    expect(PromptTemplate.fromJson(prompt.toJson()).format({ a: 'x' })).toBe('x {"b": 1}')
    expect(open('x').toDict()).not.toHaveProperty('template_format')
  })

  it.each([[undefined], ['name'], [[1]], [['a{b']], [['']]])('reject %j as their declared names', (templateVars) => {
    expect(() => literal('x', templateVars as string[])).toThrow(
      expect.objectContaining({
        code: 'model_validation',
        issues: [
          {
            path: 'templateVars',
            message: 'a literal template requires its variable names, as an array of strings without braces',
            code: 'required',
          },
        ],
      }),
    )
  })
})

describe('stored values', () => {
  const prompt = new PromptTemplate({ template: '{a} {b}', vars: { a: 1 }, outputParser: new Suffix() })

  it('are converted to strings and fill the template', () => {
    expect(prompt.kwargs).toEqual({ a: '1' })
    expect(prompt.format({ b: 'x' })).toBe('1 x {as} JSON')
  })

  it('are added by partialFormat, which does not change the prompt and keeps parser, functions and mappings', () => {
    const functionMappings = { c: () => 'C' }
    const original = new PromptTemplate({
      template: '{a} {b} {c}',
      outputParser: new Suffix(),
      functionMappings,
      templateVarMappings: { bee: 'b' },
      metadata: { tags: ['x'] },
    })
    const partial = original.partialFormat({ a: 'A' }).partialFormat({ a: 'AA', unused: 5 })
    expect(partial.kwargs).toEqual({ a: 'AA', unused: '5' })
    expect(partial).toBeInstanceOf(PromptTemplate)
    expect(partial.outputParser).toBe(original.outputParser)
    expect(partial.functionMappings).toBe(original.functionMappings)
    expect(partial.templateVars).toEqual(['a', 'b', 'c'])
    partial.metadata['new'] = 1
    expect(original.metadata).toEqual({ tags: ['x'], prompt_type: 'custom' })
    expect(original.kwargs).toEqual({})
    expect(partial.format({ bee: 'B' })).toBe('AA B C {as} JSON')
  })

  it('are checked by partialFormat like by the constructor', () => {
    expect(() => prompt.partialFormat({ b: null })).toThrow(expect.objectContaining({ code: 'invalid_variable' }))
  })

  it('are copied completely even if a parser reads the prompt during the copy', () => {
    class Nosy extends Suffix {
      // Copying the parser would call this getter, which throws.
      get broken(): never {
        throw new Error('copied')
      }
    }
    const nosy = new PromptTemplate({ template: '{a}', outputParser: new Nosy() })
    expect(nosy.partialFormat({ a: '1' }).format()).toBe('1 {as} JSON')
    expect(nosy.outputParser).toBeInstanceOf(Nosy)
  })
})

describe('metadata', () => {
  it('contains the type of the prompt, and does not change the object of the caller', () => {
    const metadata = { prompt_type: 'mine', team: 'search' }
    expect(open('x', { metadata, promptType: 'text_qa' }).metadata).toEqual({ prompt_type: 'text_qa', team: 'search' })
    expect(open('x', { metadata }).metadata['prompt_type']).toBe('custom')
    expect(metadata).toEqual({ prompt_type: 'mine', team: 'search' })
  })
})

describe('invalid options', () => {
  it.each([
    [{}, 'PromptTemplate.template: required, but missing.'],
    ['Hi {name}', "PromptTemplate: expected an object, such as { template: 'Hello {name}' }, received a string."],
    [{ template: 5 }, 'PromptTemplate.template: expected a string, received 5.'],
    [{ template: 'x', metadata: 'no' }, 'PromptTemplate.metadata: expected an object.'],
    [{ template: 'x', metadata: null }, 'PromptTemplate.metadata: expected an object.'],
    [{ template: 'x', vars: ['a'] }, 'PromptTemplate.vars: expected an object.'],
    [
      { template: 'x', templateFormat: 'jinja' },
      'PromptTemplate.templateFormat: expected "literal" or null, received "jinja".',
    ],
    [{ template: 'x', functionMappings: { a: 'b' } }, 'PromptTemplate.functionMappings.a: expected a function.'],
    [
      { template: 'x', templateVarMappings: { a: 1 } },
      'PromptTemplate.templateVarMappings.a: expected a string, received 1.',
    ],
    [
      { template: 'x', outputParser: {} },
      /outputParser: expected an object with the methods parse, format, formatMessages/,
    ],
  ])('%j throw', (options, message) => {
    const make = () => new PromptTemplate(options as never)
    expect(make).toThrow(expect.objectContaining({ code: 'model_validation' }))
    expect(make).toThrow(message)
  })

  it('throw for a template with single braces on construction', () => {
    expect(() => open('{"k": 1}')).toThrow(expect.objectContaining({ code: 'template_syntax', offset: 0 }))
  })
})

describe('wire form', () => {
  it('contains the fields and the class name', () => {
    const prompt = new PromptTemplate({
      template: 'Hi {name}',
      promptType: 'summary',
      vars: { name: 'Ada' },
      templateVarMappings: { who: 'name' },
    })
    expect(prompt.toDict()).toEqual({
      metadata: { prompt_type: 'summary' },
      template_vars: ['name'],
      kwargs: { name: 'Ada' },
      output_parser: null,
      template_var_mappings: { who: 'name' },
      function_mappings: null,
      template: 'Hi {name}',
      class_name: 'PromptTemplate',
    })
  })

  it('is read back to an equal prompt', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '{', '}', '"', '日', '\n') })
    const vars = fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'toString'), text, { noNullPrototype: true })
    fc.assert(
      fc.property(text, vars, fc.option(vars), fc.jsonValue(), (plain, given, templateVarMappings, extra) => {
        const prompt = open(`${escapeTemplate(plain)}{a}`, { vars: given, templateVarMappings, metadata: { extra } })
        const read = PromptTemplate.fromDict(prompt.toDict())
        expect(read.equals(prompt)).toBe(true)
        expect(PromptTemplate.fromJson(prompt.toJson()).equals(prompt)).toBe(true)
        const call = { a: 'x', b: 'y' }
        const outcome = (made: BasePromptTemplate) => {
          try {
            return made.format(call)
          } catch (error) {
            return (error as Error).message
          }
        }
        expect(outcome(read)).toBe(outcome(prompt))
      }),
    )
  })

  it('requires only the template; the variables are computed', () => {
    const prompt = PromptTemplate.fromDict({ template: '{a}', template_vars: ['wrong'] })
    expect(prompt.templateVars).toEqual(['a'])
    expect(prompt.metadata).toEqual({ prompt_type: 'custom' })
  })

  it('receives parser and functions from overrides', () => {
    const prompt = PromptTemplate.fromDict({ template: '{a}' }, { outputParser: new Suffix(), vars: { a: 1 } })
    expect(prompt.format()).toBe('1 {as} JSON')
  })

  it('is read as an instance of the class whose fromDict is called', () => {
    class Mine extends PromptTemplate<string> {}
    expect(Mine.fromDict({ template: 'x' })).toBeInstanceOf(Mine)
  })

  it.each([
    ['outputParser', { outputParser: new Suffix() }],
    ['functionMappings', { functionMappings: { a: () => 'x' } }],
  ])('cannot be created for a prompt with %s', (field, options) => {
    expect(() => open('{a}', options).toJson()).toThrow(
      expect.objectContaining({
        code: 'serialization',
        field: expect.stringContaining(field === 'outputParser' ? 'output_parser' : 'function_mappings'),
      }),
    )
  })
})

describe('the query component', () => {
  it('requires the variables that have no value', () => {
    const prompt = new PromptTemplate({
      template: '{a} {b} {c} {a} {d}',
      vars: { c: 'stored' },
      templateVarMappings: { alpha: 'a' },
      functionMappings: { d: () => 'computed' },
    })
    const component = prompt.asQueryComponent({ partial: { b: 'partial' } })
    expect(component.inputKeys).toEqual({ required: ['alpha', 'b'], optional: [] })
    expect(component.freeReqInputKeys).toEqual(['alpha'])
  })

  it.each(['a', 'alpha'])('does not require a mapped variable that is stored as %s', (name) => {
    const prompt = open('{a}', { vars: { [name]: 'stored' }, templateVarMappings: { alpha: 'a' } })
    expect(prompt.requiredNames()).toEqual([])
    expect(prompt.format()).toBe('stored')
  })

  it('requires a variable by the name that is mapped to it', () => {
    const prompt = open('{y} {z}', { templateVarMappings: { x: 'y', y: 'z' }, vars: { y: 'stored' } })
    expect(prompt.requiredNames()).toEqual(['x'])
    expect(prompt.format({ x: 'given' })).toBe('given stored')
  })

  it('returns a string, prefers partial values, and converts numbers to strings', async () => {
    const component = open('{a} {b}').asQueryComponent({ partial: { b: 'partial' } })
    expect(await component.runComponent({ a: 5, b: 'given' })).toEqual({ prompt: '5 partial' })
  })

  it('accepts streams', async () => {
    async function* stream() {
      yield* ['str', 'eam']
    }
    expect(await open('{a}').asQueryComponent().runComponent({ a: stream() })).toEqual({ prompt: 'stream' })
  })

  it('throws for missing and unknown inputs and for values without a string form', async () => {
    const component = open('{a}').asQueryComponent()
    for (const inputs of [{}, { a: 'x', b: 'y' }, { a: null }, { a: {} }])
      await expect(component.runComponent(inputs)).rejects.toMatchObject({ code: 'component_input' })
    await expect(
      open('{a}')
        .asQueryComponent({ partial: { z: 1 } })
        .runComponent({ a: 'x' }),
    ).rejects.toMatchObject({
      code: 'component_input',
    })
  })
})

describe('resolveVars', () => {
  it('returns values by the name in the template', () => {
    const prompt = new PromptTemplate({
      template: '{a} {b} {c} {d}',
      vars: { b: 'stored' },
      templateVarMappings: { alpha: 'a' },
      functionMappings: { c: () => 3 },
    })
    expect(prompt.resolveVars({ alpha: 'given', extra: 'x' })).toEqual({ a: 'given', b: 'stored', c: '3' })
  })
})
