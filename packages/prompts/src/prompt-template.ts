/**
 * @module
 * A prompt that is one text.
 */
import {
  type BaseLLM,
  ChatMessage,
  type Dict,
  type DictOptions,
  fillTemplate,
  kindOf,
  type Model,
  ModelValidationError,
  type PromptFormatOptions,
  type TemplateParts,
} from '@x/core-model'
import { BasePromptTemplate, optionsFromFields, type PromptOptions, promptFieldsOf } from './base-prompt-template.ts'
import { type PromptTemplateFields, promptTemplateSpec } from './generated/models.ts'
import { fillWithSources, type SourcedMessage, type SourcedText, surround } from './source-map.ts'
import { readingOf, readTemplate } from './template-parts.ts'
import type { FormatArguments, NamesIn, RequiredNames } from './template-variables.ts'
import {
  storedValues,
  type VariableFunction,
  type VariableSources,
  type Variables,
  valueLookup,
} from './variable-values.ts'

/** What a text prompt is built from. */
export interface PromptTemplateOptions<
  Template extends string = string,
  Mappings = Record<string, string>,
  Given extends string = string,
  Computed extends string = string,
> extends Omit<PromptOptions, 'templateVarMappings' | 'vars' | 'functionMappings'> {
  /** The text; `{name}` is a variable, `{{` and `}}` are braces. */
  template: Template
  /** `literal`: exactly `{name}` of a name in `templateVars` is a variable, all other braces are text. */
  templateFormat?: 'literal' | null | undefined
  /** The variable names of a literal template. */
  templateVars?: readonly string[] | undefined
  templateVarMappings?: Mappings | null | undefined
  vars?: Readonly<Record<Given, unknown>> | undefined
  functionMappings?: Readonly<Record<Computed, VariableFunction>> | null | undefined
}

export interface PromptTemplate extends PromptTemplateFields {}

/** The texts and names of a prompt, read once per template text. */
const partsOfPrompt = new WeakMap<object, TemplateParts>()

/**
 * One text with variables. For a template given as a literal the compiler knows which variables a call must give.
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
> extends BasePromptTemplate {
  /**
   * @throws {TemplateSyntaxError} saying where and how to write it.
   * @throws {InvalidVariableError} for a stored value without text form.
   */
  constructor(options: PromptTemplateOptions<Template, Mappings, Given, Computed>) {
    const { template, templateFormat, templateVars, ...rest } = options
    const name = 'PromptTemplate'
    if (typeof template !== 'string')
      throw new ModelValidationError(name, [
        {
          path: 'template',
          message: template === undefined ? 'required, but not given' : `expected a string, got ${kindOf(template)}`,
          code: template === undefined ? 'required' : 'type',
        },
      ])
    const reading = readingOf(name, templateFormat, templateVars)
    const parts = readTemplate(template, reading)
    super({
      ...promptFieldsOf(name, rest as PromptOptions),
      template,
      templateFormat: reading.templateFormat,
      templateVars: parts.names,
    })
    partsOfPrompt.set(this, parts)
  }

  static override spec() {
    return promptTemplateSpec
  }

  protected static override fromFields(fields: Dict): Model {
    return new PromptTemplate(optionsFromFields(fields) as unknown as PromptTemplateOptions)
  }

  /** The filled text; then the output parser's addition; then `completionToPrompt`. `llm` and `messagesToPrompt` are not used. */
  override format(
    ...[vars = {}, options]: FormatArguments<
      string extends Template ? string : RequiredNames<NamesIn<Template>, Mappings, Given | Computed>,
      PromptFormatOptions
    >
  ): string {
    const text = fillTemplate(partsOf(this), valueLookup(this as VariableSources, vars))
    const parsed = this.outputParser === null ? text : this.outputParser.format(text)
    return options?.completionToPrompt ? options.completionToPrompt(parsed) : parsed
  }

  /** One user message with the result of `format`. */
  override formatMessages(
    ...args: FormatArguments<
      string extends Template ? string : RequiredNames<NamesIn<Template>, Mappings, Given | Computed>,
      PromptFormatOptions
    >
  ): ChatMessage[] {
    return [new ChatMessage({ content: this.format(...args) })]
  }

  override getTemplate(_options?: { llm?: BaseLLM | undefined }): string {
    return this.template
  }

  override partialFormat<const More extends string>(
    vars: Readonly<Record<More, unknown>>,
  ): PromptTemplate<Template, Mappings, Given | More, Computed> {
    const partial = this.copy({
      update: { kwargs: { ...this.kwargs, ...storedValues(vars) }, metadata: { ...this.metadata } } as Partial<this>,
    })
    return partial as unknown as PromptTemplate<Template, Mappings, Given | More, Computed>
  }

  override formatWithSources(vars: Variables = {}, { completionToPrompt }: PromptFormatOptions = {}): SourcedText {
    const parts = partsOf(this)
    const valueOf = valueLookup(this as VariableSources, vars)
    fillTemplate(parts, valueOf) // names all missing variables at once
    const filled = fillWithSources(parts, (name) => valueOf(name)!, this.templateFormat !== 'literal')
    const parsed = this.outputParser ? surround(filled, this.outputParser.format(filled.text), 'parser') : filled
    return completionToPrompt ? surround(parsed, completionToPrompt(parsed.text), 'rendering') : parsed
  }

  override formatMessagesWithSources(vars?: Variables, options?: PromptFormatOptions): SourcedMessage[] {
    const { text, sources } = this.formatWithSources(vars, options)
    return [{ message: new ChatMessage({ content: text }), sources }]
  }

  override toDict(options?: DictOptions): Dict {
    return withoutDefaultFormat(super.toDict(options))
  }
}

/** The wire form without `template_format`, which is written only when it is not the default. */
export function withoutDefaultFormat(dict: Dict): Dict {
  if (dict['template_format'] === null) delete dict['template_format']
  return dict
}

/** The parts of a prompt; copies read their template again, once. */
function partsOf(prompt: {
  template: string
  templateFormat: 'literal' | null
  templateVars: string[]
}): TemplateParts {
  let parts = partsOfPrompt.get(prompt)
  if (parts === undefined) {
    parts = readTemplate(prompt.template, { templateFormat: prompt.templateFormat, declared: prompt.templateVars })
    partsOfPrompt.set(prompt, parts)
  }
  return parts
}
