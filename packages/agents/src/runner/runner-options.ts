/**
 * @module
 * The options of runners and of their runs.
 */
import {
  callback,
  callbackManager,
  callOptions,
  checkOptions,
  choice,
  flag,
  group,
  having,
  listOf,
  milliseconds,
  type OptionCheck,
  type OptionTable,
  required,
  text,
  unchecked,
  wholeNumber,
} from '@x/core/options'
import type { BaseLLM, BaseMemory, CallbackManager, ChatMessage, ChatMessageOptions } from '@x/core-model'
import type { Receive } from '@x/core-model/async'
import type { MemoryClass } from '@x/core-model/memory'
import type { AgentWorker, ToolChoice } from '../loop/agent-worker.ts'
import type { AgentEvent } from '../task/agent-event.ts'
import type { JournalPort } from '../task/durable.ts'
import type { Journal } from '../task/journal.ts'
import type { CheckBudget } from '../task/step-context.ts'
import type { TaskStep } from '../task/task-step.ts'

/** Whether an answer is complete or streams. */
export type ChatResponseMode = 'wait' | 'stream'

/** Time limits, in milliseconds. */
export interface RunTimeouts {
  /** Limit of a `chat`, including its stream. @defaultValue no limit */
  totalMs?: number | null | undefined
  /** Limit of one step, including the stream of its answer. @defaultValue no limit */
  stepMs?: number | null | undefined
}

/** Options of all runners. */
export interface BaseAgentRunnerOptions<State> {
  agentWorker: AgentWorker
  /** The conversation so far. Cannot be combined with `memory`. */
  chatHistory?: readonly (ChatMessage | ChatMessageOptions)[] | null | undefined
  /** Initial tasks. @defaultValue empty */
  state?: State | null | undefined
  /** Stores the conversation of runs without their own. @defaultValue a {@link ChatMemoryBuffer} for `llm` */
  memory?: BaseMemory | null | undefined
  /** The model that receives the conversation. It determines the size of the default memory. */
  llm?: Pick<BaseLLM, 'metadata'> | null | undefined
  /** Receives the events. Also set on the worker. @defaultValue the callback manager of the worker */
  callbackManager?: CallbackManager | null | undefined
  /** The initial extra state of every task. */
  initTaskStateKwargs?: Readonly<Record<string, unknown>> | null | undefined
  /** Whether a task is deleted when it is finalized. @defaultValue false */
  deleteTaskOnFinish?: boolean | undefined
  /**
   * Maximum number of finalized tasks; the oldest are deleted first. As many whose run has failed or was stopped stay in memory: older ones
   * can be resumed from the task store, if there is one. Tasks that wait for a decision are all kept. Null keeps all. @defaultValue 1000
   */
  maxFinishedTasks?: number | null | undefined
  /**
   * How many steps of a task can be undone, and how far back it can be forked. Null keeps the states of all: the memory that they need
   * grows with the square of the steps. @defaultValue 100
   */
  maxUndo?: number | null | undefined
  timeouts?: RunTimeouts | undefined
  /** `journal(store)`: stores every change of a task before the task continues. `journal()`: tasks are saved by `saveTask` alone. */
  taskStore?: Journal | undefined
  /** Creates the ids of tasks. Also passed to steps. @defaultValue random UUIDs */
  newId?: (() => string) | undefined
  /** Returns the time for steps and for the entries of journals, in milliseconds since 1970. @defaultValue `Date.now` */
  now?: (() => number) | undefined
  /**
   * `journalPort(port)`: wraps every call of a model, a tool or a retriever, for engines that save and repeat calls themselves. Cannot be
   * combined with `taskStore`.
   */
  durable?: JournalPort | undefined
}

