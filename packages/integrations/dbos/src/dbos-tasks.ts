/**
 * @module
 * Submits and follows the tasks of agents from a web server, another workflow or a terminal.
 */
import type { AgentInput, ToolDecision } from '@x/agents'
import { TaskAlreadyExistsError, TaskBusyError, TaskNotFoundError } from '@x/agents/errors'
import { readToolDecision } from '@x/agents/protocol'
import { callOptions, checkGiven, checkOptions, dict, text, unchecked, wholeNumber } from '@x/core/options'
import { pause, raceAbort, untilLeft } from '@x/core-model/async'
import { newId } from '@x/core-model/data'
import {
  checkEnded,
  checkForkStep,
  checkRetry,
  type DurableTasks,
  type ForkTaskOptions,
  hasEnded,
  type ListTasksOptions,
  notWaiting,
  ownerPart,
  printableAnswer,
  type SubmitTaskOptions,
  stepNumber,
  submittedTask,
  type TaskEvents,
  type TaskEventsOptions,
  type TaskOverview,
  type TaskStatus,
  taskSubmission,
  type WaitingCall,
  waitingCall,
} from '@x/durable'
import type { DbosControl, DbosEnqueueOptions, DbosStep, DbosWorkflow } from './dbos-types.ts'
import { taskError } from './errors.ts'
import { endOf, failedStep, sortedSteps, workflowsOf } from './recorded-steps.ts'
import { decisionId, decisionsOf, NO_QUEUE, storeDecision, undecided } from './stored-decisions.ts'
import { type LookedAt, listTasks, statusOf } from './task-list.ts'
import {
  DECIDED,
  EVENTS,
  isParked,
  type TaskAnswer,
  type TaskRequest,
  WAITING,
  type WaitingTask,
} from './task-protocol.ts'
import { CLIENT_OPTIONS, checkQueue, checkWorkflowId, isWorkflowId } from './workflow-id.ts'

/** The options of {@link DbosTasks}. */
interface DbosTasksOptions {
  /** `DBOS` of `@dbos-inc/dbos-sdk` where it is launched, or a `DBOSClient`. */
  dbos: DbosControl
  /** The name of the workflow, as passed to `agentWorkflow`. */
  workflow: string
  /** The queue for new tasks and forks. Its limits are those of `DBOS.registerQueue`. */
  queue: string
  /**
   * The queue in which tasks continue after decisions. In a separate queue they do not delay new tasks, however many are decided at once:
   * DBOS runs the tasks of a queue in the order of their submission. @defaultValue `queue`
   */
  decidedQueue?: string | undefined
  /** The interval at which the database is polled for changes, in milliseconds. @defaultValue 1000 */
  pollingIntervalMs?: number | undefined
}

/** The options of a new task. */
interface SubmitOptions extends SubmitTaskOptions {
  /** The version of the workers that may run the task. @defaultValue the latest */
  version?: string | undefined
  /** Lower numbers run first, if the queue has priorities. */
  priority?: number | undefined
  /** For a queue with limits per partition: the partition, such as the user. */
  partition?: string | undefined
  /** How long the task waits before it may start, in milliseconds. */
  delayMs?: number | undefined
}

/** Behind all steps of any workflow. */
const NO_STEP = 2 ** 31 - 1
/** How long a worker may need to end its workflow when it has found no decision. */
const PARK_MS = 5000
/** How long a worker may need to notice that a workflow was cancelled. */
const CANCEL_MS = 2000

const NOTHING: WaitingTask = { calls: [], listens: false }

/**
 * The tasks of an agent on DBOS: submits and follows them.
 *
 * A task that waits for decisions is a row without a worker: its workflow has ended, and a decision continues it.
 * @example
 * import { DBOSClient } from '@dbos-inc/dbos-sdk'
 *
 * const answerTo = async (systemDatabaseUrl: string, question: string) => {
 *   const dbos = await DBOSClient.create({ systemDatabaseUrl })
 *   const tasks = new DbosTasks({ dbos, workflow: 'helper', queue: 'agents' })
 *   const taskId = await tasks.submit(question)
 *   return (await tasks.answer(taskId)).response
 * }
 */
