import { type BaseLLM, BaseOutputParser, type ChatMessage, LLMMetadata } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it, vi } from 'vitest'
import type { BasePromptTemplate } from './base-prompt-template.ts'
import { ChatPromptTemplate } from './chat-prompt-template.ts'
import { isChatModel } from './prompt-sizes.ts'
import { PromptTemplate } from './prompt-template.ts'
import { SelectorPromptTemplate } from './selector-prompt-template.ts'

class Suffix extends BaseOutputParser<string> {
  readonly added: string
  constructor(added: string) {
    super()
    this.added = added
  }
  parse(output: string): string {
    return output
  }
  override format(query: string): string {
    return query + this.added
  }
}

const model = (isChat: boolean, modelName = 'm'): BaseLLM =>
  new ScriptedLLM({ metadata: new LLMMetadata({ isChatModel: isChat, modelName }) })
const text = (template: string, added?: string): BasePromptTemplate =>
  new PromptTemplate<string>({ template, outputParser: added === undefined ? null : new Suffix(added) })
const always = () => true

describe('select', () => {
  it('returns the default template without a model and calls no condition', () => {
    const condition = vi.fn(always)
    const defaultTemplate = text('default {x}')
    const prompt = new SelectorPromptTemplate({ defaultTemplate, conditionals: [[condition, text('other')]] })
    expect(prompt.select()).toBe(defaultTemplate)
    expect(condition).not.toHaveBeenCalled()
  })

  it('returns the first template whose condition is true and calls no further condition', () => {
    const later = vi.fn(always)
    const second = text('second')
    const prompt = new SelectorPromptTemplate({
      defaultTemplate: text('default'),
      conditionals: [
        [isChatModel, text('first')],
        [({ metadata }) => metadata.modelName === 'm', second],
        [later, text('third')],
      ],
    })
    expect(prompt.select({ llm: model(false) })).toBe(second)
    expect(later).not.toHaveBeenCalled()
    expect(prompt.format({}, { llm: model(true) })).toBe('first')
    expect(new SelectorPromptTemplate({ defaultTemplate: text('only') }).format({}, { llm: model(true) })).toBe('only')
  })

  it('throws errors of a condition unchanged', () => {
    const failure = new Error('no')
    const fails = () => {
      throw failure
    }
    const prompt = new SelectorPromptTemplate({ defaultTemplate: text(''), conditionals: [[fails, text('')]] })
    expect(() => prompt.format({}, { llm: model(true) })).toThrow(failure)
  })

  it('passes the model to nested selectors', async () => {
    const chat = ChatPromptTemplate.fromMessages([['user', 'nested {x}']])
    const inner = new SelectorPromptTemplate({
      defaultTemplate: text('inner {y}'),
      conditionals: [[isChatModel, chat]],
    })
    const prompt = new SelectorPromptTemplate({ defaultTemplate: text('outer'), conditionals: [[always, inner]] })
    const llm = model(true)
    expect(prompt.getTemplate({ llm })).toBe('user: nested {x}\nassistant: ')
    expect(prompt.formatMessages({ x: '1' }, { llm }).map(String)).toEqual(['user: nested 1'])
    expect(prompt.format({ y: '2' }, { llm: model(false) })).toBe('inner 2')
    expect(prompt.resolveVars({ x: '1' }, { llm })).toEqual({ x: '1' })
    const component = prompt.asQueryComponent({ llm })
    expect(component.inputKeys.required).toEqual(['x'])
    const { prompt: messages } = await component.runComponent({ x: '1' })
    expect((messages as ChatMessage[]).map(String)).toEqual(['user: nested 1'])
    expect(await prompt.asQueryComponent().runComponent({})).toEqual({ prompt: 'outer' })
  })
})

describe('the parser', () => {
  it('is applied to each selected template if it belongs to the default template', () => {
    const other = text('other', ' own')
    const prompt = new SelectorPromptTemplate({
      defaultTemplate: text('default', ' +'),
      conditionals: [[always, other]],
    })
    expect(prompt.format({}, { llm: model(true) })).toBe('other +')
    expect(other.format()).toBe('other own')
  })

  it('is that of the conditional template if the selector has no parser', () => {
    const prompt = new SelectorPromptTemplate({
      defaultTemplate: text('default'),
      conditionals: [[always, text('other', ' own')]],
    })
    expect(prompt.format({}, { llm: model(true) })).toBe('other own')
  })

  it('does not change the templates in the options when it is assigned, and is kept by partialFormat', () => {
    const defaultTemplate = text('default {x}')
    const prompt = new SelectorPromptTemplate({ defaultTemplate })
    prompt.outputParser = new Suffix(' !')
    expect(prompt.format({ x: '1' })).toBe('default 1 !')
    expect(defaultTemplate.outputParser).toBeNull()
    expect(prompt.partialFormat({ x: '2' }).format()).toBe('default 2 !')
  })
})

