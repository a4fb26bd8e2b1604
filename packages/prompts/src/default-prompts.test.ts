import { LLMMetadata } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import type { BasePromptTemplate } from './base-prompt-template.ts'
import * as module from './default-prompts.ts'

const prompts = { ...module }

const chatModel = new ScriptedLLM({ metadata: new LLMMetadata({ isChatModel: true }) })

describe('the default prompts', () => {
  it.each<[keyof typeof prompts, string, string[], RegExp]>([
    ['textQaPrompt', 'text_qa', ['context_str', 'query_str'], /only/],
    ['textQaChatPrompt', 'text_qa', ['context_str', 'query_str'], /never/],
    ['textQaSelector', 'text_qa', ['context_str', 'query_str'], /only/],
    ['refinePrompt', 'refine', ['query_str', 'existing_answer', 'context_msg'], /repeat/],
    ['refineChatPrompt', 'refine', ['query_str', 'existing_answer', 'context_msg'], /repeat/],
    ['refineSelector', 'refine', ['query_str', 'existing_answer', 'context_msg'], /repeat/],
    ['refineTablePrompt', 'table_context', ['query_str', 'existing_answer', 'schema', 'context_msg'], /table/],
    ['refineTableChatPrompt', 'table_context', ['query_str', 'existing_answer', 'schema', 'context_msg'], /table/],
    ['refineTableSelector', 'table_context', ['query_str', 'existing_answer', 'schema', 'context_msg'], /table/],
    ['treeSummarizePrompt', 'summary', ['context_str', 'query_str'], /sources/],
    ['treeSummarizeChatPrompt', 'summary', ['context_str', 'query_str'], /sources/],
    ['treeSummarizeSelector', 'summary', ['context_str', 'query_str'], /sources/],
    ['summaryPrompt', 'summary', ['context_str'], /details/],
    ['choiceSelectPrompt', 'choice_select', ['context_str', 'query_str'], /^Doc: \d+, Relevance: \d+$/m],
    ['rankGptRerankPrompt', 'rankgpt_rerank', ['query', 'num'], /\[2\] > \[1\]/],
    ['simpleInputPrompt', 'simple_input', ['query_str'], /^\{query_str\}$/],
    ['insertPrompt', 'insert', ['num_chunks', 'context_list', 'new_chunk_text'], /number/],
    ['treeSelectPrompt', 'tree_select', ['num_chunks', 'context_list', 'query_str'], /ANSWER: <number>/],
    [
      'treeSelectMultiplePrompt',
      'tree_select_multiple',
      ['num_chunks', 'context_list', 'query_str', 'branching_factor'],
      /ANSWER: <numbers>/,
    ],
    ['keywordExtractPrompt', 'keyword_extract', ['max_keywords', 'text'], /KEYWORDS: </],
    ['queryKeywordExtractPrompt', 'query_keyword_extract', ['max_keywords', 'question'], /KEYWORDS: </],
  ])('include %s with its type, its variables and its instructions', (name, type, variables, asks) => {
    const prompt: BasePromptTemplate = prompts[name]()
    expect(prompt.metadata['prompt_type']).toBe(type)
    expect([...new Set(prompt.templateVars)].sort()).toEqual([...variables].sort())
    expect(prompt.getTemplate()).toMatch(asks)
    const values = Object.fromEntries(variables.map((variable) => [variable, `<${variable}>`]))
    for (const options of [{}, { llm: chatModel }])
      for (const variable of variables) expect(prompt.format(values, options)).toContain(`<${variable}>`)
  })

  it('are all tested above', () => {
    expect(Object.keys(prompts)).toHaveLength(21)
  })

  it('are new on every call', () => {
    const first = prompts.textQaPrompt()
    first.kwargs['context_str'] = 'changed'
    expect(prompts.textQaPrompt().kwargs).toEqual({})
  })

  it.each([
    ['textQaSelector', ['system', 'user']],
    ['treeSummarizeSelector', ['system', 'user']],
    ['refineSelector', ['user', 'assistant', 'user']],
    ['refineTableSelector', ['user', 'assistant', 'user']],
  ] as const)('%s selects its chat form for chat models', (name, roles) => {
    const selector = prompts[name]()
    const vars = { context_str: 'c', query_str: 'q', existing_answer: 'a', schema: 's', context_msg: 'm' }
    expect(selector.formatMessages(vars, { llm: chatModel }).map(({ role }) => role)).toEqual(roles)
    expect(selector.isChat()).toBe(false)
  })
})
