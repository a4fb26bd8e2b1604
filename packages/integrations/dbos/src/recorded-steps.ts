/**
 * @module
 * Reads workflows, and the recorded steps of one.
 */

import { isHandledError } from '@x/agents/store'
import { readJsonText } from '@x/core-model'
import { stepNumber } from '@x/durable'
import type { DbosControl, DbosStep, DbosWorkflow, DbosWorkflowFilter } from './dbos-types.ts'
import { EVENTS } from './task-protocol.ts'

/** Workflows per query. */
const PAGE = 1000

/** Reads workflows, in the order of their creation. */
export async function* workflowsOf(dbos: DbosControl, filter: DbosWorkflowFilter): AsyncGenerator<DbosWorkflow> {
  const prefix = filter.workflow_id_prefix ?? ''
  for (let offset = 0; ; offset += PAGE) {
    const page = await dbos.listWorkflows({ ...filter, limit: PAGE, offset })
    // The database treats some characters of the prefix as wildcards.
    yield* page.filter(({ workflowID }) => workflowID.startsWith(prefix))
    if (page.length < PAGE) return
  }
}

/** Returns the steps of a workflow in their order, with the results of calls as values. */
export async function sortedSteps(dbos: DbosControl, workflowID: string): Promise<DbosStep[]> {
  const steps = (await dbos.listWorkflowSteps(workflowID)) ?? []
  return steps.map(withResult).sort((a, b) => a.functionID - b.functionID)
}

/** A step without a result has failed, or is not a call. */
function withResult(step: DbosStep): DbosStep {
  const { name, output } = step
  return stepNumber(name) > 0 && typeof output === 'string' ? { ...step, output: readJsonText(output) } : step
}

/** Returns the number of the step at which a workflow failed, or of the next step if it has not failed. */
export function failedStep(steps: readonly DbosStep[]): number {
  const failed = steps.find(({ error }) => error)
  const last = lastCall(steps)
  return (failed ?? (isHandledError(last?.output) ? last : undefined))?.functionID ?? endOf(steps)
}

/** Returns the number of the next step. Steps at the end that only write events do not count. */
export function endOf(steps: readonly DbosStep[]): number {
  return (lastCall(steps)?.functionID ?? -1) + 1
}

function lastCall(steps: readonly DbosStep[]): DbosStep | undefined {
  return steps.findLast(({ name }) => !name.startsWith(`${EVENTS}/`))
}
