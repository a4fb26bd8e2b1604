/**
 * @module
 * A prompt that is chosen by the model it is for.
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
import { SelectorPromptTemplateModel } from './generated/selector-prompt-template.ts'
import { PromptTemplate } from './prompt-template.ts'
import type { SourcedMessage, SourcedText } from './source-map.ts'
import type { Variables } from './variable-values.ts'

/** A condition on the model, and the template for models that fulfil it. */
export type Conditional = readonly [condition: (llm: BaseLLM) => boolean, template: BasePromptTemplate]

/** What a selector is built from. */
export interface SelectorPromptTemplateOptions {
  /** Taken without a model, or when no condition holds. */
  defaultTemplate: BasePromptTemplate
  /** Conditions in order; the first that holds wins. */
  conditionals?: readonly Conditional[] | null | undefined
  /** Applies to whatever template is selected. @defaultValue the default template's parser */
  outputParser?: OutputParser | null | undefined
}

/**
 * A default template and conditional ones. Metadata, stored values and variables shown are those of the default template.
 * Choosing never writes into the templates that were given.
 * @throws {ModelValidationError} when a template is no prompt or a condition no function.
 * @example
 * const prompt = new SelectorPromptTemplate({
 *   defaultTemplate: new PromptTemplate({ template: 'Q: {q}' }),
 *   conditionals: [[isChatModel, ChatPromptTemplate.fromMessages([['user', '{q}']])]],
 * })
 * prompt.format({ q: 'Why?' }) // => 'Q: Why?'
 */
export class SelectorPromptTemplate extends SelectorPromptTemplateModel {
  constructor(options: SelectorPromptTemplateOptions) {
    const { defaultTemplate, conditionals = null, outputParser } = options
    checkConditionals(conditionals)
    const shown = isPromptTemplate(defaultTemplate)
      ? defaultTemplate
      : { metadata: {}, kwargs: {}, templateVars: [], outputParser: null }
    super({
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
   * The template for a model, with this selector's parser when it has one. Without a model the default; else the first whose
   * condition holds; else the default. Errors of a condition pass through.
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

  override formatWithSources(vars?: Variables, options: PromptFormatOptions = {}): SourcedText {
    return this.select(options).formatWithSources(vars, options)
  }

  override formatMessagesWithSources(vars?: Variables, options: PromptFormatOptions = {}): SourcedMessage[] {
    return this.select(options).formatMessagesWithSources(vars, options)
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

  /** A selector whose default and conditional templates all have the stored values; a parser that was assigned is kept. */
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
    // Conditions are functions: they stay live objects here and keep the selector from being written as JSON.
    if (this.conditionals && 'conditionals' in dict) dict['conditionals'] = this.conditionals
    return dict
  }
}

/**
 * The classes that a field with a prompt may contain, for `nested()` of a model. Data without a class name, such as that of the
 * Python library, is recognized by its keys.
 */
export function promptClasses(): NestedClasses {
  return {
    classes: [PromptTemplate, ChatPromptTemplate, SelectorPromptTemplate],
    unnamed: (data) =>
      'message_templates' in data
        ? ChatPromptTemplate
        : 'default_template' in data
          ? SelectorPromptTemplate
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
    : [issue('conditionals', 'expected a list of pairs of a condition and a template')]
  if (issues.length > 0) throw new ModelValidationError('SelectorPromptTemplate', issues)
}

/** The template with another parser; the given one is not touched. */
function withParser(template: BasePromptTemplate, outputParser: OutputParser): BasePromptTemplate {
  const view = template.copy()
  view.outputParser = outputParser
  return view
}
