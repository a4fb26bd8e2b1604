/**
 * @module
 * The errors of durable tasks.
 */
import { checkGiven } from '@x/core/options'
import { errorMessage } from '@x/core/values'
import { isToolkitError, ToolkitError, type ToolkitErrorOptions } from '@x/core-model'

/** Thrown for the answer of a task that was cancelled. `retry` continues it. */
export class TaskCancelledError extends ToolkitError {
  readonly taskId: string

  constructor(taskId: string) {
    super('TaskCancelledError', 'task_cancelled', `Task "${taskId}" was cancelled; continue it by retry.`)
    this.taskId = taskId
  }
}

/**
 * Thrown when the code of an agent has changed so that a run in flight cannot continue. The run waits, and continues when the earlier code
 * is served again.
 */
export class RunChangedError extends ToolkitError {
  readonly taskId: string

  constructor(taskId: string, changes: string) {
    const advice = 'Serve the earlier code until its runs have ended, or end this one.'
    super('RunChangedError', 'run_changed', `Task "${taskId}" was started by different code: ${changes}. ${advice}`)
    this.taskId = taskId
  }

  /** Always true: an engine tries again, until the earlier code is served. */
  override get retryable(): boolean {
    return true
  }
}

/** Thrown by an engine that does not have an operation. Do what the message says instead, or use an engine that has the operation. */
export class UnsupportedOperationError extends ToolkitError {
  /** The name of the operation, such as `fork`. */
  readonly operation: string

  constructor(where: string, operation: string, advice: string) {
    super('UnsupportedOperationError', 'unsupported_operation', `${where}.${operation}: ${advice}`)
    this.operation = operation
  }
}

/**
 * Thrown when the function that creates the agent failed. Correct what `cause` says: the function that you pass as `agent` threw it. The
 * message does not contain it, because users see messages.
 */
export class AgentSetupError extends ToolkitError {
  constructor(cause: unknown) {
    super('AgentSetupError', 'agent_setup', 'The agent cannot be created.', { cause })
  }

  /**
   * Whether an engine that repeats runs tries again, so that a service that cannot be reached, or a missing key, does not end them. False
   * for options that are wrong (`configuration`, `model_validation`): the same code would fail again.
   */
  override get retryable(): boolean {
    return !isToolkitError(this.cause, 'configuration') && !isToolkitError(this.cause, 'model_validation')
  }
}

/**
 * Calls the function that creates the agent of a run, for your own engine.
 * @throws {AgentSetupError} if it throws.
 * @example
 * await createAgent(() => JSON.parse('{')) // => throws agent_setup
 */
export async function createAgent<Agent>(create: () => Agent | Promise<Agent>): Promise<Agent> {
  try {
    return await create()
  } catch (error) {
    throw new AgentSetupError(error)
  }
}

/** An error of a task as JSON. */
export interface TaskFailure {
  name: string
  code: string
  message: string
  /** What the messages of its causes add. It may contain internal addresses: it is for logs, not for users. */
  causes?: string | undefined
}

/** Returns an error as JSON, with the messages of its causes. Errors of other code have the code `error`. */
export function taskFailure(error: unknown): TaskFailure {
  const { code, name = 'Error' } = Object(error) as Partial<TaskFailure>
  const [message, causes] = [errorMessage(error), causesOf(error)]
  return { name, code: typeof code === 'string' ? code : 'error', message, ...(causes && { causes }) }
}

/** The messages of causes have together at most about so many characters. */
const LONG_CAUSES = 2000

/** Returns what the messages of the causes add to that of an error. */
function causesOf(error: unknown): string {
  const seen = new Set<unknown>()
  const message = errorMessage(error)
  let text = ''
  const add = (one: unknown, separator: string) => {
    if (seen.has(one) || text.length > LONG_CAUSES) return
    seen.add(one)
    const more = errorMessage(one).replace(/: ?$/, '')
    if (!message.includes(more) && !text.includes(more)) text += (text && separator) + more
    const { cause, errors } = Object(one) as { cause?: unknown; errors?: unknown }
    if (Array.isArray(errors)) for (const [i, each] of errors.entries()) add(each, i === 0 ? ': ' : '; ')
    if (cause !== undefined) add(cause, ': ')
  }
  add(error, '')
  return text
}

/** Returns the message of a failure with those of its causes: `fetch failed: connect ECONNREFUSED 10.0.0.1:443`. */
export function fullMessage({ message, causes }: TaskFailure): string {
  return causes ? `${message.replace(/[.:] ?$/, '')}: ${causes}` : message
}

/** Returns the error of a task whose entries are damaged; undefined for an error with another reason, such as a lost connection. */
export function damageOf(error: unknown): TaskFailure | undefined {
  const { code, taskId } = Object(error) as { code?: unknown; taskId?: unknown }
  return code === 'saved_task' || (code === 'store_read' && typeof taskId === 'string') ? taskFailure(error) : undefined
}

/** Whether a task failed because its worker does not have the tool of an approved call. */
export const lacksTool = (error: unknown): boolean =>
  isToolkitError(error, 'approval') && error.missingTool !== undefined

/** Returns what an operation returns, and a value if the task is damaged. */
export async function unlessDamaged<T, Other>(operation: () => T, other: Other): Promise<Awaited<T> | Other> {
  try {
    return await operation()
  } catch (error) {
    if (!damageOf(error)) throw error
    return other
  }
}

/**
 * Returns the error that was written by {@link taskFailure}: with its code, but not of its class. Its `cause` has the messages of the
 * causes.
 */
export function failureError(failure: TaskFailure, options?: ToolkitErrorOptions): ToolkitError {
  checkGiven('failureError', { failure }, 'a failure')
  const { name, code, message, causes } = failure
  return new ToolkitError(name, code, message, causes ? { cause: new Error(causes, options) } : options)
}

declare module '@x/core' {
  interface ToolkitErrors {
    agent_setup: AgentSetupError
    run_changed: RunChangedError
    task_cancelled: TaskCancelledError
    unsupported_operation: UnsupportedOperationError
  }
}
