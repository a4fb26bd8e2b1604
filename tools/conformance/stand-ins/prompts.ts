/** Messages, output parsers, prompts and models that a case describes. */
import {
  BaseOutputParser,
  CallbackManager,
  ChatMessage,
  ChatResponse,
  CompletionResponse,
  type Dict,
  LLMMetadata,
} from '@x/core-model'
import { RecordingCallbackHandler } from '@x/core-model/testing'
import { strip } from '@x/core-model/text'
import { ScriptedLLM, type ScriptedPiece } from '@x/llm/testing'
import {
  type BasePromptTemplate,
  ChatPromptTemplate,
  type Conditional,
  type ForeignPrompt,
  ForeignPromptTemplate,
  PromptTemplate,
  SelectorPromptTemplate,
  type VariableFunction,
} from '@x/prompts'
import { CaseError, isObject, type Json, named } from '../given.ts'

export function messageOf({ role, content, additional_kwargs: additionalKwargs }: Json): ChatMessage {
  return new ChatMessage({ role, content, additionalKwargs })
}

export const messagesOf = (records: readonly Json[] = []): ChatMessage[] => records.map(messageOf)

/** Whole wire forms. */
export const dictsOf = (messages: readonly ChatMessage[]): Dict[] => messages.map((each) => each.toDict())

/** The wire form without empty `additional_kwargs`. */
export function messageRecord({ role, content, additionalKwargs }: ChatMessage): Json {
  return { role, content, ...(Object.keys(additionalKwargs).length > 0 && { additional_kwargs: additionalKwargs }) }
}

// Output parsers that a case describes.

const parsers: Readonly<Record<string, (output: string) => unknown>> = {
  identity: (output) => output,
  upper: (output) => output.toUpperCase(),
  strip,
  length: (output) => [...output].length,
  object: (value) => ({ value }),
  throw: () => {
    throw new Error('parser failed')
  },
}

class DescribedParser extends BaseOutputParser {
  override readonly parse: (output: string) => unknown
  private readonly record: Json

  constructor(record: Json) {
    super()
    this.record = record
    this.parse = named(parsers, record.parse ?? 'identity')
  }

  override format(query: string): string {
    return `${this.record.prefix ?? ''}${query}${this.record.suffix ?? ''}`
  }
}

export const parserOf = (record: Json): BaseOutputParser => new DescribedParser(record)

// A stand-in for the prompt of another framework.

class DescribedForeignPrompt implements ForeignPrompt {
  readonly template: string
  readonly inputVariables: readonly string[]
  readonly partialVariables: Readonly<Dict>

  constructor({ template, input_variables, partial_variables = {} }: Json) {
    this.template = template
    this.inputVariables = input_variables
    this.partialVariables = partial_variables
  }

  partial(vars: Readonly<Dict>): ForeignPrompt {
    return new DescribedForeignPrompt({
      template: this.template,
      input_variables: this.inputVariables.filter((name) => !Object.hasOwn(vars, name)),
      partial_variables: { ...this.partialVariables, ...vars },
    })
  }

  format(vars: Readonly<Dict>): string {
    const values = { ...this.partialVariables, ...vars }
    return this.template.replace(/\{(\w+)\}/g, (_, name: string) => {
      if (!(name in values)) throw new Error(`foreign prompt: no value for ${name}`)
      return String(values[name])
    })
  }

  formatMessages(vars: Readonly<Dict>): ChatMessage[] {
    return [new ChatMessage({ content: this.format(vars) })]
  }
}

// Prompts that a case writes as their templates alone.

/** Returns a text prompt for each template. */
export function textPrompts(templates: Readonly<Record<string, string>>): Record<string, BasePromptTemplate> {
  return Object.fromEntries(Object.entries(templates).map(([key, template]) => [key, new PromptTemplate({ template })]))
}

/** Returns the template of each prompt. */
export function templatesOf(prompts: Readonly<Record<string, BasePromptTemplate>>): Record<string, string> {
  return Object.fromEntries(Object.entries(prompts).map(([key, prompt]) => [key, prompt.getTemplate()]))
}

// Prompts that a case describes.

const variableFunctions: Readonly<Record<string, (record: Json) => VariableFunction>> = {
  const: (record) => () => record.value,
  join:
    ({ vars: names = [], sep = ',' }) =>
    (vars) =>
      names.map((name: Json) => vars[name] ?? '').join(sep),
  upper: (record) => (vars) => String(vars[record.var as string]).toUpperCase(),
  names: () => (vars) => Object.keys(vars).sort().join(','),
  throw: () => () => {
    throw new Error('function failed')
  },
}

const modelConditions: Readonly<Record<string, (metadata: LLMMetadata, value?: string) => boolean>> = {
  always: () => true,
  never: () => false,
  is_chat_model: ({ isChatModel }) => isChatModel,
  model_name: ({ modelName }, value) => modelName === value,
  throw: () => {
    throw new Error('condition failed')
  },
}

/** The metadata of a model, of this library or of another framework. */
function metadataOf(model: unknown): LLMMetadata {
  if (typeof model === 'object' && model !== null && 'metadata' in model && model.metadata instanceof LLMMetadata)
    return model.metadata
  throw new Error('a condition received a value that is not a model')
}

function conditionOf({ if: name, value }: Json): (model: unknown) => boolean {
  const holds = named(modelConditions, name)
  return (model) => holds(metadataOf(model), value)
}

