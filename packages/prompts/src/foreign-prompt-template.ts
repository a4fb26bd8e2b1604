/**
 * @module
 * Prompt templates that wrap a prompt of another framework.
 */
import {
  type BaseLLM,
  type ChatMessage,
  type Dict,
  type Model,
  ModelValidationError,
  type PromptFormatOptions,
} from '@x/core-model'
import { optionsFromFields, type PromptOptions, promptFieldsOf } from './base-prompt-template.ts'
import { ForeignLLMRequiredError } from './errors.ts'
// biome-ignore lint/suspicious/noImportCycles: only the generated types name the class
import { ForeignPromptTemplateModel } from './generated/foreign-prompt-template.ts'
import { mappedValues, storedValues, type VariableSources, type Variables } from './variable-values.ts'

/** The required interface of a prompt of another framework. All methods are synchronous. */
export interface ForeignPrompt {
  /** The names of the variables without a value. */
  readonly inputVariables: readonly string[]
  /** The stored values. */
  readonly partialVariables: Readonly<Record<string, unknown>>
  /** The source of the template, if available. */
  readonly template?: string | undefined
  /** Whether the prompt consists of messages. @defaultValue false */
  readonly isChat?: boolean | undefined
  /** Returns a prompt with more stored values. */
  partial(vars: Variables): ForeignPrompt
  /** Returns the formatted prompt as a string. */
  format(vars: Variables): string
  /** Returns the formatted prompt as messages. */
  formatMessages(vars: Variables): ChatMessage[]
}

/** Foreign prompts, of which one is selected by the foreign model. */
export interface ForeignSelector {
  readonly defaultPrompt: ForeignPrompt
  readonly conditionals: readonly (readonly [condition: (foreignModel: unknown) => boolean, prompt: ForeignPrompt])[]
}

/** Constructor options of `ForeignPromptTemplate`. Exactly one of `template` and `selector` is required. */
interface ForeignPromptTemplateOptions extends PromptOptions {
  /** The foreign prompt. */
  template?: ForeignPrompt | null | undefined
  /** Foreign prompts, of which one is selected by the foreign model. */
  selector?: ForeignSelector | null | undefined
  /** Whether a model must wrap a foreign model. @defaultValue false */
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

/** Returns the foreign prompts with more stored values. */
function partialSelector({ defaultPrompt, conditionals }: ForeignSelector, vars: Variables): ForeignSelector {
  return {
    defaultPrompt: defaultPrompt.partial(vars),
    conditionals: conditionals.map(([condition, prompt]) => [condition, prompt.partial(vars)] as const),
  }
}

/**
 * Wraps a prompt of another framework. First, mappings and functions are applied to the values of a call; then the foreign prompt is
 * formatted; then the output parser adds its instructions.
 * @throws {ModelValidationError} unless exactly one of `template` and `selector` is passed.
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
    const { template, selector, requiresForeignLlm, ...rest } = options ?? {}
    const name = 'ForeignPromptTemplate'
    if (((template ?? null) === null) === ((selector ?? null) === null)) {
      throw new ModelValidationError(name, [
        { path: 'template', message: 'expected exactly one of template and selector', code: 'required' },
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
    const fields = promptFieldsOf(name, chosen.defaultPrompt.inputVariables, rest)
    const stored = renamed(rest.vars ?? {}, rest.templateVarMappings ?? null)
    const prompts = stored.size > 0 ? partialSelector(chosen, Object.fromEntries(stored)) : chosen
    super({
      ...fields,
      templateVars: [...chosen.defaultPrompt.inputVariables],
      kwargs: {
        ...textsOf(chosen.defaultPrompt.partialVariables),
        ...storedValues(Object.fromEntries(stored), [...stored.keys()], null),
      },
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

  /** Returns the values that the foreign prompt receives, by the names in the foreign prompt. Values without a string form are omitted. */
  override resolveVars(vars: Variables = {}): Record<string, string> {
    const values = textsOf({ ...this.kwargs, ...this.foreignValues(vars) })
    return Object.fromEntries(Object.entries(values).filter(([name]) => this.templateVars.includes(name)))
  }

  override isChat({ llm }: { llm?: BaseLLM | undefined } = {}): boolean {
    return this.choose(llm).isChat ?? false
  }

  /** Returns the template of the selected foreign prompt, or its string form if it has no template. */
  override getTemplate({ llm }: { llm?: BaseLLM | undefined } = {}): string {
    const prompt = this.choose(llm)
    return prompt.template ?? String(prompt)
  }

  /** Stores the values, renamed by the mappings, in the default and all conditional foreign prompts. Functions do not run. */
  override partialFormat(vars: Variables): ForeignPromptTemplate {
    const stored = Object.fromEntries(renamed(vars, this.templateVarMappings))
    return this.copy({
      update: {
        kwargs: { ...this.kwargs, ...storedValues(stored, Object.keys(stored), null) },
        metadata: { ...this.metadata },
        selector: partialSelector(this.selector!, stored),
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

/** Renames values to the names of the foreign prompt. Functions do not run. */
function renamed(vars: Variables, templateVarMappings: VariableSources['templateVarMappings']): Map<string, unknown> {
  return mappedValues({ kwargs: {}, templateVarMappings, functionMappings: null }, vars)
}

/** Converts the values that have a string form to strings, and omits the others. */
function textsOf(values: Variables): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      ['string', 'number', 'boolean', 'bigint'].includes(typeof value) ? [[name, String(value)]] : [],
    ),
  )
}
