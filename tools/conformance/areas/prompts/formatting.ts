/** The properties of prompts, and their formatted output. */
import type { MessageRole } from '@x/core-model'
import {
  type BasePromptTemplate,
  ChatPromptTemplate,
  getTemplateVars,
  PromptTemplate,
  SelectorPromptTemplate,
  type Variables,
} from '@x/prompts'
import type { Operations } from '../../case.ts'
import { isObject, type JsonObject, named } from '../../given.ts'
import { dictsOf } from '../../stand-ins/messages.ts'
import {
  type AroundPrompt,
  type BetweenMessages,
  llmOf,
  type ModelRecord,
  promptFunctions,
} from '../../stand-ins/model.ts'
import { type PromptRecord, promptOf } from '../../stand-ins/prompts.ts'

interface OfPrompt {
  prompt: PromptRecord
  vars?: Variables
  llm?: ModelRecord | null
  completionToPrompt?: AroundPrompt
  messagesToPrompt?: BetweenMessages
}

const formatOptions = ({ llm, completionToPrompt, messagesToPrompt }: OfPrompt) => ({
  llm: llmOf(llm),
  ...promptFunctions(completionToPrompt, messagesToPrompt),
})

function typeOf(selected: BasePromptTemplate): string {
  if (selected instanceof PromptTemplate) return 'text'
  if (selected instanceof ChatPromptTemplate) return 'chat'
  return selected instanceof SelectorPromptTemplate ? 'selector' : 'foreign'
}

function describe(made: BasePromptTemplate) {
  return {
    template_vars: made.templateVars,
    kwargs: made.kwargs,
    metadata: made.metadata,
    template_var_mappings: made.templateVarMappings,
    function_mappings: made.functionMappings && Object.keys(made.functionMappings).sort(),
    has_output_parser: made.outputParser !== null,
  }
}

const readers: Readonly<Record<string, { fromJson(json: string): BasePromptTemplate }>> = {
  text: PromptTemplate,
  chat: ChatPromptTemplate,
  selector: SelectorPromptTemplate,
}

export const formatting: Operations = {
  get_template_vars: ({ template }: { template: string }) => getTemplateVars(template),
  'prompt.describe': ({ prompt }: OfPrompt) => describe(promptOf(prompt)),
  'prompt.format': (given: OfPrompt) => promptOf(given.prompt).format(given.vars, formatOptions(given)),
  'prompt.format_messages': (given: OfPrompt) =>
    dictsOf(promptOf(given.prompt).formatMessages(given.vars, formatOptions(given))),
  'prompt.get_template': ({ prompt, llm }: OfPrompt) => promptOf(prompt).getTemplate({ llm: llmOf(llm) }),

  'prompt.select': ({ prompt, llm }: OfPrompt) => {
    const selected = promptOf(prompt).select({ llm: llmOf(llm) })
    return {
      type: typeOf(selected),
      template: selected.getTemplate(),
      has_output_parser: selected.outputParser !== null,
    }
  },

  'prompt.partial_format': ({ prompt, steps, vars, llm }: OfPrompt & { steps: Variables[] }) => {
    const original = promptOf(prompt)
    let last = original
    for (const step of steps) last = last.partialFormat(step ?? {})
    return {
      original_kwargs: original.kwargs,
      kwargs: last.kwargs,
      template_vars: last.templateVars,
      same_type: last.constructor === original.constructor,
      text: last.format(vars, { llm: llmOf(llm) }),
    }
  },

  // A class name is allowed in the result and is compared only when the case lists it.
  'prompt.to_json': ({ prompt }: OfPrompt, { expect: { value } }) => {
    const json: JsonObject = JSON.parse(promptOf(prompt).toJson())
    if (!isObject(value) || !('class_name' in value)) delete json['class_name']
    return json
  },

  'prompt.from_json': ({ type, json, vars }: { type: string; json: object; vars?: Variables }) =>
    named(readers, type).fromJson(JSON.stringify(json)).format(vars),

  'chat.from_messages': ({ messages, vars }: { messages: [MessageRole, string][]; vars?: Variables }) => {
    const made: BasePromptTemplate = ChatPromptTemplate.fromMessages(messages)
    return dictsOf(made.formatMessages(vars))
  },
}
