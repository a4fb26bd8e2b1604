/**
 * Builds what the descriptors of the `models` and `prompts` cases describe: prompts, parsers, functions and models.
 */
import {
  type BaseLLM,
  BaseOutputParser,
  CallbackManager,
  ChatMessage,
  type LLM,
  LLMMetadata,
  type LLMOptions,
} from '@x/core-model'
import { RecordingCallbackHandler, type ScriptedAnswer, ScriptedLLM } from '@x/core-model/testing'
import {
  type BasePromptTemplate,
  ChatPromptTemplate,
  type ForeignPrompt,
  ForeignPromptTemplate,
  PromptTemplate,
  SelectorPromptTemplate,
  type VariableFunction,
} from '@x/prompts'

// biome-ignore lint/suspicious/noExplicitAny: descriptors are free-form JSON
type Descriptor = any

export function messageOf({ role, content, additional_kwargs: additionalKwargs }: Descriptor): ChatMessage {
  return new ChatMessage({ role, content, additionalKwargs })
}

class DescribedParser extends BaseOutputParser {
  readonly descriptor: Descriptor
  constructor(descriptor: Descriptor) {
    super()
    this.descriptor = descriptor
  }
  override format(query: string): string {
    return `${this.descriptor.prefix ?? ''}${query}${this.descriptor.suffix ?? ''}`
  }
  parse(output: string): unknown {
    const kind = this.descriptor.parse ?? 'identity'
    if (kind === 'throw') throw new Error('parser failed')
    return {
      identity: output,
      upper: output.toUpperCase(),
      strip: output.trim(),
      length: output.length,
      object: { value: output },
    }[kind as string]
  }
}

export function parserOf(descriptor: Descriptor): BaseOutputParser | undefined {
  return descriptor === undefined || descriptor === null ? undefined : new DescribedParser(descriptor)
}

function functionOf(descriptor: Descriptor): VariableFunction {
  return (vars) => {
    if (descriptor.fn === 'const') return descriptor.value
    if (descriptor.fn === 'join') return descriptor.vars.map((name: string) => vars[name] ?? '').join(descriptor.sep)
    if (descriptor.fn === 'upper') return String(vars[descriptor.var]).toUpperCase()
    if (descriptor.fn === 'names') return Object.keys(vars).sort().join(',')
    throw new Error('function failed')
  }
}

function conditionOf(descriptor: Descriptor): (llm: unknown) => boolean {
  return (llm) => {
    const { metadata } = llm as BaseLLM
    if (descriptor.if === 'throw') throw new Error('condition failed')
    if (descriptor.if === 'is_chat_model') return metadata.isChatModel
    if (descriptor.if === 'model_name') return metadata.modelName === descriptor.value
    return descriptor.if === 'always'
  }
}

class DescribedForeignPrompt implements ForeignPrompt {
  readonly template: string
  readonly inputVariables: readonly string[]
  readonly partialVariables: Readonly<Record<string, unknown>>
  constructor({ template, input_variables, partial_variables = {} }: Descriptor) {
    this.template = template
    this.inputVariables = input_variables
    this.partialVariables = partial_variables
  }
  partial(vars: Readonly<Record<string, unknown>>): ForeignPrompt {
    return new DescribedForeignPrompt({
      template: this.template,
      input_variables: this.inputVariables,
      partial_variables: { ...this.partialVariables, ...vars },
    })
  }
  format(vars: Readonly<Record<string, unknown>>): string {
    const values = { ...this.partialVariables, ...vars }
    return this.template.replace(/\{(\w+)\}/g, (_, name: string) => {
      if (!(name in values)) throw new Error(`foreign prompt: no value for ${name}`)
      return String(values[name])
    })
  }
  formatMessages(vars: Readonly<Record<string, unknown>>): ChatMessage[] {
    return [new ChatMessage({ content: this.format(vars) })]
  }
}

