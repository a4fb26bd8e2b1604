import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages'
import {
  AIMessagePromptTemplate,
  type BasePromptTemplate,
  ChatMessagePromptTemplate,
  ChatPromptTemplate,
  FewShotPromptTemplate,
  HumanMessagePromptTemplate,
  MessagesPlaceholder,
  PromptTemplate,
  renderTemplate,
} from '@langchain/core/prompts'
import { ChatMessage, type Dict } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { ForeignPromptTemplate } from './foreign-prompt-template.ts'
import { type LangChainPrompt, langChainPrompt } from './langchain-prompt.ts'
import type { Variables } from './variable-values.ts'

type Real = BasePromptTemplate & LangChainPrompt

const template = (prompt: LangChainPrompt) =>
  new ForeignPromptTemplate({ template: langChainPrompt(prompt, { renderTemplate }) })

/** The messages that LangChain returns, as role and content. */
async function byLangChain(prompt: Real, values: Variables): Promise<unknown[]> {
  const roles: Record<string, string> = { human: 'user', ai: 'assistant' }
  const messages = (await prompt.formatPromptValue(values as Dict)).toChatMessages()
  return messages.map((message) => {
    const type = message.getType()
    return [type === 'generic' ? (message as unknown as { role: string }).role : (roles[type] ?? type), message.content]
  })
}

const pairs = (messages: readonly ChatMessage[]) => messages.map(({ role, content }) => [role, content])

describe('a text prompt of LangChain', () => {
  it.each([
    ['Tell {who} about {what}. {{"json": true}}', { who: 'Ada', what: '$& {who}' }],
    ['{a}{a} {b}', { a: '', b: 'x'.repeat(1000) }],
    ['number {a}, list {b}', { a: 5, b: [1, { c: '"' }] }],
    ['no variables', {}],
    ['{first name}', { 'first name': 'Ada' }],
  ])('%j is filled like in LangChain', async (text, values) => {
    const prompt = PromptTemplate.fromTemplate(text) as unknown as Real
    const expected = await prompt.format(values as Dict)
    expect(template(prompt).format(values)).toBe(expected)
    expect(new ForeignPromptTemplate({ template: langChainPrompt(prompt) }).format(values)).toBe(expected)
    expect(pairs(template(prompt).formatMessages(values))).toEqual(await byLangChain(prompt, values))
  })

  it('keeps its partial values (strings and functions) and accepts more', async () => {
    const prompt = await PromptTemplate.fromTemplate('{a} {b} {c}').partial({ a: 'A', b: () => 'B' })
    const ours = template(prompt)
    expect(ours.templateVars).toEqual(['c'])
    expect(ours.kwargs).toEqual({ a: 'A' })
    expect(ours.format({ c: 'C' })).toBe(await prompt.format({ c: 'C' }))
    expect(ours.partialFormat({ c: 'stored' }).format()).toBe('A B stored')
    expect(ours.format({ c: 'C', a: 'given' })).toBe('given B C')
  })

  it('works with mappings, functions and stored values', () => {
    const prompt = new ForeignPromptTemplate({
      template: langChainPrompt(PromptTemplate.fromTemplate('{context} {question} {date}')),
      templateVarMappings: { context_str: 'context', query_str: 'question' },
      functionMappings: { date: () => 'today' },
      vars: { context_str: 'C' },
    })
    expect(prompt.format({ query_str: 'Q' })).toBe('C Q today')
    expect(prompt.getTemplate()).toBe('{context} {question} {date}')
  })

  it('renders mustache with the function of LangChain', async () => {
    const prompt = PromptTemplate.fromTemplate('{{#items}}<{{name}}>{{/items}} & {{{x}}}', {
      templateFormat: 'mustache',
    }) as unknown as Real
    const values = { items: [{ name: 'a' }, { name: 'b' }], x: '&', name: '' }
    expect(template(prompt).format(values)).toBe(await prompt.format(values))
    expect(() => langChainPrompt(prompt)).toThrow(
      expect.objectContaining({
        code: 'not_supported',
        message: 'langChainPrompt: mustache templates need renderTemplate of @langchain/core/prompts.',
      }),
    )
  })

  it('renders a missing name as an empty string in mustache, like LangChain', async () => {
    const prompt = PromptTemplate.fromTemplate('[{{x}}]', { templateFormat: 'mustache' }) as unknown as Real
    expect(template(prompt).format()).toBe(await prompt.format({}))
  })

  it('throws an error with all missing variables', () => {
    expect(() => template(PromptTemplate.fromTemplate('{a} {b} {c}')).format({ b: 1 })).toThrow(
      expect.objectContaining({ code: 'missing_variable', variables: ['a', 'c'] }),
    )
  })

  it('rejects an asynchronous partial value', async () => {
    const prompt = await PromptTemplate.fromTemplate('{a}').partial({ a: async () => 'later' })
    expect(() => template(prompt).format()).toThrow(
      expect.objectContaining({ code: 'invalid_variable', variable: 'a' }),
    )
  })

  it('is rejected if it is of a different kind', () => {
    const fewShot = new FewShotPromptTemplate({
      examples: [],
      examplePrompt: PromptTemplate.fromTemplate('x'),
      inputVariables: [],
    })
    expect(() => langChainPrompt(fewShot as unknown as LangChainPrompt)).toThrow(
      expect.objectContaining({
        code: 'not_supported',
        message: 'langChainPrompt: expected a prompt with a text template or with promptMessages.',
      }),
    )
  })
})

