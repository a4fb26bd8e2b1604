import { ChatMessage, type ContentPart } from '@x/core-model'
import { describe, expect, expectTypeOf, it } from 'vitest'
import type { BasePromptTemplate } from './base-prompt-template.ts'
import { ChatPromptTemplate } from './chat-prompt-template.ts'
import { formatMessagesWithSources, formatWithSources } from './format-with-sources.ts'
import { fewShot, history, type MessageEntry, type PromptMessageLike } from './message-placeholders.ts'
import type { TemplateValue } from './template-variables.ts'

const texts = (messages: readonly ChatMessage[]): string[] => messages.map(String)
const open = (entries: readonly MessageEntry[]): BasePromptTemplate => ChatPromptTemplate.fromMessages(entries)

describe('the messages of a chat prompt', () => {
  it('may be ChatMessages, objects and pairs', () => {
    const image: ContentPart = { type: 'image_url', image_url: { url: '{url}' } }
    const prompt = open([
      new ChatMessage({ role: 'system', content: 'You speak {language}.' }),
      { role: 'user', content: '{question}', additionalKwargs: { name: 'ada' } },
      { content: 'no role' },
      ['user', [image]],
    ])
    const messages = prompt.formatMessages({ language: 'Greek', question: 'Why?', url: 'a.png' })
    expect(texts(messages.slice(0, 3))).toEqual(['system: You speak Greek.', 'user: Why?', 'user: no role'])
    expect(messages[1]!.additionalKwargs).toEqual({ name: 'ada' })
    expect(messages[3]!.content).toEqual([{ type: 'image_url', image_url: { url: 'a.png' } }])
  })

  it('may have the role names of other libraries', () => {
    const prompt = open([['developer', 'Be brief.'], ['human', 'Hi {name}'], { role: 'ai', content: 'Yes?' }])
    const messages = prompt.formatMessages({ name: 'Ada' })
    expect(texts(messages)).toEqual(['developer: Be brief.', 'user: Hi Ada', 'assistant: Yes?'])
    expect(texts(ChatPromptTemplate.fromJson(prompt.toJson()).formatMessages({ name: 'Ada' }))).toEqual(texts(messages))
  })

  it('are refused with their index', () => {
    const make = (entry: unknown) => () => open([['user', 'x'], entry as MessageEntry])
    expect(make('text')).toThrow(/fromMessages\[1\]: expected a ChatMessage/)
    expect(make(['robot', 'x'])).toThrow(expect.objectContaining({ code: 'model_validation' }))
    expect(() => open('x' as unknown as MessageEntry[])).toThrow('expected an array of messages')
  })
})

