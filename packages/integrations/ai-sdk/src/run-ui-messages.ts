/**
 * @module
 * Starts a run of an agent from the messages that `useChat` sends.
 */
import type { AgentEvent, AgentInput } from '@x/agents'
import { ConfigurationError, type ContentPart } from '@x/core-model'

/** The part of a message of a user interface that is read. */
export interface UIMessageLike {
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
  readonly approval?: { readonly approved?: boolean; readonly reason?: string | undefined } | undefined
}

/** The methods of an agent that are called. */
export interface UIAgent<Options extends object> {
  runEvents(input: AgentInput, options: Options & { taskId?: string }): AsyncGenerator<AgentEvent>
  getPendingApprovals(taskId: string): readonly { id: string }[]
  approve(taskId: string, callId: string): Promise<void>
  reject(taskId: string, callId: string, reason?: string): Promise<void>
}

/** Options of {@link runUIMessages}. */
export interface RunUIMessagesOptions<Options extends object> {
  /** Options of `runEvents`, such as `memory` and `signal`. */
  run?: Options | undefined
  /** Whether the user may continue a task. The id comes from the client, which may send any id. @defaultValue every task of the agent */
  mayContinue?: ((taskId: string) => boolean | Promise<boolean>) | undefined
}

/** The last parameter of {@link runUIMessages}: optional, unless the agent needs a context. */
export type RunUIArguments<Options extends object> =
  Record<never, never> extends Options
    ? [options?: RunUIMessagesOptions<Options>]
    : [options: RunUIMessagesOptions<Options> & { run: Options }]

/**
 * Answers the last message of a chat: the text and the files of the user, or the user's decisions about tool calls, after which the task
 * continues.
 * Use it with {@link uiMessageResponse}. Earlier messages are not read: the conversation is the agent's, so pass the one of this chat as
 * `run.memory`.
 * @param messages - the messages of the chat, as the client sent them. Decisions count only for calls that wait.
 * @throws {ModelValidationError} when a file has no address or no media type.
 * @throws {ConfigurationError} when the last message is neither from the user nor a decision, and when `mayContinue` refuses the task.
 */
export async function* runUIMessages<Options extends object>(
  agent: UIAgent<Options>,
  messages: readonly UIMessageLike[],
  ...[options]: RunUIArguments<Options>
): AsyncGenerator<AgentEvent, void, undefined> {
  const { run = {} as Options, mayContinue = () => true } = options ?? {}
  const last = messages.at(-1)
  if (last?.role === 'user') {
    yield* agent.runEvents(inputOf(last.parts), run)
    return
  }
  const { taskId } = Object(last?.metadata) as { taskId?: unknown }
  if (last?.role !== 'assistant' || typeof taskId !== 'string')
    throw new ConfigurationError('The last message is neither from the user nor a decision about tool calls.')
  if (!(await mayContinue(taskId))) throw new ConfigurationError(`Task "${taskId}" may not be continued by this user.`)
  const waiting = new Set(agent.getPendingApprovals(taskId).map(({ id }) => id))
  for (const { state, toolCallId = '', approval } of last.parts) {
    if (state !== 'approval-responded' || !waiting.has(toolCallId)) continue
    if (approval?.approved) await agent.approve(taskId, toolCallId)
    else await agent.reject(taskId, toolCallId, approval?.reason)
  }
  const known = new Set(last.parts.map(({ toolCallId }) => toolCallId))
  for await (const event of agent.runEvents('', { ...run, taskId })) {
    // The client already shows this call and would show it twice.
    if (event.type !== 'tool_call' || !known.has(event.callId)) yield event
  }
}

/** Returns the input of the user: a string, or parts if there are files. */
function inputOf(parts: readonly UIPartLike[]): AgentInput {
  const own = parts.flatMap(contentOf)
  const texts = own.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return texts.length === own.length ? texts.join('\n') : own
}

function contentOf({ type, text, mediaType = '', url = '', filename }: UIPartLike): ContentPart[] {
  if (type === 'text' && text !== undefined) return [{ type, text }]
  if (type !== 'file') return []
  if (/^image(\/|$)/.test(mediaType)) return [{ type: 'image_url', image_url: { url } }]
  return [{ type, file: { url, media_type: mediaType, ...(filename !== undefined && { filename }) } }]
}
