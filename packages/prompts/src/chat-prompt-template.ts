/**
 * @module
 * Prompt templates with chat messages.
 */

import { invalid } from '@x/core/reading'
import { deepCopy } from '@x/core/values'
import {
  type BaseLLM,
  ChatMessage,
  type ChatMessageOptions,
  type CopyOptions,
  type Dict,
  isFilePart,
  isImagePart,
  isTextPart,
  type MessageRole,
  type Model,
  messagesToPrompt,
  type PromptFormatOptions,
} from '@x/core-model'
import type { TemplateParts } from '@x/core-model/text'
import { optionsFromFields, type PromptOptions, promptFieldsOf } from './base-prompt-template.ts'
import { type ChatPromptTemplateFields, ChatPromptTemplateModel } from './generated/chat-prompt-template.ts'
import { keptParts, readingOf, readTemplate, type TemplateReading } from './template-parts.ts'
import type { FormatArguments, NamesOfMessages, RequiredNames, VariableOptions } from './template-variables.ts'
import { fillWith, type VariableSources, type Variables, valueLookup } from './variable-values.ts'

/** A message of a chat prompt. */
export type MessageTemplate = ChatMessageOptions | ChatMessage

/** Constructor options of `ChatPromptTemplate`. */
export interface ChatPromptTemplateOptions<
  Messages extends readonly MessageTemplate[] = readonly MessageTemplate[],
  Mappings = Record<string, string>,
  Given extends string = string,
  Computed extends string = string,
  Declared extends string = string,
> extends Omit<PromptOptions, keyof VariableOptions>,
    VariableOptions<Mappings, Given, Computed, Declared> {
  /** The messages. `{name}` is a variable; `{{` and `}}` are braces. In array content, texts and the addresses of images and files are. */
  messageTemplates: Messages
}

/** The parsed template of a message: of its string, or of each of its content parts. Null: copied unchanged. */
type MessageParts = TemplateParts | (TemplateParts | null)[] | null

/** The parsed templates of chat prompts. */
const messageParts = /* @__PURE__ */ keptParts(
  ({ messageTemplates, templateFormat, templateVars }: ChatPromptTemplateFields): MessageParts[] =>
    readMessages(messageTemplates, { templateFormat, declared: templateVars }),
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
  const Messages extends readonly MessageTemplate[] = readonly MessageTemplate[],
  const Mappings extends Readonly<Record<string, string>> = Record<string, string>,
  Given extends string = never,
  Computed extends string = never,
  Declared extends string = never,
> extends ChatPromptTemplateModel {
  constructor(options: ChatPromptTemplateOptions<Messages, Mappings, Given, Computed, Declared>) {
    const { messageTemplates, templateFormat, templateVars, ...rest } = options ?? {}
    const name = 'ChatPromptTemplate'
    const reading = readingOf(name, templateFormat, templateVars)
    const read = Array.isArray(messageTemplates) ? readMessages(messageTemplates, reading) : []
    // Formatting copies the messages, so they may be shared with the options.
    super({
      ...promptFieldsOf(name, rest as PromptOptions),
      messageTemplates,
      templateFormat: reading.templateFormat,
      templateVars: read.flatMap(namesOf),
    })
    messageParts.keep(this, read)
  }

  static override nested() {
    return { messageTemplates: [ChatMessage] }
  }

  protected static override fromFields(fields: Dict): Model {
    return new this(optionsFromFields(fields) as unknown as ChatPromptTemplateOptions<readonly MessageTemplate[]>)
  }

  /**
   * Creates a chat prompt from pairs of role and text.
   * @throws {ModelValidationError} if a message is not such a pair, or an option is unknown or invalid.
   */
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
    const title = 'ChatPromptTemplate.fromMessages'
    if (!Array.isArray(pairs)) throw invalid(title, 'an array of pairs of role and text', pairs)
    const messageTemplates = pairs.map((pair, index) => {
      if (!Array.isArray(pair)) throw invalid(title, 'a pair of role and text', pair, [index])
      const [role, content] = pair
      return { role, content }
    })
    return new ChatPromptTemplate({ ...options, messageTemplates }) as never
  }

  override isChat(): boolean {
    return true
  }

  /** Returns the formatted messages, which share no data with the template. The output parser adds its instructions to one of them. */
  override formatMessages(
    ...[vars = {}]: FormatArguments<
      RequiredNames<NamesOfMessages<Messages, Declared>, Mappings, Given | Computed>,
      PromptFormatOptions
    >
  ): ChatMessage[] {
    const filled = fillMessages(this, vars, fillParts)
    return this.outputParser === null ? filled : this.outputParser.formatMessages(filled)
  }

  /** Returns the formatted messages as one string, rendered by `messagesToPrompt` or by default. `completionToPrompt` is not used. */
  override format(
    ...args: FormatArguments<
      RequiredNames<NamesOfMessages<Messages, Declared>, Mappings, Given | Computed>,
      PromptFormatOptions
    >
  ): string {
    return (args[1]?.messagesToPrompt ?? messagesToPrompt)(this.formatMessages(...args))
  }

  /** Returns the message templates in the default rendering. */
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

  override copy(options?: CopyOptions<this>): this {
    const copied = super.copy(options)
    if (copied.messageTemplates === this.messageTemplates) messageParts.keep(copied, messageParts.of(this))
    return copied
  }
}

