/**
 * @module
 * Agents as tools of a loop.
 */
import type { Layer } from '../loop/layer.ts'
import { toolUsage } from './budget.ts'

/**
 * Lets agents be tools: their usage counts, also within the limits of `budget`. If calls of theirs may need approval, add `approvals()`:
 * they are calls of the task then. Without it, a run rejects with `approval_required`.
 */
export function agentTools(): readonly Layer[] {
  return [{ serves: 'agentTools' }, toolUsage]
}
