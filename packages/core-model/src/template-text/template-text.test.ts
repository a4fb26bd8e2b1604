import { isToolkitError } from '@x/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { growthOf } from '../../../../tools/growth.ts'
import { thrownBy } from '../../../../tools/thrown.ts'
import {
  escapeTemplate,
  fillTemplate,
  type MissingVariableError,
  parseLiteralTemplate,
  parseTemplate,
  type TemplateParts,
  type TemplateSyntaxError,
} from './template-text.ts'

function syntaxErrorOf(template: string, where?: string): TemplateSyntaxError {
  try {
    parseTemplate(template, where)
  } catch (error) {
    return error as TemplateSyntaxError
  }
  throw new Error(`read without an error: ${template}`)
}

/** The pieces of a template. */
const pieces = fc.array(
  fc.oneof(
    fc.record({ text: fc.string({ unit: fc.constantFrom('a', ' ', '\n', '$', '&', '{', '}', '"', '日', '𝒳', '\r') }) }),
    fc.record({ name: fc.constantFrom('a', 'b', '_c', 'über', '名前', 'x-1', '__proto__', 'toString') }),
  ),
  { maxLength: 12 },
)
const written = (parts: readonly ({ text: string } | { name: string })[]): string =>
  parts.map((part) => ('text' in part ? escapeTemplate(part.text) : `{${part.name}}`)).join('')

describe('reading a template', () => {
  it('returns literal strings and names alternately, with one string more than names', () => {
    expect(parseTemplate('Hi {name}, {greeting}!')).toEqual({ texts: ['Hi ', ', ', '!'], names: ['name', 'greeting'] })
    expect(parseTemplate('')).toEqual({ texts: [''], names: [] })
    expect(parseTemplate('{a}{a}')).toEqual({ texts: ['', '', ''], names: ['a', 'a'] })
  })

  it('parses doubled braces as literal braces, from left to right', () => {
    expect(parseTemplate('{{"a": {{}}}}')).toEqual({ texts: ['{"a": {}}'], names: [] })
    expect(parseTemplate('{{{a}}}')).toEqual({ texts: ['{', '}'], names: ['a'] })
  })

  it('accepts letters of any script, marks, digits, underscores and hyphens in names', () => {
    const names = ['über', '名前', 'नाम', '_private', 'a-b', 'x1', 'é', '𝒳']
    expect(parseTemplate(names.map((name) => `{${name}}`).join('')).names).toEqual(names)
  })

  it.each([
    ['{"k": 1}', 0, 'Write {{ and }} for literal braces (JSON, code), or use templateFormat "literal".'],
    ['a {} b', 2, 'Write {{ and }} for literal braces (JSON, code), or use templateFormat "literal".'],
    ['{0}', 0, 'Write {{ and }} for literal braces (JSON, code), or use templateFormat "literal".'],
    ['{-a}', 0, 'Write {{ and }} for literal braces (JSON, code), or use templateFormat "literal".'],
    ['{ name }', 0, 'Write {name} without white space.'],
    ['{a!r}', 0, 'Conversions, format specs and look-ups are not supported: format the value before passing it.'],
    ['{a:>10}', 0, 'Conversions, format specs and look-ups are not supported: format the value before passing it.'],
    ['{a.b}', 0, 'Conversions, format specs and look-ups are not supported: format the value before passing it.'],
    ['{a[0]}', 0, 'Conversions, format specs and look-ups are not supported: format the value before passing it.'],
    ['ok {open', 3, 'Write {{ for a literal brace, or use templateFormat "literal".'],
    ['a } b', 2, 'Write }} for a literal brace, or use templateFormat "literal".'],
    ['{{a}', 3, 'Write }} for a literal brace, or use templateFormat "literal".'],
  ])('rejects %j at %i with a hint', (template, offset, hint) => {
    const error = syntaxErrorOf(template)
    expect(isToolkitError(error, 'template_syntax')).toBe(true)
    expect(error).toMatchObject({ name: 'TemplateSyntaxError', template, offset, hint })
  })

  it('shows the line with a caret below the brace', () => {
    expect(syntaxErrorOf('first\n\tsecond {"k": 1}\r\nthird').message).toBe(
      [
        'The braces do not enclose a variable name at offset 14',
        '   second {"k": 1} ',
        '          ^',
        'Write {{ and }} for literal braces (JSON, code), or use templateFormat "literal".',
      ].join('\n'),
    )
    expect(syntaxErrorOf(`${'x'.repeat(1000)}}`).message.length).toBeLessThan(250)
    expect(syntaxErrorOf('}', 'messageTemplates[1]: ').message).toMatch(/^messageTemplates\[1\]: A closing brace/)
  })

  it.each<[template: string, line: string, caret: number]>([
    ['{', '{', 0],
    ['ab\ncd{\nef', 'cd{', 2],
    ['\n{', '{', 0],
    ['a\n{', '{', 0],
    ['a\r\nb\t{\r\nc', 'b {', 2],
    [`${'x'.repeat(40)}{`, `${'x'.repeat(40)}{`, 40],
    [`y${'x'.repeat(40)}{`, `${'x'.repeat(40)}{`, 40],
    [`{${'\n'}${'x'.repeat(50)}`, '{', 0],
    [`} ${'x'.repeat(38)}yz`, `} ${'x'.repeat(38)}`, 0],
  ])('shows the place of the error in %j', (template, line, caret) => {
    const [, shown, mark] = syntaxErrorOf(template).message.split('\n')
    expect([shown!.trimEnd(), mark]).toEqual([`  ${line}`, `  ${' '.repeat(caret)}^`])
  })

  it('throws no error other than TemplateSyntaxError', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('{', '}', 'a', ' ', ':', '\n', '0') }), (template) => {
        try {
          parseTemplate(template)
        } catch (error) {
          expect((error as TemplateSyntaxError).name).toBe('TemplateSyntaxError')
          expect(template[(error as TemplateSyntaxError).offset]).toMatch(/[{}]/)
        }
      }),
    )
  })
})

