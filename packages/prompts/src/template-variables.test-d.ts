import type { BaseOutputParser } from '@x/core-model'
import { describe, expectTypeOf, it } from 'vitest'
import type { BasePromptTemplate } from './base-prompt-template.ts'
import { ChatPromptTemplate } from './chat-prompt-template.ts'
import { PromptTemplate } from './prompt-template.ts'
import { SelectorPromptTemplate } from './selector-prompt-template.ts'
import type { NamesIn, NamesOf, NamesOfMessages, RequiredNames, TemplateValue } from './template-variables.ts'

declare const atRunTime: string
declare const names: string[]
declare const values: Record<string, string>
declare const parser: BaseOutputParser | null
declare const anything: Record<string, unknown>

describe('the variable names of a template', () => {
  it('are those in single braces', () => {
    expectTypeOf<NamesIn<'Hi {name}, {greeting} {name}'>>().toEqualTypeOf<'name' | 'greeting'>()
    expectTypeOf<NamesIn<'{{"a": 1}} {{{b}}} {{c}}'>>().toEqualTypeOf<'b'>()
    expectTypeOf<NamesIn<'no variable'>>().toEqualTypeOf<never>()
    expectTypeOf<NamesIn<'{über}{名前}{a-b}{_c1}'>>().toEqualTypeOf<'über' | '名前' | 'a-b' | '_c1'>()
  })

  it('are the declared names that occur, in a literal template', () => {
    expectTypeOf<NamesOf<'{"a": {a}, "b": {}}', 'a' | 'c'>>().toEqualTypeOf<'a'>()
    expectTypeOf<NamesOf<'{a}', string>>().toEqualTypeOf<string>()
  })

  it('are string if the compiler does not know the template', () => {
    expectTypeOf<NamesOf<string>>().toEqualTypeOf<string>()
    expectTypeOf<NamesOfMessages<{ content: string }[]>>().toEqualTypeOf<string>()
    expectTypeOf<NamesOfMessages<[{ content: '{a}' }, { content: string }]>>().toEqualTypeOf<string>()
    expectTypeOf<NamesOfMessages<[{ content: '{a}' }, { content: [] }]>>().toEqualTypeOf<string>()
  })

  it('are those of all messages in a chat prompt', () => {
    expectTypeOf<
      NamesOfMessages<[{ content: '{a}' }, { content: null }, { content: '{b}{a}' }, { role: 'user' }]>
    >().toEqualTypeOf<'a' | 'b'>()
  })

  it('are mapped to the names that a caller uses, without known names', () => {
    expectTypeOf<RequiredNames<'a' | 'b' | 'c', { alpha: 'a'; other: 'z' }, 'c'>>().toEqualTypeOf<'alpha' | 'b'>()
  })

  it('can be computed for templates with many placeholders', () => {
    type Long = `${'{a} and {{}} '}${'{b} and {{}} '}${'{c} and {{}} '}`
    type Longer = `${Long}${Long}${Long}${Long}${Long}${Long}${Long}${Long}${Long}${Long}`
    expectTypeOf<NamesIn<`${Longer}${Longer}${Longer}${Longer}${Longer}{z}`>>().toEqualTypeOf<'a' | 'b' | 'c' | 'z'>()
  })
})

