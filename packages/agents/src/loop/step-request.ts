/**
 * @module
 * What a step asks the model, and what comes of it.
 */
import type { BaseLLM } from '@x/core-model'
import type { AsyncBaseTool } from '../tool/base-tool.ts'
import type { ToolChoice } from './agent-worker.ts'
import type { ModelRequest } from './tool-calling-protocol.ts'

/** What a request is made from. */
export interface RequestPlan {
  llm: BaseLLM
  tools: readonly AsyncBaseTool[]
  toolChoice: ToolChoice
  /** Whether the tool choice is final. */
  isChosen?: boolean | undefined
  /** Whether the limit of tool calls is reached. */
  isLimited?: boolean | undefined
}

/** A request with the model and the tools of the step. */
export type StepRequest = RequestPlan & ModelRequest

/** The result of a step. */
export type Outcome =
  | { kind: 'answer'; text: string; output?: unknown }
  | { kind: 'next'; text: string }
  /** Calls wait for decisions; they are in `state.pending_calls`. */
  | { kind: 'waiting' }
