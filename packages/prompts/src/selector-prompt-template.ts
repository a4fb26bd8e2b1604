/**
 * @module
 * Prompt templates that select one of several templates by the model.
 */
import {
  type BaseLLM,
  type ChatMessage,
  type Dict,
  type DictOptions,
  type Model,
  ModelValidationError,
  type NestedClasses,
  type OutputParser,
  type PromptFormatOptions,
} from '@x/core-model'
import { type BasePromptTemplate, isPromptTemplate } from './base-prompt-template.ts'
import { ChatPromptTemplate } from './chat-prompt-template.ts'
// biome-ignore lint/suspicious/noImportCycles: only the generated types name the class
import { SelectorPromptTemplateModel } from './generated/selector-prompt-template.ts'
import { PromptTemplate } from './prompt-template.ts'
import type { Variables } from './variable-values.ts'

/** A condition on the model, and the template for models that meet it. */
export type Conditional = readonly [condition: (llm: BaseLLM) => boolean, template: BasePromptTemplate]

/** Constructor options of `SelectorPromptTemplate`. */
interface SelectorPromptTemplateOptions {
  /** Used without a model, or if no condition is true. */
  defaultTemplate: BasePromptTemplate
  /** Conditions in order; the first true condition is used. */
  conditionals?: readonly Conditional[] | null | undefined
  /** Applies to every selected template. @defaultValue the parser of the default template */
  outputParser?: OutputParser | null | undefined
}

/**
 * A prompt that consists of a default template and conditional templates. `metadata`, `kwargs` and `templateVars` are those of the
 * default template. The templates in the options are never changed.
 * @throws {ModelValidationError} if a template is not a prompt or a condition is not a function.
 * @example
 * const prompt = new SelectorPromptTemplate({
 *   defaultTemplate: new PromptTemplate({ template: 'Q: {q}' }),
 *   conditionals: [[isChatModel, ChatPromptTemplate.fromMessages([['user', '{q}']])]],
 * })
 * prompt.format({ q: 'Why?' }) // => 'Q: Why?'
 */
export class SelectorPromptTemplate extends SelectorPromptTemplateModel {
  constructor(options: SelectorPromptTemplateOptions) {
    const { defaultTemplate, conditionals = null, outputParser, ...rest } = options ?? {}
    checkConditionals(conditionals)
    const shown = isPromptTemplate(defaultTemplate)
      ? defaultTemplate
      : { metadata: {}, kwargs: {}, templateVars: [], outputParser: null }
    super({
      ...rest,
      metadata: { ...shown.metadata },
      kwargs: { ...shown.kwargs },
      templateVars: [...shown.templateVars],
      templateVarMappings: null,
      functionMappings: null,
      outputParser: outputParser === undefined ? shown.outputParser : outputParser,
      defaultTemplate,
      conditionals: conditionals?.map(([condition, template]) => [condition, template] as const),
    })
  }

  static override nested() {
    return { defaultTemplate: promptClasses() }
  }

  protected static override fromFields({ defaultTemplate, conditionals }: Dict): Model {
    return new SelectorPromptTemplate({
      defaultTemplate: defaultTemplate as BasePromptTemplate,
      conditionals: conditionals as Conditional[] | null,
    })
  }

  /**
   * Returns the template of the first condition that is true for the model, otherwise the default template. Without a model, returns the
   * default template. A parser of this selector replaces the parser of the template. Errors of conditions are thrown unchanged.
   */
  override select({ llm }: { llm?: BaseLLM | undefined } = {}): BasePromptTemplate {
    const chosen = llm === undefined ? undefined : this.conditionals?.find(([condition]) => condition(llm))
    const template = chosen?.[1] ?? this.defaultTemplate
    return this.outputParser === null || this.outputParser === template.outputParser
      ? template
      : withParser(template, this.outputParser)
  }

  override format(vars?: Variables, options: PromptFormatOptions = {}): string {
    return this.select(options).format(vars, options)
  }

  override formatMessages(vars?: Variables, options: PromptFormatOptions = {}): ChatMessage[] {
    return this.select(options).formatMessages(vars, options)
  }

  override getTemplate(options: { llm?: BaseLLM | undefined } = {}): string {
    return this.select(options).getTemplate(options)
  }

  override resolveVars(vars?: Variables, options: { llm?: BaseLLM | undefined } = {}): Record<string, string> {
    return this.select(options).resolveVars(vars, options)
  }

  override requiredNames(options: { llm?: BaseLLM | undefined } = {}): string[] {
    return this.select(options).requiredNames(options)
  }

  override isChat(options: { llm?: BaseLLM | undefined } = {}): boolean {
    return this.select(options).isChat(options)
  }

  /** Returns a selector that stores the values in its default and conditional templates, with the same parser. */
  override partialFormat(vars: Variables): SelectorPromptTemplate {
    return new SelectorPromptTemplate({
      defaultTemplate: this.defaultTemplate.partialFormat(vars),
      conditionals: this.conditionals?.map(
        ([condition, template]) => [condition, template.partialFormat(vars)] as const,
      ),
      outputParser: this.outputParser,
    })
  }

  override toDict(options?: DictOptions): Dict {
    const dict = super.toDict(options)
    // Conditions are functions and have no JSON form, so toJson throws for a selector with conditions.
    if (this.conditionals && 'conditionals' in dict) dict['conditionals'] = this.conditionals
    return dict
  }
}

/**
 * Returns the classes of a field that contains a prompt, for `nested()` of a model. Data without a class name, such as that of LlamaIndex
 * for Python, is recognized by its keys. `RichPromptTemplate` of the entry `@x/prompts/rich` is read if the registry contains it.
 */
export function promptClasses(): NestedClasses {
  return {
    classes: [PromptTemplate, ChatPromptTemplate, SelectorPromptTemplate],
    unnamed: (data) =>
      'message_templates' in data
        ? ChatPromptTemplate
        : 'default_template' in data
          ? SelectorPromptTemplate
          : 'template_str' in data
            ? 'RichPromptTemplate'
            : PromptTemplate,
  }
}

function checkConditionals(conditionals: unknown): void {
  if (conditionals === null || conditionals === undefined) return
  const issue = (path: string, message: string) => ({ path, message, code: 'type' })
  const issues = Array.isArray(conditionals)
    ? conditionals.flatMap((entry, index) => {
        const [condition, template] = Array.isArray(entry) ? entry : []
        return [
          ...(typeof condition === 'function'
            ? []
            : [issue(`conditionals[${index}][0]`, 'expected a function of the model')]),
          ...(isPromptTemplate(template) ? [] : [issue(`conditionals[${index}][1]`, 'expected a prompt template')]),
        ]
      })
    : [issue('conditionals', 'expected an array of pairs of a condition and a template')]
  if (issues.length > 0) throw new ModelValidationError('SelectorPromptTemplate', issues)
}

/** Returns a copy of the template with another parser. */
function withParser(template: BasePromptTemplate, outputParser: OutputParser): BasePromptTemplate {
  const view = template.copy()
  view.outputParser = outputParser
  return view
}
