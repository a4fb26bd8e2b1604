import {
  BaseOutputParser,
  ChatMessage,
  escapeTemplate,
  LLMMetadata,
  type MessageRole,
  messageText,
} from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { growthOf } from '../../../tools/growth.ts'
import { BasePromptTemplate } from './base-prompt-template.ts'
import { ChatPromptTemplate } from './chat-prompt-template.ts'
import { formatMessagesWithSources, formatWithSources } from './format-with-sources.ts'
import { isChatModel } from './prompt-sizes.ts'
import { PromptTemplate } from './prompt-template.ts'
import { SelectorPromptTemplate } from './selector-prompt-template.ts'
import type { SourcedText, SourceSpan } from './source-map.ts'
import type { Variables } from './variable-values.ts'

class Around extends BaseOutputParser<string> {
  readonly before: string
  readonly after: string
  constructor(before: string, after: string) {
    super()
    this.before = before
    this.after = after
  }
  parse(output: string): string {
    return output
  }
  override format(query: string): string {
    return this.before + query + this.after
  }
}

/** Checks that spans cover a text from start to end without gaps, and that no span is empty. */
function expectTiles(text: string, sources: readonly SourceSpan[]): void {
  let end = 0
  for (const span of sources) {
    expect(span.start).toBe(end)
    expect(span.end).toBeGreaterThan(span.start)
    end = span.end
  }
  expect(end).toBe(text.length)
}

const shown = ({ text, sources }: SourcedText): [string, string][] =>
  sources.map(({ source, variable, start, end }) => [variable ?? source, text.slice(start, end)])

const piece = fc.oneof(
  fc.record({ text: fc.string({ unit: fc.constantFrom('a', '{', '}', 'u', '\n'), minLength: 1 }) }),
  fc.record({ name: fc.constantFrom('a', 'b') }),
)
const pieces = fc.array(piece)
const value = fc.string({ unit: fc.constantFrom('a', 'u', '{', 'ser', ': ', '\n') })
const values = fc.record({ a: value, b: value })
const template = (list: readonly ({ text: string } | { name: string })[]) =>
  list.map((p) => ('text' in p ? escapeTemplate(p.text) : `{${p.name}}`)).join('')

describe('a text prompt with sources', () => {
  it('reports the variable or the part of the template for each span', () => {
    const prompt = new PromptTemplate({ template: 'Hi {name}, {{{x}}}', outputParser: new Around('', ' JSON') })
    const { text, sources } = formatWithSources(
      prompt,
      { name: 'Ada', x: '' },
      { completionToPrompt: (inner) => `<s>${inner}</s>` },
    )
    expect(text).toBe('<s>Hi Ada, {} JSON</s>')
    expect(sources).toEqual([
      { start: 0, end: 3, source: 'rendering' },
      { start: 3, end: 6, source: 'template', templateStart: 0, templateEnd: 3 },
      { start: 6, end: 9, source: 'variable', variable: 'name', templateStart: 3, templateEnd: 9 },
      { start: 9, end: 12, source: 'template', templateStart: 9, templateEnd: 13 },
      { start: 12, end: 13, source: 'template', templateStart: 16, templateEnd: 18 },
      { start: 13, end: 18, source: 'parser' },
      { start: 18, end: 22, source: 'rendering' },
    ])
  })

  it('returns spans without gaps, whose slices are the values and the parts of the template', () => {
    fc.assert(
      fc.property(pieces, values, (list, vars) => {
        const written = template(list)
        const prompt: BasePromptTemplate = new PromptTemplate<string>({ template: written })
        const { text, sources } = formatWithSources(prompt, vars)
        expect(text).toBe(prompt.format(vars))
        expectTiles(text, sources)
        for (const { start, end, source, variable, templateStart, templateEnd } of sources) {
          const origin = written.slice(templateStart, templateEnd)
          if (source === 'variable') {
            expect(text.slice(start, end)).toBe(vars[variable as 'a' | 'b'])
            expect(origin).toBe(`{${variable}}`)
          } else expect(origin).toBe(escapeTemplate(text.slice(start, end)))
        }
        const inserted = list.flatMap((p) => ('name' in p && vars[p.name as 'a' | 'b'] !== '' ? [p.name] : []))
        expect(sources.flatMap(({ variable }) => variable ?? [])).toEqual(inserted)
      }),
    )
  })

  it('finds the formatted text in the result of a parser, even if the parser repeats it', () => {
    const around = (before: string, after: string) =>
      shown(
        formatWithSources(new PromptTemplate({ template: '{a}', outputParser: new Around(before, after) }), { a: 'x' }),
      )
    expect(around('', ' after x')).toEqual([
      ['a', 'x'],
      ['parser', ' after x'],
    ])
    expect(around('before x ', '')).toEqual([
      ['parser', 'before x '],
      ['a', 'x'],
    ])
    expect(around('<', '>')).toEqual([
      ['parser', '<'],
      ['a', 'x'],
      ['parser', '>'],
    ])
  })

  it('attributes the whole text to the parser if the parser rewrites it', () => {
    class Upper extends Around {
      override format(query: string): string {
        return query.toUpperCase()
      }
    }
    const prompt = new PromptTemplate({ template: 'a {x}', outputParser: new Upper('', '') })
    expect(shown(formatWithSources(prompt, { x: 'b' }))).toEqual([['parser', 'A B']])
  })

  it('throws for missing variables and evaluates functions once', () => {
    let calls = 0
    const prompt = new PromptTemplate({ template: '{n} {n} {a}', functionMappings: { n: () => ++calls } })
    expect(() => formatWithSources(prompt)).toThrow(expect.objectContaining({ variables: ['a'] }))
    calls = 0
    expect(formatWithSources(prompt, { a: 'x' }).text).toBe('1 1 x')
  })

  it('uses the offsets of a literal template', () => {
    const prompt: BasePromptTemplate = new PromptTemplate({
      template: '{"k": {a}}',
      templateFormat: 'literal',
      templateVars: ['a'],
    })
    expect(formatWithSources(prompt, { a: '1' }).sources).toEqual([
      { start: 0, end: 6, source: 'template', templateStart: 0, templateEnd: 6 },
      { start: 6, end: 7, source: 'variable', variable: 'a', templateStart: 6, templateEnd: 9 },
      { start: 7, end: 8, source: 'template', templateStart: 9, templateEnd: 10 },
    ])
  })

  it('returns the same sources for a string as for one user message', () => {
    const prompt = new PromptTemplate({ template: 'a{x}' })
    const [{ message, sources } = { message: null, sources: [] }] = formatMessagesWithSources(prompt, { x: '1' })
    expect(String(message)).toBe('user: a1')
    expect(sources).toEqual(formatWithSources(prompt, { x: '1' }).sources)
  })
})

