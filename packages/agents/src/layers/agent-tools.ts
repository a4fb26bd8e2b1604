/**
 * @module
 * Agents as tools: their usage counts, and their calls that wait are calls of the task.
 */
import { checkOptions, group } from '@x/core/options'
import { isToolkitError, type ToolOutput } from '@x/core-model'
import type { CallTool, Layer, LoopCall, Scope } from '../loop/layer.ts'
import { findTool, isDecided, makeCall, placeOf } from '../loop/loop.ts'
import { BUDGET_OPTIONS, type TaskBudget } from '../loop/usage.ts'
import type { PendingToolCall } from '../task/agent-event.ts'
import type { ApprovalRequiredError } from '../task/task-errors.ts'
import { reportWaiting } from './approvals.ts'
import { toolUsage } from './budget.ts'

/**
 * Lets agents be tools: their usage counts, and their calls that wait are calls of the task.
 * @throws {ModelValidationError} if an option is unknown or out of range.
 */
export function agentTools(options: { budget?: TaskBudget | null | undefined } = {}): readonly Layer[] {
  checkOptions('agentTools', options, { budget: group(BUDGET_OPTIONS) })
  const { budget } = options
  return [waitingAgents, toolUsage(budget)]
}

/** The outputs of the calls of a turn, or why they wait, by id. */
type Results = Map<string, ToolOutput | ApprovalRequiredError>

const RESULTS = Symbol('agentTools')

function resultsOf({ ids: { notes } }: Scope): Results {
  notes[RESULTS] ??= new Map() satisfies Results
  return notes[RESULTS] as Results
}

/** Makes the calls for which agents behind tools wait calls of the task, and passes them their part of the journal. */
export const waitingAgents: Layer = {
  rank: 25,
  serves: 'agentTools',
  calls: (next) => async (calls, scope) => {
    const outputs = await next(calls, scope)
    if (outputs) return outputs
    const results = resultsOf(scope)
    scope.state.pending_calls = calls.flatMap((call) => entriesOf(call, scope, results.get(call.id)))
    reportWaiting(scope.state.pending_calls, scope)
    return undefined
  },
  tool: (next) => async (call, scope) => {
    try {
      const output = await callAgent(next, call, scope)
      if (output) resultsOf(scope).set(call.id, output)
      return output
    } catch (error) {
      // Only agents as tools can wait. The error of any other tool is already an output.
      if (!isToolkitError(error, 'approval_required')) throw error
      resultsOf(scope).set(call.id, error as ApprovalRequiredError)
      return undefined
    }
  },
}

async function callAgent(next: CallTool, call: LoopCall, scope: Scope): Promise<ToolOutput | undefined> {
  const { saving } = scope
  const tool = findTool(scope.tools, call.name)
  const journal = tool?.isDurable ? saving?.part(placeOf(call, scope)) : undefined
  const callContext = {
    ...scope.callContext,
    decisions: (isDecided(call) && call.decisions) || [],
    agentTask: isDecided(call) ? call.agentTask : undefined,
    mustSave: saving?.isStrict,
    durable: journal?.durable,
    taskStore: journal?.taskStore,
  }
  const handles = (error: unknown) =>
    (tool?.canWait === true && isToolkitError(error, 'approval_required')) || (scope.handles?.(error) ?? false)
  try {
    return await next(call, { ...scope, callContext, handles })
  } finally {
    journal?.check()
  }
}

/** Completes the calls of a turn whose results are saved, so that they do not run again when the others are decided. */
export async function completeSaved(calls: readonly PendingToolCall[], scope: Scope): Promise<PendingToolCall[]> {
  const entries = calls.map(async (call) => {
    if (!scope.saving?.isSaved(placeOf(call, scope))) return [call]
    await makeCall(call, scope)
    return entriesOf(call, scope, resultsOf(scope).get(call.id))
  })
  return (await Promise.all(entries)).flat()
}

/** Returns a call of an interrupted turn, with the calls of its agent that wait. */
function entriesOf(
  call: LoopCall,
  scope: Scope,
  result: ToolOutput | ApprovalRequiredError | undefined,
): PendingToolCall[] {
  // It was rejected, or has its result from outside: it did not run.
  if (!result && isDecided(call) && call.decision !== 'approve') return [call]
  const { decisions: _, ...plain } = call as LoopCall & { decisions?: unknown }
  const own: PendingToolCall = { ...plain, place: placeOf(call, scope), needsApproval: false, decision: 'approve' }
  if (!isToolkitError(result, 'approval_required')) return [result ? { ...own, output: result as ToolOutput } : own]
  const { calls, taskId, agentTask } = result as ApprovalRequiredError
  return [
    { ...own, agentTask },
    ...calls.map((inner) => ({ ...inner, id: `${call.id}/${inner.id}`, parent: call.id, taskId })),
  ]
}
