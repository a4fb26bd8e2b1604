/**
 * @module
 * The contract of layers: what a step is about, the functions of a loop, and what a layer may put around them.
 */
import type { OptionCheck } from '@x/core/options'
import type { BaseLLM, ChatMessage, ToolOutput } from '@x/core-model'
import type { PendingToolCall, StepEvent, ToolCall } from '../task/agent-event.ts'
import type { Approval } from '../task/approval-record.ts'
import type { Durable, Once } from '../task/durable.ts'
import type { JournalPart } from '../task/journal.ts'
import type { BudgetChecks, CheckBudget } from '../task/step-context.ts'
import type { StepLike, TaskLike } from '../task/task-like.ts'
import type { AsyncBaseTool, Tool, ToolCallContext } from '../tool/base-tool.ts'
import type { ToolChoice } from './agent-worker.ts'
import type { CallIds, LoopState } from './loop-state.ts'
import type { LiveText, ModelReply } from './reply.ts'
import type { ModelRequest, ModelTurn, ToolCallingProtocol } from './tool-calling-protocol.ts'

export type { ModelReply }

/** A call that runs: new, or decided after it waited. `place` is `<step>/<position>` of the turn that requested it. */
export type LoopCall = (ToolCall & { place?: string }) | PendingToolCall

/** A call that continues, with the decisions on the calls of its agent. */
export type DecidedCall = PendingToolCall & { decisions?: PendingToolCall[] }

/** What one step is about. A layer may pass on a changed copy; it keeps its own state in `state`, which is saved with the task. */
export interface Scope<Context = unknown> {
  readonly loop: Loop
  readonly task: TaskLike
  readonly state: LoopState
  readonly step: StepLike
  /** The number of the step in its task, from 1. */
  readonly stepNumber: number
  /** The ids of the calls of this step. The same object in all copies of the scope. */
  readonly ids: CallIds
  /** The tools of this step. */
  readonly tools: readonly AsyncBaseTool[]
  readonly toolChoice: ToolChoice
  /** The option `context` of the run. */
  readonly context: Context
  /** Receives the events of the step; undefined if nobody listens. */
  readonly emit: ((event: StepEvent) => unknown) | undefined
  /** Resolves when the receiver of the events is ready for more. */
  readonly ready?: (() => Promise<void> | undefined) | undefined
  readonly signal: AbortSignal | undefined
  /** The id of the callback event that the step belongs to. */
  readonly parentId?: string | undefined
  /** Whether the turn must be an answer: the model receives no tools, and its text is the answer. */
  readonly mustAnswer?: boolean | undefined
  /** The calls that may have to wait: those that do, and those that are free to run. */
  readonly judged?: ReadonlyMap<LoopCall, PendingToolCall> | undefined
  /** Finds out which of these calls wait, when their turn to run has come. */
  readonly judge?: ((calls: readonly LoopCall[]) => Promise<void>) | undefined
  /** Returns the mark of a call that is free to run; undefined if approvals have no seal. @internal */
  readonly freeMark?: ((call: LoopCall) => string) | undefined
  /** Calls that cannot run, with the error for the model. */
  readonly faults?: ReadonlyMap<LoopCall, unknown> | undefined
  /** Returns a corrected call, or null if it cannot be corrected; undefined if nobody corrects calls. */
  readonly repair?: ((call: LoopCall, error: unknown) => Promise<ToolCall | null>) | undefined
  /** Whether the calls of a turn run one after the other, unless the loop says how many run at the same time. */
  readonly inOrder?: boolean | undefined
  /** Whether an interrupted attempt may have begun the call. @internal */
  readonly mayHaveRun?: boolean | undefined
  /** Calls that are refused because a limit is reached. */
  readonly refused?: ReadonlySet<LoopCall> | undefined
  /** Whether an outer layer handles an error of a tool call, so that it is thrown instead of reported to the model. */
  readonly handles?: ((error: unknown) => boolean) | undefined
  /** Whether the call is one that a repair function has returned. */
  readonly isRepaired?: boolean | undefined
  /** Whether an error of a tool call ends the run instead of being reported to the model. */
  readonly raises?: ((error: unknown) => boolean) | undefined
  /** Returns the raw output of a call that failed: an answer with the usage of the agent behind it, if there is one. */
  readonly failedAnswer?: (() => unknown) | undefined
  /** What tools receive in addition. */
  readonly callContext?: Partial<ToolCallContext> | undefined
  /** Saves the result of a hook, so that a repeated step does not call it again. */
  readonly remember?:
    | (<T>(name: string, make: () => Promise<T>, fits: (data: unknown) => boolean) => Promise<T>)
    | undefined
  /** How the runner of the step saves its calls; undefined if nothing is saved. @internal */
  readonly saving?: StepSaving | undefined
  /** Checks what the task and the agents behind its tools use together; undefined without a budget. @internal */
  readonly budget?: BudgetChecks | undefined
  /** The budgets of the agents that called this one. */
  readonly checkBudget?: CheckBudget | undefined
  /** Receives a message of the user that no layer has refused. */
  readonly onInput?: ((message: ChatMessage) => void) | undefined
  /** Receives the ids of calls when their tools begin, and the errors with which calls end the run. @internal */
  readonly begun?: Map<string, unknown> | undefined
  readonly durable?: Durable | undefined
  /** Whether an engine makes the calls of the model, and repeats those that fail. */
  readonly isRepeated?: boolean | undefined
  /** Receives what there is of a reply that is not used: its stream broke, or it was refused. */
  readonly onBroken?: ((last: ModelReply) => void) | undefined
  /** Receives each piece of the text of a reply that streams, also of one that is held back. @internal */
  readonly onText?: ((delta: string) => void) | undefined
  /** Does something with the reply when it may be shown; undefined if it may be shown at once. */
  readonly hold?: ((show: () => void) => void) | undefined
  /** Receives the text of the reply as it streams. @internal */
  readonly onLive?: ((live: LiveText) => void) | undefined
  /** Receives the function that records the answer, for callers that record it later. */
  readonly defer?: ((write: (text: string) => void) => void) | undefined
}