describe('a text prompt', () => {
  const prompt = new PromptTemplate({ template: 'Translate to {language}: {text}' })

  it('requires each variable and no other', () => {
    prompt.format({ language: 'French', text: 'good morning' })
    prompt.formatMessages({ language: 1, text: true })
    // @ts-expect-error Property 'text' is missing
    prompt.format({ language: 'French' })
    // @ts-expect-error Expected 1-2 arguments, but got 0
    prompt.format()
    // @ts-expect-error 'txt' does not exist
    prompt.format({ language: 'French', text: '', txt: '' })
    // @ts-expect-error Property 'text' is missing
    prompt.formatMessages({ language: 'French' })
    // @ts-expect-error Type 'null' is not assignable to type 'TemplateValue'
    prompt.format({ language: null, text: '' })
    // @ts-expect-error an array is not a TemplateValue
    prompt.format({ language: ['French'], text: '' })
    expectTypeOf(prompt.format).parameter(0).toEqualTypeOf<{
      readonly language: TemplateValue
      readonly text: TemplateValue
    }>()
  })

  it('requires no variables if it has none', () => {
    new PromptTemplate({ template: 'Hello' }).format()
    new PromptTemplate({ template: 'Hello {{name}}' }).format({}, { completionToPrompt: (text) => text })
  })

  it('does not require stored values', () => {
    prompt.partialFormat({ language: 'Greek' }).format({ text: 'yes' })
    prompt.partialFormat({ language: 'Greek' }).partialFormat({ text: 'yes' }).format()
    new PromptTemplate({ template: '{a} {b}', vars: { a: 1 } }).format({ b: 2 })
    // @ts-expect-error Property 'text' is missing
    prompt.partialFormat({ language: 'Greek' }).format()
    prompt.partialFormat({ language: 'Greek' }).format({ language: 'French', text: 'yes' })
    new PromptTemplate({ template: '{a} {b}', vars: { a: 1 } }).format({ a: 2, b: 2 })
    // @ts-expect-error Type 'null' is not assignable to type 'TemplateValue'
    prompt.partialFormat({ language: 'Greek' }).format({ language: null, text: 'yes' })
    // @ts-expect-error 'langauge' does not exist
    prompt.partialFormat({ language: 'Greek' }).format({ langauge: 'French', text: 'yes' })
    // @ts-expect-error Property 'text' is missing: 'txt' was stored
    prompt.partialFormat({ language: 'Greek', txt: 'yes' }).format()
  })

  it('requires mapped names and no computed ones', () => {
    const mapped = new PromptTemplate({
      template: '{context} {question} {date}',
      templateVarMappings: { context_str: 'context', query_str: 'question' },
      functionMappings: { date: () => 'today' },
    })
    mapped.format({ context_str: 'c', query_str: 'q' })
    // @ts-expect-error 'context' is called 'context_str'
    mapped.format({ context: 'c', query_str: 'q' })
    // @ts-expect-error Property 'query_str' is missing
    mapped.format({ context_str: 'c' })
    mapped.partialFormat({ query_str: 'q' }).format({ context_str: 'c' })
  })

  it('requires the declared names that occur if its format is literal', () => {
    const literal = new PromptTemplate({
      template: '{"name": {name}, "rest": {}}',
      templateFormat: 'literal',
      templateVars: ['name', 'unused'],
    })
    literal.format({ name: 'Ada' })
    // @ts-expect-error Property 'name' is missing
    literal.format({})
    new PromptTemplate({ template: '{a}', templateFormat: 'literal', templateVars: names }).format()
  })

  it('accepts any variables if its template is only known at run time', () => {
    const open = new PromptTemplate({ template: atRunTime })
    open.format()
    open.format({ whatever: 1, list: [] })
    open.partialFormat({ a: 1 }).format(anything)
    new PromptTemplate({ template: atRunTime, vars: values, templateVarMappings: values }).format()
    new PromptTemplate({ template: '{a}', templateVarMappings: values }).format({ a: 1 })
    PromptTemplate.fromDict({ template: '{a}' }).format({ a: 1 })
    PromptTemplate.fromJson('{}').format()
  })

  it('stores only variables that the template has, or that a function may read', () => {
    const template = 'Hi {name}'
    // @ts-expect-error 'nam' does not exist
    new PromptTemplate({ template }).partialFormat({ nam: 'Ada' })
    // @ts-expect-error 'nam' does not exist
    ChatPromptTemplate.fromMessages([['user', template]]).partialFormat({ nam: 'Ada' })
    new PromptTemplate({ template, templateVarMappings: { who: 'name' } }).partialFormat({ who: 'Ada' }).format()
    new PromptTemplate({ template, functionMappings: { name: ({ who }) => who } }).partialFormat({ who: 'x' }).format()
    new PromptTemplate({ template: atRunTime }).partialFormat({ nam: 'Ada' })
  })

  it('is assignable to a prompt of any kind', () => {
    const base: BasePromptTemplate = prompt
    base.format({ anything: 1 })
    const bare: PromptTemplate = prompt
    bare.format()
    new PromptTemplate({ template: '{a}', outputParser: parser, metadata: { a: 1 }, promptType: 'own kind' }).format({
      a: 1,
    })
    // @ts-expect-error the option is called template
    new PromptTemplate({ templat: '{a}' })
  })
})

describe('a chat prompt', () => {
  const prompt = ChatPromptTemplate.fromMessages([
    ['system', 'You speak {language}.'],
    ['user', '{question}'],
  ])

  it('requires the variables of all messages', () => {
    prompt.formatMessages({ language: 'Greek', question: '?' })
    prompt.format({ language: 'Greek', question: '?' }, { messagesToPrompt: () => '' })
    // @ts-expect-error Property 'question' is missing
    prompt.formatMessages({ language: 'Greek' })
    // @ts-expect-error 'langauge' does not exist
    prompt.format({ langauge: 'Greek', question: '?' })
    prompt.partialFormat({ language: 'Greek' }).formatMessages({ question: '?' })
    prompt.partialFormat({ language: 'Greek' }).formatMessages({ language: 'French', question: '?' })
    // @ts-expect-error Property 'question' is missing
    prompt.partialFormat({ language: 'Greek' }).formatMessages()
    // @ts-expect-error this role does not exist
    ChatPromptTemplate.fromMessages([['robot', 'x']])
  })

  it('requires the variables of its message templates', () => {
    const messages = new ChatPromptTemplate({
      messageTemplates: [{ role: 'system', content: '{a}' }, { content: '{b} {{}}' }, { role: 'assistant' }],
      vars: { b: 'x' },
      templateVarMappings: { alpha: 'a' },
    })
    messages.formatMessages({ alpha: 1 })
    // @ts-expect-error Property 'alpha' is missing
    messages.formatMessages({})
  })

  it('accepts options in fromMessages', () => {
    const options = { vars: { language: 'Greek' }, templateVarMappings: { q: 'question' } } as const
    const mapped = ChatPromptTemplate.fromMessages(
      [
        ['system', 'You speak {language}.'],
        ['user', '{question} {now}'],
      ],
      { ...options, functionMappings: { now: () => 'now' } },
    )
    mapped.formatMessages({ q: '?' })
    // @ts-expect-error Property 'q' is missing
    mapped.formatMessages({})
  })

  it('accepts any variables if its messages are only known at run time or have content parts', () => {
    ChatPromptTemplate.fromMessages([['user', atRunTime]]).formatMessages()
    new ChatPromptTemplate({ messageTemplates: [{ content: [{ type: 'text', text: '{a}' }] }] }).formatMessages({
      a: 1,
    })
    ChatPromptTemplate.fromDict({}).formatMessages(anything)
    const base: BasePromptTemplate = prompt
    const bare: ChatPromptTemplate = prompt
    new SelectorPromptTemplate({ defaultTemplate: base, conditionals: [[() => true, bare]] }).format({ any: 1 })
  })
})
