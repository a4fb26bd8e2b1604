/**
 * @module
 * The tasks of an agent on Restate, by plain HTTP.
 */
import type { AgentInput, ToolDecision } from '@x/agents'
import { TaskNotFoundError } from '@x/agents/errors'
import { readToolDecision } from '@x/agents/protocol'
import {
  callback,
  checkOptions,
  choice,
  having,
  milliseconds,
  type OptionTable,
  required,
  text,
  unchecked,
} from '@x/core/options'
import { jsonOr } from '@x/core/values'
import { isToolkitError } from '@x/core-model'
import { anySignal, pause, untilLeft } from '@x/core-model/async'
import { newId } from '@x/core-model/data'
import {
  checkEnded,
  checkTaskId,
  type DurableTasks,
  type ForkTaskOptions,
  failureError,
  followEvents,
  hasEnded,
  isPiece,
  ownerPart,
  printableAnswer,
  type SubmitTaskOptions,
  submittedTask,
  TaskCancelledError,
  type TaskEventLog,
  type TaskEvents,
  type TaskEventsOptions,
  type TaskFailure,
  type TaskStatus,
  taskSubmission,
  UnsupportedOperationError,
  type WaitingCall,
} from '@x/durable'
import type { OnRunEvent } from './agent-run.ts'
import type { AgentAnswer, AgentStatus } from './run-protocol.ts'

/** Options of {@link RestateTasks}. */
interface RestateTasksOptions {
  /** The address of the server for callers, such as `http://localhost:8080`. */
  ingress: string
  /** The name of the service. */
  service: string
  /** How the service runs tasks: a workflow of `agentWorkflow`, or an object of `agentSteps`. @defaultValue 'workflow' */
  mode?: 'workflow' | 'steps' | undefined
  /** The log into which {@link reportTo} writes the events in the workers. @defaultValue none: there are no `events` */
  events?: TaskEventLog | undefined
  /** Headers of every request, such as a token. */
  headers?: Readonly<Record<string, string>> | undefined
  /** How often `events` looks for new ones, in milliseconds. @defaultValue 1000 */
  pollingIntervalMs?: number | undefined
  /** Sends the requests. @defaultValue the `fetch` of the platform */
  fetch?: typeof globalThis.fetch | undefined
}

const OPTIONS: OptionTable<RestateTasksOptions> = {
  ingress: required(text),
  service: required(text),
  mode: choice('workflow', 'steps'),
  events: having('an event log', 'addEvents', 'readEvents'),
  headers: unchecked,
  pollingIntervalMs: milliseconds(),
  fetch: callback,
}

const STATUS: Readonly<Record<AgentStatus['state'], TaskStatus>> = {
  unknown: 'queued',
  running: 'running',
  waiting: 'waiting',
  finished: 'finished',
  failed: 'failed',
  cancelled: 'cancelled',
  // The engine tries again until the earlier code is served.
  refused: 'failed',
}

/** How long `cancel` waits until the task has stopped, and how often it looks. */
const STOP_MS = 5000
const STOP_POLL_MS = 20

/** How long a request waits for an answer before it is sent again. Platforms limit the time of a request. */
const ATTACH_MS = 60_000

/**
 * The tasks of an agent on Restate: submits and follows them. It needs no SDK.
 *
 * With `mode: 'steps'` it has all operations. The run of a workflow of Restate cannot be run again, so with `mode: 'workflow'`, `retry` and
 * `fork` throw `unsupported_operation`. `events` needs an event log.
 * @example
 * const refund = async (taskId: string) => {
 *   const tasks = new RestateTasks({ ingress: 'http://localhost:8080', service: 'support' })
 *   await tasks.submit('Refund order 7.', { taskId })
 *   return (await tasks.answer(taskId)).response
 * }
 */
export class RestateTasks implements DurableTasks {
  private readonly options: RestateTasksOptions

  constructor(options: RestateTasksOptions) {
    checkOptions('RestateTasks', options, OPTIONS)
    this.options = options
  }

  async submit(input: AgentInput, options: SubmitTaskOptions = {}): Promise<string> {
    const submission = taskSubmission('RestateTasks.submit', input, options)
    const { taskId = newId() } = options
    checkTaskId('RestateTasks.submit: taskId', taskId)
    const startedBy = options.startedBy && (await submittedTask(options.startedBy, (id) => this.isSubmitted(id)))
    await this.call(taskId, this.isWorkflow ? 'run/send' : 'start', { ...submission, startedBy })
    return taskId
  }

