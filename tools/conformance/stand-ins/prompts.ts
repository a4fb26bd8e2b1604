/** Prompts that a case describes. */
import type { Dict } from '@x/core-model'
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
import { CaseError, named } from '../given.ts'
import { DescribedForeignPrompt, type ForeignPromptRecord } from './foreign-prompt.ts'
import { type MessageRecord, messagesOf } from './messages.ts'
import { type ParserRecord, parserOf } from './output-parser.ts'

interface FunctionRecord {
  fn: string
  value?: unknown
  vars?: string[]
  sep?: string
  var?: string
}

interface Condition {
  if: string
  value?: string
}

/** Keys that every type of prompt may have. */
interface Afterwards {
  partials?: Variables[]
  set_output_parser?: ParserRecord
}

interface Shared extends Afterwards {
  prompt_type?: PromptType
  metadata?: Dict
  kwargs?: Variables
  template_var_mappings?: Record<string, string> | null
  function_mappings?: Record<string, FunctionRecord> | null
  output_parser?: ParserRecord | null
  template_format?: 'literal' | null
  template_vars?: string[]
}

interface Selected<Prompt> {
  when: Condition
  prompt: Prompt
}

/** The description of a selector. */
export interface SelectorRecord extends Afterwards {
  type: 'selector'
  default: PromptRecord
  conditionals?: Selected<PromptRecord>[]
}

interface ForeignRecord extends Shared {
  type: 'foreign'
  default_prompt: ForeignPromptRecord
  conditionals?: Selected<ForeignPromptRecord>[]
  requires_foreign_llm?: boolean
}

/** The description of a prompt. */
export type PromptRecord =
  | ({ type: 'text'; template: string } & Shared)
  | ({ type: 'chat'; messages: MessageRecord[] } & Shared)
  | ForeignRecord
  | SelectorRecord

const functions: Readonly<Record<string, (record: FunctionRecord) => VariableFunction>> = {
  const: (record) => () => record.value,
  join:
    ({ vars: names = [], sep = ',' }) =>
    (vars) =>
      names.map((name) => vars[name] ?? '').join(sep),
  upper: (record) => (vars) => String(vars[record.var as string]).toUpperCase(),
  names: () => (vars) => Object.keys(vars).sort().join(','),
  throw: () => () => {
    throw new Error('function failed')
  },
}

const conditions: Readonly<Record<string, (metadata: LLMMetadata, value?: string) => boolean>> = {
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

function conditionOf({ if: name, value }: Condition): (model: unknown) => boolean {
  const holds = named(conditions, name)
  return (model) => holds(metadataOf(model), value)
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

function sharedOptions(record: Shared) {
  const mappings = record.function_mappings
  return {
    promptType: record.prompt_type,
    metadata: record.metadata,
    vars: record.kwargs,
    templateVarMappings: record.template_var_mappings,
    functionMappings:
      mappings && Object.fromEntries(Object.entries(mappings).map(([name, fn]) => [name, named(functions, fn.fn)(fn)])),
    outputParser: record.output_parser ? parserOf(record.output_parser) : undefined,
  }
}

const literalOptions = (record: Shared) => ({
  templateFormat: record.template_format,
  templateVars: record.template_vars,
})

/** The conditions and templates of a selector. */
export function conditionalsOf({ conditionals }: SelectorRecord): Conditional[] | undefined {
  return conditionals?.map(({ when, prompt }) => [conditionOf(when), promptOf(prompt)])
}

function foreignOf(record: ForeignRecord): ForeignPromptTemplate {
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
