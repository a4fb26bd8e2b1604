/**
 * @module
 * The data that workers and clients exchange.
 */
import type { AnswerJson } from '@x/agents'
import type { Json } from '@x/core-model'
import type { TaskSubmission, WaitingCall } from '@x/durable'

/** The event of a workflow with the calls that wait for a decision. */
export const WAITING = 'waiting'
/** The topic of the messages that a decision was stored, for a workflow that waits for them in its place. */
export const DECIDED = 'decided'
/** The stream of a workflow that contains the events of its task. */
export const EVENTS = 'events'

/** The input of a task, as JSON. */
export interface TaskRequest extends TaskSubmission {
  /**
   * Whether the workflow ends while the task waits for decisions, so that it takes no slot of its queue; a decision continues it.
   * Tasks that `DbosTasks` submits have it. A workflow that another one calls waits for decisions instead, because its caller waits for it.
   */
  parks?: boolean | undefined
}

/** The answer of a task in JSON; `AgentChatResponse.fromDict` reads it. */
export interface TaskAnswer extends AnswerJson {
  /** The structured answer of an agent with an output schema, otherwise null. */
  output: Json
}

/** The output of a workflow that has ended while its task waits for decisions. */
export interface ParkedTask {
  parked: true
}

/** Whether a workflow has ended while its task waits. */
export function isParked(output: unknown): output is ParkedTask {
  return (output as Partial<ParkedTask> | null | undefined)?.parked === true
}

/** What a workflow publishes about the calls of its task that wait. */
export interface WaitingTask {
  /** The calls that need a decision. */
  calls: readonly WaitingCall[]
  /** Whether the workflow waits for messages, instead of ending. */
  listens: boolean
}
