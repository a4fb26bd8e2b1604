/**
 * @module
 * Placeholders in a chat prompt that a call fills with messages: earlier messages, and a message template per example.
 */
import { checkGiven, checkOptions, flag, text as string } from '@x/core/options'
import { invalid } from '@x/core/reading'
import { isPlainObject } from '@x/core/values'
import {
  ChatMessage,
  type ChatMessageOptions,
  type ContentPart,
  type Dict,
  isInstance,
  type MessageRole,
} from '@x/core-model'
import { InvalidVariableError } from './errors.ts'
import type { Variables } from './variable-values.ts'

/** The role of a message, with the names that other libraries use: `human` is `user`, `ai` is `assistant`. */
type PromptRole = MessageRole | 'developer' | 'human' | 'ai'

/** A message: a `ChatMessage`, `{ role, content }`, or a pair of role and content. */
export type PromptMessageLike =
  | ChatMessage
  | (Omit<ChatMessageOptions, 'role'> & { readonly role?: PromptRole | undefined })
  | readonly [role: PromptRole, content: string | readonly ContentPart[]]

/**
 * A placeholder in a chat prompt that a call fills with messages. `Value` is the type of the value that the call passes: messages, or
 * the variables of each example.
 */
export interface MessagesPlaceholder<
  Name extends string = string,
  Optional extends boolean = boolean,
  Value = readonly PromptMessageLike[] | readonly Variables[],
> {
  /** The name of the variable. */
  readonly placeholder: Name
  /** Whether a call may omit the variable. It then adds no messages. */
  readonly optional: Optional
  /** The messages of each example, as templates; null: the value of the variable is the messages. */
  readonly messages: readonly PromptMessageLike[] | null
  /** The type of the value. It exists for the compiler only. */
  readonly value?: Value
}

/** Messages of examples that the prompt stores. */
export interface FewShotMessages {
  readonly examples: readonly Variables[]
  readonly messages: readonly PromptMessageLike[]
}

/**
 * Returns a placeholder for earlier messages, such as those of a memory. A call passes them under `name`; their text is not a template.
 * @example
 * const prompt = ChatPromptTemplate.fromMessages([['system', 'Be brief.'], history('messages'), ['user', '{question}']])
 * prompt.formatMessages({ messages: [['user', 'Hi'], ['ai', 'Hello {you}']], question: 'Why?' }).map(String)
 * // => ['system: Be brief.', 'user: Hi', 'assistant: Hello {you}', 'user: Why?']
 */
export function history<const Name extends string, const Optional extends boolean = false>(
  name: Name,
  options: { optional?: Optional } = {},
): MessagesPlaceholder<Name, Optional, readonly PromptMessageLike[]> {
  checkGiven('history', { name }, string)
  checkOptions('history', options, { optional: flag })
  const { optional = false as Optional } = options
  return { placeholder: name, optional, messages: null }
}

/**
 * Returns the messages of examples: the message templates, once per example, filled with its variables. With a name instead of an array,
 * each call passes the examples under that name.
 * Formatting throws `missing_variable` if an example lacks a variable.
 * @example
 * const shots = fewShot([{ q: '1 + 1', a: 2 }], [['user', '{q}'], ['assistant', '{a}']])
 * ChatPromptTemplate.fromMessages([shots, ['user', '{question}']]).formatMessages({ question: '2 + 2' }).map(String)
 * // => ['user: 1 + 1', 'assistant: 2', 'user: 2 + 2']
 */
export function fewShot(examples: readonly Variables[], messages: readonly PromptMessageLike[]): FewShotMessages
export function fewShot<const Name extends string>(
  examples: Name,
  messages: readonly PromptMessageLike[],
): MessagesPlaceholder<Name, false, readonly Variables[]>
export function fewShot(
  examples: readonly Variables[] | string,
  messages: readonly PromptMessageLike[],
): FewShotMessages | MessagesPlaceholder {
  return typeof examples === 'string' ? { placeholder: examples, optional: false, messages } : { examples, messages }
}

