import { describe, expect, it } from 'vitest'
import { type DotPrompt, dotPrompt } from './dot-prompt.ts'
import { ForeignPromptTemplate } from './foreign-prompt-template.ts'

/** The synchronous rendering of a compiled dotprompt. */
const greeting: DotPrompt = {
  inputVariables: ['name', 'language'],
  defaults: { language: 'English' },
  template: '{{role "system"}}Speak {{language}}.{{role "user"}}Greet {{name}}.',
  render: ({ name, language }) => ({
    messages: [
      { role: 'system', content: [{ text: `Speak ${language}.` }] },
      { role: 'model', content: 'Whom?' },
      { role: 'user', content: [{ text: `Greet ${name}.` }, { media: { url: 'data:x', contentType: 'image/png' } }] },
      { role: 'tool', content: [{ toolResponse: { name: 't', output: 1 } }] },
    ],
  }),
}
const prompt = new ForeignPromptTemplate({ template: dotPrompt(greeting) })

describe('a prompt that renders to parts', () => {
  it('returns chat messages', () => {
    expect(prompt.formatMessages({ name: 'Ada' }).map(({ role, content }) => [role, content])).toEqual([
      ['system', 'Speak English.'],
      ['assistant', 'Whom?'],
      [
        'user',
        [
          { type: 'text', text: 'Greet Ada.' },
          { type: 'image_url', image_url: { url: 'data:x' } },
        ],
      ],
      ['tool', [{ toolResponse: { name: 't', output: 1 } }]],
    ])
    expect(prompt.isChat()).toBe(true)
    expect(prompt.getTemplate()).toBe(greeting.template)
  })

  it('joins the texts of its messages to one string', () => {
    const plain = dotPrompt({
      inputVariables: [],
      render: () => [
        { role: 'user', content: 'a' },
        { role: 'model', content: [{ text: 'b' }] },
      ],
    })
    expect(new ForeignPromptTemplate({ template: plain }).format()).toBe('a\nb')
  })

  it('uses default values and stores further values', () => {
    expect(prompt.kwargs).toEqual({ language: 'English' })
    expect(prompt.templateVars).toEqual(['name'])
    const partial = prompt.partialFormat({ language: 'Greek', name: 'Ada' })
    expect(String(partial.formatMessages()[0])).toBe('system: Speak Greek.')
    expect(String(partial.formatMessages({ language: 'Latin' })[0])).toBe('system: Speak Latin.')
  })

  it('throws for missing inputs, promises and unknown roles', () => {
    expect(() => prompt.format()).toThrow(expect.objectContaining({ code: 'missing_variable', variables: ['name'] }))
    const later = dotPrompt({ inputVariables: [], render: (async () => []) as never })
    expect(() => later.formatMessages({})).toThrow(expect.objectContaining({ code: 'not_supported' }))
    const robot = dotPrompt({ inputVariables: [], render: () => [{ role: 'robot', content: '' }] })
    expect(() => robot.formatMessages({})).toThrow(expect.objectContaining({ code: 'model_validation' }))
  })
})
