/**
 * @module
 * A prompt object of another framework.
 */
import {
  type BaseLLM,
  type ChatMessage,
  type Dict,
  type Model,
  ModelValidationError,
  messageText,
  type PromptFormatOptions,
} from '@x/core-model'
import { BasePromptTemplate, optionsFromFields, type PromptOptions, promptFieldsOf } from './base-prompt-template.ts'
import { ForeignLLMRequiredError } from './errors.ts'
import { type ForeignPromptTemplateFields, foreignPromptTemplateSpec } from './generated/models.ts'
import { type SourcedMessage, type SourcedText, surround } from './source-map.ts'
import { mappedValues, storedValues, type VariableSources, type Variables } from './variable-values.ts'

/** What is needed of a prompt object of another framework. All operations are synchronous. */
export interface ForeignPrompt {
  /** Names that have to be given. */
  readonly inputVariables: readonly string[]
  /** Values that are given already. */
  readonly partialVariables: Readonly<Record<string, unknown>>
  /** The text as written, when there is one. */
  readonly template?: string | undefined
  /** A prompt with more values given. */
  partial(vars: Variables): ForeignPrompt
  /** The filled prompt as text. */
  format(vars: Variables): string
  /** The filled prompt as messages. */
  formatMessages(vars: Variables): ChatMessage[]
}

/** Foreign prompts chosen by a foreign model. */
export interface ForeignSelector {
  readonly defaultPrompt: ForeignPrompt
  readonly conditionals: readonly (readonly [condition: (foreignModel: unknown) => boolean, prompt: ForeignPrompt])[]
}

/** A language model that wraps the model object of another framework. */
export interface WrapsForeignModel extends BaseLLM {
  readonly foreignModel: unknown
}

/** What a foreign prompt is built from: `template` or `selector`. */
export interface ForeignPromptTemplateOptions extends PromptOptions {
  /** The one foreign prompt. */
  template?: ForeignPrompt | null | undefined
  /** Foreign prompts chosen by a foreign model. */
  selector?: ForeignSelector | null | undefined
  /** A model that wraps no foreign model is refused. @defaultValue false */
  requiresForeignLlm?: boolean | undefined
}

export interface ForeignPromptTemplate extends ForeignPromptTemplateFields {}

const methods = ['partial', 'format', 'formatMessages'] as const

function isForeignPrompt(value: unknown): value is ForeignPrompt {
  const prompt = value as Partial<Record<string, unknown>> | null | undefined
  return (
    typeof prompt === 'object' &&
    prompt !== null &&
    Array.isArray(prompt['inputVariables']) &&
    methods.every((method) => typeof prompt[method] === 'function')
  )
}

/**
 * A prompt object of another framework as one of ours. Mappings and functions apply to the values of a call; then the foreign
 * prompt formats; then the output parser adds its part.
 */
export class ForeignPromptTemplate extends BasePromptTemplate {
  /** @throws {ModelValidationError} unless exactly one of `template` and `selector` is given. */
  constructor(options: ForeignPromptTemplateOptions) {
    const { template, selector, requiresForeignLlm, ...rest } = options
    const name = 'ForeignPromptTemplate'
    if (((template ?? null) === null) === ((selector ?? null) === null)) {
      throw new ModelValidationError(name, [
        { path: 'template', message: 'give exactly one of template and selector', code: 'required' },
      ])
    }
    const chosen = selector ?? { defaultPrompt: template!, conditionals: [] }
    const prompts = [
      chosen.defaultPrompt,
      ...(Array.isArray(chosen.conditionals) ? chosen.conditionals.map(([, prompt]) => prompt) : [undefined]),
    ]
    if (!prompts.every(isForeignPrompt)) {
      throw new ModelValidationError(name, [
        {
          path: selector ? 'selector' : 'template',
          message: `expected a foreign prompt with inputVariables and the methods ${methods.join(', ')}`,
          code: 'type',
        },
      ])
    }
    const { inputVariables, partialVariables } = chosen.defaultPrompt
    super({
      ...promptFieldsOf(name, rest),
      templateVars: [...inputVariables],
      kwargs: textsOf(partialVariables),
      selector: { defaultPrompt: chosen.defaultPrompt, conditionals: [...chosen.conditionals] },
      requiresForeignLlm,
    })
  }

