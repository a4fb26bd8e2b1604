import { BaseOutputParser } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import type { BasePromptTemplate } from './base-prompt-template.ts'
import { type HasPrompts, type PromptDict, PromptMixin } from './prompt-mixin.ts'
import { PromptTemplate } from './prompt-template.ts'

const text = (template: string): BasePromptTemplate => new PromptTemplate<string>({ template })

class Component extends PromptMixin {
  own: PromptDict
  readonly modules: Record<string, HasPrompts>
  constructor(own: Record<string, string>, modules: Record<string, HasPrompts> = {}) {
    super()
    this.own = Object.fromEntries(Object.entries(own).map(([key, template]) => [key, text(template)]))
    this.modules = modules
  }
  protected override _getPrompts(): PromptDict {
    return this.own
  }
  protected override _getPromptModules(): Record<string, HasPrompts> {
    return this.modules
  }
  protected override _updatePrompts(prompts: PromptDict): void {
    this.own = { ...this.own, ...prompts }
  }
}

const tree = () =>
  new Component({ a: 'A', b: 'B' }, { inner: new Component({ a: 'inner A' }, { deep: new Component({ x: 'X' }) }) })
const listing = (component: HasPrompts) =>
  Object.entries(component.getPrompts()).map(([key, prompt]) => [key, prompt.getTemplate()])
const keyError = (key: string) => expect.objectContaining({ name: 'PromptKeyError', code: 'prompt_key', key })

describe('getPrompts', () => {
  it('returns own prompts first, then those of each module, at any depth', () => {
    expect(listing(tree())).toEqual([
      ['a', 'A'],
      ['b', 'B'],
      ['inner:a', 'inner A'],
      ['inner:deep:x', 'X'],
    ])
  })

  it('returns copies that share parsers and functions', () => {
    class Parser extends BaseOutputParser<string> {
      parse(output: string): string {
        return output
      }
    }
    const component = new Component({})
    const outputParser = new Parser()
    const functionMappings = { f: () => 'x' }
    const prompt = new PromptTemplate({ template: 'x', outputParser, functionMappings, metadata: { tags: ['a'] } })
    component.own = { p: prompt }
    const copy = component.getPrompts()['p']!
    expect(copy).not.toBe(prompt)
    expect(copy.outputParser).toBe(outputParser)
    expect(copy.functionMappings!['f']).toBe(functionMappings.f)
    copy.kwargs['x'] = '1'
    ;(copy.metadata['tags'] as string[]).push('b')
    expect([prompt.kwargs, prompt.metadata['tags']]).toEqual([{}, ['a']])
  })

  it('throws for keys and module names with a colon, at every level', () => {
    expect(() => new Component({ 'a:b': 'x' }).getPrompts()).toThrow(keyError('a:b'))
    expect(() => new Component({}, { 'm:n': tree() }).getPrompts()).toThrow(
      'the name of a module must not contain a colon',
    )
    expect(() => new Component({}, { m: new Component({ 'a:b': 'x' }) }).getPrompts()).toThrow(keyError('a:b'))
  })
})

describe('updatePrompts', () => {
  it('replaces prompts at every level and keeps the others', () => {
    const component = tree()
    component.updatePrompts({ b: text('new B'), 'inner:deep:x': text('new X') })
    expect(listing(component)).toEqual([
      ['a', 'A'],
      ['b', 'new B'],
      ['inner:a', 'inner A'],
      ['inner:deep:x', 'new X'],
    ])
  })

  it.each(['c', 'inner', 'inner:', 'inner:b', 'outer:a', 'inner:deep:y', ':a', '', 'toString', '__proto__'])(
    'throws for the unknown key %j and replaces nothing',
    (key) => {
      const component = tree()
      const updates = Object.fromEntries([
        ['a', text('new')],
        [key, text('x')],
      ])
      expect(() => component.updatePrompts(updates)).toThrow(keyError(key))
      expect(() => component.updatePrompts(updates)).toThrow('known keys: a, b, inner:a, inner:deep:x')
      expect(listing(component)).toEqual(listing(tree()))
    },
  )

  it('throws for a value that is not a prompt and replaces nothing', () => {
    const component = tree()
    const updates = { a: text('new'), 'inner:a': 'text' as never }
    expect(() => component.updatePrompts(updates)).toThrow(
      expect.objectContaining({
        code: 'model_validation',
        issues: [{ path: 'inner:a', message: 'expected a prompt template, received a string', code: 'option' }],
      }),
    )
    expect(listing(component)).toEqual(listing(tree()))
  })
})
