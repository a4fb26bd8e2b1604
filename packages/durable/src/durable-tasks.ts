/**
 * @module
 * One protocol for tasks that survive their processes: the same operations, states and errors for every engine that runs them.
 */
import type { AgentInput, AnswerJson, Journal, JournalPort, ToolDecision } from '@x/agents'
import type { ChatMessage, ConversationRef, Json, JsonSchema } from '@x/core-model'
import type { TaskFailure } from './durable-errors.ts'
import type { TaskEvents, TaskEventsOptions } from './task-events.ts'

/**
 * The state of a task.
 * - `queued`: it has not started, or continues as soon as a worker is free
 * - `running`
 * - `waiting`: for decisions about its calls. No worker is occupied.
 * - `finished`: it has an answer
 * - `failed`: it has an error, and does not continue by itself; `retry` continues it
 * - `cancelled`: `retry` continues it
 */
export type TaskStatus = 'queued' | 'running' | 'waiting' | 'finished' | 'failed' | 'cancelled'

/** Options of a new task. At most one of `chatHistory` and `conversation` can be passed. */
export interface SubmitTaskOptions {
  /** The id of the task. If a task with this id exists, nothing is submitted. @defaultValue a new id */
  taskId?: string | undefined
  /** JSON for the function that creates the agent, and for tools and hooks, such as the user. Its type may be an interface. */
  context?: Json | object | undefined
  /** The messages before the input. */
  chatHistory?: readonly ChatMessage[] | undefined
  /**
   * The messages before the input, as the first ones of a conversation in the chat store of the worker, instead of a copy. The messages of
   * the task are added to it.
   */
  conversation?: ConversationRef | undefined
  /**
   * The id of the task that submits this one, for a tool or a layer of an agent: `task.taskId`. `cancel` of that task cancels this one too.
   * On Restate, both must be of one service. @defaultValue nobody: a person or another program submits it
   */
  startedBy?: string | undefined
}

/** Options of the method `answer`. */
export interface AnswerOptions {
  /**
   * The id of the task that waits for the answer, for a tool or a layer of an agent that waits for another task of the same engine:
   * `task.taskId`. While it waits, it does not count as one that runs, so that tasks that wait for others do not occupy all places. On an
   * engine with queues of its own, such as DBOS, submit the other task to another queue instead. @defaultValue nobody: a person or another
   * program waits
   */
  inPlaceOf?: string | undefined
  /** Ends the waiting, not the task. */
  signal?: AbortSignal | undefined
}

/** Options of a fork. */
export interface ForkTaskOptions {
  /** The number of steps that are kept. @defaultValue all that are completed */
  atStep?: number | undefined
  /** The id of the new task. @defaultValue a new id, of the same owner if the id of the original is one of `ownedId` */
  taskId?: string | undefined
}

/** Which tasks a list has. */
export interface ListTasksOptions {
  /** Only tasks in this state. @defaultValue `list` of an engine: those that have not ended; `listTasks`: all */
  status?: TaskStatus | undefined
  /** Only tasks of this user: those whose ids have this owner, compared whole (`ownedId`). Leave it out for the tasks of all users. */
  user?: string
}

/** A task in the list of an engine. */
export interface TaskOverview {
  taskId: string
  /** `damaged`: its record cannot be read. `delete` deletes it; its other operations throw the error. */
  status: TaskStatus | 'damaged'
  /** The text of the question. */
  input: string
  /** When it was submitted, in milliseconds since 1970-01-01 UTC. */
  at: number | null
  /** The calls that wait for a decision, as `waiting` returns them. */
  calls: readonly WaitingCall[]
  /**
   * Why it is damaged or failed, or why the last worker that took it could not run it, so that it is queued for another one: `agent_setup`,
   * or `approval` if the tool of an approved call is missing.
   */
  problem?: TaskFailure
}

/** Why a decision about a call was refused. */
export interface RefusedDecision {
  code: string
  message: string
  /** The number of decisions about the call that did not count, from 1. */
  count: number
}

/** A tool call that waits for a decision or a result, as JSON. */
export interface WaitingCall {
  id: string
  name: string
  /**
   * The arguments; from models with native tool calls their JSON string, if it is what the tool receives. Integers beyond 2^53 are strings.
   */
  arguments: Record<string, unknown> | string
  /** What the tool receives, if its schema makes something else of the arguments, such as a transform: as JSON. */
  runsWith?: Json
  /** Whether the call waits for an approval, or for its result. */
  awaits: 'approval' | 'result'
  /** The JSON Schema of the arguments, for a tool that is not one of the options of the agent. */
  schema?: JsonSchema
  /** The id of the outer call, if an agent behind a tool made this one. */
  parent?: string
  /** What a decision names to be about this question alone: its `approvalId`. */
  approvalId?: string
  /**
   * Why the call waits again after an approval: what is different from what was shown; or that `needsApproval` failed; and that the call
   * may have run already.
   */
  problem?: string
  /** Why the last decision did not count, such as arguments that do not fit the tool, or an approval of a call that has changed. */
  refused?: RefusedDecision
}

/**
 * The tasks of an agent that survive their processes. An engine implements it: `StoredTasks` on a task store, `DbosTasks` of `@x/dbos` on
 * PostgreSQL, `RestateTasks` of `@x/restate`. A page or a route that is written for this interface works with all of them.
 * `durableTasksChecks` of `@x/testing/durable` checks your own.
 *
 * All methods throw `task_not_found` for an unknown id. An operation that an engine does not have throws `unsupported_operation`.
 * @example
 * const inbox = async (tasks: DurableTasks, taskId: string) => {
 *   if ((await tasks.status(taskId)) !== 'waiting') return
 *   for (const { id } of await tasks.waiting(taskId)) await tasks.decide(taskId, { callId: id, type: 'approve', by: 'Ann' })
 * }
 */
