/**
 * @module
 * A prompt that is a list of chat messages.
 */
import {
  type BaseLLM,
  ChatMessage,
  type ChatMessageOptions,
  type Dict,
  type DictOptions,
  deepCopy,
  fillTemplate,
  isTextPart,
  type MessageRole,
  type Model,
  messagesToPrompt,
  messageText,
  type PromptFormatOptions,
  type TemplateParts,
} from '@x/core-model'
import { BasePromptTemplate, optionsFromFields, type PromptOptions, promptFieldsOf } from './base-prompt-template.ts'
import { type ChatPromptTemplateFields, chatPromptTemplateSpec } from './generated/models.ts'
import { withoutDefaultFormat } from './prompt-template.ts'
import { fillWithSources, type SourcedMessage, type SourcedText, surround } from './source-map.ts'
import { readingOf, readTemplate, type TemplateReading } from './template-parts.ts'
import type { FormatArguments, NamesIn, RequiredNames } from './template-variables.ts'
import {
  storedValues,
  type VariableFunction,
  type VariableSources,
  type Variables,
  valueLookup,
} from './variable-values.ts'

/** What a message of a chat prompt is built from. */
export type MessageTemplate = ChatMessageOptions | ChatMessage

/** The variable names of message templates; open when one of them is not known to the compiler. */
export type NamesInMessages<
  Messages extends readonly unknown[],
  Found extends string = never,
> = number extends Messages['length']
  ? string
  : Messages extends readonly [infer First, ...infer Rest]
    ? First extends { readonly content: infer Content }
      ? Content extends string
        ? string extends Content
          ? string
          : NamesInMessages<Rest, Found | NamesIn<Content>>
        : string
      : NamesInMessages<Rest, Found>
    : Found

/** What a chat prompt is built from. */
export interface ChatPromptTemplateOptions<
  Messages extends readonly MessageTemplate[] = readonly MessageTemplate[],
  Mappings = Record<string, string>,
  Given extends string = string,
  Computed extends string = string,
> extends Omit<PromptOptions, 'templateVarMappings' | 'vars' | 'functionMappings'> {
  /** The messages; `{name}` is a variable, `{{` and `}}` are braces; in list content the text parts are templates. */
  messageTemplates: Messages
  /** `literal`: exactly `{name}` of a name in `templateVars` is a variable, all other braces are text. */
  templateFormat?: 'literal' | null | undefined
  /** The variable names of literal templates. */
  templateVars?: readonly string[] | undefined
  templateVarMappings?: Mappings | null | undefined
  vars?: Readonly<Record<Given, unknown>> | undefined
  functionMappings?: Readonly<Record<Computed, VariableFunction>> | null | undefined
}

export interface ChatPromptTemplate extends ChatPromptTemplateFields {}

/** The parts of one message: of its text, or of each of its content parts (null: copied as it is). */
type MessageParts = TemplateParts | (TemplateParts | null)[] | null

const partsOfPrompt = new WeakMap<object, MessageParts[]>()

/**
 * Chat messages with variables. For messages given as literals the compiler knows which variables a call must give.
 * @example
 * const prompt = ChatPromptTemplate.fromMessages([
 *   ['system', 'You speak {language}.'],
 *   ['user', '{question}'],
 * ])
 * prompt.formatMessages({ language: 'Greek', question: 'Hello?' }).map(String) // => ['system: You speak Greek.', 'user: Hello?']
 */
export class ChatPromptTemplate<
  const Messages extends readonly MessageTemplate[] = readonly MessageTemplate[],
  const Mappings extends Readonly<Record<string, string>> = Record<string, string>,
  Given extends string = never,
  Computed extends string = never,