export class DbosTasks implements DurableTasks {
  private readonly options: DbosTasksOptions

  constructor(options: DbosTasksOptions) {
    checkOptions('DbosTasks', options, { ...CLIENT_OPTIONS, decidedQueue: text })
    this.options = options
  }

  /**
   * Submits a task and returns its id. If a task with this id exists, it is not changed, and `answer` returns its answer.
   * @throws {ConfigurationError} if the id is empty or contains the character U+0000.
   * @throws {UnknownQueueError} if the queue is not registered.
   */
  async submit(input: AgentInput, options: SubmitOptions = {}): Promise<string> {
    const { dbos, workflow, queue } = this.options
    checkGiven('DbosTasks.submit', { options }, dict)
    const { version, priority, partition, delayMs, ...submitted } = options
    const { taskId = newId() } = submitted
    checkWorkflowId('DbosTasks.submit: taskId', taskId)
    await checkQueue(dbos, queue)
    const request: TaskRequest = { ...taskSubmission('DbosTasks.submit', input, submitted), parks: true }
    const isSubmitted = async (id: string) => (await dbos.retrieveWorkflow(id).getStatus()) !== null
    const startedBy = submitted.startedBy && (await submittedTask(submitted.startedBy, isSubmitted))
    const place: DbosEnqueueOptions = {
      queueName: queue,
      workflowName: workflow,
      workflowID: taskId,
      ...(version !== undefined && { appVersion: version }),
      ...(priority !== undefined && { priority }),
      ...(partition !== undefined && { queuePartitionKey: partition }),
      ...(delayMs !== undefined && { delaySeconds: delayMs / 1000 }),
      ...(startedBy && { attributes: { startedBy } }),
    }
    await ('enqueue' in dbos ? dbos.enqueue(place, request) : dbos.enqueueWorkflowWithOptions(place, request))
    // Its call may not have noticed the cancellation yet.
    if (startedBy && (await this.status(startedBy)) === 'cancelled') await this.cancel(taskId)
    return taskId
  }

  /**
   * Waits for the answer of a task. If the task fails, throws the error of its agent with its `code`.
   * @throws {TaskNotFoundError} if no task has this id.
   * @throws {TaskCancelledError}
   * @throws {TaskAbandonedError} if its workers died repeatedly.
   * @throws {JournalMismatchError} if the code of the worker has changed since the task began.
   */
  async answer(taskId: string, options: { signal?: AbortSignal | undefined } = {}): Promise<TaskAnswer> {
    checkOptions('DbosTasks.answer', options, { signal: callOptions.signal, inPlaceOf: unchecked })
    const { signal } = options
    return raceAbort(this.untilAnswered(taskId, signal), signal)
  }

  private async untilAnswered(taskId: string, signal: AbortSignal | undefined): Promise<TaskAnswer> {
    await this.workflow(taskId)
    const { dbos } = this.options
    const pollingIntervalMs = this.interval
    for (;;) {
      const output = await dbos
        .retrieveWorkflow(taskId)
        .getResult({ pollingIntervalMs })
        .catch((error: unknown) => {
          throw taskError(taskId, error)
        })
      if (!isParked(output)) return printableAnswer(output as TaskAnswer)
      await this.look(taskId)
      await pause(pollingIntervalMs, signal)
    }
  }

  /** Returns the status of a task. @throws {TaskNotFoundError} */
  async status(taskId: string): Promise<TaskStatus> {
    return (await this.look(taskId)).status
  }

  /** Returns the calls that wait for a decision. @throws {TaskNotFoundError} */
  async waiting(taskId: string): Promise<readonly WaitingCall[]> {
    return (await this.look(taskId)).calls
  }

