/**
 * @module
 * The contract of a protocol: how tools are offered to a model, and how its replies are read and recorded.
 */
import type { CallOptions, ChatMessage, ToolOutput } from '@x/core-model'
import type { HasPrompts } from '@x/prompts'
import type { ToolCall } from '../task/agent-event.ts'
import type { StepLike, TaskLike } from '../task/task-like.ts'
import type { AsyncBaseTool } from '../tool/base-tool.ts'
import type { ToolChoice } from './agent-worker.ts'

/** The parsed reply of a model. */
export type ModelTurn =
  | AnswerTurn
  | CallsTurn
  /** Text that cannot be parsed; this is reported to the model. */
  | { kind: 'unreadable'; text: string | null; observation: string }

/** What was reported while a reply streamed: its text, or its text and its thought. */
export type Shown = 'text' | 'all'

/** An answer. */
export interface AnswerTurn {
  kind: 'answer'
  text: string
  thought?: string
  message?: ChatMessage
  /** The value of a structured answer. */
  output?: unknown
  shown?: Shown
}

/** A turn that requests tool calls. */
export interface CallsTurn {
  kind: 'calls'
  calls: ToolCall[]
  /** The thoughts of the model, if the protocol has a field for it. */
  thought?: string
  /** The text of the model in addition to the calls. */
  text?: string
  message: ChatMessage
  shown?: Shown
}

/** The input of a request to the model. */
export interface RequestContext {
  task: TaskLike
  /** The tools that the model may call. */
  tools: readonly AsyncBaseTool[]
  toolChoice: ToolChoice
}

/** A request to the model. */
export interface ModelRequest {
  messages: ChatMessage[]
  options: CallOptions
}

/** Reads the text of a streamed reply piece by piece, to find what may be shown before its end. */
export interface TextReader {
  /** Returns the text in a piece that may be shown, or an empty string. */
  push(delta: string): string
  /** Returns the rest of that text at the end of the reply. */
  flush?(): string
  /** Whether the text that was returned is certainly an answer, because no tool call can follow. */
  readonly isAnswer: boolean
  /** The reasoning in the last piece, for protocols in which models write it into their text. */
  readonly reasoning?: string
  /** The thought before an answer, for protocols that have one. */
  readonly thought?: string
  /** Whether the rest of the reply is irrelevant, so that the model may be stopped. */
  canStop(): boolean
}

/**
 * Defines how tools are offered to a model, and how its replies are read and recorded. A protocol has no state of its own: its records
 * are in the extra state of the task.
 */
export interface ToolCallingProtocol extends Partial<HasPrompts> {
  /** Identifies the protocol in saved tasks. */
  readonly name: string
  /** The layer `shownSteps`, for a protocol whose messages have no calls: a page that is loaded shows them. @defaultValue none */
  readonly shownSteps?: object
  /** Returns the initial extra state of a task, in addition to the common one. */
  initialState(): Record<string, unknown>
  /** Records the input of a step, a message of the user. `step.stepState.is_first` is true in the first step. */
  acceptInput(input: ChatMessage, step: StepLike, task: TaskLike): void
  /** Creates the messages for the model, and the options of the call. */
  request(context: RequestContext): ModelRequest | Promise<ModelRequest>
  /** Parses a complete reply. @throws if it cannot be parsed and the protocol does not report this to the model. */
  read(reply: ChatMessage, isStreaming: boolean): ModelTurn
  /** Returns a reader for one streamed reply. @param offersTools - whether the model may call tools in this turn. */
  reader(offersTools: boolean): TextReader
  /** Records the requested calls, before the tools run. @param read - returns the arguments of a call, and throws if it cannot. */
  recordCalls(turn: CallsTurn, task: TaskLike, read: (call: ToolCall) => Record<string, unknown>): void
  /** Puts the new arguments of a recorded call into the record. */
  editCall(call: ToolCall, task: TaskLike): void
  recordOutput(call: ToolCall, output: ToolOutput, task: TaskLike): void
  recordAnswer(text: string, turn: ModelTurn, task: TaskLike): void
  recordUnreadable(turn: ModelTurn & { kind: 'unreadable' }, task: TaskLike): void
  /** Returns the text of a step that did not end the task. */
  outputText(turn: ModelTurn, outputs: readonly ToolOutput[]): string
  /** Returns the text of the last record, for the error at the limit; null if no record has text. */
  lastText(task: TaskLike): string | null
}
