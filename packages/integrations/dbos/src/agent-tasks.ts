/**
 * @module
 * Submits and follows the tasks of agents from a web server, another workflow or a terminal.
 */
import type { ToolDecision } from '@x/agents'
import { ApprovalError, InvalidStepError, TaskBusyError, TaskFinalizedError, TaskNotFoundError } from '@x/agents/errors'
import { readToolDecision } from '@x/agents/protocol'
import { checkOptions } from '@x/core/options'
import type { ChatMessage, ConversationRef, Json } from '@x/core-model'
import { newId } from '@x/core-model/data'
import type { DbosControl, DbosEnqueueOptions, DbosStep } from './dbos-types.ts'
import { JournalMismatchError, TaskAbandonedError, TaskCancelledError } from './errors.ts'
import { readableError } from './readable-error.ts'
import { endOf, failedStep, sortedSteps } from './recorded-steps.ts'
import {
  DECISIONS,
  EVENTS,
  type TaskAnswer,
  type TaskEvents,
  type TaskRequest,
  WAITING,
  type WaitingTask,
} from './task-protocol.ts'
import { CLIENT_OPTIONS, checkQueue, checkWorkflowId, isWorkflowId } from './workflow-id.ts'

/** The options of {@link AgentTasks}. */
export interface AgentTasksOptions {
  /** `DBOS` of `@dbos-inc/dbos-sdk` where it is launched, or a `DBOSClient`. */
  dbos: DbosControl
  /** The name of the workflow, as passed to `agentWorkflow`. */
  workflow: string
  /** The queue for new tasks and forks. Its limits are those of `DBOS.registerQueue`. */
  queue: string
  /** The interval at which the database is polled for changes, in milliseconds. @defaultValue 1000 */
  pollingIntervalMs?: number | undefined
}

/** The options of a new task. */
export interface SubmitOptions {
  /** The id of the task and of its workflow. If a task with this id exists, nothing is submitted. @defaultValue a new id */
  taskId?: string | undefined
  /** Data for the function that creates the agent, and for tools and hooks, such as the user. */
  context?: Json | undefined
  /** The messages before the input. */
  chatHistory?: readonly ChatMessage[] | undefined
  /**
   * The messages before the input, as the first ones of a conversation in the `chatStore` of the workflow, instead of a copy. The messages
   * of the task are added to it.
   */
  conversation?: ConversationRef | undefined
  /** The version of the workers that may run the task. @defaultValue the latest */
  version?: string | undefined
  /** Lower numbers run first, if the queue has priorities. */
  priority?: number | undefined
  /** For a queue with limits per partition: the partition, such as the user. */
  partition?: string | undefined
  /** How long the task waits before it may start, in milliseconds. */
  delayMs?: number | undefined
}

/**
 * The status of a task. `waiting`: for decisions. `abandoned`: its workers died repeatedly.
 */
export type TaskStatus = 'queued' | 'running' | 'waiting' | 'finished' | 'failed' | 'cancelled' | 'abandoned'

const STATUS: Readonly<Record<string, TaskStatus>> = {
  ENQUEUED: 'queued',
  DELAYED: 'queued',
  PENDING: 'running',
  SUCCESS: 'finished',
  ERROR: 'failed',
  CANCELLED: 'cancelled',
  MAX_RECOVERY_ATTEMPTS_EXCEEDED: 'abandoned',
}

/**
 * Submits tasks and follows them.
 * @example
 * import { DBOSClient } from '@dbos-inc/dbos-sdk'
 *
 * const answerTo = async (systemDatabaseUrl: string, question: string) => {
 *   const dbos = await DBOSClient.create({ systemDatabaseUrl })
 *   const tasks = new AgentTasks({ dbos, workflow: 'helper', queue: 'agents' })
 *   const taskId = await tasks.submit(question)
 *   return (await tasks.answer(taskId)).response
 * }
 */
export class AgentTasks {
  private readonly options: AgentTasksOptions

  constructor(options: AgentTasksOptions) {
    checkOptions('AgentTasks', options, CLIENT_OPTIONS)
    this.options = options
  }

