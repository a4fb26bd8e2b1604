import {
  BaseOutputParser,
  ChatMessage,
  type ContentPart,
  escapeTemplate,
  LLMMetadata,
  type MessageContent,
  type MessageRole,
} from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import type { BasePromptTemplate } from './base-prompt-template.ts'
import { ChatPromptTemplate, type ChatPromptTemplateOptions } from './chat-prompt-template.ts'
import { formatMessagesWithSources } from './format-with-sources.ts'

class Suffix extends BaseOutputParser<string> {
  parse(output: string): string {
    return output
  }
  override format(query: string): string {
    return `${query} {as} JSON`
  }
}

const open = (
  pairs: readonly (readonly [MessageRole, string])[],
  options: Partial<ChatPromptTemplateOptions> = {},
): BasePromptTemplate =>
  new ChatPromptTemplate({ ...options, messageTemplates: pairs.map(([role, content]) => ({ role, content })) })

const texts = (messages: readonly ChatMessage[]): string[] => messages.map(String)

describe('formatting messages', () => {
  it('fills the content of each message and keeps the role', () => {
    const prompt = ChatPromptTemplate.fromMessages([
      ['system', 'You speak {language}.'],
      ['user', '{{"q": "{question}"}}'],
    ])
    expect(prompt.templateVars).toEqual(['language', 'question'])
    expect(texts(prompt.formatMessages({ language: 'Greek', question: '$& {x}' }))).toEqual([
      'system: You speak Greek.',
      'user: {"q": "$& {x}"}',
    ])
  })

  it('returns messages that share nothing with the template', () => {
    const additionalKwargs = { tags: ['a'], deep: { list: [1] } }
    const prompt = new ChatPromptTemplate({ messageTemplates: [{ content: 'x', additionalKwargs }] })
    const [message] = prompt.formatMessages()
    ;(message!.additionalKwargs['tags'] as string[]).push('b')
    message!.additionalKwargs['new'] = 1
    expect(additionalKwargs).toEqual({ tags: ['a'], deep: { list: [1] } })
    expect(prompt.formatMessages()[0]!.additionalKwargs).toEqual({ tags: ['a'], deep: { list: [1] } })
    expect(message!.toDict()).toEqual(
      new ChatMessage({ content: 'x', additionalKwargs: { tags: ['a', 'b'], deep: { list: [1] }, new: 1 } }).toDict(),
    )
  })

  it('formats null as an empty string', () => {
    const prompt = new ChatPromptTemplate({ messageTemplates: [{ role: 'assistant', content: null }] })
    expect(prompt.formatMessages()[0]!.content).toBe('')
    expect(prompt.getTemplate()).toBe('assistant: \nassistant: ')
  })

  it('fills each string in array content, in parts of any type', () => {
    const image = { type: 'image', url: 'https://example.org/{id}.png' }
    const audio = {
      type: 'input_audio',
      input_audio: { data: '{data}', format: 'wav', tags: ['{{', '{tag}', 1, null] },
    }
    const content = [{ type: 'text', text: 'See {what}', cache_control: { type: 'ephemeral' } }, image, audio]
    const prompt = new ChatPromptTemplate({ messageTemplates: [{ content: content as ContentPart[] }] })
    expect(prompt.templateVars).toEqual(['what', 'id', 'data', 'tag'])
    const vars = { what: 'this', id: 7, data: 'UklG', tag: '{x}' }
    const open: BasePromptTemplate = prompt
    expect(open.formatMessages(vars)[0]!.content).toEqual([
      { type: 'text', text: 'See this', cache_control: { type: 'ephemeral' } },
      { type: 'image', url: 'https://example.org/7.png' },
      { type: 'input_audio', input_audio: { data: 'UklG', format: 'wav', tags: ['{', '{x}', 1, null] } },
    ])
    expect(image.url).toBe('https://example.org/{id}.png')
    expect(() => open.formatMessages({ what: 'this' })).toThrow(
      expect.objectContaining({ code: 'missing_variable', variables: ['id', 'data', 'tag'] }),
    )
  })

  it('copies parts without braces, and the data of a provider', () => {
    const other = { type: 'reasoning', text: 'Hm.', provider_metadata: { call: '{"a": 1}', deep: [{ list: ['x'] }] } }
    const [message] = new ChatPromptTemplate({
      messageTemplates: [{ content: [other as ContentPart] }],
    }).formatMessages()
    expect(message!.content).toEqual([other])
    expect((message!.content as unknown[])[0]).not.toBe(other)
  })

  it('fills the addresses of images and files', () => {
    const image: ContentPart = { type: 'image_url', image_url: { url: '{url}', detail: 'low' } }
    const file: ContentPart = {
      type: 'file',
      file: { url: 'https://example.org/{id}.pdf', media_type: 'application/pdf' },
    }
    const prompt = new ChatPromptTemplate({ messageTemplates: [{ content: [image, file] }] })
    expect(prompt.templateVars).toEqual(['url', 'id'])
    const vars = { url: 'data:image/png;base64,aGk=', id: 7 }
    expect(prompt.formatMessages(vars)[0]!.content).toEqual([
      { type: 'image_url', image_url: { url: vars.url, detail: 'low' } },
      { type: 'file', file: { url: 'https://example.org/7.pdf', media_type: 'application/pdf' } },
    ])
    expect(ChatPromptTemplate.fromDict(prompt.toDict()).equals(prompt)).toBe(true)
    expect(image).toEqual({ type: 'image_url', image_url: { url: '{url}', detail: 'low' } })
    expect(() => prompt.formatMessages({} as typeof vars)).toThrow(
      expect.objectContaining({ code: 'missing_variable' }),
    )
    expect(formatMessagesWithSources(prompt, vars)[0]!.message.content).toEqual(prompt.formatMessages(vars)[0]!.content)
  })

  it('reports the sources of the text of a part, not of its other strings', () => {
    const vars = { what: 'this', kind: 'short' }
    const sourcesOf = (...more: string[]) => {
      const content = [
        { type: 'text', text: 'See {what}', more },
        { type: 'text', text: '{kind}' },
      ] as ContentPart[]
      return formatMessagesWithSources(new ChatPromptTemplate({ messageTemplates: [{ content }] }), vars)[0]!.sources
    }
    expect(sourcesOf('a {kind}')).toEqual(sourcesOf())
  })

  it('resolves no variables without values', () => {
    expect(open([['user', '{a}']], { vars: { a: 1 } }).resolveVars()).toEqual({ a: '1' })
  })

  it('throws an error with all missing variables of all messages', () => {
    expect(() =>
      open([
        ['system', '{b}'],
        ['user', '{a} {b}'],
      ]).formatMessages(),
    ).toThrow(expect.objectContaining({ code: 'missing_variable', variables: ['b', 'a'] }))
  })

  it('passes the messages to the parser, which extends the first system message or else the last message', () => {
    const outputParser = new Suffix()
    const system = open(
      [
        ['system', 'S'],
        ['user', 'U'],
      ],
      { outputParser },
    )
    expect(texts(system.formatMessages())).toEqual(['system: S {as} JSON', 'user: U'])
    const plain = open(
      [
        ['user', 'U'],
        ['assistant', 'A'],
      ],
      { outputParser },
    )
    expect(texts(plain.formatMessages())).toEqual(['user: U', 'assistant: A {as} JSON'])
    expect(texts(plain.formatMessages())).toEqual(['user: U', 'assistant: A {as} JSON'])
    expect(open([], { outputParser }).formatMessages()).toEqual([])
  })

  it('evaluates each function once per call', () => {
    let calls = 0
    const functionMappings = { n: () => String(++calls) }
    const prompt = open(
      [
        ['system', '{n}'],
        ['user', '{n} {n}'],
      ],
      { functionMappings },
    )
    expect(texts(prompt.formatMessages())).toEqual(['system: 1', 'user: 1 1'])
  })

  it('returns the same as replacing the variables in each message', () => {
    const piece = fc.oneof(
      fc.record({ text: fc.string({ unit: fc.constantFrom('a', '{', '}', '$', '\n') }) }),
      fc.record({ name: fc.constantFrom('a', 'b') }),
    )
    const role = fc.constantFrom<MessageRole>('system', 'user', 'assistant', 'tool')
    const value = fc.string({ unit: fc.constantFrom('a', '{', '}', '$', '&') })
    fc.assert(
      fc.property(fc.array(fc.tuple(role, fc.array(piece))), fc.record({ a: value, b: value }), (described, values) => {
        const prompt = open(
          described.map(([speaker, pieces]) => [
            speaker,
            pieces.map((p) => ('text' in p ? escapeTemplate(p.text) : `{${p.name}}`)).join(''),
          ]),
        )
        const expected = described.map(([speaker, pieces]) => ({
          role: speaker,
          content: pieces.map((p) => ('text' in p ? p.text : values[p.name])).join(''),
          additional_kwargs: {},
        }))
        expect(prompt.formatMessages(values).map((message) => message.toDict())).toEqual(expected)
      }),
    )
  })
})

