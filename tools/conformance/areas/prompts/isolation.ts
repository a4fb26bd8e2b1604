/** Prompts and their callers share nothing. */
import type { Dict } from '@x/core-model'
import { ChatPromptTemplate, PromptTemplate, type PromptType, SelectorPromptTemplate, type Variables } from '@x/prompts'
import { type Operations, operation } from '../../case.ts'
import { anything, argument, nullable, number, object, optional, shape, string } from '../../reader.ts'
import { dictsOf } from '../../stand-ins/messages.ts'
import { llmOf, type ModelRecord, model } from '../../stand-ins/model.ts'
import { parserOf } from '../../stand-ins/output-parser.ts'
import { conditionalsOf, prompt, promptOf, type SelectorRecord, selector, variables } from '../../stand-ins/prompts.ts'

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

export const isolation: Operations = {
  'prompt.metadata_isolation': operation(
    shape({ metadata: object, prompt_type: argument<PromptType>() }),
    ({ metadata, prompt_type }) => {
      const made = new PromptTemplate({ template: 'x', metadata, promptType: prompt_type })
      return { caller: metadata, prompt: made.metadata }
    },
  ),

  'prompt.message_isolation': operation(
    shape({ prompt, vars: variables, index: number, key: string, value: anything }),
    ({ prompt: record, vars, index, key, value }) => {
      const made = promptOf(record)
      if (!(made instanceof ChatPromptTemplate)) throw new Error('given.prompt: expected a chat prompt')
      const message = made.formatMessages(vars)[index]
      if (message === undefined) throw new Error(`given.index: there is no message ${index}`)
      message.additionalKwargs[key] = value
      return dictsOf(made.messageTemplates)
    },
  ),

  'selector.isolation': operation(
    shape({ prompt: selector, vars: variables, llm: optional(nullable(model)) }),
    selectorIsolation,
  ),
}
