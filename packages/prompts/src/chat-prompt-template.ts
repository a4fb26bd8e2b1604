/**
 * @module
 * Prompt templates with chat messages.
 */

import { invalid } from '@x/core/reading'
import { deepCopy, joinPath } from '@x/core/values'
import {
  type BaseLLM,
  ChatMessage,
  type ChatMessageOptions,
  type CopyOptions,
  type Dict,
  type Model,
  messagesToPrompt,
  type PromptFormatOptions,
} from '@x/core-model'
import { fillTemplate, type TemplateParts } from '@x/core-model/text'
import { optionsFromFields, type PromptOptions, promptFieldsOf } from './base-prompt-template.ts'
import { type ChatPromptTemplateFields, ChatPromptTemplateModel } from './generated/chat-prompt-template.ts'
import {
  checkPlaceholders,
  type MessageEntry,
  messagesFor,
  readEntries,
  type StoredPlaceholder,
} from './message-placeholders.ts'
import {
  keptParts,
  type PartTemplate,
  readingOf,
  readPart,
  readTemplate,
  type TemplateReading,
} from './template-parts.ts'
import type {
  CallerNames,
  FormatArguments,
  MessageVariables,
  NamesOfMessages,
  StoredVariables,
  VariableOptions,
} from './template-variables.ts'
import { fillWith, mappedValues, templateName, type VariableSources, type Variables } from './variable-values.ts'

/** A message of a chat prompt. */
type MessageTemplate = ChatMessageOptions | ChatMessage

/** Constructor options of `ChatPromptTemplate`. */
export interface ChatPromptTemplateOptions<
  Messages extends readonly unknown[] = readonly MessageTemplate[],
  Mappings = Record<string, string>,
  Given extends string = string,
  Computed extends string = string,
  Declared extends string = string,
> extends Omit<PromptOptions, keyof VariableOptions>,
    VariableOptions<Mappings, Given, Computed, Declared> {
  /** The messages. Each string in their content is a template: `{name}` is a variable; `{{` and `}}` are braces. */
  messageTemplates: Messages
  /** The placeholders for earlier messages and for examples, as `fromMessages` stores them. */
  placeholders?: readonly StoredPlaceholder[] | null | undefined
}

/** The parsed template of a message: of its string, or of each of its content parts. Null: copied unchanged. */
type MessageParts = TemplateParts | (PartTemplate | null)[] | null

/** The parsed templates of chat prompts. */
const messageParts = /* @__PURE__ */ keptParts(
  ({ messageTemplates, templateFormat, templateVars }: ChatPromptTemplateFields): MessageParts[] =>
    readMessages(messageTemplates, { templateFormat, declared: templateVars }),
)

/** The message templates of each placeholder of a chat prompt, and their parsed templates. */
const exampleParts = /* @__PURE__ */ keptParts(
  ({ placeholders }: ChatPromptTemplateFields): [templates: ChatMessage[], read: MessageParts[]][] =>
    (placeholders ?? []).map(({ messages }) => {
      const templates = (messages ?? []).map((message) => ChatMessage.fromDict(message))
      return [templates, readMessages(templates, { templateFormat: null, declared: [] })]
    }),
)

/**
 * A prompt of chat messages with variables. If the messages are literals, the compiler checks the variables of each call.
 * @throws {TemplateSyntaxError} with the index of the message and the position.
 * @throws {InvalidVariableError} for a stored value without text form.
 * @example
 * const prompt = ChatPromptTemplate.fromMessages([
 *   ['system', 'You speak {language}.'],
 *   ['user', '{question}'],
 * ])
 * prompt.formatMessages({ language: 'Greek', question: 'Hello?' }).map(String) // => ['system: You speak Greek.', 'user: Hello?']
 */
export class ChatPromptTemplate<
  const Messages extends readonly unknown[] = readonly MessageTemplate[],
  const Mappings extends Readonly<Record<string, string>> = Record<string, string>,
  Given extends string = never,
  Computed extends string = never,
  Declared extends string = never,