describe('formatting as a string', () => {
  const prompt = ChatPromptTemplate.fromMessages([
    ['system', 'Be {how}.'],
    ['user', 'Hi'],
  ])

  it('uses the default rendering', () => {
    expect(prompt.format({ how: 'brief' })).toBe('system: Be brief.\nuser: Hi\nassistant: ')
    expect(open([]).format()).toBe('assistant: ')
  })

  it('uses the rendering of the model if it has one', () => {
    const messagesToPrompt = (messages: readonly ChatMessage[]) => messages.map(({ content }) => content).join('|')
    const completionToPrompt = () => 'not used'
    expect(prompt.format({ how: 'brief' }, { messagesToPrompt, completionToPrompt })).toBe('Be brief.|Hi')
  })

  it('returns the template unchanged from getTemplate', () => {
    expect(open([['user', '{{}} {x}']], { vars: { x: 1 } }).getTemplate()).toBe('user: {{}} {x}\nassistant: ')
  })
})

describe('stored values', () => {
  it('are added by partialFormat, which does not change the prompt', () => {
    const prompt = ChatPromptTemplate.fromMessages([['user', '{a} {b}']], { outputParser: new Suffix() })
    const partial = prompt.partialFormat({ a: 1 })
    expect(partial).toBeInstanceOf(ChatPromptTemplate)
    expect(partial.templateVars).toEqual(['a', 'b'])
    expect(partial.format({ b: 'x' })).toBe('user: 1 x {as} JSON\nassistant: ')
    expect(prompt.kwargs).toEqual({})
  })
})