export interface DurableTasks {
  /**
   * Submits a task and returns its id. When the promise resolves, the task is stored. If a task with this id exists, it does not change.
   * @throws {ConfigurationError} if the id or an option is not valid.
   * @throws {ModelValidationError} if the input or a message is not valid.
   * @throws {SerializationError} if the context is not JSON.
   */
  submit(input: AgentInput, options?: SubmitTaskOptions): Promise<string>
  /** Returns the state of a task. @throws {TaskNotFoundError} */
  status(taskId: string): Promise<TaskStatus>
  /**
   * Waits until the task ends, and returns its answer as JSON, which `AgentChatResponse.fromDict` reads; `String(answer)` is its
   * `response`. If the task fails, throws its error, with the `name`, `code` and `message` of the error that the agent threw, and no other
   * field.
   * @throws {TaskCancelledError}
   * @throws {TaskNotFoundError}
   * @throws the reason of the signal.
   */
  answer(taskId: string, options?: AnswerOptions): Promise<AnswerJson>
  /** Returns the calls that wait; empty if no call waits. @throws {TaskNotFoundError} */
  waiting(taskId: string): Promise<readonly WaitingCall[]>
  /**
   * Stores a decision about a call that waits, or its result from outside. The task continues when all of its calls are decided. If the
   * decision is refused, for example because edited arguments do not fit the tool, the call still waits, and has the reason in `refused`.
   * @throws {ConfigurationError} if the decision is malformed.
   * @throws {ModelValidationError} if it has a field that does not exist.
   * @throws {ApprovalError} if no call with this id waits, or its `approvalId` is another one.
   * @throws {TaskNotFoundError}
   */
  decide(taskId: string, decision: ToolDecision): Promise<void>
  /**
   * Yields the events of a task from the first one, while they happen, and ends when the task does. It continues while the task waits.
   * Those of a fork are the events of its own steps, behind `approval_required` if one of its calls waits.
   * Leaving ends it at once. The event `approval_required` may come a moment before `waiting` has the calls; `TasksAgent` waits for them.
   * `validEvents` leaves out those of attempts that were interrupted.
   * @throws {TaskNotFoundError}
   */
  events(taskId: string, options?: TaskEventsOptions): AsyncIterable<TaskEvents>
  /**
   * Stops a task, and those that it has started (`startedBy`). The signal of the call that runs aborts. Resolves when the status is
   * `cancelled`, or after five seconds if an engine cannot stop the call. Does nothing if the task has ended.
   * @throws {TaskNotFoundError}
   */
  cancel(taskId: string): Promise<void>
  /**
   * Continues a task that has failed or was cancelled, without the tasks that were cancelled with it. Calls whose results are stored are
   * not repeated. A call that failed is repeated with the same arguments and the same idempotency key.
   * @throws {TaskFinalizedError} if the task is finished; fork it.
   * @throws {TaskBusyError} if it is queued, runs or waits.
   * @throws {TaskNotFoundError}
   */
  retry(taskId: string): Promise<void>
  /**
   * Starts a task that continues from a step of this one, with the results of the steps before. This task does not change. The calls of the
   * fork have other keys: what must happen once needs a key of your own, such as the number of an invoice.
   * @returns the id of the new task.
   * @throws {InvalidStepError} if the task has not completed so many steps.
   * @throws {TaskAlreadyExistsError} if the id of the new task is in use.
   * @throws {TaskNotFoundError}
   */
  fork(taskId: string, options?: ForkTaskOptions): Promise<string>
  /**
   * Deletes a task that has ended, and what the engine stores of it. Its conversation stays, and what layers store elsewhere, such as
   * messages by `steer`: delete that by their `clear`. Its id may be used again, but a new task with it has the same idempotency keys:
   * services that know them ignore its calls.
   * @throws {TaskBusyError} if it has not ended; `cancel` it first.
   * @throws {TaskNotFoundError}
   */
  delete(taskId: string): Promise<void>
  /**
   * Returns tasks in order of submission: those that have not ended, or those of one state, of all users or of one. Engines without it
   * cannot list tasks.
   * @throws {ModelValidationError} if `status` is not a state, or `user` not a user, such as an empty string or undefined.
   */
  list?(options?: ListTasksOptions): Promise<readonly TaskOverview[]>
  /**
   * Returns the version of the workers that may run the task, on engines whose tasks belong to one. A task that is `queued` waits for such
   * a worker.
   * @throws {TaskNotFoundError}
   */
  version?(taskId: string): Promise<string | undefined>
}

/**
 * The argument of the function that creates the agent of a task, for every engine. Each engine sets those of `durable`, `newId`, `now` and
 * `taskStore` by which it saves the task; {@link durableAgent} passes them to the agent. `Context` is the type of the context that your
 * program submits.
 */
export interface TaskRun<Context = Json | undefined> {
  readonly taskId: string
  readonly durable?: JournalPort | undefined
  readonly newId?: (() => string) | undefined
  readonly now?: (() => number) | undefined
  readonly taskStore?: Journal | undefined
  /** Aborted when the task is cancelled, or its process ends. The run of the agent receives it too. */
  readonly signal: AbortSignal
  /**
   * The `context` of the submission. Tools and hooks receive it too. It is not checked: name its type, as in `TaskRun<{ user: string }>`,
   * if your program alone submits tasks.
   */
  readonly context: Context
}