> extends ChatPromptTemplateModel {
  constructor(options: ChatPromptTemplateOptions<Messages, Mappings, Given, Computed, Declared>) {
    const { messageTemplates, templateFormat, templateVars, placeholders, ...rest } = options ?? {}
    const name = 'ChatPromptTemplate'
    const reading = readingOf(name, templateFormat, templateVars)
    const read = Array.isArray(messageTemplates) ? readMessages(messageTemplates, reading) : []
    const names = allNames(read, placeholders)
    // Formatting copies the messages, so they may be shared with the options.
    super({
      ...promptFieldsOf(name, names, rest as PromptOptions),
      messageTemplates,
      templateFormat: reading.templateFormat,
      placeholders,
      templateVars: names,
    })
    messageParts.keep(this, read)
    if (this.placeholders === null) return
    checkPlaceholders(this.placeholders, name)
    exampleParts.of(this)
  }

  static override nested() {
    return { messageTemplates: [ChatMessage] }
  }

  protected static override fromFields(fields: Dict): Model {
    return new this(optionsFromFields(fields) as unknown as ChatPromptTemplateOptions<readonly MessageTemplate[]>)
  }

  /**
   * Creates a chat prompt from messages: pairs of role and content, `{ role, content }`, `ChatMessage`s, placeholders for earlier messages
   * (`history`), and examples (`fewShot`). The roles `human` and `ai` are `user` and `assistant`.
   * @throws {ModelValidationError} if an entry is not one of these, or an option is unknown or invalid.
   */
  static fromMessages<
    const Entries extends readonly MessageEntry[],
    const Mappings extends Readonly<Record<string, string>> = Record<string, string>,
    Given extends string = never,
    Computed extends string = never,
    Declared extends string = never,
  >(
    entries: Entries,
    options: Omit<
      ChatPromptTemplateOptions<readonly MessageTemplate[], Mappings, Given, Computed, Declared>,
      'messageTemplates' | 'placeholders'
    > = {},
  ): ChatPromptTemplate<MessagesOf<Entries>, Mappings, Given, Computed, Declared> {
    const title = 'ChatPromptTemplate.fromMessages'
    if (!Array.isArray(entries)) throw invalid(title, 'an array of messages', entries)
    return new ChatPromptTemplate({ ...options, ...readEntries(entries, title) }) as never
  }

  override isChat(): boolean {
    return true
  }

  /** Returns the formatted messages, which share no data with the template. The output parser adds its instructions to one of them. */
  override formatMessages(
    ...args: FormatArguments<
      NamesOfMessages<Messages, Declared>,
      Mappings,
      Given,
      Computed,
      PromptFormatOptions,
      MessageVariables<Messages>
    >
  ): ChatMessage[] {
    const filled = fillMessages(this, args[0] ?? {}, fillParts)
    return this.outputParser === null ? filled : this.outputParser.formatMessages(filled)
  }

  /** Returns the formatted messages as one string, rendered by `messagesToPrompt` or by default. `completionToPrompt` is not used. */
  override format(
    ...args: FormatArguments<
      NamesOfMessages<Messages, Declared>,
      Mappings,
      Given,
      Computed,
      PromptFormatOptions,
      MessageVariables<Messages>
    >
  ): string {
    return (args[1]?.messagesToPrompt ?? messagesToPrompt)(this.formatMessages(...args))
  }

  /** Returns the message templates in the default rendering, without the placeholders. */
  override getTemplate(_options?: { llm?: BaseLLM | undefined }): string {
    return messagesToPrompt(this.messageTemplates)
  }

  override requiredNames(options?: { llm?: BaseLLM | undefined }): string[] {
    const optional = this.placeholders?.flatMap((place) => (place.optional ? [place.variable] : []))
    const required = super.requiredNames(options)
    return optional ? required.filter((name) => !optional.includes(templateName(this, name))) : required
  }

  /** Messages of placeholders are omitted. */
  override resolveVars(vars: Variables = {}): Record<string, string> {
    const places = new Set(this.placeholders?.map(({ variable }) => variable))
    const texts = Object.entries(vars).filter(([name]) => !places.has(templateName(this, name)))
    return super.resolveVars(Object.fromEntries(texts))
  }

  override partialFormat<const More extends string>(
    vars: StoredVariables<More, CallerNames<NamesOfMessages<Messages, Declared>, Mappings>, Computed>,
  ): ChatPromptTemplate<Messages, Mappings, Given | More, Computed, Declared> {
    return this.copy({ update: this.withValues(vars) as Partial<this> }) as unknown as ChatPromptTemplate<
      Messages,
      Mappings,
      Given | More,
      Computed,
      Declared
    >
  }

  override copy(options?: CopyOptions<this>): this {
    const copied = super.copy(options)
    if (copied.messageTemplates === this.messageTemplates) messageParts.keep(copied, messageParts.of(this))
    return copied
  }
}