describe('copies', () => {
  const prompt = open([['user', '{a}']])

  it('parse their messages again only if the messages differ', () => {
    const messageTemplates = [new ChatMessage({ content: 'other {b}' })]
    const changed = prompt.copy({ update: { messageTemplates } as object })
    expect(texts(changed.formatMessages({ b: '1' }))).toEqual(['user: other 1'])
    expect(texts(prompt.copy().formatMessages({ a: '1' }))).toEqual(['user: 1'])
    expect(texts(prompt.copy({ deep: true }).formatMessages({ a: '1' }))).toEqual(['user: 1'])
    const content = vi.fn(() => '{a}')
    const counted = Object.create(new ChatMessage({ content: '' }), { content: { get: content } }) as ChatMessage
    const original = new ChatPromptTemplate({ messageTemplates: [counted] })
    content.mockClear()
    expect(texts(original.copy().formatMessages({ a: '1' }))).toEqual(['user: 1'])
    expect(content).toHaveBeenCalledTimes(1)
  })
})

describe('invalid options', () => {
  it('throw an error with the index of the invalid message template', () => {
    expect(() =>
      open([
        ['user', 'fine'],
        ['user', '{"k": 1}'],
      ]),
    ).toThrow(/^messageTemplates\[1\]: The braces do not/)
    expect(
      () => new ChatPromptTemplate({ messageTemplates: [{ content: ['x' as never, { type: 'text', text: '}' }] }] }),
    ).toThrow(/^messageTemplates\[0\]\.content\[1\]\.text: A closing brace/)
  })

  it.each([
    [{}, 'ChatPromptTemplate.messageTemplates: required, but missing.'],
    [{ messageTemplates: 'x' }, /ChatPromptTemplate.messageTemplates: expected/],
    [{ messageTemplates: [null] }, 'ChatPromptTemplate.messageTemplates[0]: expected ChatMessage, received null.'],
    [{ messageTemplates: ['x'] }, 'ChatPromptTemplate.messageTemplates[0]: expected ChatMessage, received a string.'],
    [{ messageTemplates: [{ role: 'robot', content: 'x' }] }, /messageTemplates\[0\]\.role: expected one of "system"/],
    [{ messageTemplates: [{ additionalKwargs: 5 }] }, /messageTemplates\[0\]\.additionalKwargs/],
  ])('%j throw', (options, message) => {
    const make = () => new ChatPromptTemplate(options as never)
    expect(make).toThrow(expect.objectContaining({ code: 'model_validation' }))
    expect(make).toThrow(message)
  })
})

