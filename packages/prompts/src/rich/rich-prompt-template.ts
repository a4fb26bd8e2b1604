/**
 * @module
 * Prompt templates in the Jinja syntax of newer versions of LlamaIndex for Python.
 */
import { invalid } from '@x/core/reading'
import {
  ChatMessage,
  type ContentPart,
  type CopyOptions,
  type Dict,
  isTextPart,
  MissingVariableError,
  type Model,
  messagesToPrompt,
  type PromptFormatOptions,
} from '@x/core-model'
import { optionsFromFields, type PromptOptions, promptFieldsOf } from '../base-prompt-template.ts'
import { RichPromptTemplateModel } from '../generated/rich-prompt-template.ts'
import type { SourcedMessage, SourcedText, SourceSpan } from '../source-map.ts'
import { keptParts } from '../template-parts.ts'
import type { StoredVariables, VariableOptions } from '../template-variables.ts'
import { mappedValues, unknownNames, type VariableSources, type Variables } from '../variable-values.ts'
import { type JinjaTemplate, readJinja } from './jinja-parser.ts'
import { strip } from './python-text.ts'
import type { RichArguments, RichNames, RichRequired } from './rich-variables.ts'
import type { ChatBlock, Fragment, Run } from './scope.ts'

/** Constructor options of `RichPromptTemplate`. */
export interface RichPromptTemplateOptions<
  Template extends string = string,
  Mappings = Record<string, string>,
  Given extends string = string,
  Computed extends string = string,
  Missing extends 'throw' | 'empty' = 'throw' | 'empty',
> extends Omit<PromptOptions, keyof VariableOptions>,
    Omit<VariableOptions<Mappings, Given, Computed>, 'templateFormat' | 'templateVars' | 'vars'> {
  /** The Jinja template. */
  templateStr: Template
  /** What a variable without a value is where its value is needed: an error, or an empty string as in Python. @defaultValue 'throw' */
  onMissing?: Missing | undefined
  /** Stored values, of any type. */
  vars?: Readonly<Record<Given, unknown>> | undefined
}

const templates = /* @__PURE__ */ keptParts(
  ({ templateStr }: { readonly templateStr: string }): JinjaTemplate => readJinja(templateStr),
)

/**
 * A prompt in Jinja syntax, as `RichPromptTemplate` of LlamaIndex for Python (from 0.12.27 on): loops, conditions, filters, chat blocks and
 * images. If the template is a literal, the compiler checks the variables of each call. No code of a template is executed; the methods of
 * values are not called.
 * @throws {TemplateSyntaxError} with the position and a hint.
 * @see https://jinja.palletsprojects.com/en/stable/templates/
 * @example
 * const prompt = new RichPromptTemplate({ templateStr: '{% for node in nodes %}{{ loop.index }}. {{ node.text }}\n{% endfor %}' })
 * prompt.format({ nodes: [{ text: 'one' }, { text: 'two' }] }) // => '1. one\n2. two\n'
 */
export class RichPromptTemplate<
  const Template extends string = string,
  const Mappings extends Readonly<Record<string, string>> = Record<string, string>,
  Given extends string = never,
  Computed extends string = never,
  Missing extends 'throw' | 'empty' = 'throw',
> extends RichPromptTemplateModel {
  constructor(options: RichPromptTemplateOptions<Template, Mappings, Given, Computed, Missing>) {
    const { templateStr, onMissing, ...given } = options ?? {}
    const rest = given as PromptOptions
    if (typeof templateStr !== 'string') throw invalid('RichPromptTemplate', 'a string', templateStr, ['templateStr'])
    const read = readJinja(templateStr)
    const fields = promptFieldsOf('RichPromptTemplate', null, rest)
    // Python writes no kind for these prompts.
    const metadata = rest.promptType === undefined ? { ...rest.metadata } : fields['metadata']
    super({ ...fields, metadata, templateStr, onMissing, templateVars: [...read.names] })
    templates.keep(this, read)
  }

  protected static override fromFields(fields: Dict): Model {
    const { templateVars, ...options } = optionsFromFields(fields)
    const prompt = new this(options as unknown as RichPromptTemplateOptions)
    const given = new Set(templateVars as string[])
    // Python writes the names in any order, and reads the ones it wrote.
    const same = given.size === prompt.templateVars.length && prompt.templateVars.every((name) => given.has(name))
    return same ? prompt.copy({ update: { templateVars: [...given] } as Dict }) : prompt
  }

  /** Whether the template has chat blocks. */
  override isChat(): boolean {
    return this.templateStr.includes('endchat')
  }

  override requiredNames(): string[] {
    const free = new Set(super.requiredNames())
    const { required } = templates.of(this)
    const callerNames = new Map(Object.entries(this.templateVarMappings ?? {}).map(([caller, name]) => [name, caller]))
    return required.map((name) => callerNames.get(name) ?? name).filter((name) => free.has(name))
  }

  /** Returns the values that have a string form; objects and arrays are written as JSON. */
  override resolveVars(vars: Variables = {}): Record<string, string> {
    const values = [...mappedValues(this as VariableSources, vars)].filter(([name]) => this.templateVars.includes(name))
    return Object.fromEntries(
      values.map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : String(value)]),
    )
  }

  /** Returns the text or, with chat blocks, the messages as one string. */
  override format(
    ...args: RichArguments<
      RichNames<Template, Mappings>,
      RichRequired<Template, Mappings, Given | Computed, Missing>,
      PromptFormatOptions
    >
  ): string {
    const [vars = {}, options] = args as [Variables?, PromptFormatOptions?]
    if (this.isChat())
      return (options?.messagesToPrompt ?? messagesToPrompt)(parsedMessages(this as RichPromptTemplate, vars))
    const { text } = joined(runOf(this as RichPromptTemplate, vars)[0])
    const parsed = this.outputParser === null ? text : this.outputParser.format(text)
    return options?.completionToPrompt ? options.completionToPrompt(parsed) : parsed
  }

  /** Returns the messages of the chat blocks; without any, one user message. The text of a message is trimmed, as in Python. */
  override formatMessages(
    ...args: RichArguments<
      RichNames<Template, Mappings>,
      RichRequired<Template, Mappings, Given | Computed, Missing>,
      PromptFormatOptions
    >
  ): ChatMessage[] {
    return parsedMessages(this as RichPromptTemplate, args[0] ?? {})
  }

  override getTemplate(): string {
    return this.templateStr
  }

  override partialFormat<const More extends string>(
    vars: StoredVariables<More, RichNames<Template, Mappings>, Computed>,
  ): RichPromptTemplate<Template, Mappings, Given | More, Computed, Missing> {
    return this.copy({ update: this.withValues(vars) as Partial<this> }) as unknown as RichPromptTemplate<
      Template,
      Mappings,
      Given | More,
      Computed,
      Missing
    >
  }

  protected override insertedNames(): null {
    return null
  }

  override copy(options?: CopyOptions<this>): this {
    const copied = super.copy(options)
    if (copied.templateStr === this.templateStr) templates.keep(copied, templates.of(this))
    return copied
  }

  /** Returns the text before the output parser with its sources; null if the template has chat blocks. @internal */
  sourcedText(vars: Variables): SourcedText | null {
    return this.isChat() ? null : joined(runOf(this as RichPromptTemplate, vars)[0])
  }

  /** Returns the messages before the output parser with their sources. @internal */
  sourcedMessages(vars: Variables): SourcedMessage[] {
    const [outside, chats] = runOf(this as RichPromptTemplate, vars)
    const blocks: readonly ChatBlock[] = chats.length > 0 ? chats : [{ role: 'user', fragments: outside }]
    return blocks.map(messageFrom)
  }
}

