/**
 * @module
 * The data that workers and clients exchange.
 */
import type { AgentEvent, AnswerJson, PendingToolCall } from '@x/agents'
import type { ConversationRef, Dict, Json } from '@x/core-model'

/** The event of a workflow with the calls that wait for a decision. */
export const WAITING = 'waiting'
/** The topic of the decisions for a task. */
export const DECISIONS = 'decisions'

/** The input of a task, as JSON. */
export interface TaskRequest {
  input: string
  /** Data for the function that creates the agent, and for tools and hooks, such as the user. */
  context?: Json | undefined
  /** The messages before the input, as written by `ChatMessage.toDict()`. */
  chatHistory?: readonly Dict[] | undefined
  /** The messages before the input, as the first ones of a conversation in the `chatStore` of the workflow. */
  conversation?: ConversationRef | undefined
}

/** The answer of a task in JSON; `AgentChatResponse.fromDict` reads it. */
export interface TaskAnswer extends AnswerJson {
  /** The structured answer of an agent with an output schema, otherwise null. */
  output: Json
}

/** The calls of a task that wait for a decision. */
export interface WaitingTask {
  /** The calls that need a decision. */
  calls: readonly PendingToolCall[]
  /** The last decision, if it was refused. Its call still waits. */
  refused: { callId: string; code: string; message: string } | null
}

/** The stream of a workflow that contains the events of its task. */
export const EVENTS = 'events'

/**
 * Events that were written together. An interrupted call is repeated, and its events are written again with a different
 * `attempt`, and those of its earlier attempts do not count; see {@link validEvents}.
 */
export interface TaskEvents {
  /** The name of the call during which or before which they happened, such as `step-1/model`. */
  call: string
  /** Different for every attempt of a call. */
  attempt: string
  events: AgentEvent[]
}

/**
 * Returns the events without those of attempts that were interrupted.
 * @param records - the records that were read from the stream so far, in order.
 * @example
 * const delta = (delta: string) => ({ type: 'text_delta' as const, taskId: 't', stepId: 's', delta })
 * const events = validEvents([
 *   { call: 'step-1/model', attempt: 'a', events: [delta('Goo')] },
 *   { call: 'step-1/model', attempt: 'b', events: [delta('Hel')] },
 *   { call: 'step-1/model', attempt: 'b', events: [delta('lo')] },
 * ])
 * events // => [delta('Hel'), delta('lo')]
 */
export function validEvents(records: readonly TaskEvents[]): AgentEvent[] {
  const latest = new Map(records.map(({ call, attempt }) => [call, attempt]))
  return records.flatMap(({ call, attempt, events }) => (latest.get(call) === attempt ? events : []))
}
