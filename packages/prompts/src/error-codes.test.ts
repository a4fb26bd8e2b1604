import * as core from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { isPromptTemplate } from './base-prompt-template.ts'
import * as prompts from './index.ts'

describe('the package', () => {
  it('has errors with these names and codes', () => {
    const errors = [
      new core.TemplateSyntaxError('{', 0, 'problem', 'hint'),
      new core.MissingVariableError(['a']),
      new prompts.InvalidVariableError('a', null),
      new prompts.ForeignLLMRequiredError(),
      new prompts.PromptKeyError('a', 'no'),
      new core.EmptyInputError('none'),
      new core.ComponentInputError('none', []),
      new core.SerializationError('a', 'none'),
      new core.ModelValidationError('A', []),
    ]
    expect(errors.map(({ name, code }) => [name, code])).toEqual([
      ['TemplateSyntaxError', 'template_syntax'],
      ['MissingVariableError', 'missing_variable'],
      ['InvalidVariableError', 'invalid_variable'],
      ['ForeignLLMRequiredError', 'foreign_llm_required'],
      ['PromptKeyError', 'prompt_key'],
      ['EmptyInputError', 'empty_input'],
      ['ComponentInputError', 'component_input'],
      ['SerializationError', 'serialization'],
      ['ModelValidationError', 'model_validation'],
    ])
    for (const error of errors) expect(core.isToolkitError(error, error.code as keyof core.ToolkitErrors)).toBe(true)
  })

  it('exports the prompt types in order', () => {
    expect(prompts.promptTypes).toHaveLength(27)
    expect([prompts.promptTypes[0], prompts.promptTypes.at(-1)]).toEqual(['summary', 'rankgpt_rerank'])
  })

  it('recognizes prompts by their methods', () => {
    expect(isPromptTemplate(prompts.summaryPrompt())).toBe(true)
    for (const value of [null, undefined, 'x', {}, { format() {} }]) expect(isPromptTemplate(value)).toBe(false)
  })
})
