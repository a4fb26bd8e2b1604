/**
 * @module
 * The values that the parts of the loop share while a step runs.
 */
import type { BaseLLM, CallbackManager, CallOptions } from '@x/core-model'
import type { Task } from '../task/task.ts'
import type { TaskStep } from '../task/task-step.ts'
import type { AsyncBaseTool } from '../tool/base-tool.ts'
import type { StepOptions } from './agent-worker.ts'
import type { ContextWindow } from './context-window.ts'
import type { ToolLoopOptions } from './loop-options.ts'
import type { LoopState } from './loop-state.ts'
import type { ToolCallingProtocol, Turn } from './tool-calling-protocol.ts'
import type { RunningUsage } from './usage.ts'

/** How a structured answer is requested: by a tool, or by options of the call. */
export interface AnswerRequest {
  readonly tool: AsyncBaseTool | undefined
  readonly callOptions: CallOptions | undefined
  /** Returns the reply as an answer with its value, or as text that the model must correct. */
  judge(turn: Turn, round: Round): Promise<Turn>
  /** Returns the value of a string. */
  valueOf(text: string, round: Round): Promise<unknown>
}

/** The options of a step that are passed to a retriever of tools. */
export type RetrieveOptions = Pick<StepOptions, 'signal' | 'parentId' | 'context'>

/** The worker of a round. */
export interface RoundWorker {
  readonly llm: BaseLLM
  readonly protocol: ToolCallingProtocol
  readonly options: ToolLoopOptions
  readonly callbackManager: CallbackManager
  /** How structured answers are requested. */
  readonly answerSchema: AnswerRequest | undefined
  /** The maximum number of tool calls of a task; null for no limit. */
  readonly maxFunctionCalls: number | null
  /** Keeps requests small enough; undefined if they are sent unchanged. */
  readonly contextWindow: ContextWindow | undefined
  /** Creates the ids of steps if the runner does not. */
  readonly newId: () => string
  /** The tools in the options. Empty with a `toolRetriever`. */
  readonly tools: readonly AsyncBaseTool[]
  getTools(input: string, options: RetrieveOptions): Promise<readonly AsyncBaseTool[]>
  log(text: string): void
}

/** A running step. */
export interface Round {
  readonly worker: RoundWorker
  readonly step: TaskStep
  readonly task: Task
  readonly state: LoopState
  readonly context: StepOptions
  /** Whether the reply of the model streams. */
  readonly streaming: boolean
  /** The model of this step. */
  llm: BaseLLM
  /** The tools of this step. */
  tools: readonly AsyncBaseTool[]
  /** Whether the model must answer and receives no tools. */
  mustAnswer: boolean
  /** The usage of agents behind tools that run. */
  readonly agents: RunningUsage
  /** How often the model was called in this step. */
  modelCalls: number
}

/** Returns the number of the step in its task. */
export function stepNumber({ context, state }: Round): number {
  return context.stepNumber ?? state.n_iterations
}

/** Returns how many tool calls may still run. */
export function callsLeft({ worker, state }: Round): number {
  return worker.maxFunctionCalls === null ? Number.POSITIVE_INFINITY : worker.maxFunctionCalls - state.n_function_calls
}