/** Options of agents that make their own memory. */
export interface OwnMemoryOptions {
  /** The conversation so far. Cannot be combined with `memory`. */
  chatHistory?: readonly (ChatMessage | ChatMessageOptions)[] | null | undefined
  /** @defaultValue a memory of `memoryCls` for the model */
  memory?: BaseMemory | null | undefined
  /** @defaultValue ChatMemoryBuffer */
  memoryCls?: MemoryClass | undefined
}

const messageList = listOf('a message or its fields')
/** Accepts an array of messages, or null. */
const history: OptionCheck = (value) => (value === null ? undefined : messageList(value))

export const aMemory = having('a memory', 'get', 'put')

/** The checks of {@link OwnMemoryOptions}; the runner checks the memory. */
export const OWN_MEMORY_OPTIONS: OptionTable<OwnMemoryOptions> = {
  chatHistory: history,
  memory: unchecked,
  memoryCls: (value) =>
    value === null || (typeof value === 'function' && 'fromDefaults' in value) ? undefined : 'a class of memories',
}

/** A value of `journal()`. */
export const aJournal = having('journal(store)', 'savedCall')

/** A value of `journalPort()`. */
const aPort: OptionCheck = (value) =>
  typeof value === 'function' && 'journal' in value ? undefined : 'journalPort(port)'

const TIMEOUTS: OptionTable<RunTimeouts> = { totalMs: milliseconds(0, 'or null'), stepMs: milliseconds(0, 'or null') }

/** The checks of {@link BaseAgentRunnerOptions}. */
export const BASE_RUNNER_OPTIONS: OptionTable<BaseAgentRunnerOptions<unknown>> = {
  agentWorker: required('a worker', 'initializeStep', 'runStep'),
  chatHistory: history,
  state: unchecked,
  memory: aMemory,
  llm: having('a model', 'metadata'),
  callbackManager,
  initTaskStateKwargs: having('an object'),
  deleteTaskOnFinish: flag,
  maxFinishedTasks: wholeNumber(0, 'or null'),
  timeouts: group(TIMEOUTS),
  maxUndo: wholeNumber(0, 'or null'),
  taskStore: aJournal,
  newId: callback,
  now: callback,
  durable: aPort,
}

/** The data about a run for tools, hooks and callbacks. */
interface RunContextOptions<Context = unknown> {
  /** Data that tools and hooks need in this run, such as the user or a connection. They receive it as `context`. It is not saved. */
  context?: Context | undefined
  /** Id of the callback event that the run belongs to, where the platform has no async context. */
  parentId?: string | undefined
}

/** The last parameter of a method that runs something: optional, unless the run needs a context. */
export type RunArguments<Options, Context> = undefined extends Context
  ? [options?: Options]
  : [options: Options & { context: Context }]

/** Options of a question outside the conversation. */
export interface QueryOptions<Context = unknown> extends RunContextOptions<Context> {
  signal?: AbortSignal | undefined
}

/** Options for continuing a task. */
export interface RunTaskOptions<Context = unknown, ToolName extends string = string>
  extends RunContextOptions<Context> {
  /** The tool choice of the first step; later steps use `auto`, also if `chat` continues a task. */
  toolChoice?: ToolChoice<ToolName> | null | undefined
  signal?: AbortSignal | undefined
  /** Receives the events of the steps. `runEvents` also reports the end of the task. */
  onEvent?: OnAgentEvent | undefined
  /** Used instead of the option `durable` of the runner: that of the engine that runs the calling agent. */
  durable?: JournalPort | undefined
  /** Asks the calling agent before this one calls its model or tools; `context.checkBudget` of the tool that runs this agent. */
  checkBudget?: CheckBudget | undefined
}

