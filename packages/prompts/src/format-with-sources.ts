/**
 * @module
 * Formats prompts and returns the source of each character. These are functions, not methods, so that bundles contain them only if used.
 */
import { checkOption, required } from '@x/core/options'
import { ChatMessage, isInstance, isTextPart, messageText, type PromptFormatOptions } from '@x/core-model'
import type { BasePromptTemplate } from './base-prompt-template.ts'
import { ChatPromptTemplate, type FillTemplate, fillMessages } from './chat-prompt-template.ts'
import { PromptTemplate, textParts } from './prompt-template.ts'
import {
  fillWithSources,
  findSources,
  renderWithSources,
  type SourcedMessage,
  type SourcedText,
  type SourceSpan,
  surround,
  wholeText,
} from './source-map.ts'
import { fillWith, type VariableSources, type Variables } from './variable-values.ts'

/**
 * Returns the result of `prompt.format`, with the source of each character. A prompt of another framework, or of a class that
 * extends `BasePromptTemplate` directly, does not report its variables: its whole text counts as template.
 * @throws {MissingVariableError} with the names of all variables without a value.
 * @throws {InvalidVariableError} for a value without text form.
 * @example
 * const prompt = new PromptTemplate({ template: 'Dear {name}' })
 * formatWithSources(prompt, { name: 'Ada' }).sources.map(({ source, start, end }) => [source, start, end]) // => [['template', 0, 5], ['variable', 5, 8]]
 */
export function formatWithSources(
  prompt: BasePromptTemplate,
  vars: Variables = {},
  options: PromptFormatOptions = {},
): SourcedText {
  checkOption('formatWithSources', 'prompt', prompt, required('a prompt', 'format'))
  const template = prompt.select(options)
  const filled = filledText(template, vars)
  if (filled) return addedText(template, filled, options)
  if (isInstance(template, ChatPromptTemplate) || hasSources(template)) {
    const messages = formatChat(template, vars)
    const { messagesToPrompt: render } = options
    return render ? findSources(messages, render(messages.map(({ message }) => message))) : renderWithSources(messages)
  }
  const text = template.format(vars, options)
  const bare = withoutParser(template)
  return bare === template ? wholeText(text) : surround(wholeText(bare.format(vars, options)), text, 'parser')
}

/** Returns the result of `prompt.formatMessages`, with the source of each character. Throws the same errors as `formatWithSources`. */
export function formatMessagesWithSources(
  prompt: BasePromptTemplate,
  vars: Variables = {},
  options: PromptFormatOptions = {},
): SourcedMessage[] {
  checkOption('formatMessagesWithSources', 'prompt', prompt, required('a prompt', 'format'))
  const template = prompt.select(options)
  if (isInstance(template, ChatPromptTemplate) || hasSources(template)) return formatChat(template, vars)
  const filled = filledText(template, vars)
  if (filled) {
    const { text, sources } = addedText(template, filled, options)
    return [{ message: new ChatMessage({ content: text }), sources }]
  }
  const messages = template.formatMessages(vars, options)
  const bare = withoutParser(template)
  const before = bare === template ? messages : bare.formatMessages(vars, options)
  return messages.map((message, index) => ({
    message,
    sources: surround(wholeText(textAt(before, index)), messageText(message), 'parser').sources,
  }))
}

/** A prompt of another entry that reports its sources, before its output parser. */
interface HasSources extends BasePromptTemplate {
  sourcedText(vars: Variables): SourcedText | null
  sourcedMessages(vars: Variables): SourcedMessage[]
}

function hasSources(prompt: BasePromptTemplate): prompt is HasSources {
  return 'sourcedMessages' in prompt
}

/** Returns the text of a prompt that is not a chat prompt, if its sources are known. */
function filledText(prompt: BasePromptTemplate, vars: Variables): SourcedText | null {
  if (hasSources(prompt)) return prompt.sourcedText(vars)
  if (!isInstance(prompt, PromptTemplate)) return null
  const sources = prompt as VariableSources & PromptTemplate
  return fillWith(sources, vars, (valueOf) =>
    fillWithSources(textParts.of(prompt), valueOf, prompt.templateFormat === null),
  )
}

