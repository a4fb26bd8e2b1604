/**
 * @module
 * Adapts the prompts of LangChain.js. They are recognized by their properties; LangChain is not imported.
 */

import { callback, checkGiven, checkOptions, list, listOf } from '@x/core/options'
import { compactJson, isPlainObject, mapValues, textOrJson } from '@x/core/values'
import {
  ChatMessage,
  type ChatMessageOptions,
  type ContentPart,
  type Dict,
  isInstance,
  type MessageContent,
  MissingVariableError,
  messagesToHistoryStr,
  messageText,
  NotSupportedError,
} from '@x/core-model'
import { InvalidVariableError } from './errors.ts'
import type { ForeignPrompt } from './foreign-prompt-template.ts'
import type { Variables } from './variable-values.ts'

/** The required interface of a LangChain prompt. `PromptTemplate` and `ChatPromptTemplate` of `@langchain/core/prompts` have it. */
export interface LangChainPrompt {
  readonly inputVariables: readonly string[]
  /** Strings, or functions that return strings. */
  readonly partialVariables?: object | undefined
  readonly templateFormat?: string | undefined
  /** The template of a text prompt. */
  readonly template?: unknown
  /** The messages and message templates of a chat prompt. */
  readonly promptMessages?: readonly unknown[] | undefined
}

/** Options of `langChainPrompt`. */
interface LangChainPromptOptions {
  /** `renderTemplate` of `@langchain/core/prompts`. Required for mustache templates. */
  // biome-ignore lint/suspicious/noExplicitAny: LangChain's own types differ between versions
  renderTemplate?: ((template: string, templateFormat: any, values: any) => string) | undefined
}

/** The properties of message templates that this module reads. */
interface MessageTemplateShape {
  readonly constructor: { lc_name?(): string }
  readonly prompt?: unknown
  readonly role?: string
  readonly variableName?: string
  readonly optional?: boolean
}

const rolesByType: Readonly<Record<string, string>> = { human: 'user', ai: 'assistant' }
const labels: Readonly<Record<string, string>> = { user: 'Human', assistant: 'AI', system: 'System', tool: 'Tool' }
const templateRoles: Readonly<Record<string, string>> = {
  HumanMessagePromptTemplate: 'user',
  AIMessagePromptTemplate: 'assistant',
  SystemMessagePromptTemplate: 'system',
}

/**
 * Adapts a LangChain prompt. It is filled synchronously, with the same result as LangChain: text prompts, chat prompts with text and
 * content parts, message placeholders, and partial values.
 * @throws {NotSupportedError} for a mustache template without `renderTemplate`, and for other kinds of prompts.
 * @see https://docs.langchain.com/oss/javascript/langchain/messages
 * @example
 * const prompt = langChainPrompt({ inputVariables: ['name'], templateFormat: 'f-string', template: 'Hello {name}' })
 * new ForeignPromptTemplate({ template: prompt }).format({ name: 'Ada' }) // => 'Hello Ada'
 */
export function langChainPrompt(prompt: LangChainPrompt, options: LangChainPromptOptions = {}): ForeignPrompt {
  checkGiven('langChainPrompt', { prompt }, 'a prompt of LangChain')
  checkOptions('langChainPrompt', options, { renderTemplate: callback })
  const { renderTemplate } = options
  const { inputVariables, partialVariables = {}, template, promptMessages } = prompt
  if (typeof template !== 'string' && !Array.isArray(promptMessages))
    throw new NotSupportedError('langChainPrompt: expected a prompt with a text template or with promptMessages.')
  checkGiven('langChainPrompt.prompt', { inputVariables }, list)
  if (promptMessages) checkGiven('langChainPrompt.prompt', { promptMessages }, listOf('a message template'))
  const wholeFormat = prompt.templateFormat ?? 'f-string'

  const render = (text: string, format: string | undefined, values: Variables): string => {
    const templateFormat = format ?? wholeFormat
    if (renderTemplate) return renderTemplate(text, templateFormat, values)
    if (templateFormat === 'f-string') return fillFString(text, values)
    throw new NotSupportedError(
      `langChainPrompt: ${templateFormat} templates need renderTemplate of @langchain/core/prompts.`,
    )
  }
  if (!renderTemplate && wholeFormat !== 'f-string') render('', wholeFormat, {})

  const placeholders = (promptMessages ?? []) as readonly MessageTemplateShape[]
  const optional = new Set(placeholders.map((template) => template.optional && template.variableName))
  const inputNames = inputVariables.filter((name) => !optional.has(name))
  const valuesOf = (vars: Variables): Variables => {
    // In mustache, a name without a value renders as empty or counts as false.
    const missing = wholeFormat === 'mustache' ? [] : inputNames.filter((name) => !Object.hasOwn(vars, name))
    if (missing.length > 0) throw new MissingVariableError(missing)
    return { ...mapValues(partialVariables as Dict, partialValue), ...vars }
  }

  const self: ForeignPrompt = {
    inputVariables: inputNames,
    partialVariables: partialVariables as Dict,
    isChat: promptMessages !== undefined,
    template:
      typeof template === 'string'
        ? template
        : messagesToHistoryStr(promptMessages!.flatMap((entry) => messagesOf(entry, undefined, (text) => text))),
    partial: (vars) =>
      langChainPrompt(
        {
          inputVariables: inputVariables.filter((name) => !Object.hasOwn(vars, name)),
          partialVariables: { ...partialVariables, ...vars },
          templateFormat: wholeFormat,
          template,
          promptMessages,
        },
        { renderTemplate },
      ),
    format: (vars) =>
      typeof template === 'string'
        ? render(template, wholeFormat, valuesOf(vars))
        : self
            .formatMessages(vars)
            .map((message) => `${labels[message.role] ?? message.role}: ${messageText(message)}`)
            .join('\n'),
    formatMessages(vars) {
      if (typeof template === 'string') return [new ChatMessage({ content: self.format(vars) })]
      const values = valuesOf(vars)
      return promptMessages!.flatMap((entry) =>
        messagesOf(entry, values, (text, format) => render(text, format, values)),
      )
    },
  }
  return self
}

