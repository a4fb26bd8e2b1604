import { BaseOutputParser, ChatMessage, ClassRegistry } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { ChatPromptTemplate } from './chat-prompt-template.ts'
import { isChatModel } from './prompt-sizes.ts'
import { PromptTemplate } from './prompt-template.ts'
import { readPrompt } from './read-prompt.ts'
import { RichPromptTemplate } from './rich/rich-prompt-template.ts'
import { SelectorPromptTemplate } from './selector-prompt-template.ts'

class Suffix extends BaseOutputParser<string> {
  parse(output: string): string {
    return output
  }
  override format(query: string): string {
    return `${query} Answer as JSON.`
  }
}
const registry = new ClassRegistry([RichPromptTemplate, ChatMessage])

describe('readPrompt', () => {
  it.each([
    ['a text', { template: '{q}' }, PromptTemplate],
    ['messages', { message_templates: [{ content: '{q}' }] }, ChatPromptTemplate],
    ['a selector', { default_template: { message_templates: [{ content: '{q}' }] } }, SelectorPromptTemplate],
    ['Jinja', { template_str: '{{ q }}' }, RichPromptTemplate],
  ])('reads %s with and without its class name', (_, data, promptClass) => {
    const read = readPrompt(data, {}, { registry })
    expect(read).toBeInstanceOf(promptClass)
    expect(readPrompt(read.toDict(), {}, { registry }).formatMessages({ q: 'Q' })).toEqual(
      read.formatMessages({ q: 'Q' }),
    )
  })

  it('takes live objects', () => {
    const prompt = readPrompt({ template: '{q}' }, { outputParser: new Suffix() })
    expect(prompt.format({ q: 'Why?' })).toBe('Why? Answer as JSON.')
    const conditionals = [[isChatModel, new PromptTemplate({ template: 'chat' })]]
    expect(readPrompt({ default_template: { template: '{q}' } }, { conditionals }).format({ q: 'x' })).toBe('x')
  })

  it.each([
    ['model_validation', 'text'],
    ['model_validation', {}],
    ['unknown_class_name', { class_name: 'Other', template: 'x' }],
    ['unknown_class_name', { class_name: 'ChatMessage', content: 'x' }],
    ['model_validation', { class_name: 1, template: 'x' }],
  ])('throws %s for %j', (code, data) => {
    expect(() => readPrompt(data as never, {}, { registry })).toThrow(expect.objectContaining({ code }))
  })

  it('needs the registry for Jinja', () => {
    expect(() => readPrompt({ template_str: '{{ q }}' })).toThrow(/RichPromptTemplate/)
  })
})