function addedText(
  { outputParser }: BasePromptTemplate,
  filled: SourcedText,
  { completionToPrompt }: PromptFormatOptions,
): SourcedText {
  const parsed = outputParser ? surround(filled, outputParser.format(filled.text), 'parser') : filled
  return completionToPrompt ? surround(parsed, completionToPrompt(parsed.text), 'rendering') : parsed
}

/** The messages of a prompt before its output parser, and the text of each, by part. */
type FilledMessages = [messages: ChatMessage[], texts: Map<ChatMessage | number, SourcedText[]>]

function filledMessages(prompt: ChatPromptTemplate | HasSources, vars: Variables): FilledMessages {
  const texts: FilledMessages[1] = new Map()
  if (hasSources(prompt)) {
    const messages = prompt.sourcedMessages(vars).map(({ message, sources }) => {
      const { content } = message
      const parts: readonly unknown[] = Array.isArray(content)
        ? content
        : [{ type: 'text', text: messageText(message) }]
      texts.set(
        message,
        parts.map((part, index) => ({
          text: isTextPart(part) ? part.text : '',
          sources: sources.filter((span) => (span.part ?? 0) === index),
        })),
      )
      return message
    })
    return [messages, texts]
  }
  const fill: FillTemplate = (inner, valueOf, message, part) => {
    const { text, sources } = fillWithSources(inner, valueOf, prompt.templateFormat === null)
    const place = { message, ...(part !== undefined && { part }) }
    const ofMessage = texts.get(message) ?? []
    ofMessage[part ?? 0] = { text, sources: sources.map((span) => ({ ...span, ...place })) }
    texts.set(message, ofMessage)
    return text
  }
  const messages = fillMessages(prompt, vars, fill, (message, from) =>
    texts.set(message, (typeof from === 'number' ? texts.get(from) : wholeMessage(message, from)) ?? []),
  )
  return [messages, texts]
}

function formatChat(prompt: ChatPromptTemplate | HasSources, vars: Variables): SourcedMessage[] {
  // A parser may change the messages, insert others before them, or create new ones.
  const [filled, texts] = filledMessages(prompt, vars)
  const final = prompt.outputParser === null ? filled : prompt.outputParser.formatMessages(filled)
  return final.map((message, index) => ({
    message,
    sources: sourcesOf(message, texts.get(message) ?? texts.get(filled[index] as ChatMessage) ?? []),
  }))
}

/** Returns the text parts of a message that comes from a variable or, with null, from the template. */
function wholeMessage({ content }: ChatMessage, variable: string | null): SourcedText[] {
  const parts: readonly unknown[] = Array.isArray(content)
    ? content
    : [{ type: 'text', text: messageText({ content }) }]
  return parts.map((part) => {
    const { text, sources } = wholeText(isTextPart(part) ? part.text : '')
    return {
      text,
      sources: variable === null ? sources : sources.map((span) => ({ ...span, source: 'variable', variable })),
    }
  })
}

/** Returns the sources of a message after the parser. `filled` contains its text before the parser, by part. */
function sourcesOf({ content }: ChatMessage, filled: readonly SourcedText[]): SourceSpan[] {
  const before = (part = 0) => filled[part] ?? wholeText('')
  if (!Array.isArray(content)) return surround(before(), messageText({ content }), 'parser').sources
  return content.flatMap((item, part) =>
    isTextPart(item) ? surround(before(part), item.text, 'parser').sources.map((span) => ({ ...span, part })) : [],
  )
}

/** Returns the prompt itself if it has no output parser, otherwise a copy without it. */
function withoutParser(prompt: BasePromptTemplate): BasePromptTemplate {
  if (prompt.outputParser === null) return prompt
  const bare = prompt.copy()
  bare.outputParser = null
  return bare
}

function textAt(messages: readonly ChatMessage[], index: number): string {
  const message = messages[index]
  return message ? messageText(message) : ''
}
