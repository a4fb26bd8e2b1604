/**
 * @module
 * The input of an agent: a string, content parts, or a message.
 */
import { kindOf } from '@x/core/values'
import {
  ChatMessage,
  isFilePart,
  isImagePart,
  isInstance,
  isTextPart,
  type MessageContent,
  ModelValidationError,
  messageText,
  partsText,
  type ValidationIssue,
} from '@x/core-model'
import { readDataUrl } from '@x/core-model/data'

/** The input of a run: a string, content parts (text, images and files), or a message of the user with one of them. */
export type AgentInput = MessageContent | ChatMessage

/** The fields of a task that contain its input. */
export interface TaskInput {
  /** The text; without text, a line per image and file. */
  input: string
  /** The message, unless it is only a string. */
  inputMessage: ChatMessage | null
}

/**
 * Returns the fields of a task for its input.
 * @throws {ModelValidationError} with an issue for every part that is not text, an image or a file, or is incomplete.
 */
export function taskInput(input: AgentInput): TaskInput {
  if (typeof input === 'string') return { input, inputMessage: null }
  if (!isInstance(input, ChatMessage)) checkParts(input)
  const message = messageOf(input)
  if (message.role !== 'user') throw invalid('role', `expected "user", received ${JSON.stringify(message.role)}`)
  const { content } = message
  if (typeof content !== 'string') checkParts(content)
  const isPlain = typeof content === 'string' && Object.keys(message.additionalKwargs).length === 0
  return { input: inputText(message), inputMessage: isPlain ? null : message }
}

/** Returns the message of the user for the input of a task. */
export function inputMessageOf({ input, inputMessage }: TaskInput): ChatMessage {
  return inputMessage ?? new ChatMessage({ role: 'user', content: input })
}

/** Returns the message of an input whose parts are checked later. */
export function messageOf(input: AgentInput): ChatMessage {
  return isInstance(input, ChatMessage) ? input : new ChatMessage({ role: 'user', content: input })
}

/** The text of a message; without text, a line per image and file. */
export function inputText(message: ChatMessage): string {
  const { content } = message
  return Array.isArray(content) && !content.some(isTextPart) ? partsText(content) : messageText(message)
}

/** Returns the message with other content. A string replaces the text, and images and files stay. */
export function withInput(message: ChatMessage, replacement: MessageContent): ChatMessage {
  const { content } = message
  if (typeof replacement !== 'string') {
    checkParts(replacement)
    return message.copy({ update: { content: [...replacement] } })
  }
  const others = Array.isArray(content) ? content.filter((part) => !isTextPart(part)) : []
  const text = { type: 'text' as const, text: replacement }
  return message.copy({ update: { content: others.length > 0 ? [text, ...others] : replacement } })
}

/** @throws {ModelValidationError} with an issue for every invalid part. */
function checkParts(parts: unknown): void {
  if (!Array.isArray(parts))
    throw invalid('content', `expected a string, content parts or a ChatMessage, received ${kindOf(parts)}`)
  if (parts.length === 0) throw invalid('content', 'expected at least one part, received none')
  const issues = parts.flatMap((part: unknown, i) => issuesOf(part, `content[${i}]`))
  if (issues.length > 0) throw new ModelValidationError('ChatMessage', issues)
}

const USER_PARTS = 'a part of type text, image_url or file'

function issuesOf(part: unknown, path: string): ValidationIssue[] {
  const { type } = Object(part) as { type?: unknown }
  const issue = (at: string, message: string) => [{ path: `${path}${at}`, message, code: 'type' as const }]
  if (type === 'text') return isTextPart(part) ? [] : issue('.text', 'expected a string')
  if (type === 'image_url')
    return isImagePart(part) ? addressIssues(part.image_url.url, issue, '.image_url') : issue('.image_url.url', ADDRESS)
  if (type === 'file') {
    if (!isFilePart(part)) return issue('.file.url', ADDRESS)
    const { url, media_type: type } = part.file
    const isTyped = typeof type === 'string' && type !== ''
    const example = readDataUrl(url)?.mediaType || 'application/pdf'
    const media = isTyped ? [] : issue('.file.media_type', `expected a media type such as ${example}`)
    return [...addressIssues(url, issue, '.file'), ...media]
  }
  const received = type === undefined ? kindOf(part) : `type ${JSON.stringify(type)}`
  return issue('', `expected ${USER_PARTS}, received ${received}`)
}

const ADDRESS = 'expected an address or a data URL'

function addressIssues(
  url: string,
  issue: (at: string, message: string) => ValidationIssue[],
  path: string,
): ValidationIssue[] {
  const isBroken = url === '' || (url.startsWith('data:') && readDataUrl(url) === null)
  return isBroken ? issue(`${path}.url`, `${ADDRESS}, received ${JSON.stringify(url.slice(0, 40))}`) : []
}

function invalid(path: string, message: string): ModelValidationError {
  return new ModelValidationError('ChatMessage', [{ path, message, code: 'type' }])
}