describe('wire form', () => {
  it('contains the fields and the class name', () => {
    expect(open([['system', '{a}']], { vars: { a: 'x' } }).toDict()).toEqual({
      metadata: { prompt_type: 'custom' },
      template_vars: ['a'],
      kwargs: { a: 'x' },
      output_parser: null,
      template_var_mappings: null,
      function_mappings: null,
      message_templates: [{ role: 'system', content: '{a}', additional_kwargs: {} }],
      class_name: 'ChatPromptTemplate',
    })
  })

  it('is read back to an equal prompt', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '{', '}', '"', '日') }).map(escapeTemplate)
    const content = fc.oneof(
      text,
      fc.constant(null),
      fc.array(
        fc.oneof(
          fc.record({ type: fc.constant('text'), text }),
          fc.record({ type: fc.constant('image_url') }),
          fc.record({ type: fc.constant('image_url'), image_url: fc.record({ url: text }) }),
        ),
      ),
    ) as fc.Arbitrary<MessageContent | null>
    const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value))) // no -0
    const message = fc.record({
      content,
      additionalKwargs: fc.dictionary(fc.string(), json, { noNullPrototype: true }),
    })
    fc.assert(
      fc.property(fc.array(message), (messageTemplates) => {
        const prompt = new ChatPromptTemplate({ messageTemplates })
        const read = ChatPromptTemplate.fromDict(prompt.toDict())
        expect(read.equals(prompt)).toBe(true)
        expect(
          ChatPromptTemplate.fromJson(prompt.toJson())
            .formatMessages()
            .map((m) => m.toDict()),
        ).toEqual(prompt.formatMessages().map((m) => m.toDict()))
      }),
    )
  })

  it('reads messages of newer versions of LlamaIndex for Python, whose blocks are templates', () => {
    const text = { block_type: 'text', text: 'Answer {q}' }
    const image = { block_type: 'image', url: 'https://example.com/a.png' }
    const messages = (...blocks: object[]) =>
      ChatPromptTemplate.fromDict({ message_templates: [{ role: 'user', blocks }] }).formatMessages({ q: '1' } as never)
    expect(messages(text).map(String)).toEqual(['user: Answer 1'])
    expect(messages(text, image)[0]?.content).toEqual([
      { type: 'text', text: 'Answer 1' },
      { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
    ])
  })

  it('keeps literal templates', () => {
    const prompt = open([['user', '{"a": {a}}']], { templateFormat: 'literal', templateVars: ['a'] })
    expect(ChatPromptTemplate.fromDict(prompt.toDict()).format({ a: '1' })).toBe('user: {"a": 1}\nassistant: ')
  })
})

describe('the query component', () => {
  it('returns messages', async () => {
    const { prompt } = await open([['user', '{a}']])
      .asQueryComponent()
      .runComponent({ a: 'x' })
    expect(texts(prompt as ChatMessage[])).toEqual(['user: x'])
  })
})

describe('with a model', () => {
  const llm = (isChatModel: boolean) =>
    new ScriptedLLM({ answers: ['fine'], metadata: new LLMMetadata({ isChatModel }) })
  const prompt = open([
    ['system', 'Be {how}.'],
    ['user', 'Hi'],
  ])

  it('is sent to a chat model as messages', async () => {
    const chat = llm(true)
    expect(await chat.predict(prompt, { how: 'brief' })).toBe('fine')
    expect(chat.calls[0]!.messages?.map(({ content }) => content)).toEqual(['Be brief.', 'Hi'])
  })

  it('is sent to a completion model as a string', async () => {
    const completion = llm(false)
    await completion.predict(prompt, { how: 'brief' })
    expect(completion.calls[0]!.prompt).toBe('system: Be brief.\nuser: Hi\nassistant: ')
  })
})