describe('stored values and fields', () => {
  it('are those of the default template', () => {
    const defaultTemplate = new PromptTemplate({
      template: '{a} {b}',
      vars: { a: 1 },
      metadata: { team: 'x' },
      promptType: 'text_qa',
    })
    const prompt = new SelectorPromptTemplate({ defaultTemplate })
    expect(prompt.templateVars).toEqual(['a', 'b'])
    expect(prompt.kwargs).toEqual({ a: '1' })
    expect(prompt.metadata).toEqual({ team: 'x', prompt_type: 'text_qa' })
    expect([prompt.templateVarMappings, prompt.functionMappings]).toEqual([null, null])
  })

  it('are added to all templates by partialFormat', () => {
    const prompt = new SelectorPromptTemplate({
      defaultTemplate: text('default {x}'),
      conditionals: [[always, text('other {x}')]],
    })
    const partial = prompt.partialFormat({ x: '1' })
    expect(partial.format()).toBe('default 1')
    expect(partial.format({}, { llm: model(true) })).toBe('other 1')
    expect(() => prompt.format()).toThrow(expect.objectContaining({ code: 'missing_variable' }))
  })
})

describe('invalid options', () => {
  it.each([
    [{}, 'SelectorPromptTemplate.defaultTemplate: required, but missing.'],
    [{ defaultTemplate: 'x' }, /SelectorPromptTemplate.defaultTemplate: expected an object with the methods/],
    [
      { conditionals: 'x' },
      'SelectorPromptTemplate.conditionals: expected an array of pairs of a condition and a template.',
    ],
    [{ conditionals: [5] }, 'SelectorPromptTemplate.conditionals[0][0]: expected a function of the model.'],
    [{ conditionals: [[always, 'x']] }, 'SelectorPromptTemplate.conditionals[0][1]: expected a prompt template.'],
  ])('%j throw', (options, message) => {
    const make = () => new SelectorPromptTemplate(options as never)
    expect(make).toThrow(expect.objectContaining({ code: 'model_validation' }))
    expect(make).toThrow(message)
  })
})

describe('wire form', () => {
  it('is read back without conditions, with the class of the default template', () => {
    const prompt = new SelectorPromptTemplate({ defaultTemplate: ChatPromptTemplate.fromMessages([['user', '{a}']]) })
    const read = SelectorPromptTemplate.fromJson(prompt.toJson())
    expect(read.equals(prompt)).toBe(true)
    expect(read.defaultTemplate).toBeInstanceOf(ChatPromptTemplate)
  })

  it('is recognized by its keys if it has no class names, as LlamaIndex for Python writes it', () => {
    const fields = { metadata: { prompt_type: 'custom' }, template_vars: ['a'], kwargs: {}, output_parser: null }
    const chat = { ...fields, message_templates: [{ role: 'user', content: '{a}', additional_kwargs: {} }] }
    const plain = { ...fields, template: '{a}' }
    const cases = [
      [plain, PromptTemplate],
      [chat, ChatPromptTemplate],
      [{ ...fields, default_template: chat, conditionals: null }, SelectorPromptTemplate],
    ] as const
    for (const [default_template, expected] of cases) {
      const read = SelectorPromptTemplate.fromDict({ ...fields, default_template, conditionals: null })
      expect(read.defaultTemplate).toBeInstanceOf(expected)
      expect(read.format({ a: 'x' })).toBe(expected === PromptTemplate ? 'x' : 'user: x\nassistant: ')
    }
    expect(() => SelectorPromptTemplate.fromDict({ default_template: {} })).toThrow(
      'SelectorPromptTemplate.defaultTemplate.template: required',
    )
  })

  it('contains functions if the selector has conditions, so it has no JSON form', () => {
    const conditionals = [[always, text('x')]] as const
    const prompt = new SelectorPromptTemplate({ defaultTemplate: text('y'), conditionals })
    expect(prompt.toDict()['conditionals']).toEqual(conditionals)
    expect(() => prompt.toJson()).toThrow(
      expect.objectContaining({ code: 'serialization', field: expect.stringContaining('conditionals') }),
    )
  })
})
