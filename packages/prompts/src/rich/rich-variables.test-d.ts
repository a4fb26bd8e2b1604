import { describe, it } from 'vitest'
import { RichPromptTemplate } from './rich-prompt-template.ts'

declare const atRunTime: string

describe('the variables of a rich prompt', () => {
  it('are checked if the template is a literal', () => {
    const prompt = new RichPromptTemplate({
      templateStr:
        '{# note #}{"json": {{ name | upper }}}{% for n in nodes %}{{ loop.index }} {{ n.text }}{% endfor %}{% if title %}{{ title }}{{ more }}{% endif %}{{ x | default("") }}',
    })
    prompt.format({ name: 'Ada', nodes: [] })
    prompt.formatMessages({ name: 'Ada', nodes: [], title: 'Dr.', more: 1, x: null })
    // @ts-expect-error Property 'nodes' is missing
    prompt.format({ name: 'Ada' })
    // @ts-expect-error 'nam' does not exist
    prompt.format({ name: 'Ada', nodes: [], nam: 1 })
    // @ts-expect-error Expected 1-2 arguments
    prompt.format()
  })

  it('are those of chat blocks and of loops in loops', () => {
    const prompt = new RichPromptTemplate({
      templateStr: `{% chat role="system" %}
{% for d in docs %}{% for k, v in d.pairs %}{{ k }}{{ v }}{{ d.id }}{% endfor %}{% endfor %}
{% endchat %}{%- chat role="user" -%}{{- query_str -}}{% endchat %}`,
    })
    prompt.format({ docs: [], query_str: '' })
    // @ts-expect-error Property 'query_str' is missing
    prompt.format({ docs: [] })
  })

  it('are required unless they are stored, computed or may be missing, by the names of callers', () => {
    const templateStr = '{{ a }} {{ b }}'
    const stored = new RichPromptTemplate({ templateStr, vars: { b: [1] } })
    stored.format({ a: 'x' })
    stored.format({ a: 'x', b: 'y' })
    // @ts-expect-error Property 'a' is missing
    stored.format({})
    new RichPromptTemplate({ templateStr, functionMappings: { b: () => '1' } }).format({ a: 'x' })
    const mapped = new RichPromptTemplate({ templateStr, templateVarMappings: { context: 'a' } })
    mapped.format({ context: 'x', b: 'y' })
    // @ts-expect-error 'a' does not exist
    mapped.format({ a: 'x', b: 'y' })
    const empty = new RichPromptTemplate({ templateStr, onMissing: 'empty' })
    empty.format()
    empty.format({ a: 'x' })
    // @ts-expect-error 'c' does not exist
    empty.format({ c: 'x' })
    const partial = new RichPromptTemplate({ templateStr }).partialFormat({ a: [1] })
    partial.format({ b: 'y' })
    partial.partialFormat({ b: 2 }).formatMessages()
    // @ts-expect-error Property 'b' is missing
    partial.format({})
    // @ts-expect-error 'c' does not exist
    partial.partialFormat({ c: 1 })
    new RichPromptTemplate({ templateStr: atRunTime }).partialFormat({ c: 1 })
    const any: RichPromptTemplate = empty
    any.format({ c: 1 })
  })

  it('are open if the compiler does not know the template, or cannot read it', () => {
    new RichPromptTemplate({ templateStr: atRunTime }).format({ any: 1 })
    new RichPromptTemplate({ templateStr: '{{ a ~ b }}' }).format({ any: 1 })
    new RichPromptTemplate({ templateStr: '{% set a = b %}{{ a }}' }).format({ b: 1 })
    new RichPromptTemplate({ templateStr: 'no variable' }).format()
  })
})
