import { LLMMetadata } from '@x/core-model'
import { ScriptedLLM } from '@x/core-model/testing'
import { describe, expect, it } from 'vitest'
import type { BasePromptTemplate } from './base-prompt-template.ts'
import { ChatPromptTemplate } from './chat-prompt-template.ts'
import { getBiggestPrompt, getEmptyPromptTxt, getTemplateVars, isChatModel } from './prompt-sizes.ts'
import { PromptTemplate } from './prompt-template.ts'
import { SelectorPromptTemplate } from './selector-prompt-template.ts'

const text = (template: string): BasePromptTemplate => new PromptTemplate<string>({ template })

describe('getTemplateVars', () => {
  it('gives names in order, with repeats, and a list of the caller’s own', () => {
    expect(getTemplateVars('{b}{a}{b}{{c}}')).toEqual(['b', 'a', 'b'])
    expect(() => getTemplateVars('{')).toThrow(expect.objectContaining({ code: 'template_syntax' }))
  })
})

describe('getEmptyPromptTxt', () => {
  it('empties what has no value; stored values and functions apply', () => {
    const prompt = new PromptTemplate({
      template: '[{a}|{b}|{c}|{d}]',
      vars: { b: 'stored' },
      functionMappings: { c: () => 'computed' },
      templateVarMappings: { alpha: 'a' },
    })
    expect(getEmptyPromptTxt(prompt)).toBe('[|stored|computed|]')
  })

  it('takes the default template of a selector, and the rendering of a chat prompt', () => {
    expect(getEmptyPromptTxt(new SelectorPromptTemplate({ defaultTemplate: text('x{a}') }))).toBe('x')
    expect(getEmptyPromptTxt(ChatPromptTemplate.fromMessages([['user', '{a}!']]))).toBe('user: !\nassistant: ')
  })
})

describe('getBiggestPrompt', () => {
  it('counts characters of the emptied text, and takes the first of equals', () => {
    const prompts = [text('abc'), text('👍👍👍{long_name}'), text('ab'), text('xyz')]
    expect(getBiggestPrompt(prompts)).toBe(prompts[0])
    const bigger = text('👍👍👍👍')
    expect(getBiggestPrompt([...prompts, bigger])).toBe(bigger)
  })

  it('takes any number of prompts but none', () => {
    const many = Array.from({ length: 200_000 }, () => text('x'))
    expect(getBiggestPrompt(many)).toBe(many[0])
    expect(() => getBiggestPrompt([])).toThrow(
      expect.objectContaining({
        name: 'EmptyInputError',
        code: 'empty_input',
        message: 'getBiggestPrompt: at least one prompt is needed.',
      }),
    )
  })
})

describe('isChatModel', () => {
  it('reads the metadata of the model', () => {
    const llm = (isChat: boolean) => new ScriptedLLM({ metadata: new LLMMetadata({ isChatModel: isChat }) })
    expect([isChatModel(llm(true)), isChatModel(llm(false))]).toEqual([true, false])
  })
})