const otherRoles: Readonly<Record<string, string>> = { human: 'user', ai: 'assistant' }

/** Returns the message that a value stands for. @throws {ModelValidationError} */
function messageOf(value: unknown, title: string, path: readonly (string | number)[]): ChatMessage {
  if (isInstance(value, ChatMessage)) return value
  if (!Array.isArray(value) && !isPlainObject(value))
    throw invalid(title, 'a ChatMessage, { role, content }, or a pair of role and content', value, [...path])
  const { role = 'user', ...rest } = (Array.isArray(value) ? { role: value[0], content: value[1] } : value) as Record<
    string,
    unknown
  >
  const known = otherRoles[role as string] ?? role
  // Only reading accepts this role.
  if (known === 'developer') return new ChatMessage(rest).copy({ update: { role: known } as object })
  return new ChatMessage({ role: known, ...rest } as ChatMessageOptions)
}

/** A placeholder as a prompt stores it. All values are JSON. */
export interface StoredPlaceholder {
  /** The index of the message template before which the messages are. */
  readonly at: number
  /** The name of the variable; null: the examples are stored. */
  readonly variable: string | null
  readonly optional: boolean
  /** The message templates of one example, in wire form; null: the value of the variable is the messages. */
  readonly messages: readonly Dict[] | null
  /** The variables of each stored example; null: those of the call. */
  readonly examples: readonly Variables[] | null
}

/** An entry of `ChatPromptTemplate.fromMessages`. */
export type MessageEntry = PromptMessageLike | MessagesPlaceholder | FewShotMessages

/** Separates messages from the placeholders between them. @throws {ModelValidationError} for an entry that is neither. */
export function readEntries(entries: readonly MessageEntry[], title: string) {
  const messageTemplates: ChatMessage[] = []
  const placeholders: StoredPlaceholder[] = []
  for (const [index, entry] of entries.entries()) {
    const { placeholder = null, optional = false, examples = null, messages = null } = Object(entry)
    if (placeholder === null && examples === null) messageTemplates.push(messageOf(entry, title, [index]))
    else
      placeholders.push({
        at: messageTemplates.length,
        variable: placeholder,
        optional,
        messages: messages?.map((item: unknown, at: number) => messageOf(item, title, [index, at]).toDict()) ?? null,
        examples,
      })
  }
  return { messageTemplates, placeholders: placeholders.length > 0 ? placeholders : null }
}

/** @throws {ModelValidationError} for a stored placeholder that is not valid. */
export function checkPlaceholders(placeholders: readonly StoredPlaceholder[], title: string): void {
  const objects = (value: unknown) => value === null || (Array.isArray(value) && value.every(isPlainObject))
  for (const [index, place] of placeholders.entries()) {
    const { at, variable, messages, examples } = place
    const isNamed = typeof variable === 'string' && examples === null
    const isStored = variable === null && Array.isArray(examples) && messages !== null
    if (!Number.isInteger(at) || at < 0 || !(isNamed || isStored) || !objects(messages) || !objects(examples))
      throw invalid(title, 'a placeholder as history and fewShot make it', place, ['placeholders', index])
  }
}

/** Returns the messages of the value of a placeholder, or of its stored examples. `fill` returns the messages of one example. */
export function messagesFor(
  { variable, optional, messages, examples }: StoredPlaceholder,
  valueOf: (name: string) => unknown,
  fill: (example: Variables) => ChatMessage[],
): ChatMessage[] {
  const name = variable ?? 'examples'
  const value = variable === null ? examples : valueOf(variable)
  if (optional && (value === undefined || value === null)) return []
  if (!Array.isArray(value)) throw new InvalidVariableError(name, value, 'an array of messages')
  if (messages === null) return value.map((item, index) => messageOf(item, `Variable {${name}}`, [index]).copy())
  return value.flatMap((example) => {
    if (!isPlainObject(example)) throw new InvalidVariableError(name, example, 'objects of variables')
    return fill(example)
  })
}
