/**
 * @module
 * Prompt templates that are one string.
 */

import { invalid } from '@x/core/reading'
import { kindOf } from '@x/core/values'
import {
  type BaseLLM,
  ChatMessage,
  type CopyOptions,
  type Dict,
  type Model,
  ModelValidationError,
  type PromptFormatOptions,
} from '@x/core-model'
import { fillTemplate, type TemplateParts } from '@x/core-model/text'
import { optionsFromFields, type PromptOptions, promptFieldsOf } from './base-prompt-template.ts'
import { type PromptTemplateFields, PromptTemplateModel } from './generated/prompt-template.ts'
import { keptParts, readingOf, readTemplate } from './template-parts.ts'
import type { CallerNames, FormatArguments, NamesOf, StoredVariables, VariableOptions } from './template-variables.ts'
import { fillWith, type VariableSources } from './variable-values.ts'

/** Constructor options of `PromptTemplate`. */
export interface PromptTemplateOptions<
  Template extends string = string,
  Mappings = Record<string, string>,
  Given extends string = string,
  Computed extends string = string,
  Declared extends string = string,
> extends Omit<PromptOptions, keyof VariableOptions>,
    VariableOptions<Mappings, Given, Computed, Declared> {
  /** The template. `{name}` is a variable; `{{` and `}}` are braces. */
  template: Template
}

/** The parsed templates of text prompts. */
export const textParts = /* @__PURE__ */ keptParts(
  ({ template, templateFormat, templateVars }: PromptTemplateFields): TemplateParts =>
    readTemplate(template, { templateFormat, declared: templateVars }),
)

/**
 * A prompt of one string with variables. If the template is a literal, the compiler checks the variables of each call.
 * @throws {TemplateSyntaxError} with the position and a hint.
 * @throws {InvalidVariableError} for a stored value without text form.
 * @example
 * const prompt = new PromptTemplate({ template: 'Translate to {language}: {text}' })
 * prompt.format({ language: 'French', text: 'good morning' }) // => 'Translate to French: good morning'
 * prompt.partialFormat({ language: 'Greek' }).format({ text: 'yes' }) // => 'Translate to Greek: yes'
 */
export class PromptTemplate<
  const Template extends string = string,
  const Mappings extends Readonly<Record<string, string>> = Record<string, string>,
  Given extends string = never,
  Computed extends string = never,
  Declared extends string = never,
> extends PromptTemplateModel {
  constructor(options: PromptTemplateOptions<Template, Mappings, Given, Computed, Declared>) {
    const { template, templateFormat, templateVars, ...rest } = options ?? {}
    const name = 'PromptTemplate'
    if (typeof options === 'string') throw invalid(name, `an object, such as { template: 'Hello {name}' }`, options)
    if (typeof template !== 'string')
      throw new ModelValidationError(name, [
        template === undefined
          ? { path: 'template', message: 'required, but missing', code: 'required' }
          : { path: 'template', message: `expected a string, received ${kindOf(template)}`, code: 'type' },
      ])
    const reading = readingOf(name, templateFormat, templateVars)
    const read = readTemplate(template, reading)
    super({
      ...promptFieldsOf(name, read.names, rest as PromptOptions),
      template,
      templateFormat: reading.templateFormat,
      templateVars: read.names,
    })
    textParts.keep(this, read)
  }

  protected static override fromFields(fields: Dict): Model {
    return new this(optionsFromFields(fields) as unknown as PromptTemplateOptions<string>)
  }

  /** Fills the template, then applies the output parser, then `completionToPrompt`. `llm` and `messagesToPrompt` are not used. */
  override format(
    ...[vars = {}, options]: FormatArguments<
      NamesOf<Template, Declared>,
      Mappings,
      Given,
      Computed,
      PromptFormatOptions
    >
  ): string {
    const sources = this as VariableSources & this
    const text = fillWith(sources, vars, (valueOf) => fillTemplate(textParts.of(this), valueOf))
    const parsed = this.outputParser === null ? text : this.outputParser.format(text)
    return options?.completionToPrompt ? options.completionToPrompt(parsed) : parsed
  }

  /** Returns one user message with the result of `format`. */
  override formatMessages(
    ...args: FormatArguments<NamesOf<Template, Declared>, Mappings, Given, Computed, PromptFormatOptions>
  ): ChatMessage[] {
    return [new ChatMessage({ content: this.format(...args) })]
  }

  override getTemplate(_options?: { llm?: BaseLLM | undefined }): string {
    return this.template
  }

  override partialFormat<const More extends string>(
    vars: StoredVariables<More, CallerNames<NamesOf<Template, Declared>, Mappings>, Computed>,
  ): PromptTemplate<Template, Mappings, Given | More, Computed, Declared> {
    return this.copy({ update: this.withValues(vars) as Partial<this> }) as unknown as PromptTemplate<
      Template,
      Mappings,
      Given | More,
      Computed,
      Declared
    >
  }

  override copy(options?: CopyOptions<this>): this {
    const copied = super.copy(options)
    if (copied.template === this.template && copied.templateFormat === this.templateFormat)
      textParts.keep(copied, textParts.of(this))
    return copied
  }
}