/** The message types of entries: pairs become messages. */
type MessagesOf<Entries extends readonly MessageEntry[]> = {
  [Index in keyof Entries]: Entries[Index] extends readonly [infer Role, infer Content]
    ? { role: Role; content: Content }
    : Entries[Index]
}

/** Fills one template. `message` and `part` are its indexes. */
export type FillTemplate = (
  parts: TemplateParts,
  valueOf: (name: string) => string,
  message: number,
  part?: number,
) => string

const fillParts: FillTemplate = (parts, valueOf) => fillTemplate(parts, valueOf)

/** Returns the messages of a prompt with all templates filled, without those of its placeholders. */
function fillAll(
  templates: readonly ChatMessage[],
  read: readonly MessageParts[],
  valueOf: (name: string) => string,
  fill: FillTemplate,
): ChatMessage[] {
  return read.map((inner, index) => {
    const { role, content, additionalKwargs } = templates[index]!
    const filled = Array.isArray(inner)
      ? (content as unknown[]).map((item, part) =>
          inner[part]
            ? inner[part].fill((parts, isText) =>
                isText ? fill(parts, valueOf, index, part) : fillParts(parts, valueOf, index),
              )
            : deepCopy(item),
        )
      : inner
        ? fill(inner, valueOf, index)
        : (content ?? '')
    // The constructor of the template has validated the role and the extra data.
    return ChatMessage.construct({ role, content: filled, additionalKwargs: deepCopy(additionalKwargs) })
  })
}

/**
 * Returns the messages of a prompt with all templates filled. `made` receives each message with the index of its template, or the name of
 * the variable that it comes from; null: a stored example.
 */
export function fillMessages(
  prompt: ChatPromptTemplateFields,
  vars: Variables,
  fill: FillTemplate,
  made?: (message: ChatMessage, from: number | string | null) => void,
): ChatMessage[] {
  const { placeholders } = prompt
  const sources = prompt as VariableSources & ChatPromptTemplateFields
  const fillMessage = (valueOf: (name: string) => string) => {
    if (placeholders !== null) {
      const values = mappedValues(sources, vars)
      // Reported together with the other missing variables.
      for (const { variable, optional } of placeholders)
        if (variable !== null && !optional && !values.has(variable)) valueOf(variable)
    }
    return fillAll(prompt.messageTemplates, messageParts.of(prompt), valueOf, fill)
  }
  const filled = fillWith(sources, vars, fillMessage)
  if (made) for (const [index, message] of filled.entries()) made(message, index)
  if (placeholders === null) return filled
  const values = mappedValues(prompt as VariableSources, vars)
  const all: ChatMessage[] = []
  let from = 0
  for (const [index, place] of placeholders.entries()) {
    const [templates, read] = exampleParts.of(prompt)[index]!
    const messages = messagesFor(
      place,
      (name) => values.get(name),
      (example) =>
        fillWith(
          { kwargs: {}, templateVarMappings: null, functionMappings: null, templateVars: Object.keys(example) },
          example,
          (valueOf) => fillAll(templates, read, valueOf, fillParts),
        ),
    )
    for (const message of messages) made?.(message, place.variable)
    all.push(...filled.slice(from, place.at), ...messages)
    from = Math.max(from, place.at)
  }
  return [...all, ...filled.slice(from)]
}

function readMessages(messages: readonly MessageTemplate[], reading: TemplateReading): MessageParts[] {
  return messages.map((message, index) => {
    const where = `messageTemplates[${index}]`
    // The constructor of the model reports entries that are not messages.
    const content = message?.content
    if (typeof content === 'string') return readTemplate(content, reading, `${where}: `)
    if (!Array.isArray(content)) return null
    return content.map((part, at) =>
      readPart(part, (template, path) =>
        readTemplate(template, reading, `${joinPath(`${where}.content[${at}]`, path)}: `),
      ),
    )
  })
}

function namesOf(read: MessageParts): readonly string[] {
  return Array.isArray(read) ? read.flatMap((part) => part?.names ?? []) : (read?.names ?? [])
}

/** Returns the names of all variables, in order of occurrence. */
function allNames(
  read: readonly MessageParts[],
  placeholders: readonly StoredPlaceholder[] | null | undefined,
): string[] {
  if (!Array.isArray(placeholders)) return read.flatMap(namesOf)
  const names = (at: number) =>
    placeholders.flatMap((place) => (place.at === at && place.variable !== null ? [place.variable] : []))
  return [...read.flatMap((inner, index) => [...names(index), ...namesOf(inner)]), ...names(read.length)]
}
