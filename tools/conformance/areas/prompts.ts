/** Runs the cases of `prompts.json` against `@x/prompts`. */
import {
  type ChatMessage,
  ChatResponse,
  CompletionResponse,
  type Dict,
  messagesToHistoryStr,
  messagesToPrompt,
  promptToMessages,
} from '@x/core-model'
import {
  type BasePromptTemplate,
  ChatPromptTemplate,
  getBiggestPrompt,
  getEmptyPromptTxt,
  getTemplateVars,
  type HasPrompts,
  PromptMixin,
  PromptTemplate,
  promptTypes,
  SelectorPromptTemplate,
} from '@x/prompts'
import type { Area, Case } from '../area.ts'
import { expectEqual, expectThrows } from '../compare.ts'
import { completionToPromptOf, llmOf, messageOf, messagesToPromptOf, parserOf, promptOf } from '../prompt-stand-ins.ts'

// biome-ignore lint/suspicious/noExplicitAny: descriptors are free-form JSON
type Given = any

const dicts = (messages: readonly ChatMessage[]): Dict[] => messages.map((message) => message.toDict())

const optionsOf = (given: Given) => ({
  llm: llmOf(given.llm),
  completionToPrompt: completionToPromptOf(given.completion_to_prompt),
  messagesToPrompt: messagesToPromptOf(given.messages_to_prompt),
})

/** A component whose own prompts are text prompts. */
class DescribedModule extends PromptMixin {
  readonly own: Record<string, BasePromptTemplate>
  readonly parts: Record<string, HasPrompts>
  constructor({ prompts = {}, modules = {} }: Given) {
    super()
    this.own = Object.fromEntries(
      Object.entries(prompts).map(([key, template]) => [key, new PromptTemplate({ template: template as string })]),
    )
    this.parts = Object.fromEntries(Object.entries(modules).map(([name, part]) => [name, new DescribedModule(part)]))
  }
  protected override _getPrompts() {
    return this.own
  }
  protected override _getPromptModules() {
    return this.parts
  }
  protected override _updatePrompts(prompts: Record<string, BasePromptTemplate>) {
    for (const key of Object.keys(this.own)) this.own[key] = prompts[key] ?? this.own[key]!
  }
}

const texts = (module: HasPrompts): Record<string, string> =>
  Object.fromEntries(Object.entries(module.getPrompts()).map(([key, prompt]) => [key, prompt.getTemplate()]))

function componentInput(value: Given): unknown {
  if (typeof value !== 'object' || value === null) return value
  if ('$chat_response' in value)
    return new ChatResponse({ message: { role: 'assistant', content: value.$chat_response } })
  if ('$completion_response' in value) return new CompletionResponse({ text: value.$completion_response })
  if ('$messages' in value) return value.$messages.map(messageOf)
  return value
}

export const componentInputs = (inputs: Given = {}): Dict =>
  Object.fromEntries(Object.entries(inputs).map(([key, value]) => [key, componentInput(value)]))

