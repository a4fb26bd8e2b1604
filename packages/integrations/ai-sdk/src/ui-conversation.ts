/**
 * @module
 * The messages of a chat client as the conversation of an agent.
 */

import { compactJson } from '@x/core/values'
import { type BaseMemory, ChatMessage, ConfigurationError, type ContentPart } from '@x/core-model'

/** The part of a message of a user interface that is read. */
export interface UIMessageLike {
  /** Identifies the message in its chat. */
  readonly id?: string
  readonly role: string
  readonly metadata?: unknown
  readonly parts: readonly UIPartLike[]
}

/** A part of a message. */
export interface UIPartLike {
  readonly type: string
  readonly text?: string
  /** The media type, the address and the name of a file. */
  readonly mediaType?: string
  readonly url?: string
  readonly filename?: string | undefined
  readonly state?: string
  readonly toolCallId?: string
  /** The name of a dynamic tool. */
  readonly toolName?: string
  readonly input?: unknown
  readonly output?: unknown
  readonly errorText?: string | undefined
  readonly approval?: { readonly approved?: boolean; readonly reason?: string | undefined } | undefined
}

/** A file that a client sent. */
export interface UIFile {
  readonly url: string
  readonly mediaType: string
  readonly filename?: string | undefined
}

/** Decides about the files of a client. */
export type AllowFile = (file: UIFile) => boolean

const MESSAGE_ID = 'ui_message_id'

/** Returns the content of a message of the user: a string, or parts if there are files. */
export function userContent(parts: readonly UIPartLike[], allowFile: AllowFile): string | ContentPart[] {
  const own = parts.flatMap((part) => contentOf(part, allowFile))
  const texts = own.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return texts.length === own.length ? texts.join('\n') : own
}

function contentOf(part: UIPartLike, allowFile: AllowFile): ContentPart[] {
  const { type, text, mediaType = '', url = '', filename } = part
  if (type === 'text' && text !== undefined) return [{ type, text }]
  if (type !== 'file') return []
  if (!allowFile({ url, mediaType, filename })) {
    const shown = url.length > 100 ? `${url.slice(0, 100)}…` : url
    throw new ConfigurationError(`The address of a file is not allowed: "${shown}".`)
  }
  if (/^image(\/|$)/.test(mediaType)) return [{ type: 'image_url', image_url: { url } }]
  return [{ type, file: { url, media_type: mediaType, ...(filename !== undefined && { filename }) } }]
}

/**
 * Returns the messages as a conversation.
 * @param withCalls - whether finished tool calls and their results are included.
 */
export function conversationOf(
  messages: readonly UIMessageLike[],
  { withCalls, allowFile }: { withCalls: boolean; allowFile: AllowFile },
): ChatMessage[] {
  return messages.flatMap(({ role, parts }) => {
    if (role === 'user') return [new ChatMessage({ role, content: userContent(parts, allowFile) })]
    if (role !== 'assistant')
      throw new ConfigurationError(`A message of the client has the role "${role}": expected "user" or "assistant".`)
    const steps = stepsOf(parts)
    return withCalls ? steps.flatMap(stepMessages) : stepMessages(steps.flat().filter(({ type }) => type === 'text'))
  })
}

/** Returns the parts of each step of an answer, without those of replies whose streams broke. */
function stepsOf(parts: readonly UIPartLike[]): UIPartLike[][] {
  const steps: UIPartLike[][] = [[]]
  for (const part of parts) {
    if (part.type === 'step-start') steps.push([])
    else if (part.type === 'data-turn-restarted') steps.splice(-1, 1, [])
    else steps.at(-1)!.push(part)
  }
  return steps
}

/** Returns the text and the calls of a step, and the results of the calls. */
function stepMessages(parts: readonly UIPartLike[]): ChatMessage[] {
  const content = parts.flatMap(({ type, text }) => (type === 'text' && text ? [text] : [])).join('\n')
  const done = parts.flatMap((part) => {
    const result = resultOf(part)
    return part.toolCallId === undefined || result === undefined ? [] : [{ ...part, id: part.toolCallId, result }]
  })
  if (done.length === 0) return content === '' ? [] : [new ChatMessage({ role: 'assistant', content })]
  const calls = done.map((part) => ({
    id: part.id,
    type: 'function',
    function: { name: nameOf(part), arguments: compactJson(part.input ?? {}) },
  }))
  const results = done.map((part) => {
    const additionalKwargs = { name: nameOf(part), tool_call_id: part.id }
    return new ChatMessage({ role: 'tool', content: part.result, additionalKwargs })
  })
  const text = content === '' ? null : content
  return [new ChatMessage({ role: 'assistant', content: text, additionalKwargs: { tool_calls: calls } }), ...results]
}

const nameOf = ({ type, toolName }: UIPartLike): string => toolName ?? type.slice('tool-'.length)

/** Returns the result of a call as text; undefined for a call that has none, which a model could not continue from. */
function resultOf({ state, output, errorText, approval }: UIPartLike): string | undefined {
  if (state === 'output-available') return typeof output === 'string' ? output : compactJson(output ?? null)
  if (state === 'output-error') return errorText ?? 'Error'
  return state === 'output-denied' ? `Error: ${approval?.reason ?? 'The call was not allowed.'}` : undefined
}

/** Returns the message of the user, with its id for {@link keepShown}. */
export function markedMessage(content: string | ContentPart[], id: string | undefined): ChatMessage {
  return new ChatMessage({ role: 'user', content, additionalKwargs: id === undefined ? {} : { [MESSAGE_ID]: id } })
}

/** Returns the id that the client gave a message; undefined if it gave none. */
export const messageId = ({ additionalKwargs }: ChatMessage) => additionalKwargs[MESSAGE_ID]

/**
 * Removes the messages from a memory that the client no longer has: the message that it sends again, after an edit or to get another
 * answer, and what follows the last message that both have.
 */
export async function keepShown(memory: BaseMemory, messages: readonly UIMessageLike[]): Promise<void> {
  const stored = await memory.getAll()
  const ids = stored.map(messageId)
  const sent = messages.flatMap(({ id }) => id ?? [])
  const last = messages.at(-1)?.id
  const common = ids.findLastIndex((id) => id !== last && sent.includes(id as string))
  const gone = ids.findIndex((id, i) => id !== undefined && (id === last || (common >= 0 && i > common)))
  if (gone >= 0) await memory.set(stored.slice(0, gone))
}