  static override spec() {
    return foreignPromptTemplateSpec
  }

  protected static override fromFields(fields: Dict): Model {
    return new ForeignPromptTemplate(optionsFromFields(fields) as ForeignPromptTemplateOptions)
  }

  override format(vars: Variables = {}, { llm }: PromptFormatOptions = {}): string {
    const text = this.choose(llm).format(this.foreignValues(vars))
    return this.outputParser ? this.outputParser.format(text) : text
  }

  override formatMessages(vars: Variables = {}, { llm }: PromptFormatOptions = {}): ChatMessage[] {
    const messages = this.choose(llm).formatMessages(this.foreignValues(vars))
    return this.outputParser ? this.outputParser.formatMessages(messages) : messages
  }

  /** The text with the part of the output parser marked; the foreign prompt does not tell what came from which variable. */
  override formatWithSources(vars: Variables = {}, { llm }: PromptFormatOptions = {}): SourcedText {
    const text = this.choose(llm).format(this.foreignValues(vars))
    const filled: SourcedText = {
      text,
      sources: text === '' ? [] : [{ start: 0, end: text.length, source: 'template' }],
    }
    return this.outputParser ? surround(filled, this.outputParser.format(text), 'parser') : filled
  }

  override formatMessagesWithSources(vars?: Variables, options: PromptFormatOptions = {}): SourcedMessage[] {
    const before = this.choose(options.llm).formatMessages(this.foreignValues(vars ?? {}))
    return this.formatMessages(vars, options).map((message, index) => {
      const text = before[index] ? messageText(before[index]) : ''
      const filled: SourcedText = {
        text,
        sources: text === '' ? [] : [{ start: 0, end: text.length, source: 'template', message: index }],
      }
      return { message, sources: surround(filled, messageText(message), 'parser').sources }
    })
  }

  /** The text of the chosen foreign prompt, or its string form when it has none. */
  override getTemplate({ llm }: { llm?: BaseLLM | undefined } = {}): string {
    const prompt = this.choose(llm)
    return prompt.template ?? String(prompt)
  }

  /** The values, renamed by the mappings, are given to the default and all conditional foreign prompts. Functions do not run. */
  override partialFormat(vars: Variables): ForeignPromptTemplate {
    const renamed = Object.fromEntries(
      mappedValues({ kwargs: {}, templateVarMappings: this.templateVarMappings, functionMappings: null }, vars),
    )
    const { defaultPrompt, conditionals } = this.selector!
    return this.copy({
      update: {
        kwargs: { ...this.kwargs, ...storedValues(renamed) },
        metadata: { ...this.metadata },
        selector: {
          defaultPrompt: defaultPrompt.partial(renamed),
          conditionals: conditionals.map(([condition, prompt]) => [condition, prompt.partial(renamed)] as const),
        },
      } as unknown as Partial<this>,
    })
  }

  private choose(llm: BaseLLM | undefined): ForeignPrompt {
    const { defaultPrompt, conditionals } = this.selector!
    if (llm === undefined) return defaultPrompt
    if ('foreignModel' in llm)
      return conditionals.find(([condition]) => condition(llm.foreignModel))?.[1] ?? defaultPrompt
    if (this.requiresForeignLlm) throw new ForeignLLMRequiredError()
    return defaultPrompt
  }

  private foreignValues(vars: Variables): Record<string, unknown> {
    const { templateVarMappings, functionMappings } = this as VariableSources
    return Object.fromEntries(mappedValues({ kwargs: {}, templateVarMappings, functionMappings }, vars))
  }
}

/** Values that have a text form, as texts; others are left to the foreign prompt. */
function textsOf(values: Variables): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      ['string', 'number', 'boolean', 'bigint'].includes(typeof value) ? [[name, String(value)]] : [],
    ),
  )
}
