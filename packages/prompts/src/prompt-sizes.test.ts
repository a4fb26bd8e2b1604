import { LLMMetadata } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import type { BasePromptTemplate } from './base-prompt-template.ts'
import { ChatPromptTemplate } from './chat-prompt-template.ts'
import { getBiggestPrompt, getEmptyPromptTxt, getTemplateVars, isChatModel } from './prompt-sizes.ts'
import { PromptTemplate } from './prompt-template.ts'
import { SelectorPromptTemplate } from './selector-prompt-template.ts'

const text = (template: string): BasePromptTemplate => new PromptTemplate<string>({ template })

describe('getTemplateVars', () => {
  it('returns names in order, including duplicates, in a new array', () => {
    expect(getTemplateVars('{b}{a}{b}{{c}}')).toEqual(['b', 'a', 'b'])
    expect(() => getTemplateVars('{')).toThrow(expect.objectContaining({ code: 'template_syntax' }))
  })
})

describe('getEmptyPromptTxt', () => {
  it('fills variables without a value with empty strings, after stored values and functions', () => {
    const prompt = new PromptTemplate({
      template: '[{a}|{b}|{c}|{d}]',
      vars: { b: 'stored' },
      functionMappings: { c: () => 'computed' },
      templateVarMappings: { alpha: 'a' },
    })
    expect(getEmptyPromptTxt(prompt)).toBe('[|stored|computed|]')
  })

  it('calls functions with the variables that they compute as empty strings', () => {
    const prompt = new PromptTemplate({
      template: '{a}|{b}|{c}',
      vars: { b: 'stored' },
      functionMappings: { a: (vars) => Object.keys(vars).sort().join(), b: (vars) => vars['b'], d: () => '' },
    })
    expect(getEmptyPromptTxt(prompt)).toBe('a,b,c|stored|')
  })

  it('uses the default template of a selector, and the rendering of a chat prompt', () => {
    expect(getEmptyPromptTxt(new SelectorPromptTemplate({ defaultTemplate: text('x{a}') }))).toBe('x')
    expect(getEmptyPromptTxt(ChatPromptTemplate.fromMessages([['user', '{a}!']]))).toBe('user: !\nassistant: ')
  })
})

describe('getBiggestPrompt', () => {
  it('counts the characters of the text without values, and returns the first of several longest prompts', () => {
    const prompts = [text('abc'), text('👍👍👍{long_name}'), text('ab'), text('xyz')]
    expect(getBiggestPrompt(prompts)).toBe(prompts[0])
    const bigger = text('👍👍👍👍')
    expect(getBiggestPrompt([...prompts, bigger])).toBe(bigger)
  })

  it('accepts any number of prompts except zero', () => {
    const many = Array<BasePromptTemplate>(200_000).fill(text('x'))
    expect(getBiggestPrompt(many)).toBe(many[0])
    expect(() => getBiggestPrompt([])).toThrow(
      expect.objectContaining({
        name: 'EmptyInputError',
        code: 'empty_input',
        message: 'getBiggestPrompt: expected at least one prompt, received an empty array.',
      }),
    )
  })
})

describe('isChatModel', () => {
  it('returns isChatModel of the metadata of the model', () => {
    const llm = (isChat: boolean) => new ScriptedLLM({ metadata: new LLMMetadata({ isChatModel: isChat }) })
    expect([isChatModel(llm(true)), isChatModel(llm(false))]).toEqual([true, false])
  })
})
