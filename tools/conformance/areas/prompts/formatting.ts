/** The properties of prompts, and their formatted output. */
import type { MessageRole } from '@x/core-model'
import {
  type BasePromptTemplate,
  ChatPromptTemplate,
  getTemplateVars,
  PromptTemplate,
  SelectorPromptTemplate,
} from '@x/prompts'
import { type Operations, operation } from '../../case.ts'
import {
  argument,
  isObject,
  type JsonObject,
  list,
  literal,
  nullable,
  object,
  optional,
  pair,
  type Read,
  shape,
  string,
} from '../../reader.ts'
import { dictsOf } from '../../stand-ins/messages.ts'
import {
  completionFunction,
  completionToPrompt,
  llmOf,
  messagesFunction,
  messagesToPrompt,
  model,
} from '../../stand-ins/model.ts'
import { prompt, promptOf, variables } from '../../stand-ins/prompts.ts'

const llm = optional(nullable(model))

const formatInput = shape({
  prompt,
  vars: variables,
  llm,
  completion_to_prompt: optional(completionToPrompt),
  messages_to_prompt: optional(messagesToPrompt),
})

function formatOptions(given: Read<typeof formatInput>) {
  const { completion_to_prompt: toPrompt, messages_to_prompt: fromMessages } = given
  return {
    llm: llmOf(given.llm),
    completionToPrompt: toPrompt && completionFunction(toPrompt),
    messagesToPrompt: fromMessages && messagesFunction(fromMessages),
  }
}

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

const readers = { text: PromptTemplate, chat: ChatPromptTemplate, selector: SelectorPromptTemplate }

function fromJson(type: keyof typeof readers, json: string): BasePromptTemplate {
  if (type === 'text') return PromptTemplate.fromJson(json)
  return type === 'chat' ? ChatPromptTemplate.fromJson(json) : SelectorPromptTemplate.fromJson(json)
}

export const formatting: Operations = {
  get_template_vars: operation(shape({ template: argument<string>() }), ({ template }) => getTemplateVars(template)),

  'prompt.describe': operation(shape({ prompt }), (given) => describe(promptOf(given.prompt))),

  'prompt.format': operation(formatInput, (given) => promptOf(given.prompt).format(given.vars, formatOptions(given))),

  'prompt.format_messages': operation(formatInput, (given) =>
    dictsOf(promptOf(given.prompt).formatMessages(given.vars, formatOptions(given))),
  ),

  'prompt.get_template': operation(shape({ prompt, llm }), (given) =>
    promptOf(given.prompt).getTemplate({ llm: llmOf(given.llm) }),
  ),

  'prompt.select': operation(shape({ prompt, llm }), (given) => {
    const selected = promptOf(given.prompt).select({ llm: llmOf(given.llm) })
    return {
      type: typeOf(selected),
      template: selected.getTemplate(),
      has_output_parser: selected.outputParser !== null,
    }
  }),

  'prompt.partial_format': operation(shape({ prompt, steps: list(variables), vars: variables, llm }), (given) => {
    const original = promptOf(given.prompt)
    let last = original
    for (const vars of given.steps) last = last.partialFormat(vars ?? {})
    return {
      original_kwargs: original.kwargs,
      kwargs: last.kwargs,
      template_vars: last.templateVars,
      same_type: last.constructor === original.constructor,
      text: last.format(given.vars, { llm: llmOf(given.llm) }),
    }
  }),

  // A class name is allowed in the result and is compared only when the case lists it.
  'prompt.to_json': operation(shape({ prompt }), (given, { value }) => {
    const json: JsonObject = JSON.parse(promptOf(given.prompt).toJson())
    if (!isObject(value) || !('class_name' in value)) delete json['class_name']
    return json
  }),

  'prompt.from_json': operation(
    shape({ type: literal('text', 'chat', 'selector'), json: object, vars: variables }),
    ({ type, json, vars }) => fromJson(type, JSON.stringify(json)).format(vars),
  ),

  'chat.from_messages': operation(
    shape({ messages: list(pair(argument<MessageRole>(), string)), vars: variables }),
    ({ messages, vars }) => {
      const made: BasePromptTemplate = ChatPromptTemplate.fromMessages(messages)
      return dictsOf(made.formatMessages(vars))
    },
  ),
}
