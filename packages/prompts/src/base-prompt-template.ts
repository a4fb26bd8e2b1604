/**
 * @module
 * What all prompt templates have in common.
 */
import {
  type BaseLLM,
  type ChatMessage,
  type Dict,
  ModelValidationError,
  type PromptFormatOptions,
  type PromptLike,
  QueryComponent,
} from '@x/core-model'
import { inputTextOrStream } from '@x/core-model/internal'
import { BasePromptTemplateModel, type BasePromptTemplateOptions } from './generated/base-prompt-template.ts'
import type { PromptType } from './prompt-type.ts'
import type { SourcedMessage, SourcedText } from './source-map.ts'
import {
  mappedValues,
  storedValues,
  templateName,
  textOfValue,
  type VariableSources,
  type Variables,
} from './variable-values.ts'

/** What every prompt template is built from. */
export interface PromptOptions extends Omit<BasePromptTemplateOptions, 'metadata' | 'templateVars' | 'kwargs'> {
  /** Kind of the prompt, kept in `metadata.prompt_type`, one of the known ones or any string. @defaultValue 'custom' */
  promptType?: PromptType | undefined
  /** Data about the prompt; not changed. */
  metadata?: Readonly<Dict> | undefined
  /** Stored values: strings, or numbers that become strings. */
  vars?: Variables | undefined
}

/** The field values that options give; fields of your own class stay as they are. */
export function promptFieldsOf(
  className: string,
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
  for (const [name, compute] of Object.entries(functionMappings ?? {})) {
    if (typeof compute !== 'function')
      throw new ModelValidationError(className, [
        { path: `functionMappings.${name}`, message: 'expected a function', code: 'type' },
      ])
  }
  for (const name of ['metadata', 'vars'] as const) {
    const value = { metadata, vars }[name]
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new ModelValidationError(className, [{ path: name, message: 'expected an object', code: 'type' }])
  }
  return {
    ...own,
    metadata: { ...metadata, prompt_type: promptType ?? 'custom' },
    kwargs: storedValues(vars),
    outputParser,
    templateVarMappings,
    functionMappings,
  }
}

/** Options from the fields that were read from data. */
export function optionsFromFields({ kwargs, ...fields }: Dict): Dict {
  const { prompt_type: promptType } = (fields['metadata'] ?? {}) as { prompt_type?: unknown }
  return { vars: kwargs, promptType, ...fields }
}

/**
 * The base of all prompt templates: named variables in, a text or chat messages out. All operations are synchronous and leave
 * the prompt unchanged.
 */
export abstract class BasePromptTemplate extends BasePromptTemplateModel implements PromptLike {
  /**
   * The filled prompt as text.
   * @throws {MissingVariableError} naming every variable without a value.
   * @throws {InvalidVariableError} for a value without text form.
   */
  abstract format(vars?: Variables, options?: PromptFormatOptions): string

  /** The filled prompt as messages. @throws as `format` */
  abstract formatMessages(vars?: Variables, options?: PromptFormatOptions): ChatMessage[]

  /** The template as written: braces doubled, nothing filled. */
  abstract getTemplate(options?: { llm?: BaseLLM | undefined }): string

  /** A prompt of the same class with more stored values. */
  abstract partialFormat(vars: Variables): BasePromptTemplate

  /** As `format`, and which characters of the result came from where. */
  abstract formatWithSources(vars?: Variables, options?: PromptFormatOptions): SourcedText

  /** As `formatMessages`, and which characters of each message came from where. */
  abstract formatMessagesWithSources(vars?: Variables, options?: PromptFormatOptions): SourcedMessage[]

  /** The fields of this prompt with more stored values. */
  protected withValues(vars: Variables): Pick<BasePromptTemplate, 'kwargs' | 'metadata'> {
    return { kwargs: { ...this.kwargs, ...storedValues(vars) }, metadata: { ...this.metadata } }
  }

  /** The template that is used for a model: itself, unless it is a selector. */
  select(_options?: { llm?: BaseLLM | undefined }): BasePromptTemplate {
    return this
  }

  /** Whether the template that is used for a model is a list of messages. */
  isChat(_options?: { llm?: BaseLLM | undefined }): boolean {
    return false
  }

  /** The values that the template's variables get, by template name; those without a value are left out. */
  resolveVars(vars: Variables = {}, _options?: { llm?: BaseLLM | undefined }): Record<string, string> {
    const values = mappedValues(this as VariableSources, vars)
    const names = [...new Set(this.templateVars)].filter((name) => values.has(name))
    return Object.fromEntries(names.map((name) => [name, textOfValue(name, values.get(name))]))
  }

  /** The distinct names that a caller has to give: mapped, without stored and computed ones. */
  requiredNames(_options?: { llm?: BaseLLM | undefined }): string[] {
    const { templateVars, templateVarMappings, kwargs, functionMappings } = this as VariableSources & typeof this
    const callerNames = new Map(Object.entries(templateVarMappings ?? {}).map(([caller, name]) => [name, caller]))
    const known = [...Object.keys(kwargs), ...Object.keys(functionMappings ?? {})]
    const given = new Set(known.map((name) => templateName(this, name)))
    const free = templateVars.filter((name) => !given.has(name))
    return [...new Set(free.map((name) => callerNames.get(name) ?? name))]
  }

  /**
   * This prompt as a step of a query pipeline: one required input per variable, output `prompt`: messages when the selected
   * template is a chat template, else text.
   */
  override asQueryComponent({ partial, llm }: { partial?: Dict; llm?: BaseLLM } = {}): QueryComponent {
    return new QueryComponent({
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

/** Tells whether a value is a prompt template. */
export function isPromptTemplate(value: unknown): value is BasePromptTemplate {
  if (typeof value !== 'object' || value === null) return false
  return ['format', 'formatMessages', 'getTemplate', 'partialFormat'].every(
    (method) => typeof (value as Dict)[method] === 'function',
  )
}
