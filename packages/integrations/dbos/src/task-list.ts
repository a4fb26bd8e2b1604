/**
 * @module
 * The tasks among the workflows of DBOS, and their states.
 */
import { isToolkitError } from '@x/core-model'
import { mapConcurrently } from '@x/core-model/async'
import {
  hasEnded,
  type ListTasksOptions,
  listedTasks,
  ownedId,
  submittedText,
  type TaskOverview,
  type TaskStatus,
  taskFailure,
  type WaitingCall,
} from '@x/durable'
import type { DbosControl, DbosState, DbosWorkflow } from './dbos-types.ts'
import { TaskAbandonedError, taskError } from './errors.ts'
import { workflowsOf } from './recorded-steps.ts'
import { NO_QUEUE } from './stored-decisions.ts'
import { isParked, type TaskRequest } from './task-protocol.ts'

const STATUS: Readonly<Record<DbosState, TaskStatus>> = {
  ENQUEUED: 'queued',
  DELAYED: 'queued',
  PENDING: 'running',
  SUCCESS: 'finished',
  ERROR: 'failed',
  CANCELLED: 'cancelled',
  // Its workers died repeatedly.
  MAX_RECOVERY_ATTEMPTS_EXCEEDED: 'failed',
}
const STATES = Object.keys(STATUS) as DbosState[]

/** The states of the workflows whose tasks may go on: a workflow has ended while its task waits. */
const OPEN: DbosState[] = ['ENQUEUED', 'DELAYED', 'PENDING', 'SUCCESS']

/** How many tasks are read at the same time. */
const AT_ONCE = 10

/** Returns the state of a task; `waiting` if its workflow has ended for a decision. */
export function statusOf({ output, queueName, status }: DbosWorkflow): TaskStatus {
  if (isParked(output)) return 'waiting'
  return queueName === NO_QUEUE ? 'cancelled' : (STATUS[status as DbosState] ?? 'running')
}

/** Returns why a task has failed. DBOS has no error of a workflow whose workers died. */
const failureOf = ({ workflowID, error }: DbosWorkflow): unknown =>
  error ? taskError(workflowID, error) : new TaskAbandonedError(workflowID)

/** A task, with the calls that wait for a decision. */
export interface LookedAt {
  workflow: DbosWorkflow
  status: TaskStatus
  calls: readonly WaitingCall[]
}

/**
 * Returns the tasks of a workflow: those that have not ended, or those of one state.
 * @param look - reads a task.
 * @throws {ModelValidationError}
 */
export async function listTasks(
  dbos: DbosControl,
  workflowName: string,
  options: ListTasksOptions,
  look: (taskId: string) => Promise<LookedAt>,
): Promise<TaskOverview[]> {
  const isListed = listedTasks('DbosTasks.list', options)
  const { status: wanted, user } = options
  const isWanted = (status: TaskStatus) => (wanted === undefined ? !hasEnded(status) : status === wanted)
  const mayGoOn = wanted === undefined || !hasEnded(wanted)
  const states = mayGoOn ? OPEN : STATES.filter((state) => STATUS[state] === wanted)
  const filter = {
    workflowName,
    status: states,
    ...(user !== undefined && { workflow_id_prefix: ownedId(user, '') }),
    loadInput: false,
    loadOutput: states.includes('SUCCESS'),
  }
  const ids = new Set<string>()
  for await (const workflow of workflowsOf(dbos, filter)) {
    const status = statusOf(workflow)
    if (isListed(workflow.workflowID) && (mayGoOn ? !hasEnded(status) : isWanted(status))) ids.add(workflow.workflowID)
  }
  const found = await mapConcurrently([...ids], AT_ONCE, async (taskId) => {
    try {
      const { workflow, status, calls } = await look(taskId)
      const input = submittedText(workflow.input?.[0] as TaskRequest)
      if (!isWanted(status)) return []
      const failure = status === 'failed' && { problem: taskFailure(failureOf(workflow)) }
      return [{ taskId, status, input, at: workflow.createdAt, calls, ...failure }]
    } catch (error) {
      // It was deleted meanwhile.
      if (isToolkitError(error, 'task_not_found')) return []
      throw error
    }
  })
  return found.flat()
}