export function promptOf(descriptor: Descriptor): BasePromptTemplate {
  const functions =
    descriptor.function_mappings &&
    Object.fromEntries(Object.entries(descriptor.function_mappings).map(([name, fn]) => [name, functionOf(fn)]))
  const shared = {
    promptType: descriptor.prompt_type,
    metadata: descriptor.metadata,
    vars: descriptor.kwargs,
    templateVarMappings: descriptor.template_var_mappings,
    functionMappings: functions,
    outputParser: parserOf(descriptor.output_parser),
  }
  const literal = { templateFormat: descriptor.template_format, templateVars: descriptor.template_vars }
  let prompt: BasePromptTemplate
  if (descriptor.type === 'text') prompt = new PromptTemplate({ template: descriptor.template, ...shared, ...literal })
  else if (descriptor.type === 'chat')
    prompt = new ChatPromptTemplate({ messageTemplates: descriptor.messages.map(messageOf), ...shared, ...literal })
  else if (descriptor.type === 'selector') {
    const conditionals = descriptor.conditionals?.map(
      ({ when, prompt }: Descriptor) => [conditionOf(when), promptOf(prompt)] as const,
    )
    prompt = new SelectorPromptTemplate({ defaultTemplate: promptOf(descriptor.default), conditionals })
  } else {
    const defaultPrompt = new DescribedForeignPrompt(descriptor.default_prompt)
    const conditionals = descriptor.conditionals?.map(
      ({ when, prompt }: Descriptor) => [conditionOf(when), new DescribedForeignPrompt(prompt)] as const,
    )
    prompt = new ForeignPromptTemplate({
      ...shared,
      requiresForeignLlm: descriptor.requires_foreign_llm,
      ...(conditionals ? { selector: { defaultPrompt, conditionals } } : { template: defaultPrompt }),
    })
  }
  for (const vars of descriptor.partials ?? []) prompt = prompt.partialFormat(vars)
  if (descriptor.set_output_parser) prompt.outputParser = parserOf(descriptor.set_output_parser)!
  return prompt
}

function answersOf(responses: Descriptor[] = []): ScriptedAnswer[] {
  const failure = () => new Error('the model failed')
  return responses.map((response) => {
    if (Array.isArray(response)) return response.map((delta) => (delta?.throw ? failure() : delta))
    return response?.throw ? failure() : response
  })
}

export const completionToPromptOf = (descriptor: Descriptor) =>
  descriptor && ((text: string) => `${descriptor.before}${text}${descriptor.after}`)

export const messagesToPromptOf = (descriptor: Descriptor) =>
  descriptor &&
  ((messages: readonly ChatMessage[]) =>
    `${messages.map(({ role, content }) => `${role}=${content ?? ''}`).join(descriptor.sep)}${descriptor.end ?? ''}`)

function metadataOf(descriptor: Descriptor = {}): LLMMetadata {
  return new LLMMetadata({ isChatModel: descriptor.is_chat_model, modelName: descriptor.model_name })
}

/** A scripted model with a handler that records its events. */
export function modelOf(descriptor: Descriptor): { llm: ScriptedLLM; handler: RecordingCallbackHandler } {
  const handler = new RecordingCallbackHandler()
  const options: LLMOptions = {
    callbackManager: new CallbackManager([handler]),
    systemPrompt: descriptor.system_prompt,
    outputParser: parserOf(descriptor.output_parser),
    queryWrapperPrompt: descriptor.query_wrapper_prompt && promptOf(descriptor.query_wrapper_prompt),
    completionToPrompt: completionToPromptOf(descriptor.completion_to_prompt),
    messagesToPrompt: messagesToPromptOf(descriptor.messages_to_prompt),
  }
  const llm = new ScriptedLLM({
    ...options,
    answers: answersOf(descriptor.responses),
    metadata: metadataOf(descriptor.metadata),
  })
  if (descriptor.foreign) Object.assign(llm, { foreignModel: { metadata: llm.metadata } })
  return { llm, handler }
}

export const llmOf = (descriptor: Descriptor): LLM | undefined => (descriptor ? modelOf(descriptor).llm : undefined)
