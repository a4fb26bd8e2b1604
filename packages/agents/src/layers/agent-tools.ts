/**
 * @module
 * Agents as tools: their usage counts, and their calls that wait are calls of the task.
 */
import { isToolkitError, type ToolOutput } from '@x/core-model'
import { noUsage } from '../answer/task-usage.ts'
import { isDecided } from '../loop/decided-calls.ts'
import { findTool, type Layer, type LoopCall, makeCall, placeOf, type Scope } from '../loop/loop.ts'
import { AgentUsage, type RunningUsage, type TaskBudget } from '../loop/usage.ts'
import type { PendingToolCall } from '../task/agent-event.ts'
import type { JournalPart } from '../task/journal.ts'
import type { CheckBudget } from '../task/step-context.ts'
import type { ApprovalRequiredError } from '../task/task-errors.ts'
import type { ToolCallContext } from '../tool/base-tool.ts'
import { reportWaiting } from './approvals.ts'

/** What a runner passes to agents behind tools. */
export interface AgentToolsOptions {
  budget?: TaskBudget | null | undefined
  /** Returns the budgets of the agents that called this one. */
  checkBudget?: (scope: Scope) => CheckBudget | undefined
  /** Returns the part of the journal for the agent behind a call; undefined if nothing is saved. @internal */
  part?: (place: string, scope: Scope) => JournalPart | undefined
  /** Whether the task is saved, so that agents that wait must be savable. */
  mustSave?: (scope: Scope) => boolean | undefined
}

/** Completes the calls of a turn whose results are saved, so that they do not run again when the others are decided. */
export type CompleteCalls = (
  calls: readonly PendingToolCall[],
  scope: Scope,
  isSaved: (place: string, scope: Scope) => boolean,
) => Promise<PendingToolCall[]>

/** The calls of a turn that are made. */
interface Turn {
  running: RunningUsage
  results: Map<string, ToolOutput | ApprovalRequiredError>
}

const TURN = Symbol('agentTools')

function turnOf({ ids: { notes } }: Scope): Turn {
  notes[TURN] ??= { running: new Set(), results: new Map() } satisfies Turn
  return notes[TURN] as Turn
}

/** Lets agents be tools: their usage counts, and their calls that wait are calls of the task. */
export function agentTools(options: AgentToolsOptions = {}): Layer & { complete: CompleteCalls } {
  const complete: CompleteCalls = async (calls, scope, isSaved) => {
    const entries = calls.map(async (call) => {
      if (!isSaved(placeOf(call, scope), scope)) return [call]
      await makeCall(call, scope)
      return entriesOf(call, scope, turnOf(scope).results.get(call.id))
    })
    return (await Promise.all(entries)).flat()
  }
  return {
    rank: 25,
    serves: 'agents',
    complete,
    calls: (next) => async (calls, scope) => {
      const outputs = await next(calls, scope)
      if (outputs) return outputs
      const { results } = turnOf(scope)
      scope.state.pending_calls = calls.flatMap((call) => entriesOf(call, scope, results.get(call.id)))
      reportWaiting(scope.state.pending_calls, scope)
      return undefined
    },
    tool: (next) => async (call, scope) => {
      const { running, results } = turnOf(scope)
      const usage = (scope.state.usage ??= noUsage())
      const agent = new AgentUsage({ taskId: scope.task.taskId, usage, running, budget: options.budget })
      try {
        const output = await callAgent(next, call, scope, agent, options)
        if (!output) return undefined
        agent.add(output)
        results.set(call.id, output)
        return output
      } catch (error) {
        // Only agents as tools can wait. The error of any other tool is already an output.
        if (!isToolkitError(error, 'approval_required')) throw error
        results.set(call.id, error as ApprovalRequiredError)
        return undefined
      }
    },
  }
}

async function callAgent(
  next: Scope['loop']['callTool'],
  call: LoopCall,
  scope: Scope,
  agent: AgentUsage,
  { checkBudget, part, mustSave }: AgentToolsOptions,
): Promise<ToolOutput | undefined> {
  const { task, emit } = scope
  const tool = findTool(scope.tools, call.name)
  const journal = part?.(placeOf(call, scope), scope)
  const callContext: Partial<ToolCallContext> = {
    ...scope.callContext,
    onUsage: (used) => {
      const total = agent.note(used)
      emit?.({ type: 'usage', call: null, total })
      agent.check(total)
    },
    checkBudget: (used, toolCalls) => agent.checkNext(used, toolCalls, checkBudget?.(scope)),
    decisions: (isDecided(call) && call.decisions) || [],
    agentTask: isDecided(call) ? call.agentTask : undefined,
    mustSave: mustSave?.(scope),
    ...(tool?.isDurable && { durable: journal?.durable, taskStore: journal?.taskStore }),
  }
  const handles = (error: unknown) =>
    (tool?.canWait === true && isToolkitError(error, 'approval_required')) || (scope.handles?.(error) ?? false)
  // An agent among the tools has used up the budget of the task itself.
  const raises = (error: unknown) =>
    (isToolkitError(error, 'budget_exceeded') && error.taskId === task.taskId) || (scope.raises?.(error) ?? false)
  try {
    return await next(call, { ...scope, callContext, handles, raises })
  } finally {
    journal?.check()
  }
}

/** Returns a call of an interrupted turn, with the calls of its agent that wait. */
function entriesOf(
  call: LoopCall,
  scope: Scope,
  result: ToolOutput | ApprovalRequiredError | undefined,
): PendingToolCall[] {
  const { decisions: _, ...plain } = call as LoopCall & { decisions?: unknown }
  const own: PendingToolCall = { ...plain, place: placeOf(call, scope), needsApproval: false, decision: 'approve' }
  if (!isToolkitError(result, 'approval_required')) return [result ? { ...own, output: result as ToolOutput } : own]
  const { calls, taskId, agentTask } = result as ApprovalRequiredError
  return [
    { ...own, agentTask },
    ...calls.map((inner) => ({ ...inner, id: `${call.id}/${inner.id}`, parent: call.id, taskId })),
  ]
}
