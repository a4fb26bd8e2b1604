/**
 * @module
 * The base class of prompt templates.
 */
import { checkNames } from '@x/core/options'
import {
  type BaseLLM,
  type ChatMessage,
  DefinedComponent,
  type Dict,
  ModelValidationError,
  type PromptFormatOptions,
  type PromptLike,
  type QueryComponent,
} from '@x/core-model'
import { inputTextOrStream } from '@x/core-model/components'
import { BasePromptTemplateModel, type BasePromptTemplateOptions } from './generated/base-prompt-template.ts'
import {
  mappedValues,
  storedValues,
  templateName,
  textOfValue,
  type VariableSources,
  type Variables,
} from './variable-values.ts'

/** The prompt types of LlamaIndex for Python. Any other string is a prompt type too. */
export const promptTypes = [
  'summary',
  'insert',
  'tree_select',
  'tree_select_multiple',
  'text_qa',
  'refine',
  'keyword_extract',
  'query_keyword_extract',
  'schema_extract',
  'text_to_sql',
  'text_to_graph_query',
  'table_context',
  'knowledge_triplet_extract',
  'simple_input',
  'pandas',
  'json_path',
  'single_select',
  'multi_select',
  'vector_store_query',
  'sub_question',
  'sql_response_synthesis',
  'sql_response_synthesis_v2',
  'conversation',
  'decompose',
  'choice_select',
  'custom',
  'rankgpt_rerank',
] as const

/** The type of a prompt: a known one or any string. */
export type PromptType = (typeof promptTypes)[number] | (string & {})

/** Constructor options of all prompt templates. */
export interface PromptOptions extends Omit<BasePromptTemplateOptions, 'metadata' | 'templateVars' | 'kwargs'> {
  /** Kind of the prompt: a known one or any string. Stored in `metadata.prompt_type`. @defaultValue 'custom' */
  promptType?: PromptType | undefined
  /** Data about the prompt. The object is copied. */
  metadata?: Readonly<Dict> | undefined
  /** Stored values: strings, or numbers, which are converted to strings; what the template does not use may have any type. */
  vars?: Variables | undefined
}

/** Converts constructor options to field values. Fields of custom classes are passed on unchanged. */
export function promptFieldsOf(
  className: string,
  names: readonly string[] | null,
  {
    promptType,
    metadata = {},
    vars = {},
    outputParser = null,
    templateVarMappings = null,
    functionMappings = null,
    ...own
  }: PromptOptions,
): Dict {
  for (const name in functionMappings) {
    if (typeof functionMappings[name] !== 'function') throw notOf(className, `functionMappings.${name}`, 'a function')
  }
  if (!isObject(metadata)) throw notOf(className, 'metadata', 'an object')
  if (!isObject(vars)) throw notOf(className, 'vars', 'an object')
  return {
    ...own,
    metadata: { ...metadata, prompt_type: promptType ?? 'custom' },
    kwargs: storedValues(vars, names, templateVarMappings),
    outputParser,
    templateVarMappings,
    functionMappings,
  }
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

function notOf(className: string, path: string, expected: string): ModelValidationError {
  return new ModelValidationError(className, [{ path, message: `expected ${expected}`, code: 'type' }])
}

/** Converts fields that were read from data to constructor options. */
export function optionsFromFields({ kwargs, ...fields }: Dict): Dict {
  const { prompt_type: promptType } = (fields['metadata'] ?? {}) as { prompt_type?: unknown }
  return { vars: kwargs, promptType, ...fields }
}

/**
 * The base class of prompt templates, which format variables to a string or to chat messages. All methods are synchronous and do not
 * change the prompt.
 */
export abstract class BasePromptTemplate extends BasePromptTemplateModel implements PromptLike {
  /**
   * Returns the formatted prompt as a string.
   * @throws {MissingVariableError} with the names of all variables without a value.
   * @throws {InvalidVariableError} for a value without text form.
   */
  abstract format(vars?: Variables, options?: PromptFormatOptions): string

  /** Returns the formatted prompt as messages. Throws the same errors as `format`. */
  abstract formatMessages(vars?: Variables, options?: PromptFormatOptions): ChatMessage[]

  /** Returns the template unchanged, with its placeholders and doubled braces. */
  abstract getTemplate(options?: { llm?: BaseLLM | undefined }): string

  /** Returns a prompt of the same class with more stored values. */
  abstract partialFormat(vars: Variables): BasePromptTemplate

  /** Returns the fields that change when more values are stored. */
  protected withValues(vars: Variables): Pick<BasePromptTemplate, 'kwargs' | 'metadata'> {
    const stored = storedValues(vars, this.insertedNames(), this.templateVarMappings)
    return { kwargs: { ...this.kwargs, ...stored }, metadata: { ...this.metadata } }
  }

  /**
   * Returns the names of the variables whose values are inserted, so that they are stored as strings; null if values of any type are used.
   */
  protected insertedNames(): readonly string[] | null {
    return this.templateVars
  }

  /** Returns the template for a model: this prompt, unless it is a selector. */
  select(_options?: { llm?: BaseLLM | undefined }): BasePromptTemplate {
    return this
  }

  /** Whether the template for a model is an array of messages. */
  isChat(_options?: { llm?: BaseLLM | undefined }): boolean {
    return false
  }

  /** Returns the values of the template's variables, by the name in the template. Variables without a value are omitted. */
  resolveVars(vars: Variables = {}, _options?: { llm?: BaseLLM | undefined }): Record<string, string> {
    const values = mappedValues(this as VariableSources, vars)
    const names = [...new Set(this.templateVars)].filter((name) => values.has(name))
    return Object.fromEntries(names.map((name) => [name, textOfValue(name, values.get(name))]))
  }

  /** Returns the names of the variables that a caller must pass, without duplicates and without stored and computed variables. */
  requiredNames(_options?: { llm?: BaseLLM | undefined }): string[] {
    const { templateVars, templateVarMappings, kwargs, functionMappings } = this as VariableSources & typeof this
    const callerNames = new Map(Object.entries(templateVarMappings ?? {}).map(([caller, name]) => [name, caller]))
    const known = [...Object.keys(kwargs), ...Object.keys(functionMappings ?? {})]
    const stored = new Set(known.map((name) => templateName(this, name)))
    const free = templateVars.filter((name) => !stored.has(name))
    return [...new Set(free.map((name) => callerNames.get(name) ?? name))]
  }

  /**
   * Returns this prompt as a query pipeline component. It has one required input per variable and the output `prompt`: messages if the
   * selected template is a chat template, otherwise a string.
   */
  override asQueryComponent(options: { partial?: Dict; llm?: BaseLLM } = {}): QueryComponent {
    checkNames('asQueryComponent', options, ['partial', 'llm'])
    const { partial, llm } = options
    return new DefinedComponent({
      name: 'Prompt component',
      inputKeys: () => ({ required: this.requiredNames({ llm }), optional: [] }),
      outputKeys: ['prompt'],
      partial,
      run: async (inputs) => {
        for (const key in inputs) inputs[key] = await inputTextOrStream(inputs[key], key)
        return { prompt: this.isChat({ llm }) ? this.formatMessages(inputs, { llm }) : this.format(inputs, { llm }) }
      },
    })
  }
}

/** Whether a value is a prompt template. */
export function isPromptTemplate(value: unknown): value is BasePromptTemplate {
  if (typeof value !== 'object' || value === null) return false
  return ['format', 'formatMessages', 'getTemplate', 'partialFormat'].every(
    (method) => typeof (value as Dict)[method] === 'function',
  )
}