describe('a place for earlier messages', () => {
  const prompt = ChatPromptTemplate.fromMessages([['system', 'Be {how}.'], history('messages'), ['user', '{question}']])
  const values = { how: 'brief', question: 'Why?' }

  it('takes messages in each form, whose text is not a template', () => {
    const said = new ChatMessage({ role: 'assistant', content: 'I am {name}' })
    const messages: PromptMessageLike[] = [['human', 'Hi {you}'], said, { role: 'user', content: '}' }]
    const made = prompt.formatMessages({ ...values, messages })
    expect(texts(made)).toEqual([
      'system: Be brief.',
      'user: Hi {you}',
      'assistant: I am {name}',
      'user: }',
      'user: Why?',
    ])
    expect(made[2]).not.toBe(said)
    expect(texts(prompt.formatMessages({ ...values, messages: [] }))).toEqual(['system: Be brief.', 'user: Why?'])
  })

  it('is a variable that a call must pass, unless it is optional', () => {
    expect(prompt.templateVars).toEqual(['how', 'messages', 'question'])
    expect(prompt.requiredNames()).toEqual(['how', 'messages', 'question'])
    expect(() => (prompt as BasePromptTemplate).formatMessages({ how: 'brief' })).toThrow(
      expect.objectContaining({ code: 'missing_variable', variables: ['messages', 'question'] }),
    )
    const optional = ChatPromptTemplate.fromMessages([history('before', { optional: true }), ['user', 'x']])
    expect(texts(optional.formatMessages())).toEqual(['user: x'])
    expect(texts(optional.formatMessages({ before: [['ai', 'y']] }))).toEqual(['assistant: y', 'user: x'])
    expect(optional.requiredNames()).toEqual([])
  })

  it.each([['text'], [{ role: 'user' }], [null], [7]])('refuses %j as its value', (messages) => {
    expect(() => (prompt as BasePromptTemplate).formatMessages({ ...values, messages })).toThrow(
      expect.objectContaining({ code: 'invalid_variable', message: expect.stringContaining('an array of messages') }),
    )
  })

  it('has a type that the compiler checks', () => {
    expectTypeOf(prompt.formatMessages).parameter(0).toExtend<{
      readonly how: TemplateValue
      readonly messages: readonly PromptMessageLike[]
    }>()
    // @ts-expect-error Property 'messages' is missing
    expect(() => prompt.format({ how: 'x', question: 'y' })).toThrow('messages')
    // @ts-expect-error a string is not an array of messages
    expect(() => prompt.format({ how: 'x', question: 'y', messages: 'z' })).toThrow('messages')
  })

  it('keeps its place in JSON, with mapped names, in copies and with stored values', () => {
    const vars = { ...values, messages: [['user', 'Hi']] as const }
    const expected = texts(prompt.formatMessages(vars))
    expect(texts(ChatPromptTemplate.fromJson(prompt.toJson()).formatMessages(vars))).toEqual(expected)
    expect(texts(prompt.partialFormat({ how: 'brief' }).copy().formatMessages(vars))).toEqual(expected)
    const mapped = ChatPromptTemplate.fromMessages([history('messages')], { templateVarMappings: { past: 'messages' } })
    expect(texts((mapped as BasePromptTemplate).formatMessages({ past: [['user', 'Hi']] }))).toEqual(['user: Hi'])
    expect(ChatPromptTemplate.fromMessages([['user', 'x']]).toDict()).not.toHaveProperty('placeholders')
    expect(() => ChatPromptTemplate.fromDict({ ...prompt.toDict(), placeholders: [{ at: -1 }] })).toThrow(
      expect.objectContaining({ code: 'model_validation' }),
    )
  })

  it('is left out of the values that a trace shows', () => {
    expect(prompt.resolveVars({ ...values, messages: [] })).toEqual(values)
  })

  it('has its variable as the source of its messages', () => {
    const vars = { ...values, messages: [['user', 'Hi']] as const }
    const sources = formatMessagesWithSources(prompt, vars)
    expect(sources.map(({ message }) => String(message))).toEqual(texts(prompt.formatMessages(vars)))
    expect(sources[1]!.sources).toEqual([{ start: 0, end: 2, source: 'variable', variable: 'messages' }])
    expect(sources[2]!.sources).toMatchObject([{ variable: 'question', message: 1 }])
    expect(formatWithSources(prompt, vars).text).toBe(prompt.format(vars))
  })
})

describe('examples', () => {
  const shown = [
    ['user', '{q}'],
    ['ai', '{{{a}}}'],
  ] as const

  it('are messages that the prompt stores', () => {
    const prompt = ChatPromptTemplate.fromMessages([
      fewShot(
        [
          { q: '{1 + 1}', a: 2 },
          { q: '2 + 2', a: 4 },
        ],
        shown,
      ),
      ['user', '{question}'],
    ])
    const expected = ['user: {1 + 1}', 'assistant: {2}', 'user: 2 + 2', 'assistant: {4}', 'user: Why?']
    expect(texts(prompt.formatMessages({ question: 'Why?' }))).toEqual(expected)
    expect(prompt.templateVars).toEqual(['question'])
    const read: BasePromptTemplate = ChatPromptTemplate.fromJson(prompt.toJson())
    expect(texts(read.formatMessages({ question: 'Why?' }))).toEqual(expected)
    expect(formatWithSources(prompt, { question: 'Why?' }).text).toBe(prompt.format({ question: 'Why?' }))
  })

  it('are a variable if they have a name', () => {
    const prompt = ChatPromptTemplate.fromMessages([fewShot('shots', shown), ['user', '{question}']])
    const shots = [{ q: 'one', a: 1 }]
    expect(texts(prompt.formatMessages({ question: 'Why?', shots }))).toEqual([
      'user: one',
      'assistant: {1}',
      'user: Why?',
    ])
    expect(() => prompt.formatMessages({ question: 'Why?', shots: [{ q: 'one' }] })).toThrow(
      expect.objectContaining({ code: 'missing_variable', variables: ['a'] }),
    )
    expect(() => prompt.formatMessages({ question: 'Why?', shots: ['one'] as never })).toThrow('objects of variables')
    expect(() => fewShot('shots', [['user', '{']]) && open([fewShot('shots', [['user', '{']])])).toThrow(
      expect.objectContaining({ code: 'template_syntax' }),
    )
  })
})