  private async isSubmitted(taskId: string): Promise<boolean> {
    try {
      await this.look(taskId)
      return true
    } catch (error) {
      if (isToolkitError(error, 'task_not_found')) return false
      throw error
    }
  }

  async status(taskId: string): Promise<TaskStatus> {
    return STATUS[(await this.look(taskId)).state]
  }

  /**
   * Waits until the task ends, and returns its answer. Restate keeps it for the retention of the workflow, a day by default.
   * @throws {TaskCancelledError}
   * @throws {TaskNotFoundError}
   */
  async answer(taskId: string, { signal: outer }: { signal?: AbortSignal | undefined } = {}): Promise<AgentAnswer> {
    const { ingress, service } = this.options
    const attach = `${ingress}/restate/workflow/${service}/${encodeURIComponent(taskId)}/attach`
    for (;;) {
      outer?.throwIfAborted()
      // A workflow that Restate has ended cannot be attached to. The object of the steps knows how its task has ended.
      const { state, error } = this.isWorkflow ? await this.look(taskId) : { state: undefined, error: undefined }
      if (state === 'cancelled') throw new TaskCancelledError(taskId)
      if (error) throw failureError(error)
      const { signal, release } = anySignal(outer, AbortSignal.timeout(ATTACH_MS))
      try {
        const own = await (this.isWorkflow
          ? this.request<AgentAnswer>(attach, { signal })
          : this.call<AgentAnswer>(taskId, 'answer', undefined, signal))
        return printableAnswer(own)
      } catch (thrown) {
        // Another client may have retried it since.
        if ((thrown as Error).message === CANCELLED) throw new TaskCancelledError(taskId)
        if (!signal.aborted && (await this.look(taskId)).state !== 'cancelled') throw thrown
      } finally {
        release()
      }
    }
  }

  async waiting(taskId: string): Promise<readonly WaitingCall[]> {
    return (await this.look(taskId)).calls
  }

  async decide(taskId: string, decision: ToolDecision): Promise<void> {
    readToolDecision(decision)
    await this.look(taskId)
    await this.call(taskId, 'decide', decision)
  }

  /**
   * Yields the events that {@link reportTo} has written in the workers.
   * @throws {UnsupportedOperationError} if there is no event log.
   * @throws {TaskNotFoundError}
   */
  events(taskId: string, options: TaskEventsOptions = {}): AsyncGenerator<TaskEvents> {
    return untilLeft(options?.signal, (signal) => this.follow(taskId, options && { ...options, signal }))
  }

  private async *follow(taskId: string, options: TaskEventsOptions): AsyncGenerator<TaskEvents> {
    const { events, pollingIntervalMs = 1000 } = this.options
    if (!events)
      throw new UnsupportedOperationError('RestateTasks', 'events', 'Restate has no streams; pass the option events.')
    await this.look(taskId)
    yield* followEvents(events, taskId, options, {
      hasEnded: async () => hasEnded(await this.status(taskId)),
      pause: () => pause(pollingIntervalMs),
    })
  }

  async cancel(taskId: string): Promise<void> {
    const giveUp = Date.now() + STOP_MS
    // A run that has not started has no invocation that can be cancelled, and a second cancellation would stop the end of the first.
    for (let isSent = false; ; await pause(STOP_POLL_MS)) {
      isSent ||= await this.call<boolean>(taskId, 'cancel')
      if (hasEnded(await this.status(taskId)) || (isSent && Date.now() > giveUp)) return
    }
  }

  /** @throws {UnsupportedOperationError} with `mode: 'workflow'`. */
  async retry(taskId: string): Promise<void> {
    this.refuseWorkflow('retry')
    await this.call(taskId, 'retry')
  }

  /** @throws {UnsupportedOperationError} with `mode: 'workflow'`. */
  async fork(taskId: string, options: ForkTaskOptions = {}): Promise<string> {
    this.refuseWorkflow('fork')
    checkOptions('RestateTasks.fork', options, { atStep: unchecked, taskId: unchecked })
    const { atStep, taskId: newTaskId = ownerPart(taskId) + newId() } = options
    checkTaskId('RestateTasks.fork: taskId', newTaskId)
    return this.call(taskId, 'fork', { taskId: newTaskId, ...(atStep !== undefined && { atStep }) })
  }

  /** @throws {UnsupportedOperationError} with `mode: 'workflow'`, whose `workflowRetention` deletes tasks. */
  async delete(taskId: string): Promise<void> {
    this.refuseWorkflow('delete')
    checkEnded(taskId, await this.status(taskId))
    await this.call(taskId, 'forget')
  }