/** How the runner of a step saves its calls. @internal */
export interface StepSaving {
  /** Makes a call, unless an earlier attempt of the step has its result. @param name - of the call in its step. */
  readonly once: Once
  /**
   * Whether an earlier attempt has the result of a call. Such a call does not wait, even if a new version of the program would ask for
   * approval.
   * @param kind - of another result about the call. @defaultValue `tool`, its output
   */
  readonly isSaved: (place: string, kind?: string) => boolean
  /** Whether results may be read in another process, so that agents that wait must be savable. */
  readonly isStrict: boolean
  /** Returns the part of the journal for the agent behind the call at a place. */
  readonly part: (place: string) => JournalPart | undefined
}

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

/** Runs one step of a task: from the request to the record of its turn. */
export type RunStep = (input: ChatMessage | null, scope: Scope) => Promise<Outcome>
/** Adds the input of a task to its messages. */
export type AcceptInput = (input: ChatMessage, scope: Scope) => void | Promise<void>
/** Makes the request of a step. */
export type MakeRequest = (plan: RequestPlan, scope: Scope) => StepRequest | Promise<StepRequest>
/** Calls the model. */
export type CallModel = (request: StepRequest, scope: Scope) => Promise<ModelReply>
/** Returns a reply of the model or another one, from the inside to the outside. `ask` calls the model again, with the layers inside. */
export type CheckReply = (
  reply: ModelReply,
  request: StepRequest,
  scope: Scope,
  ask: CallModel,
) => ModelReply | Promise<ModelReply>
/** Reads a reply as a turn: an answer, calls of tools, or text that cannot be read. */
export type ReadReply = (message: ChatMessage, scope: Scope) => ModelTurn | Promise<ModelTurn>
/** Returns undefined if the turn must wait; what it waits for is in `state.pending_calls` then. */
export type MakeCalls = (calls: readonly LoopCall[], scope: Scope) => Promise<ToolOutput[] | undefined>
/** Returns undefined if the call must wait. */
export type CallTool = (call: LoopCall, scope: Scope) => Promise<ToolOutput | undefined>
/** Records a turn and the outputs of its calls in the task. */
export type RecordTurn = (turn: ModelTurn, outputs: readonly ToolOutput[], scope: Scope) => Outcome | Promise<Outcome>
/** Returns the arguments of a call as an object. */
export type ReadCallArguments = (call: ToolCall) => Record<string, unknown>