describe('a chat prompt with sources', () => {
  const role = fc.constantFrom<MessageRole>('system', 'user', 'assistant')
  const described = fc.array(fc.tuple(role, pieces))
  const parser = fc.option(
    fc.tuple(fc.constantFrom('', 'P '), fc.constantFrom('', ' S')).map(([b, a]) => new Around(b, a)),
  )

  it('returns spans without gaps for each message and for the default rendering', () => {
    fc.assert(
      fc.property(described, values, parser, (list, vars, outputParser) => {
        const prompt: BasePromptTemplate = new ChatPromptTemplate({
          messageTemplates: list.map(([speaker, inner]) => ({ role: speaker, content: template(inner) })),
          outputParser,
        })
        const messages = formatMessagesWithSources(prompt, vars)
        expect(messages.map(({ message }) => message.toDict())).toEqual(
          prompt.formatMessages(vars).map((message) => message.toDict()),
        )
        for (const [index, { message, sources }] of messages.entries()) {
          const text = messageText(message)
          expectTiles(text, sources)
          for (const span of sources) {
            if (span.source === 'parser') continue
            expect(span.message).toBe(index)
            if (span.variable) expect(text.slice(span.start, span.end)).toBe(vars[span.variable as 'a' | 'b'])
          }
        }
        const { text, sources } = formatWithSources(prompt, vars)
        expect(text).toBe(prompt.format(vars))
        expectTiles(text, sources)
        const used = (spans: readonly SourceSpan[]) => spans.flatMap(({ variable }) => variable ?? [])
        expect(used(sources)).toEqual(messages.flatMap((message) => used(message.sources)))
        for (const { start, end, variable } of sources)
          if (variable) expect(text.slice(start, end)).toBe(vars[variable as 'a' | 'b'])
      }),
    )
  })

  it('does not confuse the name of a role with the text of a message', () => {
    const prompt = ChatPromptTemplate.fromMessages([['user', '{x}']])
    expect(shown(formatWithSources(prompt, { x: 'user' }))).toEqual([
      ['rendering', 'user: '],
      ['x', 'user'],
      ['rendering', '\nassistant: '],
    ])
  })

  it('returns the index of the part for array content', () => {
    const prompt: BasePromptTemplate = new ChatPromptTemplate({
      messageTemplates: [
        {
          content: [
            { type: 'text', text: 'A {x}' },
            { type: 'image_url', image_url: { url: 'u' } },
            { type: 'text', text: '{y}' },
          ],
        },
      ],
      outputParser: new Around('', ' JSON'),
    })
    const [first] = formatMessagesWithSources(prompt, { x: '1', y: '2' })
    expect(first!.sources.map(({ part, start, end, source }) => [part, start, end, source])).toEqual([
      [0, 0, 2, 'template'],
      [0, 2, 3, 'variable'],
      [2, 0, 1, 'variable'],
      [2, 1, 6, 'parser'],
    ])
    expect(shown(formatWithSources(prompt, { x: '1', y: '2' }))).toEqual([
      ['rendering', 'user: '],
      ['template', 'A '],
      ['x', '1'],
      ['rendering', '\n'],
      ['y', '2'],
      ['parser', ' JSON'],
      ['rendering', '\nassistant: '],
    ])
  })

  it('finds the messages in the rendering of a model', () => {
    const prompt = ChatPromptTemplate.fromMessages([
      ['system', 'S {x}'],
      ['user', 'U'],
    ])
    const messagesToPrompt = (messages: readonly ChatMessage[]) =>
      messages.map(({ content }) => `[${content}]`).join('')
    expect(shown(formatWithSources(prompt, { x: '1' }, { messagesToPrompt }))).toEqual([
      ['rendering', '['],
      ['template', 'S '],
      ['x', '1'],
      ['rendering', ']['],
      ['template', 'U'],
      ['rendering', ']'],
    ])
    expect(shown(formatWithSources(prompt, { x: '1' }, { messagesToPrompt: () => 'other' }))).toEqual([
      ['rendering', 'other'],
    ])
  })

  it('finds messages that a parser moves', () => {
    class Preface extends Around {
      override formatMessages(messages: ChatMessage[]): ChatMessage[] {
        return [new ChatMessage({ role: 'system', content: 'Rules' }), ...messages]
      }
    }
    const prompt = ChatPromptTemplate.fromMessages([['user', 'Hi {x}']], { outputParser: new Preface('', '') })
    const messages = formatMessagesWithSources(prompt, { x: '1' })
    expect(messages.map(({ sources }) => sources.map(({ source }) => source))).toEqual([
      ['parser'],
      ['template', 'variable'],
    ])
  })
})

