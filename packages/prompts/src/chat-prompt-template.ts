/**
 * @module
 * A prompt that is a list of chat messages.
 */
import {
  type BaseLLM,
  ChatMessage,
  type ChatMessageOptions,
  type CopyOptions,
  type Dict,
  isTextPart,
  type MessageRole,
  type Model,
  messagesToPrompt,
  messageText,
  type PromptFormatOptions,
} from '@x/core-model'
import { deepCopy, type TemplateParts } from '@x/core-model/internal'
import { optionsFromFields, type PromptOptions, promptFieldsOf } from './base-prompt-template.ts'
import { type ChatPromptTemplateFields, ChatPromptTemplateModel } from './generated/chat-prompt-template.ts'
import {
  fillWithSources,
  findSources,
  renderWithSources,
  type SourcedMessage,
  type SourcedText,
  type SourceSpan,
  surround,
} from './source-map.ts'
import { keptParts, readingOf, readTemplate, type TemplateReading } from './template-parts.ts'
import type { FormatArguments, NamesOfMessages, RequiredNames, VariableOptions } from './template-variables.ts'
import { fillWith, type VariableSources, type Variables, valueLookup } from './variable-values.ts'

/** What a message of a chat prompt is built from. */
export type MessageTemplate = ChatMessageOptions | ChatMessage

/** What a chat prompt is built from. */
export interface ChatPromptTemplateOptions<
  Messages extends readonly MessageTemplate[] = readonly MessageTemplate[],
  Mappings = Record<string, string>,
  Given extends string = string,
  Computed extends string = string,
  Declared extends string = string,
> extends Omit<PromptOptions, keyof VariableOptions>,
    VariableOptions<Mappings, Given, Computed, Declared> {
  /** The messages; `{name}` is a variable, `{{` and `}}` are braces; in list content the text parts are templates. */
  messageTemplates: Messages
}

/** The parts of one message: of its text, or of each of its content parts (null: copied as it is). */
type MessageParts = TemplateParts | (TemplateParts | null)[] | null

const parts = /* @__PURE__ */ keptParts(
  ({ messageTemplates, templateFormat, templateVars }: ChatPromptTemplateFields): MessageParts[] =>
    readMessages(messageTemplates, { templateFormat, declared: templateVars }),
)

/**
 * Chat messages with variables. For messages given as literals the compiler knows which variables a call must give.
 * @throws {TemplateSyntaxError} saying in which message and where.
 * @throws {InvalidVariableError} for a stored value without text form.
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
  Declared extends string = never,
> extends ChatPromptTemplateModel {
  constructor(options: ChatPromptTemplateOptions<Messages, Mappings, Given, Computed, Declared>) {
    const { messageTemplates, templateFormat, templateVars, ...rest } = options
    const name = 'ChatPromptTemplate'
    const reading = readingOf(name, templateFormat, templateVars)
    const read = Array.isArray(messageTemplates) ? readMessages(messageTemplates, reading) : []
    // The result of formatting is independent of the messages given here, so theirs may be shared.
    super({
      ...promptFieldsOf(name, rest as PromptOptions),
      messageTemplates,
      templateFormat: reading.templateFormat,
      templateVars: read.flatMap(namesOf),
    })
    parts.keep(this, read)
  }

  static override nested() {
    return { messageTemplates: [ChatMessage] }
  }

  protected static override fromFields(fields: Dict): Model {
    return new this(optionsFromFields(fields) as unknown as ChatPromptTemplateOptions<readonly MessageTemplate[]>)
  }

  /** A chat prompt from pairs of role and text. */
  static fromMessages<
    const Pairs extends readonly (readonly [role: MessageRole, text: string])[],
    const Mappings extends Readonly<Record<string, string>> = Record<string, string>,
    Given extends string = never,
    Computed extends string = never,
    Declared extends string = never,
  >(
    pairs: Pairs,
    options: Omit<
      ChatPromptTemplateOptions<readonly MessageTemplate[], Mappings, Given, Computed, Declared>,
      'messageTemplates'
    > = {},
  ): ChatPromptTemplate<MessagesOf<Pairs>, Mappings, Given, Computed, Declared> {
    const messageTemplates = pairs.map(([role, content]) => ({ role, content }))
    return new ChatPromptTemplate({ ...options, messageTemplates }) as never
  }

  override isChat(): boolean {
    return true
  }

  /** The filled messages; the output parser adds to one of them. They share nothing with the template. */
  override formatMessages(
    ...[vars = {}]: FormatArguments<
      RequiredNames<NamesOfMessages<Messages, Declared>, Mappings, Given | Computed>,
      PromptFormatOptions
    >
  ): ChatMessage[] {
    const filled = fillMessages(this, vars, fillParts)
    return this.outputParser === null ? filled : this.outputParser.formatMessages(filled)
  }

  /** The filled messages as one text, by `messagesToPrompt` or the default rendering. `completionToPrompt` is not used. */
  override format(
    ...args: FormatArguments<
      RequiredNames<NamesOfMessages<Messages, Declared>, Mappings, Given | Computed>,
      PromptFormatOptions
    >
  ): string {
    return (args[1]?.messagesToPrompt ?? messagesToPrompt)(this.formatMessages(...args))
  }

  /** The messages as written, in the default rendering. */
  override getTemplate(_options?: { llm?: BaseLLM | undefined }): string {
    return messagesToPrompt(this.messageTemplates)
  }

  override partialFormat<const More extends string>(
    vars: Readonly<Record<More, unknown>>,
  ): ChatPromptTemplate<Messages, Mappings, Given | More, Computed, Declared> {
    return this.copy({ update: this.withValues(vars) as Partial<this> }) as unknown as ChatPromptTemplate<
      Messages,
      Mappings,
      Given | More,
      Computed,
      Declared
    >
  }

  override formatMessagesWithSources(vars: Variables = {}): SourcedMessage[] {
    const texts = new Map<ChatMessage | number, SourcedText[]>()
    const filled = fillMessages(this, vars, (inner, valueOf, message, part) => {
      const { text, sources } = fillWithSources(inner, valueOf, this.templateFormat === null)
      const place = { message, ...(part !== undefined && { part }) }
      const ofMessage = texts.get(message) ?? []
      ofMessage[part ?? 0] = { text, sources: sources.map((span) => ({ ...span, ...place })) }
      texts.set(message, ofMessage)
      return text
    })
    // A parser may change the messages, put others before them, or make new ones.
    for (const [index, message] of filled.entries()) texts.set(message, texts.get(index) ?? [])
    const final = this.outputParser === null ? filled : this.outputParser.formatMessages(filled)
    return final.map((message, index) => ({
      message,
      sources: sourcesOf(message, texts.get(message) ?? texts.get(index) ?? []),
    }))
  }

  override formatWithSources(vars?: Variables, { messagesToPrompt: render }: PromptFormatOptions = {}): SourcedText {
    const messages = this.formatMessagesWithSources(vars)
    return render ? findSources(messages, render(messages.map(({ message }) => message))) : renderWithSources(messages)
  }

  override copy(options?: CopyOptions<this>): this {
    const copied = super.copy(options)
    if (copied.messageTemplates === this.messageTemplates) parts.keep(copied, parts.of(this))
    return copied
  }
}

