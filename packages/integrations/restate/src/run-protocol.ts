/**
 * @module
 * What callers send and receive, as JSON.
 */
import type { AnswerJson, PendingToolCall } from '@x/agents'
import { ConfigurationError, type Dict, type Json, type MessageContent } from '@x/core-model'

/** A request to run an agent. */
export interface AgentRequest {
  /** The question or the order: a string, or content parts (text, images and files). */
  input: MessageContent
  /** Whatever tools and hooks need: the user, a tenant. */
  context?: Json | undefined
  /** The conversation so far, as the dicts of messages, for a workflow. The answer contains the conversation then. */
  chatHistory?: readonly Dict[] | undefined
}

/**
 * Reads a request: the input, or an object with it.
 * @param takesHistory - whether the caller may pass a conversation.
 * @throws {ConfigurationError}
 */
export function readRequest(where: string, data: unknown, takesHistory: boolean): AgentRequest {
  const request = typeof data === 'string' ? { input: data } : ((data ?? {}) as AgentRequest)
  if (typeof request.input !== 'string' && !Array.isArray(request.input))
    throw new ConfigurationError(
      `${where}: expected a string or { input }, received ${JSON.stringify(data) ?? 'nothing'}.`,
    )
  const { chatHistory } = request
  if (chatHistory !== undefined && !(takesHistory && Array.isArray(chatHistory)))
    throw new ConfigurationError(`${where}.chatHistory: expected ${takesHistory ? 'an array of messages' : 'nothing'}.`)
  return request
}

/** The answer of a run, as `AgentChatResponse.fromDict` reads it. */
export interface AgentAnswer extends AnswerJson {
  /** The conversation with this answer, if the request contained one. */
  messages?: Dict[]
}

/** The state of a run. */
export interface AgentStatus {
  /** `refused`: the code served now cannot go on with the run, or cannot make the agent. The engine tries again. */
  state: 'unknown' | 'running' | 'waiting' | 'done' | 'failed' | 'cancelled' | 'refused'
  /** The number of the last step that began. */
  step: number
  /** The calls that wait for a decision or a result. */
  calls: WaitingCall[]
  /** Why the run failed, or is refused. */
  error?: RunFailure
}

/** An error as the status contains it. */
export interface RunFailure {
  code: string
  name: string
  message: string
}

/** Returns an error as the status contains it. */
export function failureOf(error: unknown): RunFailure {
  const { code, name = 'Error', message = String(error) } = Object(error) as Partial<RunFailure>
  return { code: typeof code === 'string' ? code : 'error', name, message }
}

/** A tool call that waits. */
export type WaitingCall = Pick<PendingToolCall, 'id' | 'name' | 'arguments' | 'awaits'> & {
  /** Why the last decision was refused, such as arguments that do not fit the tool. */
  refused?: string
  /** How many decisions were refused. */
  refusals: number
}

export const UNKNOWN: AgentStatus = { state: 'unknown', step: 0, calls: [] }

/** Returns the calls as a caller sees them. */
export function waitingCalls(calls: readonly PendingToolCall[]): WaitingCall[] {
  return calls.map(({ id, name, arguments: args, awaits }) => ({
    id,
    name,
    arguments: args,
    ...(awaits && { awaits }),
    refusals: 0,
  }))
}

/** The answer to a message of a conversation. */
export interface ConversationAnswer extends Omit<AgentAnswer, 'messages'> {
  /** The task that made it, which is the key of its workflow. */
  taskId: string
}
