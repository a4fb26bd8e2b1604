/** Prompts and their callers share nothing. */
import type { Dict } from '@x/core-model'
import { ChatPromptTemplate, PromptTemplate, type PromptType, SelectorPromptTemplate, type Variables } from '@x/prompts'
import type { Operations } from '../../case.ts'
import { dictsOf } from '../../stand-ins/messages.ts'
import { llmOf, type ModelRecord } from '../../stand-ins/model.ts'
import { parserOf } from '../../stand-ins/output-parser.ts'
import { conditionalsOf, type PromptRecord, promptOf, type SelectorRecord } from '../../stand-ins/prompts.ts'

interface SelectorInput {
  prompt: SelectorRecord
  vars?: Variables
  llm?: ModelRecord | null
}

function selectorIsolation({ prompt: record, vars, llm }: SelectorInput): Dict {
  const defaultTemplate = promptOf(record.default)
  const conditionals = conditionalsOf(record) ?? []
  const formatAlone = () => ({
    byDefault: defaultTemplate.format(vars),
    conditional: conditionals.map(([, template]) => template.format(vars)),
  })
  const before = formatAlone()
  const made = new SelectorPromptTemplate({ defaultTemplate, conditionals })
  if (record.set_output_parser) made.outputParser = parserOf(record.set_output_parser)
  const text = made.format(vars, { llm: llmOf(llm) })
  const after = formatAlone()
  return {
    default_before: before.byDefault,
    conditionals_before: before.conditional,
    selector: text,
    default_after: after.byDefault,
    conditionals_after: after.conditional,
  }
}

interface MessageInput {
  prompt: PromptRecord
  vars?: Variables
  index: number
  key: string
  value: unknown
}

export const isolation: Operations = {
  'prompt.metadata_isolation': ({ metadata, promptType }: { metadata: Dict; promptType: PromptType }) => {
    const made = new PromptTemplate({ template: 'x', metadata, promptType })
    return { caller: metadata, prompt: made.metadata }
  },

  'prompt.message_isolation': ({ prompt, vars, index, key, value }: MessageInput) => {
    const made = promptOf(prompt)
    if (!(made instanceof ChatPromptTemplate)) throw new Error('given.prompt: expected a chat prompt')
    const message = made.formatMessages(vars)[index]
    if (message === undefined) throw new Error(`given.index: there is no message ${index}`)
    message.additionalKwargs[key] = value
    return dictsOf(made.messageTemplates)
  },

  'selector.isolation': selectorIsolation,
}
