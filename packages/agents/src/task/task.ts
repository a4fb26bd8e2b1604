/**
 * @module
 * A task: one run of an agent for one user input, which is a string, content parts, or a message.
 */

import { isPlainObject, kindOf } from '@x/core/values'
import {
  CallbackManager,
  ChatMessage,
  type Dict,
  isFilePart,
  isImagePart,
  isInstance,
  isTextPart,
  type MessageContent,
  type Model,
  type ModelConstructor,
  ModelValidationError,
  messageText,
  partsText,
  type ReadOptions,
  type ValidationIssue,
} from '@x/core-model'
import { newId, readDataUrl } from '@x/core-model/data'
import { ChatMemoryBuffer } from '@x/core-model/memory'
import { TaskModel, type TaskOptions } from '../generated/task.ts'
import { TaskAlreadyExistsError } from './task-errors.ts'

/**
 * One run of an agent for one user input. `extraState` contains the state that the worker keeps between steps.
 * @throws {ModelValidationError} if the input or the memory is missing.
 * @example
 * const memory = ChatMemoryBuffer.fromDefaults({ tokenLimit: 100 })
 * const task = new Task({ taskId: 't', input: 'Hello', memory })
 * task.toDict().memory // => memory.toDict()
 * Task.fromDict(task.toDict()).equals(task) // => true
 */
export class Task<ExtraState extends object = Record<string, unknown>> extends TaskModel {
  declare extraState: ExtraState & Record<string, unknown>

  constructor(options: TaskOptions) {
    super(options?.taskId ? options : { ...options, taskId: newId() })
  }

  static override makeDefault(field: string): unknown {
    return field === 'callbackManager' ? new CallbackManager() : null
  }

  static override nested() {
    return { inputMessage: [ChatMessage] }
  }

  /**
   * Reads a task from its wire form. The memory in the data must be a {@link ChatMemoryBuffer}; pass any other memory in
   * `overrides`.
   * @throws {ModelValidationError} if the data is invalid.
   * @throws {UnknownClassNameError} if the data contains a memory of another class.
   */
  static override fromDict<T extends Model>(
    this: ModelConstructor<T>,
    data: unknown,
    overrides: Dict = {},
    options: ReadOptions = {},
  ): T {
    return super.fromDict.call(this, data, { ...memoryOf(data), ...overrides }, options) as T
  }
}

/** Reads the memory in the data of a task, if its class is known. */
function memoryOf(data: unknown): Dict {
  const memory = isPlainObject(data) ? data['memory'] : undefined
  if (!isPlainObject(memory)) return {}
  const { class_name: className = ChatMemoryBuffer.className() } = memory
  return className === ChatMemoryBuffer.className() ? { memory: ChatMemoryBuffer.fromDict(memory) } : {}
}

/**
 * Checks that a task is asked for in its own conversation: another user may have used the same id.
 * @param known - the id of its conversation, if that is stored elsewhere.
 * @throws {TaskAlreadyExistsError}
 */
export function checkConversation(
  taskId: string,
  known: string | null | undefined,
  asked: object | null | undefined,
): void {
  const id = asked ? conversationIdOf(asked) : undefined
  if (id === undefined || known === undefined || known === null || known === id) return
  throw new TaskAlreadyExistsError(taskId, ' in another conversation; use an id that is unique in all of them')
}

/** Returns the id of a conversation whose messages are stored elsewhere, otherwise undefined. */
export function conversationIdOf(memory: object): string | undefined {
  return (memory as { conversationId?: string }).conversationId
}

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
