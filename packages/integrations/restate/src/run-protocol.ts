/**
 * @module
 * The JSON that callers send and receive.
 */
import type { AnswerJson } from '@x/agents'
import type { ConversationRef, Dict } from '@x/core-model'
import type { TaskFailure, TaskSubmission, WaitingCall } from '@x/durable'

/** A request to run an agent. The answer to one with `chatHistory` contains the whole conversation. */
export interface AgentRequest extends TaskSubmission {
  /** The task of this service that has started this one: `cancel` of it cancels this one too. */
  startedBy?: string | undefined
}

/** The answer of a run, as `AgentChatResponse.fromDict` reads it. */
export interface AgentAnswer extends AnswerJson {
  /** The conversation with this answer, if the request contained one. */
  messages?: Dict[]
  /** The conversation with this answer, if the request contained a reference. */
  conversation?: ConversationRef
}

/** The state of a run. */
export interface AgentStatus {
  /** `refused`: the current code cannot continue the run, or cannot create the agent. The engine tries again. */
  state: 'unknown' | 'running' | 'waiting' | 'finished' | 'failed' | 'cancelled' | 'refused'
  /** The number of the last step that started. */
  step: number
  /** The calls that wait for a decision or a result. */
  calls: readonly WaitingCall[]
  /** The reason why the run failed or is refused. */
  error?: TaskFailure
}

export const STARTED: AgentStatus = { state: 'running', step: 0, calls: [] }
export const UNKNOWN: AgentStatus = { state: 'unknown', step: 0, calls: [] }

/** The answer to a message of a conversation. */
export interface ConversationAnswer extends Omit<AgentAnswer, 'messages' | 'conversation'> {
  /** The task of the answer, which is the key of its workflow. */
  taskId: string
}