it('formats the template that a selector chooses', () => {
  const prompt = new SelectorPromptTemplate({
    defaultTemplate: new PromptTemplate({ template: 'Q: {q}' }),
    conditionals: [[isChatModel, ChatPromptTemplate.fromMessages([['user', '{q}']])]],
    outputParser: new Around('', ' JSON'),
  })
  const llm = new ScriptedLLM({ answers: [], metadata: new LLMMetadata({ isChatModel: true }) })
  expect(shown(formatWithSources(prompt, { q: 'x' }))).toEqual([
    ['template', 'Q: '],
    ['q', 'x'],
    ['parser', ' JSON'],
  ])
  expect(formatMessagesWithSources(prompt, { q: 'x' }, { llm })[0]!.sources.map(({ source }) => source)).toEqual([
    'variable',
    'parser',
  ])
})

it('treats the text of a custom prompt class as template, before and after its parser', () => {
  class Shout extends BasePromptTemplate {
    static override className = () => 'Shout'
    override format({ word = '' }: Variables = {}): string {
      const text = `${word}!`
      return this.outputParser ? this.outputParser.format(text) : text
    }
    override formatMessages(vars?: Variables): ChatMessage[] {
      return [new ChatMessage({ content: this.format(vars) })]
    }
    override getTemplate = () => '{word}!'
    override partialFormat = () => this
  }
  const fields = { metadata: {}, templateVars: ['word'], kwargs: {} }
  const bare = new Shout(fields)
  expect(shown(formatWithSources(bare, { word: 'Hey' }))).toEqual([['template', 'Hey!']])
  const parsed = new Shout({ ...fields, outputParser: new Around('< ', '') })
  expect(shown(formatWithSources(parsed, { word: 'Hey' }))).toEqual([
    ['parser', '< '],
    ['template', 'Hey!'],
  ])
  expect(formatMessagesWithSources(parsed, { word: 'Hey' })[0]!.sources).toEqual(
    formatWithSources(parsed, { word: 'Hey' }).sources,
  )
  expect(parsed.outputParser).not.toBeNull()
})

describe('growth', () => {
  const prompts: [string, (size: number) => BasePromptTemplate][] = [
    ['placeholders of a text', (size) => new PromptTemplate<string>({ template: '{a} {{}} '.repeat(size) })],
    [
      'messages',
      (size) => ChatPromptTemplate.fromMessages(Array.from({ length: size }, () => ['user', '{a}'] as const)),
    ],
    [
      'parts of a message',
      (size) =>
        new ChatPromptTemplate({
          messageTemplates: [{ content: Array.from({ length: size }, () => ({ type: 'text', text: '{a}' })) }],
        }),
    ],
  ]

  type Operation = (prompt: BasePromptTemplate, vars: Record<string, string>) => unknown
  const format: Operation = (prompt, vars) => prompt.format(vars)
  const operations: Operation[] = [format, formatWithSources, formatMessagesWithSources]
  it.each(
    prompts.flatMap(([what, make]) => operations.map((operation) => [operation.name, what, make, operation] as const)),
  )('%s: %s take linear time', { tags: 'growth' }, async (_, __, make, operation) => {
    expect(await growthOf((size) => operation(make(size), { a: 'value' }), 200)).toBeLessThan(1.75)
  })

  it('values take linear time', { tags: 'growth' }, async () => {
    const prompt = new PromptTemplate({ template: '{a} {a}', outputParser: new Around('x', 'y') })
    expect(await growthOf((size) => formatWithSources(prompt, { a: 'x'.repeat(size) }), 10_000)).toBeLessThan(1.75)
  })
})