> extends BasePromptTemplate {
  /**
   * @throws {TemplateSyntaxError} saying in which message and where.
   * @throws {InvalidVariableError} for a stored value without text form.
   */
  constructor(options: ChatPromptTemplateOptions<Messages, Mappings, Given, Computed>) {
    const { messageTemplates, templateFormat, templateVars, ...rest } = options
    const name = 'ChatPromptTemplate'
    const reading = readingOf(name, templateFormat, templateVars)
    const parts = Array.isArray(messageTemplates) ? readMessages(messageTemplates, reading) : []
    // The result of formatting is independent of the messages given here, so theirs may be shared.
    super({
      ...promptFieldsOf(name, rest as PromptOptions),
      messageTemplates,
      templateFormat: reading.templateFormat,
      templateVars: parts.flatMap(namesOf),
    })
    partsOfPrompt.set(this, parts)
  }

  static override spec() {
    return chatPromptTemplateSpec
  }

  static override nested() {
    return { messageTemplates: [ChatMessage] }
  }

  protected static override fromFields(fields: Dict): Model {
    return new ChatPromptTemplate(optionsFromFields(fields) as unknown as ChatPromptTemplateOptions)
  }

  /** A chat prompt from pairs of role and text. */
  static fromMessages<const Pairs extends readonly (readonly [role: MessageRole, text: string])[]>(
    pairs: Pairs,
    options: Omit<ChatPromptTemplateOptions, 'messageTemplates'> = {},
  ): ChatPromptTemplate<{ [Index in keyof Pairs]: { role: Pairs[Index][0]; content: Pairs[Index][1] } }> {
    const messageTemplates = pairs.map(([role, content]) => ({ role, content }))
    return new ChatPromptTemplate({ ...options, messageTemplates }) as never
  }

  override get isChat(): boolean {
    return true
  }

  /** The filled messages; the output parser adds to one of them. They share nothing with the template. */
  override formatMessages(
    ...[vars = {}]: FormatArguments<
      RequiredNames<NamesInMessages<Messages>, Mappings, Given | Computed>,
      PromptFormatOptions
    >
  ): ChatMessage[] {
    const valueOf = valueLookup(this as VariableSources, vars)
    const missing = new Set<string>()
    const lookup = namingMissing(valueOf, missing)
    const filled = partsOf(this).map((parts, index) => fillMessage(this.messageTemplates[index]!, parts, lookup))
    if (missing.size > 0)
      fillTemplate({ texts: new Array(missing.size + 1).fill(''), names: [...missing] }, () => undefined)
    return this.outputParser === null ? filled : this.outputParser.formatMessages(filled)
  }

  /** The filled messages as one text, by `messagesToPrompt` or the default rendering. `completionToPrompt` is not used. */
  override format(
    ...args: FormatArguments<RequiredNames<NamesInMessages<Messages>, Mappings, Given | Computed>, PromptFormatOptions>
  ): string {
    return (args[1]?.messagesToPrompt ?? messagesToPrompt)(this.formatMessages(...args))
  }

  /** The messages as written, in the default rendering. */
  override getTemplate(_options?: { llm?: BaseLLM | undefined }): string {
    return messagesToPrompt(this.messageTemplates)
  }

  override partialFormat<const More extends string>(
    vars: Readonly<Record<More, unknown>>,
  ): ChatPromptTemplate<Messages, Mappings, Given | More, Computed> {
    const partial = this.copy({
      update: { kwargs: { ...this.kwargs, ...storedValues(vars) }, metadata: { ...this.metadata } } as Partial<this>,
    })
    return partial as unknown as ChatPromptTemplate<Messages, Mappings, Given | More, Computed>
  }

  override formatMessagesWithSources(vars: Variables = {}): SourcedMessage[] {
    const final = (this as BasePromptTemplate).formatMessages(vars)
    const valueOf = valueLookup(this as VariableSources, vars)
    const doubled = this.templateFormat !== 'literal'
    const filled = partsOf(this).map(
      (parts, message): { text: string; part?: number; sources: SourcedText['sources'] }[] => {
        const tag = (sourced: SourcedText, part?: number) => ({
          text: sourced.text,
          ...(part !== undefined && { part }),
          sources: sourced.sources.map((span) => ({ ...span, message, ...(part !== undefined && { part }) })),
        })
        const fill = (inner: TemplateParts) => fillWithSources(inner, (name) => valueOf(name)!, doubled)
        if (parts === null) return []
        return Array.isArray(parts)
          ? parts.flatMap((inner, part) => (inner === null ? [] : [tag(fill(inner), part)]))
          : [tag(fill(parts))]
      },
    )
    return final.map((message, index) => ({ message, sources: sourcesOf(message, filled[index] ?? []) }))
  }

  override formatWithSources(
    vars: Variables = {},
    { messagesToPrompt: render = messagesToPrompt }: PromptFormatOptions = {},
  ): SourcedText {
    const messages = this.formatMessagesWithSources(vars)
    const text = render(messages.map(({ message }) => message))
    const result: SourcedText = { text, sources: [] }
    let from = 0
    for (const { message, sources } of messages) {
      const content = messageText(message)
      const at = text.indexOf(content, from)
      if (at === -1 || content === '' || sources.some(({ part }) => part !== undefined)) continue
      if (at > from) result.sources.push({ start: from, end: at, source: 'rendering' })
      result.sources.push(...sources.map((span) => ({ ...span, start: span.start + at, end: span.end + at })))
      from = at + content.length
    }
    if (from < text.length) result.sources.push({ start: from, end: text.length, source: 'rendering' })
    return result
  }

  override toDict(options?: DictOptions): Dict {
    return withoutDefaultFormat(super.toDict(options))
  }
}

