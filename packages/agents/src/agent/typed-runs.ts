/**
 * @module
 * The types of the answers of agents with an output schema.
 */
import type { AgentChatResponse, StreamingAgentChatResponse } from '../answer/agent-chat-response.ts'
import type { ChatOptions, RunTaskOptions } from '../runner/runner-options.ts'
import type { ResultOf } from '../tool/tool-schema.ts'

/** The value of an answer that matches a schema; null without a schema. */
export type OutputOf<Schema> = Schema extends { '~standard': { types?: infer Types } }
  ? NonNullable<Types> extends { output: infer Output }
    ? Output
    : unknown
  : Schema extends object
    ? ResultOf<Schema>
    : null

/** The methods of a runner whose answers have a typed output. */
export interface TypedRuns<Output> {
  /** Answers a message: creates a task, runs its steps, and adds the answer to the conversation. */
  chat(message: string, options?: ChatOptions): Promise<AgentChatResponse<Output>>
  /** Like `chat`, but returns a streaming answer as soon as its first piece arrives. */
  streamChat(message: string, options?: ChatOptions): Promise<StreamingAgentChatResponse<Output>>
  /** Runs the remaining steps of a task and finalizes it, for example after a failure, a load or an approval. */
  runTask(taskId: string, options?: RunTaskOptions): Promise<AgentChatResponse<Output>>
  /** Like `runTask`, but returns a streaming answer. */
  streamTask(taskId: string, options?: RunTaskOptions): Promise<StreamingAgentChatResponse<Output>>
}

/** An agent whose answers have the type of its output schema. */
export type WithOutput<Agent, Schema> = TypedRuns<OutputOf<Schema>> & Agent