function parsedMessages(prompt: RichPromptTemplate, vars: Variables): ChatMessage[] {
  const messages = prompt.sourcedMessages(vars).map(({ message }) => message)
  return prompt.outputParser === null ? messages : prompt.outputParser.formatMessages(messages)
}

/** Returns the text outside of chat blocks, and the chat blocks. */
function runOf(prompt: RichPromptTemplate, vars: Variables): [text: Fragment[], chats: readonly ChatBlock[]] {
  const sources = prompt as VariableSources & RichPromptTemplate
  const values = mappedValues(sources, vars)
  const isStrict = prompt.onMissing === 'throw'
  const run: Run = { valueOf: (name) => values.get(name), isStrict, missing: new Set(), chats: [], rounds: 0 }
  const fragments: Fragment[] = []
  templates.of(prompt).render({ run, names: Object.create(null) }, fragments)
  if (run.missing.size > 0 && isStrict) throw new MissingVariableError([...run.missing], unknownNames(sources, vars))
  return [fragments, run.chats]
}

/** Joins fragments. Parts are written as marked JSON. */
function joined(fragments: readonly Fragment[]): SourcedText {
  const sources: SourceSpan[] = []
  let text = ''
  for (const { text: piece, span } of fragments) {
    if (piece !== '') sources.push({ start: text.length, end: text.length + piece.length, ...span })
    text += piece
  }
  return { text, sources }
}

/** Returns a string without white space at its ends. */
function trimmed({ text, sources }: SourcedText): SourcedText {
  const end = strip(text, null, false).length
  const start = Math.min(text.length - strip(text, null, true, false).length, end)
  const inside = sources.filter((span) => span.end > start && span.start < end)
  return {
    text: text.slice(start, end),
    sources: inside.map((span) => ({
      ...span,
      start: Math.max(span.start, start) - start,
      end: Math.min(span.end, end) - start,
    })),
  }
}

function messageFrom({ role, fragments }: ChatBlock, message: number): SourcedMessage {
  const parts: { part: ContentPart; sources: SourceSpan[] }[] = []
  let before: Fragment[] = []
  const addText = () => {
    const { text, sources } = trimmed(joined(before))
    if (text !== '') parts.push({ part: { type: 'text', text }, sources })
    before = []
  }
  for (const fragment of fragments) {
    const { part } = fragment
    if (!part) before.push(fragment)
    else {
      addText()
      const sources: SourceSpan[] = isTextPart(part) ? [{ start: 0, end: part.text.length, source: 'template' }] : []
      parts.push({ part, sources })
    }
  }
  if (parts.length === 0 && before.every(({ text }) => strip(text) === '')) {
    const { text, sources } = joined(before)
    return sourced(role, text, sources, message)
  }
  addText()
  const [first] = parts
  if (parts.length === 1 && isTextPart(first!.part) && Object.keys(first!.part).length === 2)
    return sourced(role, first!.part.text, first!.sources, message)
  return sourced(
    role,
    parts.map(({ part }) => part),
    parts.flatMap(({ sources }, index) => sources.map((span) => ({ ...span, part: index }))),
    message,
  )
}

function sourced(
  role: string,
  content: string | ContentPart[],
  sources: SourceSpan[],
  message: number,
): SourcedMessage {
  return {
    message: new ChatMessage({ role: role as 'user', content }),
    sources: sources.map((span) => ({ ...span, message })),
  }
}