/** Builds the prompt, then applies `partials` and `set_output_parser`. */
export function promptOf(record: Json): BasePromptTemplate {
  let made = plainPromptOf(record)
  for (const vars of record.partials ?? []) made = made.partialFormat(vars)
  if (record.set_output_parser) made.outputParser = parserOf(record.set_output_parser)
  return made
}

function plainPromptOf(record: Json): BasePromptTemplate {
  switch (record.type) {
    case 'text':
      return new PromptTemplate({ template: record.template, ...sharedOptions(record), ...literalOptions(record) })
    case 'chat': {
      const messageTemplates = messagesOf(record.messages)
      return new ChatPromptTemplate({ messageTemplates, ...sharedOptions(record), ...literalOptions(record) })
    }
    case 'selector':
      return new SelectorPromptTemplate({
        defaultTemplate: promptOf(record.default),
        conditionals: conditionalsOf(record),
      })
    case 'foreign':
      return foreignOf(record)
    default:
      throw new CaseError(`there is no prompt of the type ${JSON.stringify((record as Dict)['type'])}`)
  }
}

function sharedOptions(record: Json) {
  const mappings = record.function_mappings
  return {
    promptType: record.prompt_type,
    metadata: record.metadata,
    vars: record.kwargs,
    templateVarMappings: record.template_var_mappings,
    functionMappings:
      mappings &&
      Object.fromEntries(
        Object.entries<Json>(mappings).map(([name, fn]) => [name, named(variableFunctions, fn.fn)(fn)]),
      ),
    outputParser: record.output_parser ? parserOf(record.output_parser) : undefined,
  }
}

const literalOptions = (record: Json) => ({
  templateFormat: record.template_format,
  templateVars: record.template_vars,
})

/** The conditions and templates of a selector. */
export function conditionalsOf({ conditionals }: Json): Conditional[] | undefined {
  return conditionals?.map(({ when, prompt }: Json) => [conditionOf(when), promptOf(prompt)])
}

function foreignOf(record: Json): ForeignPromptTemplate {
  const defaultPrompt = new DescribedForeignPrompt(record.default_prompt)
  const conditionals = record.conditionals?.map(
    ({ when, prompt }: Json) => [conditionOf(when), new DescribedForeignPrompt(prompt)] as const,
  )
  return new ForeignPromptTemplate({
    ...sharedOptions(record),
    requiresForeignLlm: record.requires_foreign_llm,
    ...(conditionals ? { selector: { defaultPrompt, conditionals } } : { template: defaultPrompt }),
  })
}

// Language models that the cases of prompts and models describe.

const pieceOf = (piece: Json): ScriptedPiece => (isObject(piece) ? new Error('the model failed') : piece)

/** The functions of a model or of a call that make prompts. */
export function promptFunctions(around?: Json, between?: Json) {
  return {
    completionToPrompt: around ? (text: string) => `${around.before}${text}${around.after}` : undefined,
    messagesToPrompt: between
      ? (messages: readonly ChatMessage[]) =>
          messages.map(({ role, content }) => `${role}=${content ?? ''}`).join(between.sep) + (between.end ?? '')
      : undefined,
  }
}

/** A scripted model, and a handler that records its events. */
export function modelOf(record: Json): { llm: ScriptedLLM; handler: RecordingCallbackHandler } {
  const handler = new RecordingCallbackHandler()
  const { metadata = {}, responses = [] } = record
  const llm = new ScriptedLLM({
    wire: false,
    answers: responses.map((answer: Json) => (Array.isArray(answer) ? answer.map(pieceOf) : pieceOf(answer))),
    metadata: new LLMMetadata({ isChatModel: metadata.is_chat_model, modelName: metadata.model_name }),
    callbackManager: new CallbackManager([handler]),
    systemPrompt: record.system_prompt,
    outputParser: record.output_parser ? parserOf(record.output_parser) : undefined,
    queryWrapperPrompt: record.query_wrapper_prompt ? promptOf(record.query_wrapper_prompt) : undefined,
    ...promptFunctions(record.completion_to_prompt, record.messages_to_prompt),
  })
  if (record.foreign) Object.assign(llm, { foreignModel: { metadata: llm.metadata } })
  return { llm, handler }
}

/** The model of a case that may have none. */
export const llmOf = (record: Json) => (record ? modelOf(record).llm : undefined)

/** The requests that a model received, in the form of the cases. */
export function requestsOf({ calls }: ScriptedLLM): Dict[] {
  return calls.map(({ kind, messages, prompt, formatted }) => ({ kind, messages, prompt, formatted }))
}

// Inputs of query components in the cases of prompts and models.

function componentInput(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(componentInput)
  if (!isObject(value)) return value
  if ('$chat_response' in value)
    return new ChatResponse({ message: { role: 'assistant', content: value['$chat_response'] as string } })
  if ('$completion_response' in value) return new CompletionResponse({ text: value['$completion_response'] as string })
  return '$messages' in value ? messagesOf(value['$messages'] as Json[]) : value
}

/** Inputs; `$chat_response`, `$completion_response` and `$messages` stand for such objects, also in lists. */
export const componentInputs = (inputs: Dict): Dict =>
  Object.fromEntries(Object.entries(inputs).map(([key, value]) => [key, componentInput(value)]))
