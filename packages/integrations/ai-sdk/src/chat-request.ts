/**
 * @module
 * What `useChat` sends, and its messages as the conversation of an agent.
 */
import type { ChatDecision, ChatMessageTurn, ChatTurn } from '@x/chats'
import { invalid } from '@x/core/reading'
import { compactJson, isPlainObject } from '@x/core/values'
import { ChatMessage, ConfigurationError, type ContentPart, type Json } from '@x/core-model'
import { type AllowFile, checkFiles } from '@x/durable'
import type { UIMetadata } from './ui-chunk.ts'

/**
 * Reads what `useChat` sends.
 * @throws {ModelValidationError} for a body of another form.
 */
export function readChatBody(body: unknown): ChatTurn & { id: string } {
  const {
    id,
    message,
    messages: sent,
  } = Object(body) as { id: string; message?: UIMessageLike; messages: UIMessageLike[] }
  const isAlone = sent === undefined && message !== undefined
  const messages = isAlone ? [message] : sent
  if (!Array.isArray(messages)) throw refused('an array of messages', messages, ['messages'])
  if (messages.length === 0) throw refused('at least one message', messages, ['messages'])
  for (const [index, message] of messages.entries()) checkMessage(message, index)
  const turn = chatTurn(messages)
  // A client that sends its last message alone does not say what it shows.
  const shown = isAlone ? undefined : turn.shown
  return turn.taskId === undefined ? { id, ...turn, shown, ...asksFor(body) } : { id, ...turn, shown }
}

/** What `useChat` asks for: it names the message that is edited, and says when another answer is wanted. */
function asksFor(body: unknown): Pick<ChatMessageTurn, 'asks' | 'discardsRest' | 'replaces'> {
  const { trigger, messageId: replaces } = Object(body) as { trigger?: unknown; messageId?: unknown }
  if (replaces !== undefined && typeof replaces !== 'string') throw refused('a string', replaces, ['messageId'])
  const rest = { replaces, discardsRest: replaces !== undefined }
  if (trigger === 'regenerate-message') return { asks: 'again', ...rest }
  return trigger === 'submit-message' && !rest.discardsRest ? { asks: 'send' } : rest
}

function checkMessage(message: unknown, index: number): void {
  const { id, role, parts } = Object(message) as Record<string, unknown>
  const at = ['messages', String(index)]
  if (id !== undefined && typeof id !== 'string') throw refused('a string', id, [...at, 'id'])
  if (role !== 'user' && role !== 'assistant') throw refused('"user" or "assistant"', role, [...at, 'role'])
  if (!Array.isArray(parts)) throw refused('an array of parts', parts, [...at, 'parts'])
  for (const [place, part] of parts.entries()) checkPart(part, [...at, 'parts', String(place)])
}

/** The fields of a part that are read as strings. */
const texts = ['type', 'text', 'mediaType', 'url', 'filename', 'state', 'toolCallId', 'toolName', 'errorText']

function checkPart(part: unknown, at: string[]): void {
  if (typeof part !== 'object' || part === null) throw refused('an object', part, at)
  const given = part as Record<string, unknown>
  if (given['type'] === undefined) throw refused('a string', undefined, [...at, 'type'])
  for (const name of texts) {
    const value = given[name]
    if (value !== undefined && typeof value !== 'string') throw refused('a string', value, [...at, name])
  }
  checkApproval(given['approval'] ?? {}, [...at, 'approval'])
}

function checkApproval(approval: unknown, at: string[]): void {
  if (!isPlainObject(approval)) throw refused('an object', approval, at)
  const { id = '', approved = false, reason = '' } = approval
  if (typeof id !== 'string') throw refused('a string', id, [...at, 'id'])
  if (typeof approved !== 'boolean') throw refused('true or false', approved, [...at, 'approved'])
  if (typeof reason !== 'string') throw refused('a string', reason, [...at, 'reason'])
}

/** Returns the error for a body of another form. */
export function refused(expected: string, received: unknown, at: string[]) {
  return invalid('ChatRequest', expected, received, at)
}

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
  /** The data of a part whose type begins with `data-`. */
  readonly data?: unknown
  readonly approval?:
    | { readonly id?: string | undefined; readonly approved?: boolean; readonly reason?: string | undefined }
    | undefined
}

/**
 * Returns what the last message is: a message of the user, or decisions about calls.
 * @throws {ConfigurationError} if it is neither.
 */
