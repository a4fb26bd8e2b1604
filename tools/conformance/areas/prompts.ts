/** The cases of `prompts.json`. */
import { ChatMessage, type Dict, messagesToHistoryStr, messagesToPrompt, promptToMessages } from '@x/core-model'
import {
  type BasePromptTemplate,
  ChatPromptTemplate,
  getBiggestPrompt,
  getEmptyPromptTxt,
  getTemplateVars,
  type HasPrompts,
  PromptKeyError,
  PromptMixin,
  PromptTemplate,
  promptTypes,
  SelectorPromptTemplate,
} from '@x/prompts'
import { defineArea, type Operations } from '../case.ts'
import { isObject, type Json, type JsonObject, named } from '../given.ts'
import {
  componentInputs,
  conditionalsOf,
  dictsOf,
  llmOf,
  messagesOf,
  parserOf,
  promptFunctions,
  promptOf,
  templatesOf,
  textPrompts,
} from '../stand-ins/prompts.ts'

const formatOptions = ({ llm, completionToPrompt, messagesToPrompt }: Json) => ({
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

const formatting: Operations = {
  get_template_vars: ({ template }) => getTemplateVars(template),
  'prompt.describe': ({ prompt }) => describe(promptOf(prompt)),
  'prompt.format': (given) => promptOf(given.prompt).format(given.vars, formatOptions(given)),
  'prompt.format_messages': (given) => dictsOf(promptOf(given.prompt).formatMessages(given.vars, formatOptions(given))),
  'prompt.get_template': ({ prompt, llm }) => promptOf(prompt).getTemplate({ llm: llmOf(llm) }),

  'prompt.select': ({ prompt, llm }) => {
    const selected = promptOf(prompt).select({ llm: llmOf(llm) })
    return {
      type: typeOf(selected),
      template: selected.getTemplate(),
      has_output_parser: selected.outputParser !== null,
    }
  },

  'prompt.partial_format': ({ prompt, steps, vars, llm }) => {
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
  'prompt.to_json': ({ prompt }, { expect: { value } }) => {
    const json: JsonObject = JSON.parse(promptOf(prompt).toJson())
    if (!isObject(value) || !('class_name' in value)) delete json['class_name']
    return json
  },

  'prompt.from_json': ({ type, json, vars }) => named(readers, type).fromJson(JSON.stringify(json)).format(vars),

  'chat.from_messages': ({ messages, vars }) => {
    const made: BasePromptTemplate = ChatPromptTemplate.fromMessages(messages)
    return dictsOf(made.formatMessages(vars))
  },
}

// Prompts and their callers share nothing.

function selectorIsolation({ prompt: record, vars, llm }: Json): Dict {
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

const isolation: Operations = {
  'prompt.metadata_isolation': ({ metadata, promptType }) => {
    const made = new PromptTemplate({ template: 'x', metadata, promptType })
    return { caller: metadata, prompt: made.metadata }
  },

  'prompt.message_isolation': ({ prompt, vars, index, key, value }) => {
    const made = promptOf(prompt)
    if (!(made instanceof ChatPromptTemplate)) throw new Error('given.prompt: expected a chat prompt')
    const message = made.formatMessages(vars)[index]
    if (message === undefined) throw new Error(`given.index: there is no message ${index}`)
    message.additionalKwargs[key] = value
    return dictsOf(made.messageTemplates)
  },

  'selector.isolation': selectorIsolation,
}

// Components that contain prompts.

class DescribedModule extends PromptMixin {
  private readonly own: Record<string, BasePromptTemplate>
  private readonly parts: Record<string, HasPrompts>

  constructor({ prompts = {}, modules = {} }: Json) {
    super()
    this.own = textPrompts(prompts)
    this.parts = Object.fromEntries(Object.entries(modules).map(([name, part]) => [name, new DescribedModule(part)]))
  }

  protected override _getPrompts() {
    return this.own
  }

  protected override _getPromptModules() {
    return this.parts
  }

  protected override _updatePrompts(prompts: Record<string, BasePromptTemplate>) {
    Object.assign(this.own, prompts)
  }
}

const mixin: Operations = {
  'mixin.get_prompts': ({ module }) => templatesOf(new DescribedModule(module).getPrompts()),

  'mixin.update_prompts': ({ module, updates }) => {
    const made = new DescribedModule(module)
    let threw = false
    try {
      made.updatePrompts(textPrompts(updates))
    } catch (error) {
      if (!(error instanceof PromptKeyError)) throw error
      threw = true
    }
    return { threw, after: templatesOf(made.getPrompts()) }
  },

  'mixin.get_prompts_isolation': ({ module, key, drop }) => {
    const made = new DescribedModule(module)
    const first = made.getPrompts()
    const prompt = first[key]
    if (prompt === undefined) throw new Error(`given.key: the module has no prompt ${key}`)
    prompt.kwargs['x'] = '1'
    if (drop !== undefined) delete first[drop]
    const second = made.getPrompts()
    return { keys: Object.keys(second).sort(), kwargs: second[key]?.kwargs }
  },
}

// Messages as texts, output parsers, sizes of prompts, and the known types of prompts.

const texts: Operations = {
  'llms.messages_to_prompt': ({ messages }) => messagesToPrompt(messagesOf(messages)),
  'llms.messages_to_history_str': ({ messages }) => messagesToHistoryStr(messagesOf(messages)),
  'llms.prompt_to_messages': ({ prompt }) => dictsOf(promptToMessages(prompt)),
  'output_parser.format': ({ parser, query }) => parserOf(parser).format(query),
  'output_parser.format_messages': ({ parser, messages }) =>
    dictsOf(parserOf(parser).formatMessages(messagesOf(messages))),
  'prompt_utils.get_empty_prompt_txt': ({ prompt }) => getEmptyPromptTxt(promptOf(prompt)),

  'prompt_utils.get_biggest_prompt': (given) => {
    const prompts = given.prompts.map(promptOf)
    return prompts.indexOf(getBiggestPrompt(prompts))
  },

  'enum.values': (given) => [...named({ PromptType: promptTypes }, given.enum)],
}

// Prompts as components of query pipelines.

const isMessage = (value: unknown): value is ChatMessage => value instanceof ChatMessage

function componentOf({ prompt, llm: record, partial }: Json) {
  const llm = llmOf(record)
  return promptOf(prompt).asQueryComponent({ partial: partial && componentInputs(partial), ...(llm && { llm }) })
}

const components: Operations = {
  'query_component.keys': (given) => {
    const { inputKeys, freeReqInputKeys, outputKeys } = componentOf(given)
    return {
      required: [...inputKeys.required].sort(),
      optional: [...inputKeys.optional].sort(),
      free_required: [...freeReqInputKeys].sort(),
      output: [...outputKeys].sort(),
    }
  },

  'query_component.run': async ({ input, ...given }) => {
    const output = await componentOf(given).runComponent(componentInputs(input))
    const filled = output['prompt']
    return Array.isArray(filled) && filled.every(isMessage) ? { ...output, prompt: dictsOf(filled) } : output
  },
}

// The cases of `prompts.json`.

export const area = defineArea([formatting, isolation, mixin, texts, components])