/** The sources of a final message, given those of its texts before the parser. */
function sourcesOf(
  message: ChatMessage,
  filled: readonly { text: string; part?: number; sources: SourcedText['sources'] }[],
): SourcedText['sources'] {
  if (!Array.isArray(message.content))
    return surround(filled[0] ?? { text: '', sources: [] }, messageText(message), 'parser').sources
  return message.content.flatMap((content, part) => {
    if (!isTextPart(content)) return []
    const before = filled.find((text) => text.part === part) ?? { text: '', sources: [] }
    return surround(before, content.text, 'parser').sources.map((span) => ({ ...span, part }))
  })
}

/** A lookup that remembers what it has no value for, so that all missing names are told at once. */
function namingMissing(valueOf: (name: string) => string | undefined, missing: Set<string>): (name: string) => string {
  return (name) => {
    const value = valueOf(name)
    if (value === undefined) missing.add(name)
    return value ?? ''
  }
}

function readMessages(messages: readonly MessageTemplate[], reading: TemplateReading): MessageParts[] {
  return messages.map((message, index) => {
    const content = message?.content
    const where = `messageTemplates[${index}]: `
    if (typeof content === 'string') return readTemplate(content, reading, where)
    if (Array.isArray(content))
      return content.map((part) => (isTextPart(part) ? readTemplate(part.text, reading, where) : null))
    return null
  })
}

function namesOf(parts: MessageParts): readonly string[] {
  if (Array.isArray(parts)) return parts.flatMap((part) => part?.names ?? [])
  return parts?.names ?? []
}

function fillMessage(template: ChatMessage, parts: MessageParts, valueOf: (name: string) => string): ChatMessage {
  const { role, content, additionalKwargs } = template
  const filled = Array.isArray(parts)
    ? (content as unknown[]).map((part, index) =>
        parts[index] ? { ...(part as object), text: fillTemplate(parts[index], valueOf) } : deepCopy(part),
      )
    : parts
      ? fillTemplate(parts, valueOf)
      : (content ?? '')
  return new ChatMessage({ role, content: filled, additionalKwargs: deepCopy(additionalKwargs) })
}

function partsOf(prompt: {
  messageTemplates: ChatMessage[]
  templateFormat: 'literal' | null
  templateVars: string[]
}): MessageParts[] {
  let parts = partsOfPrompt.get(prompt)
  if (parts === undefined) {
    parts = readMessages(prompt.messageTemplates, {
      templateFormat: prompt.templateFormat,
      declared: prompt.templateVars,
    })
    partsOfPrompt.set(prompt, parts)
  }
  return parts
}
