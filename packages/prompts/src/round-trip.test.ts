import fc from 'fast-check'
import { describeRoundTrips } from '../../core-model/test/arbitrary-model.ts'
import * as prompts from './index.ts'

const { ChatPromptTemplate, ForeignPromptTemplate, PromptTemplate, SelectorPromptTemplate } = prompts

const template = fc.oneof(
  fc.constantFrom('{question}', '{a} and {b}, {a}', '{{literal}} {x}', ''),
  fc.string().map((text) => text.replace(/[{}]/g, '')),
)
const common = {
  metadata: fc.dictionary(
    fc.string(),
    fc.jsonValue({ maxDepth: 1 }).map((value) => JSON.parse(JSON.stringify(value))),
  ),
  vars: fc.dictionary(fc.constantFrom('a', 'b', 'question'), fc.string()),
  promptType: fc.constantFrom('custom' as const, 'summary' as const),
  templateVarMappings: fc.constantFrom(null, { query: 'question' }),
}
const text = fc.record({ template, ...common }, { requiredKeys: ['template'] })
const chat = fc.record(
  {
    messageTemplates: fc.array(
      fc.record({ role: fc.constantFrom('system' as const, 'user' as const), content: template }),
      { maxLength: 3 },
    ),
    ...common,
  },
  { requiredKeys: ['messageTemplates'] },
)
const either = fc.oneof(
  text.map((options) => new PromptTemplate(options)),
  chat.map((options) => new ChatPromptTemplate(options)),
)

/** A prompt of another framework that can be written, as far as the adapter needs it. */
class Foreign {
  readonly inputVariables = ['x']
  readonly partialVariables = {}
  readonly metadata = {}
  format() {
    return 'text'
  }
  formatMessages() {
    return []
  }
  partial() {
    return this
  }
  toDict() {
    return { kind: 'foreign' }
  }
}
const foreign = new Foreign()

describeRoundTrips(
  { PromptTemplate, ChatPromptTemplate, SelectorPromptTemplate, ForeignPromptTemplate },
  {
    PromptTemplate: { options: text },
    ChatPromptTemplate: { options: chat },
    SelectorPromptTemplate: { options: either.map((defaultTemplate) => ({ defaultTemplate })) },
    ForeignPromptTemplate: {
      options: fc.constant({ template: foreign }),
      overrides: { selector: { defaultPrompt: foreign, conditionals: [] } },
    },
  },
)