  /**
   * Stores a decision about a call that waits, or its result from outside. The first one counts. The task continues as soon as a worker of
   * its version is free; its status is `queued` until then.
   * @throws {TaskNotFoundError}
   * @throws {ApprovalError} if no call with this id waits, or there is a decision about it.
   * @throws {ConfigurationError} if the decision is malformed.
   */
  async decide(taskId: string, data: ToolDecision): Promise<void> {
    const decision = readToolDecision(data)
    const { workflow, calls } = await this.look(taskId)
    const call = waitingCall(taskId, calls, decision)
    // A worker with other code may ask another question.
    const made = { ...decision, approvalId: decision.approvalId ?? call.approvalId }
    if (!(await storeDecision(this.options.dbos, workflow, call, made))) throw notWaiting(taskId, call.id)
    await this.deliver(taskId, decisionId(workflow, call))
  }

  /**
   * Resolves when the workflow has received a decision, or will receive it: a worker that takes it over reads it, and so does one that runs
   * unless it has just looked. Then whoever asks for the task continues it.
   */
  private async deliver(taskId: string, id: string): Promise<void> {
    const last = Date.now() + PARK_MS
    for (let pauseMs = 10; ; pauseMs = Math.min(2 * pauseMs, this.interval)) {
      const { workflow, status, waiting } = await this.find(taskId)
      if (!waiting.calls.some((call) => decisionId(workflow, call) === id)) return
      if (isParked(workflow.output)) await this.wake(workflow)
      else if (waiting.listens) return this.options.dbos.send(taskId, id, DECIDED, id)
      else if (status === 'queued' || Date.now() > last) return
      await pause(pauseMs)
    }
  }

  /**
   * Yields the events of a task from the first one until it ends. Yields nothing unless its workflow has the option `streamEvents`.
   * @throws {TaskNotFoundError}
   */
  events(taskId: string, options: TaskEventsOptions = {}): AsyncGenerator<TaskEvents> {
    checkOptions('DbosTasks.events', options, { from: wholeNumber(0), signal: callOptions.signal })
    const { from = 0, signal: outer } = options
    return untilLeft(outer, (signal) => this.follow(taskId, from, signal))
  }

  private async *follow(taskId: string, from: number, signal: AbortSignal): AsyncGenerator<TaskEvents> {
    const { dbos } = this.options
    const pollingIntervalMs = this.interval
    let next = from
    while (!signal.aborted) {
      const isLast = hasEnded(await this.status(taskId))
      // It ends with the workflow, which may continue after a decision.
      const stream = dbos.readStream<TaskEvents>(taskId, EVENTS, { offset: next, pollingIntervalMs })
      try {
        for (;;) {
          const { done, value } = await raceAbort(stream.next(), signal)
          if (done) break
          next++
          yield value
        }
      } catch (error) {
        if (!signal.aborted) throw error
      } finally {
        // Not awaited: a stream that waits for an event ends when it comes.
        void stream.return(undefined)
      }
      if (isLast) return
      await pause(pollingIntervalMs)
    }
  }

  /** Returns the calls of models and tools that are recorded, in order, with their times. @throws {TaskNotFoundError} */
  async calls(taskId: string): Promise<DbosStep[]> {
    return (await this.steps(taskId)).filter(({ name }) => stepNumber(name) > 0)
  }

  /** Stops a task, and those that it has started, at its next call. The signal of the running call aborts. @throws {TaskNotFoundError} */
  async cancel(taskId: string): Promise<void> {
    const status = await this.cancelOne(taskId)
    // The result of a task in the background may still join the conversation of one that has ended otherwise.
    if (status === 'cancelled' || !hasEnded(status)) await this.cancelStartedBy(taskId)
  }

  private async cancelStartedBy(startedBy: string): Promise<void> {
    const filter = { attributes: { startedBy }, isFork: false, loadInput: false, loadOutput: false }
    for await (const { workflowID } of workflowsOf(this.options.dbos, filter)) {
      await this.cancelOne(workflowID)
      await this.cancelStartedBy(workflowID)
    }
  }