/** Approves a call of a task that waits. @param getTools - returns the tools of the task. */
export type ApproveCall = (
  call: PendingToolCall,
  approval: Approval,
  task: TaskLike,
  loop: Loop,
  getTools?: () => Promise<readonly AsyncBaseTool[]>,
) => Promise<PendingToolCall>

/** A feature: functions around one or more of the functions of the loop. */
export interface Layer {
  /** For messages and checks. */
  readonly name?: string
  /** Layers with lower ranks are outside. @defaultValue 50, inside the limits and outside of what is saved */
  rank?: number
  /** The whole step. */
  step?(next: RunStep): RunStep
  /** A message of the user, before the model is called. */
  input?(next: AcceptInput): AcceptInput
  /** Makes the request: model, tools, messages and options. */
  request?(next: MakeRequest): MakeRequest
  /** Calls the model. */
  model?(next: CallModel): CallModel
  /** Looks at each reply of the model. */
  reply?: CheckReply
  /** Reads the reply of the model. */
  read?(next: ReadReply): ReadReply
  /** Makes all calls of a turn. */
  calls?(next: MakeCalls): MakeCalls
  /** Makes one call. */
  tool?(next: CallTool): CallTool
  /** Records a turn with the outputs of its calls, and decides what follows. */
  record?(next: RecordTurn): RecordTurn
  /** Reads the arguments of a call. */
  arguments?(next: ReadCallArguments): ReadCallArguments
  /**
   * Follows a task of a runner whose state is an earlier one: after steps were undone, or before a fork begins, which has the id of its
   * original.
   */
  restored?(task: TaskLike, origin?: string): void | Promise<void>
  /** Approves a call that waits. The last layer that has it counts. */
  approve?: ApproveCall
  /** What the feature makes possible, without which a loop refuses tools that need it. */
  serves?: 'approvals' | 'agentTools' | 'timeLimit'
  /** Tools that the feature adds. */
  tools?: readonly Tool[]
  /** Whether the text of an answer may change, so that it must not be shown while it streams. */
  holdsText?: boolean
  /** Whether users do not see the reasoning of the model. */
  holdsReasoning?: boolean
  /** Whether a message of the user may be refused, so that later tasks of its conversation must not contain it before it is accepted. */
  holdsInput?: boolean
}

/** Layers, or lists of them. */
export type Layers = readonly (Layer | readonly Layer[])[]

/** The functions of a loop, each with the layers around it. */
export interface Loop {
  readonly llm: BaseLLM
  readonly tools: readonly AsyncBaseTool[]
  readonly protocol: ToolCallingProtocol
  readonly parallel: number | undefined
  readonly holdsText: boolean
  readonly holdsReasoning: boolean
  readonly holdsInput: boolean
  readonly runStep: RunStep
  readonly acceptInput: AcceptInput
  readonly request: MakeRequest
  readonly callModel: CallModel
  readonly read: ReadReply
  readonly makeCalls: MakeCalls
  readonly callTool: CallTool
  readonly record: RecordTurn
  readonly argumentsOf: ReadCallArguments
  /** Undefined without the layer `approvals`. */
  readonly approve?: ApproveCall
}

/** Options of a {@link Loop}. */
export interface LoopOptions {
  llm: BaseLLM
  tools?: readonly Tool[] | undefined
  protocol: ToolCallingProtocol
  layers?: Layers | undefined
  /** Maximum number of calls of a turn that run at the same time. @defaultValue all of them */
  maxToolConcurrency?: number | undefined
}

/** The check of the option `layers`. */
export const layerList: OptionCheck = (value) => {
  const isLayer = (layer: unknown) =>
    Object(layer) === layer && typeof layer !== 'function' && !('then' in (layer as object))
  return value === null || (Array.isArray(value) && value.flat().every(isLayer))
    ? undefined
    : 'an array of layers, such as [retries()]'
}
