/**
 * @module
 * Whether an operation on a task is possible, the same for every engine.
 */
import { InvalidStepError, TaskBusyError, TaskFinalizedError } from '@x/agents/errors'
import { checkOptions, choice, invalidOption, type OptionTable, unchecked } from '@x/core/options'
import { ConfigurationError } from '@x/core-model'
import type { ListTasksOptions, TaskStatus } from './durable-tasks.ts'
import { A_USER, isUser } from './http.ts'
import { isOwned } from './owned-by.ts'

/** What the ids of the records of `StoredTasks` begin with, beside the journals in one store. */
export const RECORDS = 'submitted/'

/**
 * Checks that a value can be the id of a task, for your own engine.
 * @param where - the name of the option, for the error.
 * @throws {ConfigurationError} if it is not a string with at least one character, or is the id of the record of another task.
 */
export function checkTaskId(where: string, taskId: unknown): void {
  if (typeof taskId === 'string' && taskId.startsWith(RECORDS))
    throw new ConfigurationError(`${where}: expected an id that does not begin with ${RECORDS}, received ${taskId}.`)
  if (typeof taskId === 'string' && taskId !== '') return
  throw new ConfigurationError(
    `${where}: expected a string with at least one character, received ${JSON.stringify(taskId)}.`,
  )
}

/** Whether a task does not continue by itself. */
export function hasEnded(status: TaskStatus): boolean {
  return status === 'finished' || status === 'failed' || status === 'cancelled'
}

const LIST: OptionTable<ListTasksOptions> = {
  status: /* @__PURE__ */ choice('queued', 'running', 'waiting', 'finished', 'failed', 'cancelled'),
  user: unchecked,
}

/**
 * Checks the options of a list, for your own engine. Returns whether a task belongs to the user of the list, from the id of the task. A
 * user that is missing is refused: all tasks of a store are never those of one user.
 * @param where - the name of the operation, for the error.
 * @throws {ModelValidationError}
 */
export function listedTasks(where: string, options: ListTasksOptions): (taskId: string) => boolean {
  checkOptions(where, options, LIST)
  if (!('user' in options)) return () => true
  const { user } = options
  if (!isUser(user)) throw invalidOption(where, 'user', `${A_USER}; leave it out for the tasks of all users`, user)
  return (taskId) => isOwned(user, taskId)
}

/**
 * Checks that a task in this state can be continued by `retry`, for your own engine.
 * @throws {TaskFinalizedError} if it is finished.
 * @throws {TaskBusyError} if it is queued, runs or waits.
 */
export function checkRetry(taskId: string, status: TaskStatus): void {
  if (status === 'finished') throw new TaskFinalizedError(taskId, 'fork it instead')
  if (status === 'waiting') throw new TaskBusyError(taskId, 'waits for a decision')
  if (!hasEnded(status)) throw new TaskBusyError(taskId, 'has not ended; wait for it')
}

/**
 * Checks that a task in this state can be deleted, for your own engine.
 * @throws {TaskBusyError} if it is queued, runs or waits.
 */
export function checkEnded(taskId: string, status: TaskStatus): void {
  if (!hasEnded(status)) throw new TaskBusyError(taskId, 'has not ended; cancel it first')
}

/**
 * Checks that a task can be forked at a step, for your own engine.
 * @param completed - the number of completed steps.
 * @throws {InvalidStepError} if the task has not completed so many steps.
 */
export function checkForkStep(taskId: string, atStep: number, completed: number): void {
  if (Number.isInteger(atStep) && atStep >= 0 && atStep <= completed) return
  throw new InvalidStepError(`Task "${taskId}" cannot be forked at step ${atStep} of ${completed}.`)
}

/**
 * Returns the number of the agent's step that a durable call belongs to, from the name of the call; 0 if no agent made it. For an engine of
 * your own.
 * @example
 * stepNumber('step-2/tool-1') // => 2
 */
export function stepNumber(name: string): number {
  return Number(/^step-(\d+)\//.exec(name)?.[1] ?? 0)
}
