/**
 * @module
 * Adapts prompts that render to messages of content parts, such as those of dotprompt and Genkit.
 */
import { checkGiven, list } from '@x/core/options'
import {
  ChatMessage,
  type ChatMessageOptions,
  type ContentPart,
  type Dict,
  MissingVariableError,
  messageText,
  NotSupportedError,
} from '@x/core-model'
import type { ForeignPrompt } from './foreign-prompt-template.ts'
import type { Variables } from './variable-values.ts'

/** A message of a rendered prompt. Its parts contain a `text`, a `media` object, or other data. */
export interface RenderedMessage {
  readonly role: string
  readonly content: string | readonly Readonly<Dict>[]
}

/** A prompt that renders to messages. */
export interface DotPrompt {
  /** The names of the required variables. */
  readonly inputVariables: readonly string[]
  /** Default values. */
  readonly defaults?: Variables | undefined
  /** The source of the template. */
  readonly template?: string | undefined
  /** Renders the prompt synchronously. Returns the messages, or an object that contains them. */
  render(input: Readonly<Dict>): readonly RenderedMessage[] | { readonly messages: readonly RenderedMessage[] }
}

/**
 * Adapts a prompt that renders to messages of content parts. The role `model` becomes `assistant`. A message with a single text part
 * has that text as its content. `media` parts become `image_url` parts.
 * @throws {MissingVariableError} if it is formatted without a required variable.
 * @throws {NotSupportedError} if it is formatted and `render` returns a promise.
 * @see https://google.github.io/dotprompt/
 * @example
 * const greeting = dotPrompt({
 *   inputVariables: ['name'],
 *   render: ({ name }) => [{ role: 'model', content: [{ text: `Hello ${name}` }] }],
 * })
 * new ForeignPromptTemplate({ template: greeting }).formatMessages({ name: 'Ada' }).map(String) // => ['assistant: Hello Ada']
 */
export function dotPrompt(prompt: DotPrompt): ForeignPrompt {
  checkGiven('dotPrompt', { prompt }, 'a prompt, as readDotPrompt returns it', 'inputVariables')
  const { inputVariables, defaults = {}, template } = prompt
  checkGiven('dotPrompt.prompt', { inputVariables }, list)
  const formatMessages = (vars: Variables): ChatMessage[] => {
    const input = { ...defaults, ...vars }
    const missing = inputVariables.filter((name) => !Object.hasOwn(input, name))
    if (missing.length > 0) throw new MissingVariableError(missing)
    const rendered = prompt.render(input)
    const messages = 'messages' in rendered ? rendered.messages : rendered
    if (!Array.isArray(messages))
      throw new NotSupportedError(
        'dotPrompt.render: expected messages, received a promise or another value; render synchronously.',
      )
    return messages.map(messageOf)
  }
  return {
    inputVariables: inputVariables.filter((name) => !Object.hasOwn(defaults, name)),
    partialVariables: defaults,
    template,
    isChat: true,
    partial: (vars) =>
      dotPrompt({
        inputVariables,
        template,
        defaults: { ...defaults, ...vars },
        render: (input) => prompt.render(input),
      }),
    format: (vars) => formatMessages(vars).map(messageText).join('\n'),
    formatMessages,
  }
}

function messageOf({ role, content }: RenderedMessage): ChatMessage {
  const parts = typeof content === 'string' ? content : content.map(contentPart)
  return new ChatMessage({
    role: (role === 'model' ? 'assistant' : role) as NonNullable<ChatMessageOptions['role']>,
    content: parts.length === 1 && typeof parts !== 'string' && 'text' in parts[0]! ? parts[0].text : parts,
  })
}

function contentPart(part: Readonly<Dict>): ContentPart {
  if (typeof part['text'] === 'string') return { type: 'text', text: part['text'] }
  const media = part['media'] as { url?: unknown } | undefined
  return media
    ? { type: 'image_url', image_url: { url: media.url as string } }
    : ({ ...part } as unknown as ContentPart)
}
