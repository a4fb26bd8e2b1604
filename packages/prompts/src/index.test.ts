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
})
