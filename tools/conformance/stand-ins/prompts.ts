/** Prompts that a case describes. */
import { LLMMetadata } from '@x/core-model'
import {
  type BasePromptTemplate,
  ChatPromptTemplate,
  type Conditional,
  ForeignPromptTemplate,
  PromptTemplate,
  type PromptType,
  SelectorPromptTemplate,
  type VariableFunction,
  type Variables,
} from '@x/prompts'
import {
  anything,
  argument,
  dictionary,
  list,
  nullable,
  optional,
  type Read,
  type Reader,
  shape,
  string,
  variants,
} from '../reader.ts'
import { DescribedForeignPrompt, foreignPrompt } from './foreign-prompt.ts'
import { message, messageOf } from './messages.ts'
import { parser, parserOf } from './output-parser.ts'

/** Values of variables; a wrong one is refused by the library. */
export const variables = argument<Variables>()

const variableFunction = variants('fn', {
  const: { value: anything },
  join: { vars: list(string), sep: optional(string) },
  upper: { var: string },
  names: {},
  throw: {},
})

const condition = variants('if', {
  always: {},
  never: {},
  is_chat_model: {},
  model_name: { value: string },
  throw: {},
})

/** Keys that every type of prompt may have. */
const afterwards = { partials: optional(list(variables)), set_output_parser: optional(parser) }

const shared = {
  ...afterwards,
  prompt_type: argument<PromptType | undefined>(),
  metadata: argument<Record<string, unknown> | undefined>(),
  kwargs: variables,
  template_var_mappings: argument<Record<string, string> | null | undefined>(),
  function_mappings: optional(nullable(dictionary(variableFunction))),
  output_parser: optional(nullable(parser)),
}

const literalFormat = {
  template_format: argument<'literal' | null | undefined>(),
  template_vars: argument<string[] | undefined>(),
}

const text = { template: argument<string>(), ...shared, ...literalFormat }
const chat = { messages: list(message), ...shared, ...literalFormat }
const foreign = {
  default_prompt: foreignPrompt,
  conditionals: optional(list(shape({ when: condition, prompt: foreignPrompt }))),
  requires_foreign_llm: argument<boolean | undefined>(),
  ...shared,
}

/** The description of a selector. */
export interface SelectorRecord extends Read<ReturnType<typeof shape<typeof afterwards>>> {
  type: 'selector'
  default: PromptRecord
  conditionals?: { when: Read<typeof condition>; prompt: PromptRecord }[]
}

type SimpleRecord = Read<
  ReturnType<typeof variants<'type', { text: typeof text; chat: typeof chat; foreign: typeof foreign }>>
>

/** The description of a prompt. */
export type PromptRecord = SimpleRecord | SelectorRecord

const inner: Reader<PromptRecord> = (value, at) => prompt(value, at)

const selectorKeys = {
  default: inner,
  conditionals: optional(list(shape({ when: condition, prompt: inner }))),
  ...afterwards,
}

/** Reads the description of a prompt. */
export const prompt: Reader<PromptRecord> = variants('type', { text, chat, foreign, selector: selectorKeys })

/** Reads the description of a selector. */
export const selector: Reader<SelectorRecord> = variants('type', { selector: selectorKeys })

function functionOf(record: Read<typeof variableFunction>): VariableFunction {
  return (vars) => {
    switch (record.fn) {
      case 'const':
        return record.value
      case 'join':
        return record.vars.map((name) => vars[name] ?? '').join(record.sep ?? ',')
      case 'upper':
        return String(vars[record.var]).toUpperCase()
      case 'names':
        return Object.keys(vars).sort().join(',')
      case 'throw':
        throw new Error('function failed')
    }
  }
}

/** The metadata of a model, of this library or of another framework. */
function metadataOf(model: unknown): LLMMetadata {
  if (typeof model === 'object' && model !== null && 'metadata' in model && model.metadata instanceof LLMMetadata)
    return model.metadata
  throw new Error('a condition received a value that is not a model')
}

function conditionOf(record: Read<typeof condition>): (model: unknown) => boolean {
  return (model) => {
    const metadata = metadataOf(model)
    switch (record.if) {
      case 'always':
        return true
      case 'never':
        return false
      case 'is_chat_model':
        return metadata.isChatModel
      case 'model_name':
        return metadata.modelName === record.value
      case 'throw':
        throw new Error('condition failed')
    }
  }
}

/** Builds the prompt, then applies `partials` and `set_output_parser`. */
export function promptOf(record: PromptRecord): BasePromptTemplate {
  let made = plainPromptOf(record)
  for (const vars of record.partials ?? []) made = made.partialFormat(vars)
  if (record.set_output_parser) made.outputParser = parserOf(record.set_output_parser)
  return made
}

function plainPromptOf(record: PromptRecord): BasePromptTemplate {
  switch (record.type) {
    case 'text':
      return new PromptTemplate({ template: record.template, ...sharedOptions(record), ...literalOptions(record) })
    case 'chat': {
      const messageTemplates = record.messages.map(messageOf)
      return new ChatPromptTemplate({ messageTemplates, ...sharedOptions(record), ...literalOptions(record) })
    }
    case 'selector':
      return new SelectorPromptTemplate({
        defaultTemplate: promptOf(record.default),
        conditionals: conditionalsOf(record),
      })
    case 'foreign':
      return foreignOf(record)
  }
}

function sharedOptions(record: SimpleRecord) {
  const functions = record.function_mappings
  return {
    promptType: record.prompt_type,
    metadata: record.metadata,
    vars: record.kwargs,
    templateVarMappings: record.template_var_mappings,
    functionMappings:
      functions && Object.fromEntries(Object.entries(functions).map(([name, fn]) => [name, functionOf(fn)])),
    outputParser: record.output_parser ? parserOf(record.output_parser) : undefined,
  }
}

function literalOptions(record: Extract<SimpleRecord, { type: 'text' | 'chat' }>) {
  return { templateFormat: record.template_format, templateVars: record.template_vars }
}

/** The conditions and templates of a selector. */
export function conditionalsOf({ conditionals }: SelectorRecord): Conditional[] | undefined {
  return conditionals?.map(({ when, prompt }) => [conditionOf(when), promptOf(prompt)])
}

function foreignOf(record: Extract<SimpleRecord, { type: 'foreign' }>): ForeignPromptTemplate {
  const defaultPrompt = new DescribedForeignPrompt(record.default_prompt)
  const conditionals = record.conditionals?.map(
    ({ when, prompt }) => [conditionOf(when), new DescribedForeignPrompt(prompt)] as const,
  )
  return new ForeignPromptTemplate({
    ...sharedOptions(record),
    requiresForeignLlm: record.requires_foreign_llm,
    ...(conditionals ? { selector: { defaultPrompt, conditionals } } : { template: defaultPrompt }),
  })
}
