/**
 * @module
 * Agents as tools: their usage counts, and their calls that wait are calls of the task.
 */
import { checkOptions, group } from '@x/core/options'
import type { Layer } from '../loop/layer.ts'
import { BUDGET_OPTIONS, type TaskBudget } from '../loop/usage.ts'
import { toolUsage } from './budget.ts'
import { waitingCalls } from './waiting-calls.ts'

/**
 * Lets agents be tools: their usage counts, and their calls that wait are calls of the task.
 * @throws {ModelValidationError} if an option is unknown or out of range.
 */
export function agentTools(options: { budget?: TaskBudget | null | undefined } = {}): readonly Layer[] {
  checkOptions('agentTools', options, { budget: group(BUDGET_OPTIONS) })
  const { budget } = options
  return [waitingCalls, { serves: 'agentTools' }, toolUsage(budget)]
}