type Render = (text: string, format?: string) => string

/** Returns the messages for a message, a message template or a placeholder. Without values, returns the templates unchanged. */
function messagesOf(entry: unknown, values: Variables | undefined, render: Render): ChatMessage[] {
  const { constructor: maker, prompt, role, variableName, optional } = entry as MessageTemplateShape
  if (variableName !== undefined) {
    if (values === undefined) return [new ChatMessage({ content: `{${variableName}}` })]
    const value = values[variableName]
    if (value === undefined || value === null) {
      if (optional) return []
      throw new InvalidVariableError(variableName, value)
    }
    return (Array.isArray(value) ? value : [value]).map(messageOf)
  }
  if (prompt === undefined) {
    if (typeOf(entry) !== undefined) {
      const message = messageOf(entry)
      // LangChain also fills the URLs of images in messages that are not templates.
      if (Array.isArray(message.content))
        message.content = message.content.map((part) =>
          part.type === 'image_url' ? (renderDeep(part, render) as ContentPart) : part,
        )
      return [message]
    }
    throw new NotSupportedError(
      `langChainPrompt: ${maker?.lc_name?.() ?? typeof entry} is not supported; only LangChain can fill it.`,
    )
  }
  const content = Array.isArray(prompt) ? prompt.flatMap((part) => contentPart(part, render)) : textOf(prompt, render)
  return [chatMessage(role ?? templateRoles[maker?.lc_name?.() ?? ''] ?? 'user', content)]
}

interface PartTemplate {
  readonly constructor: { lc_name?(): string }
  readonly template: unknown
  readonly templateFormat?: string
  readonly additionalContentFields?: Dict
}

function textOf(prompt: unknown, render: Render): string {
  const { template, templateFormat } = prompt as PartTemplate
  return render(template as string, templateFormat)
}

function contentPart(part: PartTemplate, render: Render): Dict | [] {
  const { template, templateFormat, additionalContentFields } = part
  if (typeof template === 'string') {
    const text = textOf(part, render)
    return text === '' ? [] : { ...additionalContentFields, type: 'text', text }
  }
  const filled = renderDeep(template, (text) => render(text, templateFormat))
  return part.constructor.lc_name?.() === 'ImagePromptTemplate'
    ? { ...additionalContentFields, type: 'image_url', image_url: filled }
    : { ...additionalContentFields, ...(filled as Dict) }
}

function renderDeep(value: unknown, render: Render): unknown {
  if (typeof value === 'string') return render(value)
  if (Array.isArray(value)) return value.map((item) => renderDeep(item, render))
  return isPlainObject(value) ? mapValues(value, (item) => renderDeep(item, render)) : value
}

/** Fills an f-string: `{name}` is a variable, `{{` and `}}` are braces. Values other than strings are written as JSON. */
function fillFString(template: string, values: Variables): string {
  return template.replace(/\{\{|\}\}|\{([^{}]*)\}/g, (found, name: string | undefined) => {
    if (name === undefined) return found[0]!
    if (!Object.hasOwn(values, name)) throw new MissingVariableError([name])
    const value = values[name]
    return textOrJson(value)
  })
}

function partialValue(value: unknown, name: string): unknown {
  const result = typeof value === 'function' ? value() : value
  if (typeof result?.then === 'function') throw new InvalidVariableError(name, result)
  return result
}

/** Returns the type of a LangChain message, or undefined for other values. */
function typeOf(message: unknown): string | undefined {
  const { getType, _getType = getType } = message as { getType?(): string; _getType?(): string }
  return typeof _getType === 'function' ? _getType.call(message) : undefined
}

/** Converts a `ChatMessage`, a LangChain message, a pair of role and content, or a string to a `ChatMessage`. */
function messageOf(value: unknown): ChatMessage {
  if (isInstance(value, ChatMessage)) return value
  if (typeof value === 'string') return chatMessage('user', value)
  if (Array.isArray(value)) return chatMessage(value[0], value[1])
  const { role, content, additional_kwargs: extra, tool_call_id: id, tool_calls: calls } = value as Dict
  return chatMessage(role ?? typeOf(value), content, {
    ...(extra as Dict | undefined),
    ...(id !== undefined && { tool_call_id: id }),
    ...(Array.isArray(calls) && calls.length > 0 && { tool_calls: calls.map(toolCall) }),
  })
}

/** Converts a tool call to the form of providers, for `additionalKwargs`. */
const toolCall = ({ id, name, args }: Dict) => ({
  id,
  type: 'function',
  function: { name, arguments: compactJson(args) },
})

function chatMessage(role: unknown, content: unknown, additionalKwargs: Dict = {}): ChatMessage {
  return new ChatMessage({
    role: (rolesByType[role as string] ?? role) as NonNullable<ChatMessageOptions['role']>,
    content: content as MessageContent,
    additionalKwargs,
  })
}
