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
import { optionsFromFields, type PromptOptions, promptFieldsOf } from './base-prompt-template.ts'
import { ForeignLLMRequiredError } from './errors.ts'
import { ForeignPromptTemplateModel } from './generated/foreign-prompt-template.ts'
import { type SourcedMessage, type SourcedText, surround, wholeText } from './source-map.ts'
import { mappedValues, storedValues, type VariableSources, type Variables } from './variable-values.ts'

/** What is needed of a prompt object of another framework. All operations are synchronous. */
export interface ForeignPrompt {
  /** Names that have to be given. */
  readonly inputVariables: readonly string[]
  /** Values that are given already. */
  readonly partialVariables: Readonly<Record<string, unknown>>
  /** The text as written, when there is one. */
  readonly template?: string | undefined
  /** Its natural form are messages. @defaultValue false */
  readonly isChat?: boolean | undefined
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

/** The foreign prompts with more values given. */
function partialSelector({ defaultPrompt, conditionals }: ForeignSelector, vars: Variables): ForeignSelector {
  return {
    defaultPrompt: defaultPrompt.partial(vars),
    conditionals: conditionals.map(([condition, prompt]) => [condition, prompt.partial(vars)] as const),
  }
}

/**
 * A prompt object of another framework as one of ours. Mappings and functions apply to the values of a call; then the foreign
 * prompt formats; then the output parser adds its part.
 * @throws {ModelValidationError} unless exactly one of `template` and `selector` is given.
 * @example
 * const shout: ForeignPrompt = {
 *   inputVariables: ['word'],
 *   partialVariables: {},
 *   partial: () => shout,
 *   format: ({ word }) => `${word}!`,
 *   formatMessages: ({ word }) => [new ChatMessage({ content: `${word}!` })],
 * }
 * new ForeignPromptTemplate({ template: shout, templateVarMappings: { text: 'word' } }).format({ text: 'Hey' }) // => 'Hey!'
 */
export class ForeignPromptTemplate extends ForeignPromptTemplateModel {
  constructor(options: ForeignPromptTemplateOptions) {
    const { template, selector, requiresForeignLlm, ...rest } = options
    const name = 'ForeignPromptTemplate'
    if (((template ?? null) === null) === ((selector ?? null) === null)) {
      throw new ModelValidationError(name, [
        { path: 'template', message: 'give exactly one of template and selector', code: 'required' },
      ])
    }
    const chosen = selector ?? { defaultPrompt: template!, conditionals: [] }
    const all = [
      chosen.defaultPrompt,
      ...(Array.isArray(chosen.conditionals) ? chosen.conditionals.map(([, prompt]) => prompt) : [undefined]),
    ]
    if (!all.every(isForeignPrompt)) {
      throw new ModelValidationError(name, [
        {
          path: selector ? 'selector' : 'template',
          message: `expected a foreign prompt with inputVariables and the methods ${methods.join(', ')}`,
          code: 'type',
        },
      ])
    }
    const fields = promptFieldsOf(name, rest)
    const given = renamed(rest.vars ?? {}, rest.templateVarMappings ?? null)
    const prompts = given.size > 0 ? partialSelector(chosen, Object.fromEntries(given)) : chosen
    super({
      ...fields,
      templateVars: [...chosen.defaultPrompt.inputVariables],
      kwargs: { ...textsOf(chosen.defaultPrompt.partialVariables), ...storedValues(Object.fromEntries(given)) },
      selector: { defaultPrompt: prompts.defaultPrompt, conditionals: [...prompts.conditionals] },
      requiresForeignLlm,
    })
  }

  protected static override fromFields(fields: Dict): Model {
    return new this(optionsFromFields(fields) as ForeignPromptTemplateOptions)
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
    const filled = wholeText(this.choose(llm).format(this.foreignValues(vars)))
    return this.outputParser ? surround(filled, this.outputParser.format(filled.text), 'parser') : filled
  }

  override formatMessagesWithSources(vars: Variables = {}, { llm }: PromptFormatOptions = {}): SourcedMessage[] {
    const messages = this.choose(llm).formatMessages(this.foreignValues(vars))
    const before = messages.map((message) => wholeText(messageText(message)))
    const final = this.outputParser ? this.outputParser.formatMessages(messages) : messages
    return final.map((message, index) => ({
      message,
      sources: surround(before[index] ?? wholeText(''), messageText(message), 'parser').sources,
    }))
  }

  /** The values that the foreign prompt gets, by its own names; those without a text form are left out. */
  override resolveVars(vars: Variables = {}): Record<string, string> {
    const values = textsOf({ ...this.kwargs, ...this.foreignValues(vars) })
    return Object.fromEntries(Object.entries(values).filter(([name]) => this.templateVars.includes(name)))
  }

  override isChat({ llm }: { llm?: BaseLLM | undefined } = {}): boolean {
    return this.choose(llm).isChat ?? false
  }

  /** The text of the chosen foreign prompt, or its string form when it has none. */
  override getTemplate({ llm }: { llm?: BaseLLM | undefined } = {}): string {
    const prompt = this.choose(llm)
    return prompt.template ?? String(prompt)
  }

  /** The values, renamed by the mappings, are given to the default and all conditional foreign prompts. Functions do not run. */
  override partialFormat(vars: Variables): ForeignPromptTemplate {
    const given = Object.fromEntries(renamed(vars, this.templateVarMappings))
    return this.copy({
      update: {
        kwargs: { ...this.kwargs, ...storedValues(given) },
        metadata: { ...this.metadata },
        selector: partialSelector(this.selector!, given),
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

/** Values under the names of the foreign prompt; functions do not run. */
function renamed(vars: Variables, templateVarMappings: VariableSources['templateVarMappings']): Map<string, unknown> {
  return mappedValues({ kwargs: {}, templateVarMappings, functionMappings: null }, vars)
}

/** Values that have a text form, as texts; others are left to the foreign prompt. */
function textsOf(values: Variables): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      ['string', 'number', 'boolean', 'bigint'].includes(typeof value) ? [[name, String(value)]] : [],
    ),
  )
}