  private get isWorkflow(): boolean {
    return this.options.mode !== 'steps'
  }

  private refuseWorkflow(operation: string): void {
    if (!this.isWorkflow) return
    const reason =
      operation === 'delete' ? 'the option workflowRetention deletes workflows' : 'a workflow cannot be run again'
    const advice = `${reason}; or serve agentSteps, and use mode: "steps".`
    throw new UnsupportedOperationError('RestateTasks', operation, advice)
  }

  /** Returns what the service says about a task. @throws {TaskNotFoundError} */
  private async look(taskId: string): Promise<AgentStatus> {
    const status = await this.call<AgentStatus>(taskId, 'status')
    const { state } = status
    if (this.isWorkflow && (state === 'unknown' || state === 'running' || state === 'waiting'))
      return this.outputOf(taskId, status)
    if (state === 'unknown') throw new TaskNotFoundError(taskId)
    return status
  }

  /**
   * Returns the state of the run of a workflow: one that has not started has none yet, and one that Restate has ended still has the last
   * one.
   * @throws {TaskNotFoundError}
   */
  private async outputOf(taskId: string, status: AgentStatus): Promise<AgentStatus> {
    const { ingress, service } = this.options
    const output = `${ingress}/restate/workflow/${service}/${encodeURIComponent(taskId)}/output`
    const response = await this.send(output, { method: 'GET' })
    const { source, message, metadata } = readFailure(await response.text())
    if (response.status === 404) throw new TaskNotFoundError(taskId)
    // With metadata, the run has ended by itself in this moment.
    if (response.ok || source !== 'invocation' || metadata) return status
    // Cancelled before the run could say so.
    if (message === CANCELLED) return { ...status, state: 'cancelled', calls: [] }
    const error = { code: 'task_abandoned', message: `Restate has ended task "${taskId}": ${message}` }
    return { ...status, state: 'failed', calls: [], error: { name: 'TaskAbandonedError', ...error } }
  }

  private call<T>(taskId: string, handler: string, body?: unknown, signal?: AbortSignal): Promise<T> {
    const { ingress, service } = this.options
    const json = body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    const url = `${ingress}/${service}/${encodeURIComponent(taskId)}/${handler}`
    return this.request(url, { method: 'POST', ...json, ...(signal && { signal }) })
  }

  private async request<T>(url: string, init: RequestInit): Promise<T> {
    const response = await this.send(url, init)
    const body = await response.text()
    if (response.ok) return (body === '' ? undefined : JSON.parse(body)) as T
    throw failureOf(response.status, body)
  }

  private send(url: string, init: RequestInit): Promise<Response> {
    const { fetch = globalThis.fetch, headers } = this.options
    return fetch(url, { ...init, redirect: 'error', headers: { ...headers, ...(init.headers as object) } })
  }
}

/**
 * Returns the option `onEvent` of a service that writes the events of its tasks into a log, for `events` of {@link RestateTasks}.
 * @example
 * import { MemoryEventLog } from '@x/durable'
 *
 * const log = new MemoryEventLog() // for several processes, a table of a database
 * const onEvent = reportTo(log)
 * await onEvent({ type: 'error', taskId: 't', error: { name: 'Error', code: null, message: 'no', retryable: false }, usage: null }, { taskId: 't', step: 1, attempt: 1, position: 0 })
 * log.readEvents('t', 0).length // => 1
 */
export function reportTo(log: TaskEventLog): OnRunEvent {
  return (event, { taskId, step, attempt, position }) => {
    // Pieces have the position of the event that follows them. A replay reports the text of a step later, as a whole.
    const isText = event.type === 'text_delta' || event.type === 'reasoning_delta'
    const call = isText ? `step-${step}/text` : isPiece(event) ? `${position}/pieces` : `${position}`
    return log.addEvents(taskId, { call, attempt: `${attempt}`, events: [event] })
  }
}

/** A failure as Restate describes it. Failures of handlers have metadata. */
interface Failure {
  message?: string
  metadata?: Partial<Omit<TaskFailure, 'message'>>
  source?: string
}

function readFailure(body: string): Failure {
  return Object(jsonOr(body)) as Failure
}

/** The message of the error of an invocation that was cancelled. */
const CANCELLED = 'Cancelled'

/** Returns the error of a handler, with the code that travels in its metadata. */
function failureOf(status: number, body: string): Error {
  const { message = `Restate answered with the status ${status}: ${body.slice(0, 500)}`, metadata } = readFailure(body)
  return failureError({ name: 'RestateError', code: 'restate', ...metadata, message })
}