  /**
   * Submits a task and returns its id. If a task with this id exists, it is not changed, and `answer` returns its answer.
   * @throws {ConfigurationError} if the id is empty or contains the character U+0000.
   * @throws {UnknownQueueError} if the queue is not registered.
   */
  async submit(input: string, options: SubmitOptions = {}): Promise<string> {
    const { dbos, workflow, queue } = this.options
    const { taskId = newId(), context, chatHistory, conversation, version, priority, partition, delayMs } = options
    checkWorkflowId('AgentTasks.submit: taskId', taskId)
    await checkQueue(dbos, queue)
    const request: TaskRequest = {
      input,
      ...(context !== undefined && { context }),
      ...(chatHistory && { chatHistory: chatHistory.map((message) => message.toDict()) }),
      ...(conversation && { conversation }),
    }
    const place: DbosEnqueueOptions = {
      queueName: queue,
      workflowName: workflow,
      workflowID: taskId,
      ...(version !== undefined && { appVersion: version }),
      ...(priority !== undefined && { priority }),
      ...(partition !== undefined && { queuePartitionKey: partition }),
      ...(delayMs !== undefined && { delaySeconds: delayMs / 1000 }),
    }
    await ('enqueue' in dbos ? dbos.enqueue(place, request) : dbos.enqueueWorkflowWithOptions(place, request))
    return taskId
  }

  /**
   * Waits for the answer of a task. If the task fails, throws the error of its agent with its `code`.
   * @throws {TaskNotFoundError} if no task has this id.
   * @throws {TaskCancelledError}
   * @throws {TaskAbandonedError} if its workers died repeatedly.
   * @throws {JournalMismatchError} if the code of the worker has changed since the task began.
   */
  async answer(taskId: string): Promise<TaskAnswer> {
    await this.status(taskId)
    const { dbos, pollingIntervalMs = 1000 } = this.options
    try {
      return (await dbos.retrieveWorkflow(taskId).getResult({ pollingIntervalMs })) as TaskAnswer
    } catch (error) {
      throw taskError(taskId, error)
    }
  }

  /** Returns the status of a task. @throws {TaskNotFoundError} */
  async status(taskId: string): Promise<TaskStatus> {
    const workflow = isWorkflowId(taskId) && (await this.options.dbos.retrieveWorkflow(taskId).getStatus())
    if (!workflow) throw new TaskNotFoundError(taskId)
    const status = STATUS[workflow.status] ?? 'running'
    return status === 'running' && (await this.lastWaiting(taskId)).calls.length > 0 ? 'waiting' : status
  }

  /** Returns the calls that wait for a decision, and whether the last decision was refused. @throws {TaskNotFoundError} */
  async waiting(taskId: string): Promise<WaitingTask> {
    return (await this.status(taskId)) === 'waiting' ? this.lastWaiting(taskId) : { calls: [], refused: null }
  }

  /**
   * Sends a decision about a call that waits, or its result from outside. The task continues when all of its calls are decided.
   * @throws {TaskNotFoundError}
   * @throws {ApprovalError} if no call with this id waits.
   * @throws {ConfigurationError} if the decision is malformed.
   */
  async decide(taskId: string, decision: ToolDecision): Promise<void> {
    const { callId } = readToolDecision(decision)
    const { calls } = await this.waiting(taskId)
    if (!calls.some(({ id }) => id === callId))
      throw new ApprovalError(`Task "${taskId}": no call "${callId}" waits for a decision.`)
    await this.options.dbos.send(taskId, decision, DECISIONS)
  }

  /**
   * Yields the events of a task from the first one until it ends. Yields nothing unless its workflow has the option `streamEvents`.
   * @throws {TaskNotFoundError}
   */
  async *events(taskId: string): AsyncGenerator<TaskEvents> {
    await this.status(taskId)
    const { dbos, pollingIntervalMs = 1000 } = this.options
    yield* dbos.readStream<TaskEvents>(taskId, EVENTS, { pollingIntervalMs })
  }