const operations: Record<string, (given: Given) => unknown> = {
  get_template_vars: ({ template }) => getTemplateVars(template),
  'prompt.describe': ({ prompt: descriptor }) => {
    const prompt = promptOf(descriptor)
    return {
      template_vars: prompt.templateVars,
      kwargs: prompt.kwargs,
      metadata: prompt.metadata,
      template_var_mappings: prompt.templateVarMappings,
      function_mappings: prompt.functionMappings && Object.keys(prompt.functionMappings).sort(),
      has_output_parser: prompt.outputParser !== null,
    }
  },
  'prompt.format': (given) => promptOf(given.prompt).format(given.vars, optionsOf(given)),
  'prompt.format_messages': (given) => dicts(promptOf(given.prompt).formatMessages(given.vars, optionsOf(given))),
  'prompt.get_template': (given) => promptOf(given.prompt).getTemplate({ llm: llmOf(given.llm) }),
  'prompt.select': (given) => {
    const selected = promptOf(given.prompt).select({ llm: llmOf(given.llm) })
    const type =
      selected instanceof PromptTemplate
        ? 'text'
        : selected instanceof ChatPromptTemplate
          ? 'chat'
          : selected instanceof SelectorPromptTemplate
            ? 'selector'
            : 'foreign'
    return { type, template: selected.getTemplate(), has_output_parser: selected.outputParser !== null }
  },
  'prompt.partial_format': (given) => {
    const original = promptOf(given.prompt)
    const last = given.steps.reduce((prompt: BasePromptTemplate, vars: Dict) => prompt.partialFormat(vars), original)
    return {
      original_kwargs: original.kwargs,
      kwargs: last.kwargs,
      template_vars: last.templateVars,
      same_type: last.constructor === original.constructor,
      text: last.format(given.vars, { llm: llmOf(given.llm) }),
    }
  },
  'prompt.to_json': ({ prompt }) => {
    const { class_name, ...rest } = JSON.parse(promptOf(prompt).toJson())
    return rest
  },
  'prompt.from_json': ({ type, json, vars }) =>
    ((type === 'text' ? PromptTemplate : ChatPromptTemplate) as typeof BasePromptTemplate)
      .fromJson(JSON.stringify(json))
      .format(vars),
  'prompt.metadata_isolation': ({ metadata, prompt_type }) => {
    const prompt = new PromptTemplate({ template: 'x', metadata, promptType: prompt_type })
    return { caller: metadata, prompt: prompt.metadata }
  },
  'prompt.message_isolation': ({ prompt: descriptor, vars, index, key, value }) => {
    const prompt = promptOf(descriptor) as ChatPromptTemplate
    prompt.formatMessages(vars)[index]!.additionalKwargs[key] = value
    return dicts(prompt.messageTemplates)
  },
  'selector.isolation': ({ prompt: descriptor, vars, llm }) => {
    const defaultTemplate = promptOf(descriptor.default)
    const described = promptOf({ ...descriptor, set_output_parser: undefined }) as SelectorPromptTemplate
    const conditionals = (described.conditionals ?? []).map(([condition, template]) => [condition, template] as const)
    const alone = () =>
      [defaultTemplate, ...conditionals.map(([, template]) => template)].map((prompt) => prompt.format(vars))
    const before = alone()
    const selector = new SelectorPromptTemplate({ defaultTemplate, conditionals })
    if (descriptor.set_output_parser) selector.outputParser = parserOf(descriptor.set_output_parser)!
    const text = selector.format(vars, { llm: llmOf(llm) })
    const after = alone()
    return {
      default_before: before[0],
      conditionals_before: before.slice(1),
      selector: text,
      default_after: after[0],
      conditionals_after: after.slice(1),
    }
  },
  'chat.from_messages': ({ messages, vars }) =>
    dicts((ChatPromptTemplate.fromMessages(messages) as BasePromptTemplate).formatMessages(vars)),
  'mixin.get_prompts': ({ module }) => texts(new DescribedModule(module)),
  'mixin.update_prompts': ({ module: descriptor, updates }) => {
    const module = new DescribedModule(descriptor)
    let threw = false
    try {
      module.updatePrompts(
        Object.fromEntries(
          Object.entries(updates).map(([key, template]) => [key, new PromptTemplate({ template: template as string })]),
        ),
      )
    } catch (error) {
      if ((error as Error).name !== 'PromptKeyError') throw error
      threw = true
    }
    return { threw, after: texts(module) }
  },
  'mixin.get_prompts_isolation': ({ module: descriptor, key, drop }) => {
    const module = new DescribedModule(descriptor)
    const first = module.getPrompts()
    first[key]!.kwargs['x'] = '1'
    if (drop !== undefined) delete first[drop]
    const second = module.getPrompts()
    return { keys: Object.keys(second).sort(), kwargs: second[key]?.kwargs }
  },
  'prompt_utils.get_empty_prompt_txt': ({ prompt }) => getEmptyPromptTxt(promptOf(prompt)),
  'prompt_utils.get_biggest_prompt': ({ prompts: descriptors }) => {
    const prompts = descriptors.map(promptOf)
    return prompts.indexOf(getBiggestPrompt(prompts))
  },
  'query_component.keys': ({ prompt, partial }) => {
    const component = promptOf(prompt).asQueryComponent({ partial })
    const { required, optional } = component.inputKeys
    return {
      required: [...required].sort(),
      optional: [...optional].sort(),
      free_required: [...component.freeReqInputKeys].sort(),
      output: [...component.outputKeys].sort(),
    }
  },
  'query_component.run': async ({ prompt, llm, partial, input }) => {
    const component = promptOf(prompt).asQueryComponent({
      partial: componentInputs(partial),
      ...(llm && { llm: llmOf(llm)! }),
    })
    const output = await component.runComponent(componentInputs(input))
    return Array.isArray(output['prompt']) ? { prompt: dicts(output['prompt']) } : output
  },
  'llms.messages_to_prompt': ({ messages }) => messagesToPrompt(messages.map(messageOf)),
  'llms.messages_to_history_str': ({ messages }) => messagesToHistoryStr(messages.map(messageOf)),
  'llms.prompt_to_messages': ({ prompt }) => dicts(promptToMessages(prompt)),
  'output_parser.format': ({ parser, query }) => parserOf(parser)!.format(query),
  'output_parser.format_messages': ({ parser, messages }) =>
    dicts(parserOf(parser)!.formatMessages(messages.map(messageOf))),
  'enum.values': () => [...promptTypes],
}

export const area: Area = {
  async check({ op, given, expect }: Case) {
    const operation = operations[op]
    if (operation === undefined) throw new Error(`unknown operation ${op}`)
    if (expect.throws) await expectThrows(async () => operation(given), expect)
    else expectEqual(await operation(given), expect.value)
  },
}