export function chatTurn(messages: readonly UIMessageLike[]): ChatTurn {
  const last = messages.at(-1)
  const shown = { shown: messages.flatMap(({ id }) => id ?? []), answers: messages.flatMap(answerOf) }
  if (last?.role === 'user') return { content: userContent(last.parts), messageId: last.id, ...shown }
  const { taskId } = Object(last?.metadata) as { taskId?: unknown }
  if (last?.role !== 'assistant')
    throw new ConfigurationError('The last message must come from the user, or answer an approval.')
  if (typeof taskId !== 'string')
    throw new ConfigurationError('An answer that is sent back with decisions needs its metadata: taskId is missing.')
  return { taskId, decisions: last.parts.flatMap(decisionOf), ...shown }
}

/** Returns the state in which a page shows an answer; none for a message of the user, and without the metadata of the answer. */
function answerOf({ id, metadata, parts }: UIMessageLike): NonNullable<ChatTurn['answers']> {
  const { taskId, usage } = Object(metadata) as Partial<UIMetadata>
  if (id === undefined || typeof taskId !== 'string') return []
  const calls = parts.flatMap(({ toolCallId, state, approval }): [string, 'open' | 'approved' | 'rejected'][] => {
    if (toolCallId === undefined) return []
    if (state === 'approval-requested' || state?.startsWith('input-')) return [[toolCallId, 'open']]
    return approval?.approved === undefined ? [] : [[toolCallId, approval.approved ? 'approved' : 'rejected']]
  })
  const problems = parts.flatMap(({ type, data }) => {
    const { toolCallId, problem } = Object(data) as { toolCallId?: unknown; problem?: unknown }
    return type === 'data-approval-problem' ? [[toolCallId, problem]] : []
  })
  return [{ id, taskId, usage, calls: Object.fromEntries(calls), problems: Object.fromEntries(problems) }]
}

/** Returns the decision about a call, or the result that the client provides. */
function decisionOf({ state, toolCallId: callId, approval, input, output, errorText }: UIPartLike): ChatDecision[] {
  if (callId === undefined) return []
  if (state === 'output-available') return [{ callId, type: 'result', result: (output ?? null) as Json }]
  if (state === 'output-error') return [{ callId, type: 'result', result: errorText ?? null, isError: true }]
  if (state !== 'approval-responded') return []
  const shown = isPlainObject(input) && { shows: input }
  if (!approval?.approved) return [{ callId, type: 'reject', reason: approval?.reason, ...shown }]
  // Left out, the call would run with those of the question.
  if (!shown && input !== undefined) throw invalid('UIMessage', 'arguments as an object', input, ['input'])
  // Taken for arguments that the user has changed, the call would run with the old ones.
  const misplaced = ['arguments', 'args', 'input'].find((key) => key in approval)
  if (misplaced !== undefined)
    throw new ConfigurationError(
      `The approval of the call "${callId}" contains "${misplaced}": pass changed arguments as "input" of the part, beside "approval".`,
    )
  const { id: approvalId } = approval
  // Without it, the approval would count for whatever the call asks now.
  if (approvalId === undefined) throw invalid('UIMessage', 'the id of the approval', approvalId, ['approval', 'id'])
  // Agents without records of approvals are asked about the call itself.
  const isRecord = approvalId !== callId
  return [{ callId, type: 'approve', ...(isRecord && { approvalId }), ...shown }]
}

const userContent = (parts: readonly UIPartLike[]) => textOrParts(parts.flatMap(contentOf))

/** Returns the text if there are no files. */
export function textOrParts(parts: readonly ContentPart[]): string | readonly ContentPart[] {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return texts.length === parts.length ? texts.join('\n') : parts
}

function contentOf({ type, text, mediaType, url, filename }: UIPartLike): ContentPart[] {
  if (type === 'text' && text !== undefined) return [{ type, text }]
  return type === 'file' ? [filePart(url, mediaType, filename)] : []
}

/** Returns an image or a file. */
export function filePart(url = '', mediaType = '', filename?: string): ContentPart {
  const named = filename !== undefined && { filename }
  if (!/^image(\/|$)/.test(mediaType)) return { type: 'file', file: { url, media_type: mediaType, ...named } }
  const typed = mediaType !== imageType(url) && { media_type: mediaType }
  return { type: 'image_url', image_url: { url }, ...typed, ...named }
}

/** Returns the media type of an image by its address alone. */
export const imageType = (url: string): string => /^data:([^;,]+)/.exec(url)?.[1] ?? 'image/*'

/**
 * Returns the messages as a conversation.
 * @param withCalls - whether finished tool calls and their results are included.
 */
export function conversationOf(
  messages: readonly UIMessageLike[],
  withCalls: boolean,
  allowFile: AllowFile | undefined,
): ChatMessage[] {
  return messages.flatMap(({ role, parts }) => {
    if (role === 'user') {
      const content = userContent(parts)
      checkFiles('messages', content, allowFile)
      return [new ChatMessage({ role, content })]
    }
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
