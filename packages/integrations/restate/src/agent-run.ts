/**
 * @module
 * The parts of a run that an agent receives, and the receiver of its events.
 */
import type { AgentChatResponse, AgentEvent, JournalPort } from '@x/agents'
import { callback, type OptionTable, required, text, unchecked } from '@x/core/options'
import type { Json } from '@x/core-model'
import type { DescribedAgent, ReplayGate, SteppingAgent, SubmissionAgent } from '@x/durable'
import type { RestateRetryOptions, RestateSdk } from './restate-sdk.ts'

/**
 * The argument of the function that creates the agent, once per execution. Pass `durable`, `newId` and `now` on to the agent. `Context` is
 * the type of the context that your program submits.
 */
export interface AgentRun<Context = Json | undefined> {
  /** The key of the workflow or object. Tools receive idempotency keys that begin with it. */
  readonly taskId: string
  /** Runs calls through the journal of the engine. */
  readonly durable: JournalPort
  /** Returns ids that are the same in every execution. */
  readonly newId: () => string
  /** Returns the time of the last recorded result, in milliseconds since 1970: the same in every execution. */
  readonly now: () => number
  /** Aborted when the run is cancelled, or this attempt has ended. Models and tools receive it too. */
  readonly signal: AbortSignal
  /** The headers of the request that is handled, in lower case: for the trace context. */
  readonly headers: ReadonlyMap<string, string>
  /** The context that the run was submitted with. Tools and hooks receive it as `context`. */
  readonly context: Context
  /** The replay of recorded calls. Pass it to `reportOnce`. */
  readonly replay: RunReplay
}

/** The replay of the recorded calls of a run. */
export type RunReplay = Pick<ReplayGate, 'isOver' | 'ends' | 'around' | 'deliver'>

/** The methods of an agent that runs use. All runners have them. */
export interface DurableAgent extends DescribedAgent, SteppingAgent, SubmissionAgent {
  runTask(taskId: string, options: DurableRunOptions): Promise<AgentChatResponse>
  streamTask(taskId: string, options: DurableRunOptions): Promise<AgentChatResponse & { done: Promise<void> }>
  forkTask(taskId: string, options: { atStep?: number | undefined; taskId?: string }): Promise<unknown>
  saveTask(taskId: string): unknown
  loadTask(data: unknown): Promise<unknown>
}

/** Options of a run or a step. */
export interface DurableRunOptions {
  signal: AbortSignal
  context: unknown
  onEvent?: (event: AgentEvent) => void
}

/** The position of an event in its task. */
export interface EventMark {
  taskId: string
  /** The number of the step, from 1. */
  step: number
  /** The start of this execution, in milliseconds since 1970. Pieces of a later execution replace those of an earlier one. */
  attempt: number
  /**
   * The number of events before this one, without pieces of answers (`…_delta`) and progress. It is the same in every execution, so that a
   * reader can leave out an event that was reported just before a crash and is reported again.
   */
  position: number
}

/** Receives the events of runs, for a side channel to users. */
export type OnRunEvent = (event: AgentEvent, mark: EventMark) => void | Promise<void>

/** The options of all services. */
export interface AgentServiceOptions<Name extends string = string> {
  /** The module `@restatedev/restate-sdk`, or its entry for your platform. */
  restate: RestateSdk
  /** The name of the service. */
  name: Name
  /** Returns the agent; called once per execution. Agents may share models and tools. */
  agent: (run: AgentRun<never>) => DurableAgent | Promise<DurableAgent>
  /** Receives each event as it happens, for example for a web page. Answers are then streamed. */
  onEvent?: OnRunEvent | undefined
  /** How calls with a `retryable` error are repeated. @defaultValue at most 10 attempts */
  retry?: RestateRetryOptions | undefined
  /**
   * Names the behaviour of the agent. Runs that were started under a different name end with `run_changed`. Tools that are removed or
   * have other parameters are noticed without it.
   */
  version?: string | undefined
}

/** The checks of the options of every service. */
export const restateOptions = {
  restate: required('the module @restatedev/restate-sdk', 'workflow'),
  name: required(text),
  options: unchecked,
} as const

/** The checks of the options of services with an agent. */
export const serviceOptions: OptionTable<AgentServiceOptions & { options?: object | undefined }> = {
  ...restateOptions,
  agent: required(callback),
  onEvent: callback,
  retry: unchecked,
  version: text,
}