describe('reading a literal template', () => {
  it('finds exactly the declared names in braces, at any position', () => {
    expect(parseLiteralTemplate('{"k": {a}, "l": {b}} {{a}} {a }', ['a'])).toEqual({
      texts: ['{"k": ', ', "l": {b}} {', '} {a }'],
      names: ['a', 'a'],
    })
  })

  it('accepts any string without braces as a name', () => {
    expect(parseLiteralTemplate('{a b}{1}{}', ['a b', '1', ''])).toEqual({
      texts: ['', '', '', ''],
      names: ['a b', '1', ''],
    })
  })

  it('finds the same placeholders as a search for each declared name', () => {
    const template = fc.string({ unit: fc.constantFrom('{', '}', 'a', 'b', ' ') })
    fc.assert(
      fc.property(template, (text) => {
        const { texts, names } = parseLiteralTemplate(text, ['a', 'ab'])
        expect(names).toEqual((text.match(/\{(a|ab)\}/g) ?? []).map((found) => found.slice(1, -1)))
        expect(texts).toEqual(text.split(/\{(?:a|ab)\}/))
      }),
    )
  })
})

describe('filling', () => {
  const values: Record<string, string> = { a: '$& {b} {{', b: '', _c: '}', über: '$1' }
  const valueOf = (name: string) => (Object.hasOwn(values, name) ? values[name] : undefined)

  it('inserts values verbatim and does not parse them as templates', () => {
    expect(fillTemplate(parseTemplate('[{a}]'), valueOf)).toBe('[$& {b} {{]')
  })

  it('names all missing variables once, in order', () => {
    expect(() => fillTemplate(parseTemplate('{y}{x}{a}{y}'), valueOf)).toThrow('Template: no value for {y}, {x}.')
    expect(() => fillTemplate(parseTemplate('{y}{a}'), valueOf, () => ['z', 'why'])).toThrow(
      'Template: no value for {y}; the template has no {z}, {why}.',
    )
  })

  it('reports names that are long or many in a short message', () => {
    const names = Array.from({ length: 5000 }, (_, n) => `n${n}`)
    const template = `{${'a'.repeat(1e6)}}${names.map((name) => `{${name}}`).join('')}`
    const { message, variables } = thrownBy(() =>
      fillTemplate(
        parseTemplate(template),
        () => undefined,
        () => names,
      ),
    ) as MissingVariableError
    expect(message.length).toBeLessThan(300)
    expect(message).toContain('a…}, {n0}')
    expect(message).toContain('{n8} and 4991 more; the template has no')
    expect(variables).toHaveLength(5001)
  })

  it('returns the joined parts', () => {
    fc.assert(
      fc.property(pieces, fc.string(), (parts, value) => {
        const text = fillTemplate(parseTemplate(written(parts)), (name) => `${name}:${value}`)
        expect(text).toBe(parts.map((part) => ('text' in part ? part.text : `${part.name}:${value}`)).join(''))
      }),
    )
  })

  it('reverses escapeTemplate', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('{', '}', '$', '&', 'a', '日', '\n', '\ud800') }), (text) => {
        expect(parseTemplate(escapeTemplate(text))).toEqual({ texts: [text], names: [] })
      }),
    )
  })
})

describe('growth', () => {
  /** A string whose searches count the characters that they visit. */
  function scanned(template: string): number {
    let count = 0
    const counting = {
      indexOf(search: string, from = 0) {
        const at = template.indexOf(search, from)
        count += (at === -1 ? template.length : at) - from + 1
        return at
      },
      slice(from: number, to = template.length) {
        count += to - from
        return template.slice(from, to)
      },
    }
    parseLiteralTemplate(counting as unknown as string, ['a'])
    return count
  }

  it.each([
    ['opening braces before a far closing one', (size: number) => `${'{'.repeat(size)}}`],
    ['placeholders', (size: number) => '{a} '.repeat(size / 4)],
    ['opening braces only', (size: number) => '{'.repeat(size)],
    ['closing braces only', (size: number) => '}'.repeat(size)],
  ])('literal reading visits each character a fixed number of times: %s', (_, make) => {
    expect(scanned(make(20_000))).toBeLessThan(20_000 * 5)
  })

  it('filling looks up a name once per placeholder', () => {
    const parts: TemplateParts = parseTemplate('{a} {b} '.repeat(10_000))
    let count = 0
    fillTemplate(parts, () => {
      count += 1
      return 'value'
    })
    expect(count).toBe(20_000)
  })

  it.each([
    ['placeholders', (size: number) => '{name} '.repeat(size)],
    ['doubled braces', (size: number) => '{{}}'.repeat(size)],
    ['a name that never ends', (size: number) => `{${'a'.repeat(size * 5)}`],
  ])('reading %s takes linear time', async (_, make) => {
    expect(await growthOf((size) => parseTemplate(make(size)), 5_000)).toBeLessThan(1.75)
  })
})
