import { type BaseLLM, BaseOutputParser, ChatMessage, type Dict } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it, vi } from 'vitest'
import { type ForeignPrompt, ForeignPromptTemplate } from './foreign-prompt-template.ts'
import { formatMessagesWithSources, formatWithSources } from './format-with-sources.ts'
import type { Variables } from './variable-values.ts'

class Suffix extends BaseOutputParser<string> {
  parse(output: string): string {
    return output
  }
  override format(query: string): string {
    return `${query} JSON`
  }
}

/** Returns a foreign prompt that renders its values as JSON. */
function foreign(name: string, inputVariables: string[], partialVariables: Dict = {}, extra = {}): ForeignPrompt {
  const format = (vars: Variables) => `${name}:${JSON.stringify({ ...partialVariables, ...vars })}`
  return {
    inputVariables,
    partialVariables,
    template: `${name} template`,
    partial: (vars) => foreign(name, inputVariables, { ...partialVariables, ...vars }, extra),
    format,
    formatMessages: (vars) => [new ChatMessage({ content: format(vars) })],
    ...extra,
  }
}

const wrapping = (foreignModel: unknown): BaseLLM => Object.assign(new ScriptedLLM(), { foreignModel })

describe('a foreign prompt', () => {
  it('receives the values of the call after mappings and functions', () => {
    const compute = vi.fn((vars: Dict) => `${vars['q']}!`)
    const prompt = new ForeignPromptTemplate({
      template: foreign('p', ['question', 'loud']),
      templateVarMappings: { q: 'question' },
      functionMappings: { loud: compute },
    })
    expect(prompt.templateVars).toEqual(['question', 'loud'])
    expect(prompt.format({ q: 'why' })).toBe('p:{"loud":"why!","question":"why"}')
    expect(compute).toHaveBeenCalledTimes(1)
  })

  it('receives the instructions of the parser, as a string and as messages', () => {
    const prompt = new ForeignPromptTemplate({ template: foreign('p', []), outputParser: new Suffix() })
    expect(prompt.format()).toBe('p:{} JSON')
    expect(prompt.formatMessages().map(String)).toEqual(['user: p:{} JSON'])
    expect(formatWithSources(prompt)).toEqual({
      text: 'p:{} JSON',
      sources: [
        { start: 0, end: 4, source: 'template' },
        { start: 4, end: 9, source: 'parser' },
      ],
    })
    expect(formatMessagesWithSources(prompt)[0]!.sources).toHaveLength(2)
  })

  it('returns its template, or its string form if it has none', () => {
    expect(new ForeignPromptTemplate({ template: foreign('p', []) }).getTemplate()).toBe('p template')
    const bare = foreign('p', [], {}, { template: undefined, toString: () => 'as text' })
    expect(new ForeignPromptTemplate({ template: bare }).getTemplate()).toBe('as text')
  })

  it('stores values under its own names, in all prompts of a selector, without running functions', () => {
    const compute = vi.fn(() => 'computed')
    const prompt = new ForeignPromptTemplate({
      selector: {
        defaultPrompt: foreign('d', ['a', 'b'], { lang: 'en', list: [] }),
        conditionals: [[() => true, foreign('c', ['a', 'b'])]],
      },
      templateVarMappings: { alpha: 'a' },
      functionMappings: { b: compute },
    })
    expect(prompt.kwargs).toEqual({ lang: 'en' })
    const partial = prompt.partialFormat({ alpha: 1 })
    expect(compute).not.toHaveBeenCalled()
    expect(partial.kwargs).toEqual({ lang: 'en', a: '1' })
    expect(partial.format()).toBe('d:{"lang":"en","list":[],"a":1,"b":"computed"}')
    expect(partial.format({}, { llm: wrapping({}) })).toBe('c:{"a":1,"b":"computed"}')
    expect(prompt.kwargs).toEqual({ lang: 'en' })
  })

  it('accepts stored values on construction', () => {
    const prompt = new ForeignPromptTemplate({
      template: foreign('p', ['a', 'b']),
      vars: { alpha: 'x' },
      templateVarMappings: { alpha: 'a' },
    })
    expect(prompt.kwargs).toEqual({ a: 'x' })
    expect(prompt.requiredNames()).toEqual(['b'])
    expect(prompt.format({ b: 'y' })).toBe('p:{"a":"x","b":"y"}')
  })

  it('is selected by the foreign model inside the model', () => {
    const selector = {
      defaultPrompt: foreign('default', []),
      conditionals: [[(model: unknown) => model === 'big', foreign('big', [])]] as const,
    }
    const prompt = new ForeignPromptTemplate({ selector })
    expect(prompt.format()).toBe('default:{}')
    expect(prompt.format({}, { llm: wrapping('big') })).toBe('big:{}')
    expect(prompt.format({}, { llm: wrapping('small') })).toBe('default:{}')
    expect(prompt.getTemplate({ llm: wrapping('big') })).toBe('big template')
    expect(prompt.format({}, { llm: new ScriptedLLM() })).toBe('default:{}')
    const strict = new ForeignPromptTemplate({ selector, requiresForeignLlm: true })
    expect(strict.format()).toBe('default:{}')
    expect(() => strict.format({}, { llm: new ScriptedLLM() })).toThrow(
      expect.objectContaining({
        name: 'ForeignLLMRequiredError',
        code: 'foreign_llm_required',
        message: 'ForeignPromptTemplate: requiresForeignLlm is true, but the model does not wrap a foreign model.',
      }),
    )
  })

  it('can be used as a query component, which returns messages or a string', async () => {
    const text = new ForeignPromptTemplate({ template: foreign('p', ['a']) })
    expect(await text.asQueryComponent().runComponent({ a: 'x' })).toEqual({ prompt: 'p:{"a":"x"}' })
    const chat = new ForeignPromptTemplate({ template: foreign('p', ['a'], {}, { isChat: true }) })
    const { prompt } = await chat.asQueryComponent().runComponent({ a: 'x' })
    expect((prompt as ChatMessage[]).map(String)).toEqual(['user: p:{"a":"x"}'])
  })

  it.each([
    [{}, 'ForeignPromptTemplate.template: expected exactly one of template and selector.'],
    [
      { template: foreign('p', []), selector: { defaultPrompt: foreign('p', []), conditionals: [] } },
      'ForeignPromptTemplate.template: expected exactly one of template and selector.',
    ],
    [{ template: { inputVariables: [] } }, /template: expected a foreign prompt with inputVariables and the methods/],
    [{ selector: { defaultPrompt: foreign('p', []) } }, /selector: expected a foreign prompt/],
    [{ selector: { defaultPrompt: foreign('p', []), conditionals: [[() => true, 5]] } }, /selector: expected/],
  ])('is rejected if it is not a foreign prompt: %#', (options, message) => {
    const make = () => new ForeignPromptTemplate(options as never)
    expect(make).toThrow(expect.objectContaining({ code: 'model_validation' }))
    expect(make).toThrow(message)
  })

  it('has no JSON form', () => {
    expect(() => new ForeignPromptTemplate({ template: foreign('p', []) }).toJson()).toThrow(
      expect.objectContaining({ code: 'serialization' }),
    )
  })
})