/** The messages that pairs of role and text stand for. */
type MessagesOf<Pairs extends readonly (readonly [role: MessageRole, text: string])[]> = {
  [Index in keyof Pairs]: { role: Pairs[Index][0]; content: Pairs[Index][1] }
}

/** Fills one text; told where it stands. */
type Fill = (parts: TemplateParts, valueOf: (name: string) => string, message: number, part?: number) => string

const fillParts: Fill = ({ texts, names }, valueOf) => {
  let text = texts[0]!
  for (let index = 0; index < names.length; index++) text += valueOf(names[index]!) + texts[index + 1]!
  return text
}

/** The messages of a prompt with every text filled. */
function fillMessages(prompt: ChatPromptTemplateFields, vars: Variables, fill: Fill): ChatMessage[] {
  return fillWith(valueLookup(prompt as VariableSources, vars), (valueOf) =>
    parts.of(prompt).map((inner, index) => {
      const { role, content, additionalKwargs } = prompt.messageTemplates[index]!
      const filled = Array.isArray(inner)
        ? (content as unknown[]).map((given, part) =>
            inner[part] ? { ...(given as object), text: fill(inner[part], valueOf, index, part) } : deepCopy(given),
          )
        : inner
          ? fill(inner, valueOf, index)
          : (content ?? '')
      // Role and extra data were checked when the template was made.
      return ChatMessage.construct({ role, content: filled, additionalKwargs: deepCopy(additionalKwargs) })
    }),
  )
}

/** The sources of a final message, given those of its texts, by part, before the parser. */
function sourcesOf({ content }: ChatMessage, filled: readonly SourcedText[]): SourceSpan[] {
  const before = (part = 0) => filled[part] ?? { text: '', sources: [] }
  if (!Array.isArray(content)) return surround(before(), messageText({ content }), 'parser').sources
  return content.flatMap((given, part) =>
    isTextPart(given) ? surround(before(part), given.text, 'parser').sources.map((span) => ({ ...span, part })) : [],
  )
}

function readMessages(messages: readonly MessageTemplate[], reading: TemplateReading): MessageParts[] {
  return messages.map((message, index) => {
    const where = `messageTemplates[${index}]`
    // What is no message is told by the constructor of the model.
    const content = message?.content
    if (typeof content === 'string') return readTemplate(content, reading, `${where}: `)
    if (!Array.isArray(content)) return null
    return content.map((part, at) =>
      isTextPart(part) ? readTemplate(part.text, reading, `${where}.content[${at}]: `) : null,
    )
  })
}

function namesOf(read: MessageParts): readonly string[] {
  return Array.isArray(read) ? read.flatMap((part) => part?.names ?? []) : (read?.names ?? [])
}