  /** Returns the calls of models and tools that are recorded, in order, with their times. @throws {TaskNotFoundError} */
  async calls(taskId: string): Promise<DbosStep[]> {
    return (await this.steps(taskId)).filter(({ name }) => stepNumber(name) > 0)
  }

  /** Stops a task at its next call. The signal of the running call aborts. @throws {TaskNotFoundError} */
  async cancel(taskId: string): Promise<void> {
    await this.status(taskId)
    await this.options.dbos.cancelWorkflow(taskId)
  }

  /**
   * Continues a task that was cancelled, abandoned or has failed. A call that failed is repeated, with the same arguments and the
   * same key.
   * @param options.version - the version of the workers that continue it. Their code must make the same calls as the recorded ones.
   * @throws {TaskNotFoundError}
   * @throws {TaskFinalizedError} if the task is finished.
   * @throws {TaskBusyError} if it is queued, runs or waits; cancel it first.
   */
  async retry(taskId: string, options: { version?: string } = {}): Promise<void> {
    const status = await this.status(taskId)
    if (status === 'finished') throw new TaskFinalizedError(taskId, 'fork it instead')
    if (status === 'queued' || status === 'running' || status === 'waiting') throw new TaskBusyError(taskId)
    const steps = await this.steps(taskId)
    await this.options.dbos.rewindWorkflow(taskId, {
      startStep: failedStep(steps),
      queueName: this.options.queue,
      ...(options.version !== undefined && { applicationVersion: options.version }),
    })
  }

  /**
   * Starts a task that continues from a step of this one, with the results of the steps before. Returns the id of the new task.
   * @param options.atStep - the number of steps that are kept. @defaultValue all that are recorded
   * @throws {TaskNotFoundError}
   * @throws {InvalidStepError} if the task has not reached this step.
   */
  async fork(taskId: string, options: { atStep?: number; taskId?: string; version?: string } = {}): Promise<string> {
    const { atStep, taskId: newWorkflowID = newId(), version } = options
    checkWorkflowId('AgentTasks.fork: taskId', newWorkflowID)
    const steps = await this.steps(taskId)
    const next = atStep === undefined ? undefined : steps.find(({ name }) => stepNumber(name) > atStep)
    if (atStep !== undefined && !next)
      throw new InvalidStepError(`Task "${taskId}" has not reached the step after ${atStep}.`)
    await this.options.dbos.forkWorkflow(taskId, next?.functionID ?? endOf(steps), {
      newWorkflowID,
      queueName: this.options.queue,
      ...(version !== undefined && { applicationVersion: version }),
    })
    return newWorkflowID
  }

  private async lastWaiting(taskId: string): Promise<WaitingTask> {
    const found = await this.options.dbos.getEvent<WaitingTask>(taskId, WAITING, { timeoutSeconds: 0 })
    return found ?? { calls: [], refused: null }
  }

  private async steps(taskId: string): Promise<DbosStep[]> {
    await this.status(taskId)
    return sortedSteps(this.options.dbos, taskId)
  }
}

/** Returns the number of the agent's step that a call belongs to; 0 if no agent made it. */
function stepNumber(name: string): number {
  return Number(/^step-(\d+)\//.exec(name)?.[1] ?? 0)
}

/** Returns the error of this package for an error of DBOS. */
function taskError(taskId: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('dbosErrorCode' in error)) return readableError(error)
  const cause: Error = error
  if (CANCELLED.includes(error.dbosErrorCode)) return new TaskCancelledError(taskId, { cause })
  if (ABANDONED.includes(error.dbosErrorCode)) return new TaskAbandonedError(taskId, { cause })
  if (MISMATCH.includes(error.dbosErrorCode)) return new JournalMismatchError(taskId, { cause })
  return error
}

/** The error codes of DBOS for a cancelled workflow, and for a wait for one. */
const CANCELLED: unknown[] = [24, 27]
const ABANDONED: unknown[] = [18, 30]
/** The error codes of DBOS for a step that differs from the recorded one, and for a step that was recorded meanwhile. */
const MISMATCH: unknown[] = [26, 37]