  /** Returns the status before. */
  private async cancelOne(taskId: string): Promise<TaskStatus> {
    const { dbos } = this.options
    const { waiting, status, ...found } = await this.find(taskId)
    let { workflow } = found
    do {
      // A workflow that has ended cannot be cancelled.
      if (isParked(workflow.output)) await this.wake(workflow, NO_QUEUE)
      await dbos.cancelWorkflow(taskId)
      // It may have ended meanwhile, to wait.
      workflow = await this.workflow(taskId)
    } while (isParked(workflow.output))
    // What was decided and not read does not count after a retry.
    if (waiting.calls.length > 0) await dbos.deleteWorkflows(waiting.calls.map((call) => decisionId(workflow, call)))
    return status
  }

  /**
   * Continues a task that was cancelled, abandoned or has failed. A call that failed is repeated, with the same arguments and the
   * same key.
   * @param options.version - the version of the workers that continue it. Their code must make the same calls as the recorded ones.
   * @throws {TaskNotFoundError}
   * @throws {TaskFinalizedError} if the task is finished.
   * @throws {TaskBusyError} if it is queued, runs or waits.
   */
  async retry(taskId: string, options: { version?: string } = {}): Promise<void> {
    const { dbos } = this.options
    let workflow = await this.ended(taskId)
    if (statusOf(workflow) === 'cancelled') {
      if (workflow.queueName === NO_QUEUE) await dbos.cancelWorkflow(taskId)
      // Otherwise a run that has not noticed the cancellation would go on beside the new one.
      const noticed = (workflow.updatedAt ?? 0) + CANCEL_MS
      await pause(Math.min(CANCEL_MS, Math.max(0, noticed - Date.now())))
      // Another client may have continued it meanwhile.
      workflow = await this.ended(taskId)
    }
    try {
      await this.rewind(workflow, failedStep(await sortedSteps(dbos, taskId)), options)
    } catch (error) {
      const { updatedAt } = await this.workflow(taskId)
      throw updatedAt === workflow.updatedAt ? error : new TaskBusyError(taskId)
    }
  }

  /**
   * Starts a task that continues from a step of this one, with the results of the steps before. Returns the id of the new task.
   * @param options.atStep - the number of steps that are kept. @defaultValue all that are recorded
   * @throws {TaskNotFoundError}
   * @throws {InvalidStepError} if the task has not reached this step.
   * @throws {TaskAlreadyExistsError} if a task has the id of the new one.
   */
  async fork(taskId: string, options: ForkTaskOptions & { version?: string } = {}): Promise<string> {
    const { dbos, queue } = this.options
    checkOptions('DbosTasks.fork', options, { atStep: unchecked, taskId: unchecked, version: text })
    const { atStep, taskId: newWorkflowID = ownerPart(taskId) + newId(), version } = options
    checkWorkflowId('DbosTasks.fork: taskId', newWorkflowID)
    const steps = await this.steps(taskId)
    if (await dbos.retrieveWorkflow(newWorkflowID).getStatus()) throw new TaskAlreadyExistsError(newWorkflowID)
    const reached = Math.max(0, ...steps.map(({ name }) => stepNumber(name)))
    checkForkStep(taskId, atStep ?? reached, reached)
    const next = atStep === undefined ? undefined : steps.find(({ name }) => stepNumber(name) > atStep)
    await dbos.forkWorkflow(taskId, next?.functionID ?? endOf(steps), {
      newWorkflowID,
      queueName: queue,
      ...(version !== undefined && { applicationVersion: version }),
    })
    return newWorkflowID
  }

  /**
   * Deletes a task that has ended, with its steps, its events and the decisions about its calls.
   * @throws {TaskNotFoundError}
   * @throws {TaskBusyError} if it has not ended; cancel it first.
   */
  async delete(taskId: string): Promise<void> {
    const { dbos } = this.options
    const workflow = await this.workflow(taskId)
    checkEnded(taskId, statusOf(workflow))
    const decisions = (await sortedSteps(dbos, taskId)).flatMap(decisionsOf)
    await dbos.deleteWorkflows([taskId, ...decisions])
  }

