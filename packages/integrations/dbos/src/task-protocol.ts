/**
 * @module
 * What workers and those who submit tasks write for each other.
 */
import type { AgentEvent, AnswerJson, PendingToolCall } from '@x/agents'
import type { Dict, Json } from '@x/core-model'

/** The event of a workflow that contains what its task waits for. */
export const WAITING = 'waiting'
/** The topic of the decisions for a task. */
export const DECISIONS = 'decisions'

/** What a task is about, in JSON. */
export interface TaskRequest {
  input: string
  /** Whatever the factory of the agent needs to know, such as the user. */
  context?: Json | undefined
  /** The messages before the input, as written by `ChatMessage.toDict()`. */
  chatHistory?: readonly Dict[] | undefined
}

/** The answer of a task in JSON; `AgentChatResponse.fromDict` reads it. */
export interface TaskAnswer extends AnswerJson {
  /** The structured answer of an agent with an output schema, otherwise null. */
  output: Json
}

/** What a task waits for. */
export interface WaitingTask {
  /** The calls that need a decision. */
  calls: readonly PendingToolCall[]
  /** The last decision, if it was refused: the call still waits. */
  refused: { callId: string; code: string; message: string } | null
}

/** The stream of a workflow that contains the events of its task. */
export const EVENTS = 'events'

/**
 * Events that were written together. A call that is interrupted is made again. Then its events are written again with a different
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
 * @param records - what was read from the stream so far, in order.
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