describe('a chat prompt of LangChain', () => {
  const history = [new HumanMessage('earlier?'), new AIMessage('yes')]

  it('returns the messages that LangChain returns', async () => {
    const prompt = ChatPromptTemplate.fromMessages([
      ['system', 'You speak {language}. {{}}'],
      new MessagesPlaceholder('history'),
      ['placeholder', '{scratchpad}'],
      HumanMessagePromptTemplate.fromTemplate('{question}'),
      AIMessagePromptTemplate.fromTemplate('Sure, {question}'),
      ChatMessagePromptTemplate.fromTemplate('as {language}', 'function'),
      new SystemMessage('fixed {not_filled}'),
    ]) as unknown as Real
    const values = { language: 'Greek', question: '{x} $&', history }
    const ours = template(prompt)
    const expected = await byLangChain(prompt, values)
    expect(pairs(ours.formatMessages(values))).toEqual(expected)
    expect(expected).toHaveLength(7)
    expect(ours.format(values)).toBe(await prompt.format(values))
    expect(ours.isChat()).toBe(true)
    expect(ours.getTemplate()).toBe(
      [
        'system: You speak {language}. {{}}',
        'user: {history}',
        'user: {scratchpad}',
        'user: {question}',
        'assistant: Sure, {question}',
        'function: as {language}',
        'system: fixed {not_filled}',
      ].join('\n'),
    )
  })

  it('fills content parts: text, images, other data', async () => {
    const prompt = ChatPromptTemplate.fromMessages([
      [
        'human',
        [
          { type: 'text', text: 'See {what}' },
          { type: 'text', text: '{empty}' },
          { type: 'image_url', image_url: { url: 'https://example.org/{id}.png', detail: 'low' } },
          { type: 'image_url', image_url: 'data:{id}' },
          { type: 'audio', audio: { ids: ['{id}', 'x'] } },
        ],
      ],
      HumanMessagePromptTemplate.fromTemplate(['plain {what}', { text: '{empty}' }, { image_url: '{id}' }]),
    ]) as unknown as Real
    const values = { what: 'this', id: '7', empty: '' }
    expect(pairs(template(prompt).formatMessages(values))).toEqual(await byLangChain(prompt, values))
  })

  it('fills the URLs of images in fixed messages, like LangChain', async () => {
    const make = () =>
      ChatPromptTemplate.fromMessages([
        new HumanMessage({
          content: [
            { type: 'image_url', image_url: { url: '{id}.png' } },
            { type: 'text', text: '{id}' },
          ],
        }),
        ['human', '{id}'],
      ]) as unknown as Real
    const prompt = make()
    const filled = pairs(template(prompt).formatMessages({ id: '7' }))
    expect(filled).toEqual(await byLangChain(make(), { id: '7' }))
    expect(pairs(template(prompt).formatMessages({ id: '8' }))).not.toEqual(filled)
  })

  it('keeps partial values', async () => {
    const prompt = await ChatPromptTemplate.fromMessages([['human', '{a} {b}']]).partial({ a: 'A' })
    expect(pairs(template(prompt as unknown as Real).formatMessages({ b: 'B' }))).toEqual([['user', 'A B']])
    expect(
      pairs(
        template(prompt as unknown as Real)
          .partialFormat({ b: 'stored' })
          .formatMessages(),
      ),
    ).toEqual([['user', 'A stored']])
  })

  it('renders mustache messages', async () => {
    const prompt = ChatPromptTemplate.fromMessages(
      [
        ['system', '{{#items}}[{{.}}]{{/items}}'],
        ['placeholder', '{{history}}'],
      ],
      { templateFormat: 'mustache' },
    ) as unknown as Real
    const values = { items: ['a', 'b'], history }
    expect(pairs(template(prompt).formatMessages(values))).toEqual(await byLangChain(prompt, values))
  })

  it('accepts messages of any kind for a placeholder, and keeps the data of tool calls', () => {
    const prompt = ChatPromptTemplate.fromMessages([new MessagesPlaceholder('history')])
    const messages = template(prompt as unknown as Real).formatMessages({
      history: [
        new ChatMessage({ role: 'tool', content: 'ours' }),
        ['human', 'pair'],
        { role: 'assistant', content: 'object' },
        'text',
        new AIMessage({ content: '', tool_calls: [{ id: '1', name: 'add', args: { a: 2n ** 64n } }] }),
        new ToolMessage({ content: '2', tool_call_id: '1' }),
      ],
    })
    expect(messages.map((message) => message.toDict())).toEqual([
      { role: 'tool', content: 'ours', additional_kwargs: {} },
      { role: 'user', content: 'pair', additional_kwargs: {} },
      { role: 'assistant', content: 'object', additional_kwargs: {} },
      { role: 'user', content: 'text', additional_kwargs: {} },
      {
        role: 'assistant',
        content: '',
        additional_kwargs: {
          tool_calls: [
            { id: '1', type: 'function', function: { name: 'add', arguments: '{"a":18446744073709551616}' } },
          ],
        },
      },
      { role: 'tool', content: '2', additional_kwargs: { tool_call_id: '1' } },
    ])
  })

  it('is sent to a model with its history', async () => {
    const prompt = ChatPromptTemplate.fromMessages([
      new MessagesPlaceholder('history'),
      ['placeholder', '{scratchpad}'],
      ['human', '{question}'],
    ])
    const ours = template(prompt as unknown as Real)
    expect(ours.requiredNames()).toEqual(['history', 'question'])
    const llm = new ScriptedLLM({ answers: ['fine'] })
    expect(await llm.predict(ours, { question: 'Q', history })).toBe('fine')
    expect(llm.calls[0]!.messages?.map(({ content }) => content)).toEqual(['earlier?', 'yes', 'Q'])
    expect(ours.resolveVars({ question: 'Q', history })).toEqual({ question: 'Q' })
  })

  it('throws for a placeholder without a value', () => {
    const prompt = template(ChatPromptTemplate.fromMessages([new MessagesPlaceholder('history')]) as unknown as Real)
    expect(() => prompt.formatMessages()).toThrow(expect.objectContaining({ variables: ['history'] }))
    expect(() => prompt.formatMessages({ history: null })).toThrow(
      expect.objectContaining({ code: 'invalid_variable' }),
    )
  })

  it('rejects message templates that only LangChain can fill', () => {
    const custom = { inputVariables: [], promptMessages: [{ formatMessages: async () => [] }] }
    expect(() => langChainPrompt(custom)).toThrow(expect.objectContaining({ code: 'not_supported' }))
  })
})