/** Options of a message. At most one of `memory`, `conversation` and `chatHistory` can be passed. */
export interface ChatOptions<Context = unknown, ToolName extends string = string>
  extends RunTaskOptions<Context, ToolName> {
  /**
   * The conversation of this run alone. One agent serves any number of conversations at once.
   * @defaultValue the memory of the agent, for one run at a time
   */
  memory?: BaseMemory | null | undefined
  /** Like `memory`, with a conversation that the agent created. */
  conversation?: { readonly memory: BaseMemory } | null | undefined
  /**
   * Starts a fresh conversation with these messages, for this run. If no other run uses the memory of the agent, they also replace
   * the messages there, even with an empty array.
   */
  chatHistory?: readonly (ChatMessage | ChatMessageOptions)[] | null | undefined
  /**
   * The id of the task. Attaches to a task of the agent or its task store with this id; the input is not used then:
   * - running: joins the run, of `chat` with this id or of `runTask`
   * - unfinished: continues it
   * - finished and not deleted: returns its answer
   *
   * While a single step of the task runs (`runStep`), it throws `task_busy`.
   * @defaultValue a new id
   */
  taskId?: string | undefined
  /**
   * For `streamChat`: streams the text of the last turn, which is the answer, or of all turns, including text before tool calls.
   * @defaultValue 'last'
   */
  text?: 'last' | 'all' | undefined
  /** For `streamChat`: whether the model continues when the last reader stops before the end. @defaultValue false */
  keepsReading?: boolean | undefined
}

/** Options of `runEvents`. */
export interface RunEventsOptions<Context = unknown, ToolName extends string = string>
  extends Omit<ChatOptions<Context, ToolName>, 'onEvent' | 'text' | 'keepsReading'> {
  /** Whether the answer streams. @defaultValue true */
  stream?: boolean | undefined
}

/** Options of a single step. */
export interface RunStepOptions<Context = unknown, ToolName extends string = string>
  extends RunTaskOptions<Context, ToolName> {
  /** Replaces the input of the step. Cannot be combined with `step`. */
  input?: string | null | undefined
  /** The step to run. @defaultValue the first upcoming one */
  step?: TaskStep | null | undefined
}

const RUN_TASK_OPTIONS: OptionTable<RunTaskOptions> = {
  ...callOptions,
  context: unchecked,
  toolChoice: unchecked,
  onEvent: callback,
  durable: aPort,
  checkBudget: callback,
}

const RUN_OPTIONS = {
  chat: {
    ...RUN_TASK_OPTIONS,
    ...{ messages: 'chatHistory', sessionId: 'conversation', threadId: 'conversation' },
    memory: aMemory,
    conversation: having('a conversation', 'memory'),
    chatHistory: history,
    taskId: text,
    text: choice('last', 'all'),
    keepsReading: flag,
    stream: flag,
  } satisfies OptionTable<ChatOptions & RunEventsOptions>,
  runTask: RUN_TASK_OPTIONS,
  runStep: { ...RUN_TASK_OPTIONS, input: text, step: unchecked } satisfies OptionTable<RunStepOptions>,
}

/** Returns the options of a run, which are optional. @throws {ModelValidationError} if one is unknown or invalid. */
export function runOptions<Options extends object>(
  method: keyof typeof RUN_OPTIONS,
  options: Options | undefined,
): Partial<Options> {
  if (options) checkOptions(method, options, RUN_OPTIONS[method])
  return options ?? {}
}

/** Receives the events of a run. If it returns a promise, the run waits for it. */
export type OnAgentEvent = Receive<AgentEvent>

/** Options for the steps of a run. */
export interface StepRunOptions {
  toolChoice: ToolChoice
  mode: ChatResponseMode
  signal: AbortSignal | undefined
  onEvent?: OnAgentEvent | undefined
  /** Receives the message of the user when it is accepted. */
  onInput?: ((message: ChatMessage) => void) | undefined
  /** Receives the ids of calls when their tools begin, and the errors with which calls end the run. */
  begun?: Map<string, unknown> | undefined
  context?: unknown
  /** The id of the callback event of the run. */
  parentId?: string | undefined
  durable?: JournalPort | undefined
  checkBudget?: CheckBudget | undefined
}
