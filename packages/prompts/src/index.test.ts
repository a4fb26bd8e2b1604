import { describe, expect, it } from 'vitest'
import { isPromptTemplate } from './base-prompt-template.ts'
import * as prompts from './index.ts'

describe('the package', () => {
  it('exports the prompt types in order', () => {
    expect(prompts.promptTypes).toHaveLength(27)
    expect([prompts.promptTypes[0], prompts.promptTypes.at(-1)]).toEqual(['summary', 'rankgpt_rerank'])
  })

  it('recognizes prompts by their methods', () => {
    expect(isPromptTemplate(prompts.summaryPrompt())).toBe(true)
    for (const value of [null, undefined, 'x', {}, { format() {} }]) expect(isPromptTemplate(value)).toBe(false)
  })

  const file = { inputVariables: ['name'], render: () => [] }
  it.each<[string, () => unknown]>([
    ['history.optionl: unknown option; did you mean optional?', () => prompts.history('m', { optionl: true } as never)],
    [
      'asQueryComponent.lm: unknown option; did you mean llm?',
      () => new prompts.PromptTemplate({ template: '' }).asQueryComponent({ lm: null } as never),
    ],
    ['history: expected an object of options (optional)', () => prompts.history('m', null as never)],
    ['history.name: expected a string', () => prompts.history(5 as never)],
    [
      'readDotPrompt.parseYam: unknown option; did you mean parseYaml?',
      () => prompts.readDotPrompt('', { parseYam: 1 } as never),
    ],
    [
      'writeDotPrompt.frontMater: unknown option; did you mean frontMatter?',
      () => prompts.writeDotPrompt(prompts.summaryPrompt(), { frontMater: {} } as never),
    ],
    [
      'dotPrompt.prompt.inputVariables: expected an array',
      () => prompts.dotPrompt({ ...file, inputVariables: 'name' } as never),
    ],
    [
      'langChainPrompt.render: unknown option; did you mean renderTemplate?',
      () => prompts.langChainPrompt({ inputVariables: [], template: '' }, { render: 1 } as never),
    ],
    [
      'langChainPrompt.prompt.inputVariables: expected an array',
      () => prompts.langChainPrompt({ template: '' } as never),
    ],
    [
      'langChainPrompt.prompt.promptMessages: expected an array whose item 0 is a message template',
      () => prompts.langChainPrompt({ inputVariables: [], promptMessages: [null] } as never),
    ],
    ['getPrompts.a: expected a prompt template', () => prompts.getPrompts({ prompts: { a: 'text' } } as never)],
    [
      'getPrompts.modules.a: expected an object with prompts',
      () => prompts.getPrompts({ modules: { a: {} } } as never),
    ],
  ])('throws "%s"', (message, call) => {
    expect(call).toThrow(
      expect.objectContaining({ code: 'model_validation', message: expect.stringContaining(message) }),
    )
  })
})