/** The message types for pairs of role and text. */
type MessagesOf<Pairs extends readonly (readonly [role: MessageRole, text: string])[]> = {
  [Index in keyof Pairs]: { role: Pairs[Index][0]; content: Pairs[Index][1] }
}

/** Fills one template. `message` and `part` are its indexes. */
export type FillTemplate = (
  parts: TemplateParts,
  valueOf: (name: string) => string,
  message: number,
  part?: number,
) => string

const fillParts: FillTemplate = ({ texts, names }, valueOf) => {
  let text = texts[0]!
  for (let index = 0; index < names.length; index++) text += valueOf(names[index]!) + texts[index + 1]!
  return text
}

/** Returns the messages of a prompt with all templates filled. */
export function fillMessages(prompt: ChatPromptTemplateFields, vars: Variables, fill: FillTemplate): ChatMessage[] {
  return fillWith(valueLookup(prompt as VariableSources, vars), (valueOf) =>
    messageParts.of(prompt).map((inner, index) => {
      const { role, content, additionalKwargs } = prompt.messageTemplates[index]!
      const filled = Array.isArray(inner)
        ? (content as unknown[]).map((item, part) =>
            inner[part] ? withTemplate(item, fill(inner[part], valueOf, index, part)) : deepCopy(item),
          )
        : inner
          ? fill(inner, valueOf, index)
          : (content ?? '')
      // The constructor of the template has validated the role and the extra data.
      return ChatMessage.construct({ role, content: filled, additionalKwargs: deepCopy(additionalKwargs) })
    }),
  )
}

function readMessages(messages: readonly MessageTemplate[], reading: TemplateReading): MessageParts[] {
  return messages.map((message, index) => {
    const where = `messageTemplates[${index}]`
    // The constructor of the model reports entries that are not messages.
    const content = message?.content
    if (typeof content === 'string') return readTemplate(content, reading, `${where}: `)
    if (!Array.isArray(content)) return null
    return content.map((part, at) => {
      const template = templateOf(part)
      return template === null ? null : readTemplate(template, reading, `${where}.content[${at}]: `)
    })
  })
}

/** Returns the template of a content part: its text, or the address of its image or file. Null: the part is copied unchanged. */
function templateOf(part: unknown): string | null {
  if (isTextPart(part)) return part.text
  return isImagePart(part) ? part.image_url.url : isFilePart(part) ? part.file.url : null
}

/** Returns a copy of a content part with another text or address. */
function withTemplate(part: unknown, filled: string): unknown {
  if (isImagePart(part)) return { ...part, image_url: { ...part.image_url, url: filled } }
  if (isFilePart(part)) return { ...part, file: { ...part.file, url: filled } }
  return { ...(part as object), text: filled }
}

function namesOf(read: MessageParts): readonly string[] {
  return Array.isArray(read) ? read.flatMap((part) => part?.names ?? []) : (read?.names ?? [])
}