  /**
   * Returns tasks in order of submission: those that have not ended, or those of one state, of all users or of one. To DBOS a task that
   * waits is a workflow that has ended: the list reads the outputs of the finished tasks too, of this user alone. Delete those that nobody
   * needs.
   * @throws {ModelValidationError} if `status` is not a state, or `user` not a user, such as an empty string or undefined.
   */
  list(options: ListTasksOptions = {}): Promise<TaskOverview[]> {
    const { dbos, workflow } = this.options
    return listTasks(dbos, workflow, options, (taskId) => this.look(taskId))
  }

  /** Returns the version of the workers that may run a task. @throws {TaskNotFoundError} */
  async version(taskId: string): Promise<string | undefined> {
    return (await this.workflow(taskId)).applicationVersion
  }

  private get interval(): number {
    return this.options.pollingIntervalMs ?? 1000
  }

  /** Returns the workflow of a task. @throws {TaskNotFoundError} */
  private async workflow(taskId: string): Promise<DbosWorkflow> {
    const workflow = isWorkflowId(taskId) && (await this.options.dbos.retrieveWorkflow(taskId).getStatus())
    if (!workflow) throw new TaskNotFoundError(taskId)
    return workflow
  }

  /**
   * Returns the workflow of a task that can be continued.
   * @throws {TaskFinalizedError}
   * @throws {TaskBusyError}
   */
  private async ended(taskId: string): Promise<DbosWorkflow> {
    const workflow = await this.workflow(taskId)
    checkRetry(taskId, statusOf(workflow))
    return workflow
  }

  /** Returns the workflow of a task, its status, and what it has published. */
  private async find(taskId: string): Promise<{ workflow: DbosWorkflow; status: TaskStatus; waiting: WaitingTask }> {
    const workflow = await this.workflow(taskId)
    const status = statusOf(workflow)
    if (hasEnded(status)) return { workflow, status, waiting: NOTHING }
    const found = await this.options.dbos.getEvent<WaitingTask>(taskId, WAITING, { timeoutSeconds: 0 })
    return { workflow, status, waiting: found ?? NOTHING }
  }

  /** Returns the workflow of a task, its status, and the calls that wait for a decision. */
  private async look(taskId: string): Promise<LookedAt> {
    const { workflow, status, waiting } = await this.find(taskId)
    const calls = await undecided(this.options.dbos, workflow, waiting.calls)
    if (calls.length > 0) return { workflow, status: 'waiting', calls }
    if (status !== 'waiting') return { workflow, status, calls }
    // Whoever decided may have ended before it could continue the task.
    await this.wake(workflow)
    return { workflow, status: 'queued', calls }
  }

  /** Continues the workflow of a task that waits, unless another process does so at the same time. */
  private async wake(workflow: DbosWorkflow, queue = this.options.decidedQueue ?? workflow.queueName): Promise<void> {
    try {
      await this.rewind(workflow, NO_STEP, { queue })
    } catch (error) {
      if (isParked((await this.workflow(workflow.workflowID)).output)) throw error
    }
  }

  private async rewind(
    { workflowID, queuePartitionKey }: DbosWorkflow,
    startStep: number,
    { queue = this.options.queue, version }: { queue?: string | undefined; version?: string | undefined },
  ): Promise<void> {
    await this.options.dbos.rewindWorkflow(workflowID, {
      startStep,
      queueName: queue,
      ...(queuePartitionKey !== undefined && { queuePartitionKey }),
      ...(version !== undefined && { applicationVersion: version }),
    })
  }

  private async steps(taskId: string): Promise<DbosStep[]> {
    await this.workflow(taskId)
    return sortedSteps(this.options.dbos, taskId)
  }
}
